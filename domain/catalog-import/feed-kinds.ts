/** What a supplier's file holds. */
export const feedKinds = ['products', 'prices', 'stock', 'fitment'] as const
export type FeedKind = (typeof feedKinds)[number]
