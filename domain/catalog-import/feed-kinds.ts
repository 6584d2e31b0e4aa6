/** What a supplier's file holds. */
export const supplierKinds = ['products', 'prices', 'stock', 'fitment'] as const
export type SupplierKind = (typeof supplierKinds)[number]

/** What an imported file holds: a supplier's, or the customers of another store program. */
export const feedKinds = [...supplierKinds, 'customers'] as const
export type FeedKind = (typeof feedKinds)[number]
