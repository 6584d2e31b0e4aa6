/** What the list of purchase orders is asked for. Anything else counts as not asked. */
import { purchaseOrderStates, type PurchaseOrderState } from '#domain/stock/stock.ts'

export function readPurchaseOrdersAsked(query: URLSearchParams): { state: PurchaseOrderState; before: number | null } {
  const before = query.get('before') ?? ''
  return {
    state: purchaseOrderStates.find((state) => state === query.get('state')) ?? 'released',
    before: /^\d{1,15}$/.test(before) ? Number(before) : null,
  }
}
