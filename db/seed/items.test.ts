import { expect, test } from 'vitest'
import { marksBySize } from './carmaker-marks.ts'
import { isNamed, makeItem, type Candidate, type Item } from './items.ts'
import { makeLines } from './lines.ts'
import { identity, promisedItems, selectItems } from './select-items.ts'
import { readSizes } from './sizes.ts'
import { stockOf, supplierStockOf } from './stock.ts'
import { kmh, meets, poundsOf } from './suitability.ts'
import { readVehicles } from '#db/reference/vehicles.ts'

// The default catalog, generated once because these tests are read-only.
const count = 15_000
const monday = Temporal.PlainDate.from('2026-11-16')
const { vehicles, fitments } = readVehicles()
const sizes = readSizes(fitments)
const lines = makeLines()
const promised = promisedItems(lines, sizes, fitments)
const catalog: readonly { candidate: Candidate; item: Item; onHand: number }[] = Array.from(
  selectItems(lines, sizes, promised, count, marksBySize(vehicles, fitments)),
  (candidate, index) => {
    const item = makeItem(candidate, 100_001 + index, monday)
    return {
      candidate,
      item,
      onHand: stockOf(item, candidate, promised.has(identity(candidate))).reduce((sum, row) => sum + row.on_hand, 0),
    }
  },
)
const bySize = Map.groupBy(catalog, ({ candidate }) => candidate.size.designation)

test('the catalog has the requested size, and no duplicate items', () => {
  expect(catalog).toHaveLength(count)
  const keys = catalog.map(({ item }) =>
    [
      item.product_line_id,
      item.size_id,
      item.load_index,
      item.speed,
      item.load_class,
      item.load_range,
      item.run_flat,
      item.sidewall,
    ].join(),
  )
  expect(new Set(keys).size).toBe(count)
  expect(new Set(catalog.map(({ item }) => item.sku)).size).toBe(count)
  expect(new Set(catalog.map(({ item }) => item.product_line_id)).size).toBe(lines.length)
})

test('every tire has a part number that is unique within its brand and marked as made up', () => {
  expectAll(({ item }) => /^[A-Z]{3}-\d{6}-DEMO$/.test(item.mpn ?? ''))
  expect(new Set(catalog.map(({ candidate, item }) => `${candidate.line.brand.id} ${item.mpn}`)).size).toBe(count)
})

test('every size listed for a vehicle has at least eight items in stock', () => {
  const thin = sizes.filter(
    (size) => size.vehicles > 0 && (bySize.get(size.designation) ?? []).filter(({ onHand }) => onHand >= 4).length < 8,
  )
  expect(thin.map((size) => size.designation)).toEqual([])
})

test('every listed need is met by at least six items in stock, of two price tiers or more', () => {
  const unmet = sizes.flatMap((size) =>
    size.requirements.flatMap((requirement) => {
      const fitting = (bySize.get(size.designation) ?? []).filter(
        ({ item, onHand }) => onHand >= 4 && meets(requirement, item.load_index, item.speed),
      )
      const tiers = new Set(fitting.map(({ candidate }) => candidate.line.brand.tier))
      return fitting.length >= 6 && tiers.size >= 2
        ? []
        : [`${size.designation} ${requirement.loadIndex}${requirement.speed}: ${fitting.length}`]
    }),
  )
  expect(unmet).toEqual([])
})

test('every promised item is in stock with two full sets in one warehouse', () => {
  const kept = catalog.filter(({ candidate }) => promised.has(identity(candidate)))
  expect(kept).toHaveLength(promised.size)
  expect(kept.filter(({ candidate, item }) => !stockOf(item, candidate, true).some((row) => row.on_hand >= 8))).toEqual(
    [],
  )
  // Others may be sold out.
  expect(catalog.filter(({ onHand }) => onHand === 0).length).toBeGreaterThan(100)
})

test('every named item has 24 in the first warehouse, and a supplier has some', () => {
  const named = catalog.filter(({ candidate }) => isNamed(candidate))
  const missing = named.filter(({ candidate, item }) => {
    const own = stockOf(item, candidate, true)
    return (
      !own.some((row) => row.warehouse_id === 1 && row.on_hand >= 24) ||
      supplierStockOf(item, candidate, own).length === 0
    )
  })
  expect(named.length).toBeGreaterThan(15)
  expect(missing).toEqual([])
})

test('the stock of a tire stays the same if its number changes', () => {
  for (const { candidate, item } of catalog.slice(0, 50)) {
    const [before, after] = [item.id, item.id + 1].map((id) =>
      stockOf(makeItem(candidate, id, monday), candidate, false),
    )
    expect(after?.map((row) => row.on_hand)).toEqual(before?.map((row) => row.on_hand))
  }
})

test.each([
  ['235/60R18', 103, 'H'],
  ['235/65R17', 104, 'T'],
  ['225/65R17', 102, 'H'],
])('%s %d%s fills a page with tires of every tier', (designation, loadIndex, speed) => {
  const fitting = (bySize.get(designation) ?? []).filter(
    ({ item, onHand }) => onHand >= 4 && meets({ loadIndex, speed }, item.load_index, item.speed),
  )
  expect(fitting.length).toBeGreaterThan(24)
  for (const tier of ['value', 'mid', 'premium'])
    expect(fitting.filter(({ candidate }) => candidate.line.brand.tier === tier).length).toBeGreaterThan(3)
})

