/** The form of business terms, with a field per term of a group, generated from its declaration. */
import { z } from 'zod'
import { businessTerms, termNames, termText, type TermGroup, type TermName } from './business-terms.ts'
import { emptyOr } from '#platform/form-fields.ts'
import { storeZone } from '#platform/store-zone.ts'

/** The values that were typed, from when they apply (null for now), and the version the form was made of. */
export type TermsInput = {
  values: Partial<Record<TermName, number>>
  startsAt: Temporal.Instant | null
  seen: number
  /** Also restores the zones and exceptions of this time. */
  planFrom?: Temporal.Instant | null
}

/** A number as typed, in the unit of a term: "24.75" and "$24.75" in cents, "5" and "5 %" in parts per million. */
function termField(name: TermName) {
  const { label, unit, min, max, zeroText } = businessTerms[name]
  if (unit === 'yes-no')
    return z
      .enum(['yes', 'no'], 'Choose yes or no.')
      .transform((choice) => Number(choice === 'yes'))
      .meta({ description: label })
  const isMoney = unit === 'cents'
  const isRate = unit === 'ppm'
  const range = `From ${termText(name, min)} to ${termText(name, max)}.`
  const [pattern, example] = isMoney
    ? [/^\$?\d{1,3}(?:,?\d{3})?(?:\.\d{1,2})?$/, 'an amount such as 24.75']
    : isRate
      ? [/^\d{1,3}(?:\.\d{1,2})? ?%?$/, 'a percentage such as 5']
      : [/^\d{1,4}$/, 'a whole number']
  const field = z
    .string(`Enter ${example}.`)
    .trim()
    .max(20, `Enter ${example}.`)
    .regex(pattern, `Enter ${example}.`)
    .transform((text) => Math.round(Number(text.replaceAll(/[$,% ]/g, '')) * (isMoney ? 100 : isRate ? 10_000 : 1)))
    .refine((value) => min <= value && value <= max, range)
  const meta = {
    description: `${label}, in ${isMoney ? 'cents' : isRate ? 'percent' : unit}`,
    formUnit: isMoney ? 'cents' : isRate ? 'text' : 'number',
  }
  if (zeroText === undefined) return field.meta(meta)
  return emptyOr(field)
    .transform((value) => value ?? 0)
    .meta({ ...meta, description: `${meta.description}; null for ${zeroText.toLowerCase()}` })
}

/** The store's wall clock as a browser sends it; empty means now. */
export const startsAt = z
  .string()
  .trim()
  .max(20, 'Choose a day and time.')
  .default('')
  .transform((text, issue) => {
    if (text === '') return null
    if (/^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?$/.test(text))
      try {
        return Temporal.PlainDateTime.from(text).toZonedDateTime(storeZone).toInstant()
      } catch {
        // The day doesn't exist.
      }
    issue.addIssue({ code: 'custom', message: 'Choose a day and time.' })
    return z.NEVER
  })
  .meta({ description: 'In Eastern time, such as 2027-03-01T09:00; now if omitted' })

/** The name of the field for when a change of a group starts. */
export function startsField(group: TermGroup): string {
  return `starts-${group}`
}

/** A time from the history of shipping rates; null if empty. */
const planFrom = z
  .string()
  .trim()
  .max(40, 'Load the page again.')
  .default('')
  .transform((text, issue) => {
    if (text === '') return null
    const at = readInstant(text)
    if (at) return at
    issue.addIssue({ code: 'custom', message: 'Load the page again.' })
    return z.NEVER
  })
  .meta({ description: 'Restores the zones and exceptions of this time, such as 2027-03-01T14:00:00Z' })

/** Reads an instant such as 2027-03-01T14:00:00Z, or null. */
export function readInstant(text: string): Temporal.Instant | null {
  try {
    return Temporal.Instant.from(text)
  } catch {
    return null
  }
}

/** The form of the terms of a group. Its time has a separate name, because one page has a form per group. */
export function termsForm(group: TermGroup) {
  const names = termNames.filter((name) => businessTerms[name].group === group)
  const fields = Object.fromEntries(names.map((name) => [name, termField(name)]))
  const seen = z
    .string()
    .regex(/^\d{1,9}$/, 'Load the page again.')
    .transform(Number)
    .meta({ formUnit: 'number' })
  const starts = startsField(group)
  const plan = group === 'shipping' ? { plan: planFrom } : {}
  return z.object({ ...fields, ...plan, [starts]: startsAt, seen }).transform((all): TermsInput => {
    const typed: Readonly<Record<string, unknown>> = all
    const from = typed[starts]
    const values: TermsInput['values'] = {}
    for (const name of names) {
      const value = typed[name]
      if (typeof value === 'number') values[name] = value
    }
    return {
      values,
      startsAt: from instanceof Temporal.Instant ? from : null,
      seen: Number(typed['seen']),
      planFrom: typed['plan'] instanceof Temporal.Instant ? typed['plan'] : null,
    }
  })
}

/** The form that cancels a scheduled change. */
export const cancelTermForm = z.object({
  change: z
    .string()
    .regex(/^[1-9]\d{0,14}$/, 'Load the page again.')
    .transform(Number)
    .meta({ formUnit: 'number' }),
})
