/** Rule book section 8, the tire's age and notes, which never change a result. */
import { brandNote } from './rules-brand.ts'
import { refuse } from './ruling.ts'
import { MAX_TIRE_AGE_YEARS } from '#platform/business-constants.ts'
import { countOf } from '#platform/count-text.ts'
import type { AxleCase, Context, Finding, FitmentInput, Note, OfferedTire, Ruling } from './terms.ts'
import type { Level } from './verdict.ts'

/** One possible vehicle, as far as notes need it. */
type Judged = { readonly cases: readonly AxleCase[]; readonly findings: readonly Finding[] }

/** FR43: tires older than the store's maximum age since the DOT week are not sold. There is no federal limit. */
export function isNotTooOld({ tire, context }: AxleCase): Ruling {
  if (tire.ageYears === undefined) return 'silent'
  const text = tooOldText(tire, maxAgeOf(context))
  return text === null ? 'passed' : refuse(text, `older than ${countOf(maxAgeOf(context), 'year')}`)
}

/**
 * Explains why a tire older than `maxAgeYears` isn't sold, with or without a vehicle (FR43). Null for other tires and for
 * an unknown age.
 */
export function tooOldText(tire: Pick<OfferedTire, 'ageYears' | 'made'>, maxAgeYears: number): string | null {
  if (tire.ageYears === undefined || tire.ageYears <= maxAgeYears) return null
  const age = countOf(maxAgeYears, 'year')
  const when = tire.made ? madeText(tire) : `Made more than ${age} ago.`
  return `${when} We do not sell tires older than ${age}.`
}

/** FR40, FR41, FR42, FR43, FR45 and FR48, in code order. */
export function notesOn(
  { requirement, candidate, context }: FitmentInput,
  possibilities: readonly Judged[],
  verdict: Level,
): Note[] {
  const tires = [candidate.front, candidate.rear].filter((tire) => tire !== undefined)
  const aging = tires.find(
    ({ ageYears }) => ageYears !== undefined && ageYears >= notedFromYears && ageYears <= maxAgeOf(context),
  )
  const notes: Note[] = []
  if (aging) notes.push({ code: 'N-AGE', rule: 'FR43', text: madeText(aging) })
  const listed = brandNote(tires, requirement, verdict)
  if (listed) notes.push(listed)
  if (context.wantsChains)
    notes.push({ code: 'N-CHAIN', rule: 'FR42', text: chainText(possibilities.flatMap(({ cases }) => cases)) })
  if (requirement.electric)
    notes.push({ code: 'N-EV', rule: 'FR41', text: 'Not an EV-specific tire: range and noise may differ.' })
  if (context.wantsSnow && tires.some(({ snowflake }) => !snowflake)) {
    notes.push({
      code: 'N-SNOW',
      rule: 'FR40',
      text: 'M+S is not a snow rating. Look for the mountain with the snowflake.',
    })
  }
  if (requirement.pressureMonitor && verdict !== 'does_not_fit' && possibilities.every(isChange)) {
    notes.push({ code: 'N-TPMS', rule: 'FR45', text: 'Your tire-pressure light must still work after the change.' })
  }
  return notes
}

/** Another size, kind or pressure than the factory's. */
function isChange({ cases, findings }: Judged): boolean {
  return (
    cases.some(({ match }) => match !== 'same' && match !== 'unknown') ||
    findings.some(({ condition }) => condition === 'C-PRESS')
  )
}

const notedFromYears = 3

function maxAgeOf({ maxAgeYears = MAX_TIRE_AGE_YEARS }: Context): number {
  return maxAgeYears
}

function madeText({ made, ageYears = 0 }: Pick<OfferedTire, 'ageYears' | 'made'>): string {
  return made ? `Made week ${made.week}, ${made.year}.` : `Made ${countOf(Math.floor(ageYears), 'year')} ago.`
}

function chainText(cases: readonly AxleCase[]): string {
  const text = 'Check the manual before using chains; some cars allow none.'
  return cases.some(({ match }) => match === 'other' || match === 'alternative')
    ? `${text} The chain size it lists is for the old tires.`
    : text
}
