import type { PoolClient } from 'pg'
import { vehicleName } from '#domain/catalog/vehicles/vehicles.ts'
import { marksBySize } from './carmaker-marks.ts'
import { insertRows, type Row } from '#db/insert-rows.ts'
import { makeItem, type Item } from './items.ts'
import { lineRows, makeLines, type Line } from './lines.ts'
import { makePromotions } from './promotions.ts'
import { loadRebates } from './rebates.ts'
import { makeReviews, type Owned } from './reviews.ts'
import type { Scale } from './scales.ts'
import { identity, promisedItems, selectItems } from './select-items.ts'
import { readSizes, sizeRows, withMoreSizes, type Size } from './sizes.ts'
import { stockOf, supplierStockOf } from './stock.ts'
import type { Fitment, Vehicle } from '#db/reference/vehicles.ts'
import { loadWarehouses } from './warehouses.ts'

type Ground = {
  vehicles: readonly Vehicle[]
  fitments: readonly Fitment[]
  log: (line: string) => void
  now: Temporal.Instant
}

/** The part of the catalog that sample orders need. In a large catalog it has about 15,000 items. */
export type CatalogCache = { lines: readonly Line[]; sizes: readonly Size[]; items: readonly Item[] }

/** The first item ID. */
const firstItemId = 100_001
const itemsPerBatch = 20_000

/**
 * Lines, sizes, items with their stock, promotions and reviews. Items are made and sent in batches, so memory stays
 * small at any scale.
 */
export async function loadCatalog(
  client: PoolClient,
  scale: Scale,
  { vehicles, fitments, log, now }: Ground,
): Promise<CatalogCache> {
  const sizes = sizesOf(scale, fitments)
  const lines = makeLines(scale.generations).filter((line) => line.brand.id <= scale.brands)
  await insertRows(client, 'product_line', lineRows(lines), 'id')
  await insertRows(client, 'size', sizeRows(sizes), 'id')
  await loadWarehouses(client, now)

  log(`${scale.items.toLocaleString('en-US')} tires`)
  const promised = promisedItems(lines, sizes, fitments)
  const thisWeek = mondayOf(now)
  const sizesOfLine = new Map<number, Set<string>>()
  const someItems: Item[] = []
  let items: Item[] = []
  let stock: Row<'stock'>[] = []
  let made = 0
  async function send(): Promise<void> {
    await insertRows(client, 'item', items)
    await insertRows(client, 'stock', stock)
    if (made % 100_000 === 0 && made < scale.items) log(`  ${made.toLocaleString('en-US')}`)
    items = []
    stock = []
  }
  for (const candidate of selectItems(lines, sizes, promised, scale.items, marksBySize(vehicles, fitments))) {
    const item = makeItem(candidate, firstItemId + made, thisWeek)
    items.push(item)
    const own = stockOf(item, candidate, promised.has(identity(candidate)), scale.stockSpread)
    // A loop instead of a spread into push because a million rows go through here.
    for (const row of [...own, ...supplierStockOf(item, candidate, own, scale.stockSpread)]) stock.push(row)
    if (made % Math.ceil(scale.items / 15_000) === 0) someItems.push(item)
    const ofLine = sizesOfLine.get(candidate.line.id) ?? new Set<string>()
    sizesOfLine.set(candidate.line.id, ofLine.add(candidate.size.designation))
    made++
    if (items.length === itemsPerBatch) await send()
  }
  await send()

  const sold = lines.filter((line) => sizesOfLine.has(line.id))
  // Removes lines and sizes without any tire, which would be dead ends.
  await client.query('delete from size where not exists (select from item where size_id = size.id)')
  await client.query(
    'delete from product_line where not exists (select from item where product_line_id = product_line.id)',
  )
  await insertRows(client, 'promotion', makePromotions(sold, someItems, now))
  await loadRebates(client, sold, now)
  log(`${scale.reviews.toLocaleString('en-US')} sample reviews`)
  const vehiclesOf = vehicleFinder(vehicles, fitments, sizesOfLine)
  await insertRows(client, 'review', makeReviews(sold, scale.reviews, vehiclesOf, now))
  return { lines: sold, sizes, items: someItems }
}

function sizesOf(scale: Scale, fitments: readonly Fitment[]): Size[] {
  const sizes = readSizes(fitments)
  if (typeof scale.sizes === 'number') return withMoreSizes(sizes, scale.sizes)
  const wanted = new Set(scale.sizes)
  return sizes.filter((size) => wanted.has(size.designation))
}

function mondayOf(now: Temporal.Instant): Temporal.PlainDate {
  const today = now.toZonedDateTimeISO('America/New_York').toPlainDate()
  return today.subtract({ days: today.dayOfWeek - 1 })
}

export function ownedVehicle({ year, make, model, trim }: Vehicle): Owned {
  return {
    year,
    name: vehicleName({ year, make, model, trim: trim === 'Base' ? undefined : trim }),
    model: `${make} ${model}`,
  }
}

/** Names of the vehicles that have a size of the line on the front axle. */
function vehicleFinder(
  vehicles: readonly Vehicle[],
  fitments: readonly Fitment[],
  sizesOfLine: ReadonlyMap<number, ReadonlySet<string>>,
): (line: Line) => readonly Owned[] {
  const owned = new Map(vehicles.map((vehicle) => [vehicle.id, ownedVehicle(vehicle)]))
  const bySize = Map.groupBy(fitments, (fitment) => fitment.front_size)
  return (line) =>
    [...(sizesOfLine.get(line.id) ?? [])].flatMap((size) =>
      (bySize.get(size) ?? []).flatMap((fitment) => owned.get(fitment.vehicle_id) ?? []),
    )
}
