/** The form with which staff set an account type. */
import { z } from 'zod'
import type { AccountType } from '#domain/pricing/price-tiers/price-tiers.ts'
import { countOf } from '#platform/count-text.ts'

/** The longest reason for an account type, in characters. */
export const maxTypeReason = 500

/** The most documents of an account. */
export const mostDocuments = 20

/** Types that staff can set. Members buy theirs, and companies give theirs to their members. */
export const staffTypes = [
  'Retail',
  'EPP',
  'Fleet',
  'Partner Program',
  'Sales Tool',
  'Special Order',
  'WholeSale',
] as const satisfies readonly AccountType[]

const dayMessage = 'Choose a day from tomorrow on, up to 10 years ahead, or leave it empty.'

/** `version` identifies the current type. `until` is the last day in the store's time zone. */
export const accountTypeForm = (today: Temporal.PlainDate) =>
  z.object({
    type: z.enum(staffTypes, 'Choose a type.'),
    until: z
      .union([
        z.literal('').transform(() => null),
        z.iso.date(dayMessage).transform((day) => Temporal.PlainDate.from(day)),
      ])
      .default(null)
      .refine((day) => day === null || isAhead(day, today), dayMessage),
    reason: z
      .string('Enter a reason.')
      .trim()
      .min(1, 'Enter a reason.')
      .max(maxTypeReason, `Please keep this under ${countOf(maxTypeReason, 'character')}.`),
    version: z.string().max(100).default(''),
  })

function isAhead(day: Temporal.PlainDate, today: Temporal.PlainDate): boolean {
  return Temporal.PlainDate.compare(day, today) > 0 && Temporal.PlainDate.compare(day, today.add({ years: 10 })) <= 0
}

export const removeDocumentForm = z.object({ document: z.string().max(64) })
