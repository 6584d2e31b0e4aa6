/** The parts of Resolve's answers that the store reads. Amounts are in dollars. */
import { z } from 'zod'

const id = z.string().min(1).max(100)
const dollars = z.number().min(0)
export const moment = z.string().transform((text, issue) => {
  try {
    return Temporal.Instant.from(text)
  } catch {
    issue.addIssue({ code: 'custom', message: 'must be a time' })
    return z.NEVER
  }
})

export const customerForm = z.looseObject({
  id,
  amount_available: z.number(),
  credit_status: z.string().nullish(),
  default_terms: z.string().nullish(),
  archived: z.boolean().optional(),
})
export type ResolveCustomer = z.infer<typeof customerForm>

const lineForm = z.looseObject({ name: z.string().optional() })

export const orderForm = z.looseObject({
  id,
  number: z.string().nullish(),
  status: z.string(),
  amount_authorized: dollars,
  amount_captured: dollars,
  amount_canceled: dollars,
  amount_remaining: dollars,
  authorization_expires_at: moment.nullish(),
  line_items: z.array(lineForm).optional(),
  capture_events: z.array(z.looseObject({ amount: dollars, idempotency_key: z.string(), invoice_id: id })).optional(),
  customer: z.looseObject({ id }).optional(),
})
export type ResolveOrder = z.infer<typeof orderForm>

export const orderListForm = z.looseObject({ results: z.array(orderForm) })

export const creditNoteForm = z.looseObject({
  id,
  number: z.string().nullish(),
  amount: dollars,
  voided: z.boolean().optional(),
})
export const creditNoteListForm = z.looseObject({ results: z.array(creditNoteForm) })

/** `POST /credit-notes` answers with the work on it; the note itself is found by its number. */
export const creditNoteActionForm = z.looseObject({ status: z.string().optional() })

export const errorForm = z.looseObject({
  error: z.looseObject({ type: z.string(), message: z.string() }),
})

/** 766.14 → 76614 */
export function toCents(amount: number): number {
  return Math.round(amount * 100)
}

/** 76614 → 766.14 */
export function toDollars(cents: number): number {
  return cents / 100
}
