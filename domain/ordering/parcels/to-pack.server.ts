/** Parcels that are to be packed now, with the bins and deadlines by which they are picked. */
import { stockKey, selectBins } from '#domain/supply/delivery/delivery.server.ts'
import {
  selectPackedParcel,
  selectParcelsToPack,
  type Parcel,
  type ParcelPlace,
} from '#domain/ordering/orders/orders.server.ts'
import type { Database } from '#platform/db.ts'

/** A parcel with the bin of each item. */
export type ParcelToPack = Omit<Parcel, 'items'> & { items: (Parcel['items'][number] & { bin: string | null })[] }

/** Lists parcels to pack now by warehouse, oldest first; `code` limits it to one warehouse. */
export async function listParcelsToPack(
  { db }: { db: Database },
  { code = null, after = null, limit }: { code?: string | null; after?: ParcelPlace | null; limit: number },
): Promise<{ parcels: ParcelToPack[]; next: ParcelPlace | null }> {
  const found = await selectParcelsToPack(db, { code, after, limit: limit + 1 })
  const parcels = await withBins(db, found.slice(0, limit))
  const last = parcels.at(-1)
  const next =
    found.length > limit && last?.releasedAt
      ? { warehouseId: last.warehouse.id, releasedAt: last.releasedAt, id: last.id }
      : null
  return { parcels, next }
}

/** Returns the parcel with this id; undefined if it doesn't exist, or its tires are picked up at a warehouse. */
export async function findParcel({ db }: { db: Database }, id: string): Promise<ParcelToPack | undefined> {
  const parcel = await selectPackedParcel(db, id)
  return parcel && (await withBins(db, [parcel]))[0]
}

/** Adds bins to parcels. */
export async function withBins(db: Database, parcels: readonly Parcel[]): Promise<ParcelToPack[]> {
  const places = parcels.flatMap(({ warehouse, items }) =>
    items.map(({ itemId }) => ({ itemId, warehouseId: warehouse.id })),
  )
  const bins = await selectBins(db, places)
  return parcels.map((parcel) => ({
    ...parcel,
    items: parcel.items.map((item) => ({
      ...item,
      bin: bins.get(stockKey({ itemId: item.itemId, warehouseId: parcel.warehouse.id })) ?? null,
    })),
  }))
}
