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

/** Purchase order forms for a supplier's answer (fill or kill), resending, and another warehouse. */
export const purchaseOrderForm = z.discriminatedUnion(
  'intent',
  [
    z.object({
      intent: z.literal('accepted'),
      reference: z
        .string()
        .trim()
        .min(1, 'Enter the supplier’s order number.')
        .max(60, 'Please keep this under 60 characters.'),
    }),
    z.object({
      intent: z.literal('rejected'),
      reason: z
        .string()
        .trim()
        .min(1, 'Enter why the supplier rejected it.')
        .max(400, 'Please keep this under 400 characters.'),
    }),
    z.object({ intent: z.literal('again') }),
    z.object({
      intent: z.literal('elsewhere'),
      warehouse: z.coerce
        .number('Choose a warehouse.')
        .int('Choose a warehouse.')
        .min(1, 'Choose a warehouse.')
        .max(32_767, 'Choose a warehouse.'),
    }),
  ],
  'Choose an answer.',
)

/** A supplier's answer as recorded by staff, for the purchase order `id`. */
export type PurchaseOrderAnswer = { id: number } & Exclude<z.output<typeof purchaseOrderForm>, { intent: 'elsewhere' }>
