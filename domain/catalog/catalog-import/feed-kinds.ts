/** What a supplier's file holds. */
export const supplierKinds = ['products', 'prices', 'stock', 'fitment'] as const
export type SupplierKind = (typeof supplierKinds)[number]

/** The kinds of imported files. */
export const feedKinds = [...supplierKinds, 'customers'] as const
export type FeedKind = (typeof feedKinds)[number]
