import type { Row } from '#db/insert-rows.ts'
import { isNamed, nameOf, type Candidate, type Item } from './items.ts'
import { randomStream, type Random } from './random.ts'
import { supplierWarehouses, warehouses } from './warehouses.ts'

/** Minimum number of each named tire in the first warehouse. */
const leastOfNamed = 24

/**
 * Returns an item's stock by warehouse. Common tires have large quantities in most warehouses, rare ones small
 * quantities in a few, and one in thirty is sold out. A `promised` item always has at least two full sets in a
 * warehouse, and a named one has 24 in the first warehouse. Stock follows from the tire and not from its number, which
 * changes with the other tires. `spread` is the maximum share of warehouses that stock an item, which limits the size of
 * very large catalogs.
 */
export function stockOf(item: Item, candidate: Candidate, promised: boolean, spread = 1): Row<'stock'>[] {
  const random = streamOf('stock', candidate)
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
  if (isNamed(candidate)) return withFirst(rows, item)
  if (!promised || rows.some((row) => row.on_hand >= 8)) return rows
  const home = random.pick(warehouses).id
  return [
    ...rows.filter((row) => row.warehouse_id !== home),
    { item_id: item.id, warehouse_id: home, on_hand: random.between(8, 24) },
  ]
}

function withFirst(rows: Row<'stock'>[], item: Item): Row<'stock'>[] {
  const [first] = warehouses
  if (!first) return rows
  const units = rows.find((row) => row.warehouse_id === first.id)?.on_hand ?? 0
  return [
    { item_id: item.id, warehouse_id: first.id, on_hand: Math.max(units, leastOfNamed) },
    ...rows.filter((row) => row.warehouse_id !== first.id),
  ]
}

/**
 * Returns an item's stock at suppliers. About a third of their warehouses have it, and the first has every named tire.
 * Items without `own` stock have no supplier stock either, so sold-out items stay sold out.
 */
export function supplierStockOf(
  item: Item,
  candidate: Candidate,
  own: readonly Row<'stock'>[],
  spread = 1,
): Row<'stock'>[] {
  if (!own.some(({ on_hand }) => on_hand > 0)) return []
  const random = streamOf('supplier stock', candidate)
  const [first] = supplierWarehouses
  return supplierWarehouses
    .filter((warehouse) => random.chance(0.35 * spread) || (warehouse === first && isNamed(candidate)))
    .map(({ id }) => ({ item_id: item.id, warehouse_id: id, on_hand: random.between(4, 60) }))
}

function streamOf(what: string, candidate: Candidate): Random {
  const { line } = candidate
  return randomStream(`${what} ${line.brand.slug} ${line.slug} ${nameOf(candidate)}`)
}