test('staggered cars find lines in both sizes', () => {
  const fits = (size: string, loadIndex: number, speed: string): Set<number> =>
    new Set(
      (bySize.get(size) ?? [])
        .filter(({ item, onHand }) => onHand >= 4 && meets({ loadIndex, speed }, item.load_index, item.speed))
        .map(({ item }) => item.product_line_id),
    )
  const staggered = fitments.filter((fitment) => fitment.front_size !== fitment.rear_size)
  expect(staggered.length).toBeGreaterThan(400)
  for (const row of staggered) {
    const rear = fits(row.rear_size, Number(row.rear_load_index), String(row.rear_speed))
    const both = [...fits(row.front_size, Number(row.front_load_index), String(row.front_speed))].filter((line) =>
      rear.has(line),
    )
    expect(both.length, `${row.front_size} ${row.rear_size}`).toBeGreaterThanOrEqual(3)
  }
})

test('a few premium tires carry a carmaker’s mark, and each is also made without it', () => {
  const marked = catalog.filter(({ item }) => item.oe_mark)
  expect(marked.length).toBeGreaterThan(60)
  expect(new Set(marked.map(({ item }) => item.oe_mark)).size).toBeGreaterThan(4)
  const isSame = (a: Item, b: Item) =>
    a.product_line_id === b.product_line_id && a.size_id === b.size_id && a.run_flat === b.run_flat
  const alone = marked.filter(
    ({ item, candidate }) =>
      !bySize.get(candidate.size.designation)?.some((other) => !other.item.oe_mark && isSame(other.item, item)),
  )
  expect(alone).toEqual([])
  expect(
    marked.filter(({ candidate }) => candidate.line.brand.tier !== 'premium' || promised.has(identity(candidate))),
  ).toEqual([])
})

test('load, pressure and plies agree', () => {
  const heavy = ['LT', 'FLOTATION', 'C', 'ST', 'COMMERCIAL']
  const plies: Record<string, number> = { C: 6, D: 8, E: 10, F: 12, G: 14, H: 16 }
  expectAll(
    ({ item, candidate }) =>
      item.max_load_lb === poundsOf(item.load_index) &&
      item.ply_rating === (plies[item.load_range ?? ''] ?? 4) &&
      (item.load_class !== null) === (candidate.size.kind === 'P'),
  )
  expectAll(({ item, candidate }) => (item.load_range !== null) === heavy.includes(candidate.size.kind))
})

test('excise tax is due only on tires rated for more than 3,500 lb', () => {
  expectAll(({ item }) => Number(item.fet_cents) > 0 === item.max_load_lb > 3_500)
  expect(catalog.find(({ item }) => item.load_index === 125)?.item.fet_cents).toBe(130)
})

test('UTQG grades are given where the law requires them', () => {
  expectAll(
    ({ item, candidate }) => (item.utqg_treadwear !== null) === (candidate.size.kind === 'P' && !candidate.line.winter),
  )
  expectAll(
    ({ item }) => item.utqg_temperature === null || item.utqg_temperature === (kmh(item.speed) >= kmh('H') ? 'A' : 'B'),
  )
})

test('dimensions match the size and the market', () => {
  expectAll(
    ({ item, candidate: { size } }) =>
      Math.abs(item.measured_diameter_mm / size.diameter - 1) < 0.012 &&
      Math.abs(item.measured_width_mm / size.width - 1) < 0.025,
  )
  expectAll(({ item, candidate: { size } }) => {
    const density = item.weight_lb / ((size.width * size.diameter) / 10_000)
    return density > 1.3 && density < (size.kind === 'COMMERCIAL' ? 4.2 : 2.75)
  })
})

test('a stronger casing of one line in one size never costs much less', () => {
  const pairs = [
    ...Map.groupBy(
      catalog,
      ({ item }) => `${item.product_line_id} ${item.size_id} ${item.speed} ${item.run_flat}`,
    ).values(),
  ].filter((items) => items.length > 1)
  expect(pairs.length).toBeGreaterThan(300)
  const odd = pairs
    .map((items) => items.toSorted((a, b) => a.item.load_index - b.item.load_index))
    .filter(([weak, strong]) => Number(strong?.item.retail_cents) / Number(weak?.item.retail_cents) < 0.97)
  expect(odd).toEqual([])
})

test('prices are whole dollars or a cent below, between 30 and 1,000 dollars', () => {
  expectAll(
    ({ item }) => [0, 99].includes(item.retail_cents % 100) && item.retail_cents > 3_000 && item.retail_cents < 100_000,
  )
})

test('DOT weeks are past Mondays, four of five within nine months', () => {
  const weeks = catalog.map(({ item }) => Temporal.PlainDate.from(String(item.oldest_dot_week)))
  expect(weeks.filter((week) => week.dayOfWeek !== 1 || Temporal.PlainDate.compare(week, monday) >= 0)).toEqual([])
  const fresh = weeks.filter((week) => Temporal.PlainDate.compare(week, monday.subtract({ months: 9 })) > 0).length
  expect(fresh / count).toBeGreaterThan(0.8)
})

test('item warranties never exceed the model’s, and winter and trailer tires have no warranty', () => {
  expectAll(({ item, candidate: { line } }) => (item.warranty_miles ?? 0) <= (line.warranty_miles ?? 0))
  expectAll(
    ({ item, candidate: { line } }) =>
      !(line.winter || line.profile.tread === 'trailer') || item.warranty_miles === null,
  )
})

/** One expectation for all items, because 15,000 separate ones take seconds. */
function expectAll(holds: (entry: (typeof catalog)[number]) => boolean): void {
  expect(catalog.filter((entry) => !holds(entry)).map(({ item }) => item)).toEqual([])
}
