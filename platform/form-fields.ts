/**
 * Fields that many forms share. Fields of a single form are defined with that form. The admin API reads `formUnit` to
 * take amounts in cents, checkboxes as true or false, and whole numbers (`number`).
 */
import { z } from 'zod'
import { countOf } from './count-text.ts'
import { parseDollars } from './money.ts'

/** The type of a field in the admin API (integer cents, a boolean, an integer, or text). */
export type FieldUnit = 'cents' | 'checkbox' | 'number' | 'text'

/**
 * Fields that a form has once per row, each named with the row's ID in the field `key` of the API. `names` has those that
 * the form names differently.
 */
export type FormRows = {
  key: string
  fields: Readonly<Record<string, FieldUnit>>
  names?: Readonly<Record<string, string>>
}

/** Lines of a text field, each with a key and an amount, such as "KES-1 129.99". The API's null is "KES-1 none". */
export type FormLines = { key: string; amount: string; max: number }

/**
 * Declares a form's fields per row, such as `quantity-7` and `cost-7`. The form reads them itself; the admin API takes
 * them as a list: `[{ "itemId": "7", "quantity": 4, "cost": 8450 }]`.
 */
export function rowFields<Value>(formRows: FormRows) {
  return z.custom<Value>().meta({ formRows })
}

/**
 * Declares a form's checkboxes with a prefix, such as `service-alignment`, or null if they are only named. The form reads them itself; the admin API
 * takes the names of those that are checked as a list.
 */
export function tickedNames<Name extends string>(prefix: string | null, names: readonly Name[]) {
  return z.custom<Name[]>().meta({ formTicks: { prefix, names } })
}

/**
 * Declares a form's checkboxes for numbered rows up to `most`, such as `tire-3`. The form reads them itself; the admin
 * API takes the numbers of those that are checked as a list.
 */
export function tickedNumbers(prefix: string, most: number) {
  return z.custom<unknown>().optional().meta({ formNumbers: { prefix, most } })
}

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
