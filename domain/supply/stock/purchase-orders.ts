/** States of purchase orders to suppliers, and answers recorded by staff. Safe in the browser. */

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

/** A supplier's answer as recorded by staff, for the purchase order `id`. */
export type PurchaseOrderAnswer = { id: number } & (
  | { intent: 'accepted'; reference: string }
  | { intent: 'rejected'; reason: string }
  | { intent: 'again' }
)
