/** What a supplier's file holds. */
export const supplierKinds = ['products', 'prices', 'stock', 'fitment'] as const
export type SupplierKind = (typeof supplierKinds)[number]

/** The kinds of imported files. */
export const feedKinds = [...supplierKinds, 'customers', 'orders'] as const
export type FeedKind = (typeof feedKinds)[number]

/** Whether a file of this kind is about people. Their data is stored only in their own records. */
export function isPersonal(kind: FeedKind): boolean {
  return kind === 'customers' || kind === 'orders'
}
