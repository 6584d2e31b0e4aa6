/**
 * Fields that many forms share. Fields of a single form are defined with that form. The admin API reads `formUnit` to
 * take amounts in cents and checkboxes as true or false.
 */
import { z } from 'zod'
import { countOf } from './count-text.ts'
import { parseDollars } from './money.ts'

/** A checkbox with the value 1. Parses to true if it is checked. */
export function ticked() {
  return z
    .string()
    .optional()
    .transform((value) => value === '1')
    .meta({ formUnit: 'checkbox' })
}

/** A text that may be empty, trimmed, of up to `max` characters; null if it is empty or missing. */
export function optionalText(max: number) {
  return z
    .string()
    .trim()
    .max(max, `Please keep this under ${countOf(max, 'character')}.`)
    .optional()
    .transform((value) => value || null)
}

/** A field that may be empty or missing, and is null then; anything else is `schema`'s. */
export function emptyOr<Schema extends z.ZodType<unknown, string>>(schema: Schema) {
  return z
    .string()
    .trim()
    .optional()
    .transform((value) => value || null)
    .pipe(schema.nullable())
}

/** An amount as typed, like "$1,049.99", in cents: above zero and up to `mostCents`, or else refused with `message`. */
export function dollars(message: string, mostCents = 999_999_999) {
  return z
    .string(message)
    .transform((text, issue) => {
      const cents = parseDollars(text)
      if (cents !== undefined && cents > 0 && cents <= mostCents) return cents
      issue.addIssue({ code: 'custom', message })
      return z.NEVER
    })
    .meta({ formUnit: 'cents' })
}
