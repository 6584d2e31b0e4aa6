import type { Row } from '#db/insert-rows.ts'
import type { Candidate, Item } from './items.ts'
import { randomStream } from './random.ts'
import { supplierWarehouses, warehouses } from './warehouses.ts'

/**
 * Returns an item's stock by warehouse. Common tires have large quantities in most warehouses, rare ones small
 * quantities in a few, and one in thirty is sold out. A `promised` item always has at least two full sets in a
 * warehouse. `spread` is the maximum share of warehouses that stock an item, which limits the size of very large
 * catalogs.
 */
export function stockOf(item: Item, candidate: Candidate, promised: boolean, spread = 1): Row<'stock'>[] {
  const random = randomStream(`stock ${item.sku}`)
  const isSoldOut = !promised && random.chance(0.033)
  // Common tires have low keys.
  const demand = Math.max(0.25, Math.min(1, 1.05 - candidate.key / 12))
  const kept = warehouses.filter(() => random.chance((0.3 + 0.55 * demand) * spread))
  const rows = kept.map((warehouse) => ({
    item_id: item.id,
    warehouse_id: warehouse.id,
    on_hand:
      isSoldOut || random.chance(0.08)
        ? 0
        : random.chance(0.14)
          ? random.between(1, 3)
          : Math.round(4 + 44 * demand * random.next() ** 1.6),
  }))
  if (!promised || rows.some((row) => row.on_hand >= 8)) return rows
  const home = random.pick(warehouses).id
  return [
    ...rows.filter((row) => row.warehouse_id !== home),
    { item_id: item.id, warehouse_id: home, on_hand: random.between(8, 24) },
  ]
}

/**
 * Returns an item's stock at suppliers. About a third of their warehouses have it. Items without `own` stock have no
 * supplier stock either, so sold-out items stay sold out.
 */
export function supplierStockOf(item: Item, own: readonly Row<'stock'>[], spread = 1): Row<'stock'>[] {
  if (!own.some(({ on_hand }) => on_hand > 0)) return []
  const random = randomStream(`supplier stock ${item.sku}`)
  return supplierWarehouses
    .filter(() => random.chance(0.35 * spread))
    .map(({ id }) => ({ item_id: item.id, warehouse_id: id, on_hand: random.between(4, 60) }))
}
