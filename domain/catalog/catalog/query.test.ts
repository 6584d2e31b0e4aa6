import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  anyOf,
  chosen,
  isFiltered,
  noFilters,
  onlyIf,
  parseQuery,
  plainQuery,
  serializeQuery,
  thresholds,
  toggle,
  type FacetName,
  type ListingQuery,
} from './query.ts'

const slugs = fc.uniqueArray(fc.constantFrom('kestrel', 'tarn', 'alder-and-stone', '4-square', '44'), { maxLength: 4 })
const pick = (values: readonly string[]) => fc.uniqueArray(fc.constantFrom(...values), { maxLength: 3 })
const one = (values: readonly string[]) => fc.option(fc.constantFrom(...values))
const dollars = fc.integer({ min: 0, max: 2_000 })

const anyQuery: fc.Arbitrary<ListingQuery> = fc.record({
  filters: fc.record({
    verdict: pick(['fits', 'fits_with_conditions', 'unknown', 'does_not_fit']),
    type: slugs,
    category: slugs,
    brand: slugs,
    speed: pick(['T', 'H', '(Y)', 'ZR']),
    load: pick(['9', '98', '102', '121']),
    range: pick(['SL', 'XL', 'E']),
    sidewall: pick(['BSW', 'OWL']),
    mark: pick(['N0', '*', 'MO']),
    by: one(['2026-11-24', '2026-12-01']),
    total: one(thresholds.total),
    rating: one(thresholds.rating),
    score: one(thresholds.score),
    warranty: one(thresholds.warranty),
    snow: fc.boolean(),
    'mud-snow': fc.boolean(),
    ev: fc.boolean(),
    'run-flat': fc.boolean(),
    deal: fc.boolean(),
    stock: fc.boolean(),
    price: fc.option(
      fc
        .tuple(fc.option(dollars), fc.option(dollars))
        .filter(([min, max]) => (min !== null || max !== null) && (min ?? 0) <= (max ?? Infinity))
        .map(([min, max]) => ({ min, max })),
    ),
  }),
  sort: fc.constantFrom('best', 'price', 'price-desc', 'rating', 'score', 'warranty'),
  pageSize: fc.constantFrom(24, 48, 96),
  page: fc.integer({ min: 1, max: 10_000 }),
  after: fc.option(fc.constantFrom('101234', '101234-101240', 'line-7')),
})

test('a query round-trips through the URL', () => {
  fc.assert(
    fc.property(anyQuery, (query) => {
      const address = serializeQuery(query).toString()
      const read = parseQuery(new URLSearchParams(address))
      expect(serializeQuery(read).toString()).toBe(address)
      const sorted = Object.fromEntries(
        Object.entries(query.filters).map(([name, value]) => [
          name,
          Array.isArray(value) ? expect.arrayContaining(value) : value,
        ]),
      )
      expect(read).toEqual({ ...query, filters: sorted })
    }),
  )
})

test('the order of choices does not change the URL', () => {
  const one = parseQuery(new URLSearchParams('sort=price&brand=tarn&load=102&load=98&brand=kestrel&brand=tarn&min=50'))
  const other = parseQuery(new URLSearchParams('load=98&min=050&brand=kestrel&load=102&brand=tarn&sort=price'))
  expect(serializeQuery(one).toString()).toBe('brand=kestrel&brand=tarn&load=98&load=102&min=50&sort=price')
  expect(serializeQuery(other).toString()).toBe(serializeQuery(one).toString())
})

test.each([
  ['nothing', ''],
  ['what is not a filter', 'utm_source=mail&color=black'],
  [
    'values no facet has',
    'brand=Kestrel%20Tires&speed=I&mark=<b>&ev=yes&load=abc&rating=4.7&score=11&by=2026-13-01&verdict=maybe&sort=random&size=25&page=0&after=x-y&snow=yes',
  ],
  ['empty fields of a form', 'brand=&min=&max=&by=&sort=&page='],
])('shows the whole list if the URL has %s', (_, address) => {
  expect(parseQuery(new URLSearchParams(address))).toEqual(plainQuery)
  expect(isFiltered(parseQuery(new URLSearchParams(address)).filters)).toBe(false)
})

test('swaps a reversed price range', () => {
  expect(parseQuery(new URLSearchParams('min=200&max=100')).filters.price).toEqual({ min: 100, max: 200 })
})

test('toggling an option twice restores the list, on its first page', () => {
  const values: Partial<Record<FacetName, string>> = { price: '100-150', rating: '4', by: '2026-11-24' }
  const facets: FacetName[] = [...anyOf, ...onlyIf, 'price', 'rating', 'by']
  for (const facet of facets) {
    const value = values[facet] ?? ((onlyIf as readonly string[]).includes(facet) ? '1' : 'kestrel')
    const pressed = toggle({ ...plainQuery, page: 3, after: '101234' }, facet, value)
    expect(chosen(pressed.filters, facet)).toEqual([value])
    expect(isFiltered(pressed.filters)).toBe(true)
    expect(pressed.page).toBe(1)
    expect(pressed.after).toBeNull()
    expect(toggle(pressed, facet, value)).toEqual({ ...plainQuery, filters: noFilters })
  }
})
