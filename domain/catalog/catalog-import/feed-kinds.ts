/** What a supplier's file holds. */
export const supplierKinds = ['products', 'prices', 'stock', 'fitment'] as const
export type SupplierKind = (typeof supplierKinds)[number]

/** Kinds of files about the catalog, which can be rolled back. */
export const catalogKinds = [
  ...supplierKinds,
  'item-data',
  'brand-fitment',
  'vehicle-codes',
  'competitor-prices',
] as const

/** The kinds of imported files. */
export const feedKinds = [...catalogKinds, 'customers', 'orders'] as const
export type FeedKind = (typeof feedKinds)[number]

/** Whether a file of this kind is about people. Their data is stored only in their own records. */
export function isPersonal(kind: FeedKind): boolean {
  return kind === 'customers' || kind === 'orders'
}
