/** States of purchase orders to suppliers, and answers recorded by staff. Safe in the browser. */
import { z } from 'zod'

export const purchaseOrderStates = ['held', 'released', 'accepted', 'rejected', 'canceled'] as const
export type PurchaseOrderState = (typeof purchaseOrderStates)[number]

export const purchaseOrderStateNames: Readonly<Record<PurchaseOrderState, string>> = {
  held: 'Held',
  released: 'Awaiting answer',
  accepted: 'Accepted',
  rejected: 'Rejected',
  canceled: 'Canceled',
}

/** "PO-5001" */
export function purchaseOrderNumber(id: number): string {
  return `PO-${id}`
}

/** What staff record about a purchase order, by button. `elsewhere` orders its units from another warehouse. */
export const purchaseOrderForms = {
  accepted: z.object({
    reference: z
      .string('Enter the supplier’s order number.')
      .trim()
      .min(1, 'Enter the supplier’s order number.')
      .max(60, 'Please keep this under 60 characters.'),
  }),
  rejected: z.object({
    reason: z
      .string('Enter why the supplier rejected it.')
      .trim()
      .min(1, 'Enter why the supplier rejected it.')
      .max(400, 'Please keep this under 400 characters.'),
  }),
  elsewhere: z.object({
    warehouse: z.coerce
      .number('Choose a warehouse.')
      .int('Choose a warehouse.')
      .min(1, 'Choose a warehouse.')
      .max(32_767, 'Choose a warehouse.'),
  }),
} as const

/** A supplier's answer as recorded by staff, for the purchase order `id`. */
export type PurchaseOrderAnswer = { id: number } & (
  | { intent: 'accepted'; reference: string }
  | { intent: 'rejected'; reason: string }
  | { intent: 'again' }
)
