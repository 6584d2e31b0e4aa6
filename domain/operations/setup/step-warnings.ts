/** Warnings of setup steps that are done. */
import { officePaths } from '#content/office-paths.ts'
import { countOf } from '#platform/count-text.ts'
import type { SetupFacts } from './steps.ts'

/** A warning leaves the step's state unchanged. `link` leads to the page where it is resolved. */
export type StepWarning = { text: string; link?: { path: string; label: string } }

/** Sign-in providers don't report how people sign in. */
export const secondFactorWarning: StepWarning = {
  text: 'The store can’t see whether they use a passkey or another second factor.',
  link: { path: officePaths.officeAccount(), label: 'Add yours' },
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
