/** Warnings of setup steps that are done. */
import { officePaths } from '#content/office-paths.ts'
import { countOf } from '#platform/count-text.ts'
import type { SetupFacts } from './steps.ts'

/** A warning leaves the step's state unchanged. `link` leads to the page where it is resolved. */
export type StepWarning = { text: string; link?: { path: string; label: string } }

/** People without a second factor come before people with an unknown one. */
export function secondFactorWarning({ without, unknown }: SetupFacts['staff']): StepWarning | null {
  const link = { path: officePaths.officeStaff(), label: 'Show the people' }
  if (without.people > 0) {
    const owners = without.owners > 0 ? `, ${countOf(without.owners, 'owner')} among them,` : ''
    return {
      text: `${countOf(without.people, 'person', 'people')}${owners} last signed in without a second factor.`,
      link,
    }
  }
  if (unknown === 0) return null
  return {
    text: `It’s unknown whether ${countOf(unknown, 'person', 'people')} signed in with a second factor.`,
    link,
  }
}

/** Taxes that staff set before a built-in update come first, because they may charge too little. */
export function taxWarning({ unverified, updated }: SetupFacts['tax']): StepWarning | null {
  if (updated > 0)
    return {
      text: `The built-in taxes and fees of ${countOf(updated, 'state')} changed after you set yours.`,
      link: { path: officePaths.officeTaxes({ state: 'updated' }), label: 'Compare them' },
    }
  if (unverified === 0) return null
  return {
    text: `Tax rates and fees of ${countOf(unverified, 'state is', 'states are')} unverified. Check them with your state.`,
    link: { path: officePaths.officeTaxes({ state: 'unverified' }), label: 'Check rates and fees' },
  }
}
