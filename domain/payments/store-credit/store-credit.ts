/** Store credit that staff give. Safe in the browser. */
import { z } from 'zod'
import { parseOrderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { countOf } from '#platform/count-text.ts'
import { dollars } from '#platform/form-fields.ts'
import { formatCents } from '#platform/money.ts'

/** The most that one grant gives. */
export const maxCreditCents = 1_000_000

/** The longest reason, in characters. */
export const maxCreditReason = 500

const reason = z
  .string('Enter a reason for your team.')
  .trim()
  .min(1, 'Enter a reason for your team.')
  .max(maxCreditReason, `Please keep this under ${countOf(maxCreditReason, 'character')}.`)

/** `order` is the customer's order number, or empty; `once` is the form's idempotency key. */
export const giveCreditForm = z.object({
  amount: dollars(`Enter an amount up to ${formatCents(maxCreditCents)}.`, maxCreditCents),
  reason,
  order: z
    .string()
    .default('')
    .transform((text) => (text === '' ? null : (parseOrderNumber(text) ?? 0))),
  once: z.string().max(64).default(''),
})

export const takeBackForm = z.object({ reason })
