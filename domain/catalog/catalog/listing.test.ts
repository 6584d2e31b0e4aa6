import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyItem, anyItems, fitAt, makeItem, makePromotion, makeLine, now } from './catalog.testing.ts'
import { allFacets } from './facets.ts'
import type { Judge } from './fit.ts'
import type { Item } from './items.ts'
import { arrange, comparing, indexOffers } from './listing.ts'
import { tireOffer, type Offer } from './offer.ts'
import { topPicks } from './picks.ts'
import { priceBook } from './promotion.ts'
import {
  chosen,
  noFilters,
  pageSizes,
  plainQuery,
  sorts,
  thresholds,
  type Filters,
  type ListingQuery,
} from './query.ts'

const pick = (...values: string[]) => fc.uniqueArray(fc.constantFrom(...values), { maxLength: 2 })
const anyFilters: fc.Arbitrary<Filters> = fc.record({
  verdict: pick('fits', 'does_not_fit'),
  type: pick('all-season', 'winter'),
  category: pick('uhp-all-season', 'studless-winter'),
  brand: pick('kestrel', 'tarn', 'nobody'),
  speed: pick('H', 'V', 'T'),
  load: pick('98', '102'),
  range: pick('SL', 'XL'),
  sidewall: pick('OWL'),
  mark: pick('N0', 'MO', 'AO'),
  by: fc.option(fc.constantFrom('2026-11-24', '2026-11-30')),
  total: fc.option(fc.constantFrom(...thresholds.total)),
  rating: fc.option(fc.constantFrom(...thresholds.rating)),
  score: fc.option(fc.constantFrom(...thresholds.score)),
  warranty: fc.option(fc.constantFrom(...thresholds.warranty)),
  snow: fc.boolean(),
  'mud-snow': fc.boolean(),
  ev: fc.boolean(),
  'run-flat': fc.boolean(),
  deal: fc.boolean(),
  stock: fc.boolean(),
  price: fc.option(fc.constantFrom({ min: 100, max: 150 }, { min: null, max: 222 })),
})
// Most filters are off most of the time, so that something is left to count.
const someFilters = fc
  .tuple(anyFilters, fc.uniqueArray(fc.constantFrom(...allFacets), { minLength: 12 }))
  .map(([filters, off]) => ({ ...filters, ...Object.fromEntries(off.map((name) => [name, noFilters[name]])) }))

const judge: Judge = ([item]) => ({
  verdict: item?.loadIndex === 98 ? 'does_not_fit' : 'fits',
  text: '',
  factorySize: undefined,
  isBelowRequirement: item?.loadIndex === 98 || item?.speed === 'T',
})
/** 10% off every tire from one brand. */
const ofTheDay = makePromotion({ slug: 'day', name: 'Day', headline: '10% off', brandId: 2, daily: true })
const reduced = (item: Item) => item.line.brand.id === ofTheDay.brandId

function offerOf(item: Item): Offer {
  return tireOffer(item, {
    prices: priceBook([ofTheDay], now),
    at: fitAt,
    judge,
    arrivalOf: (stock) => (stock[0] ? `2026-11-${24 + (item.id % 5)}` : null),
    totalOf: () => item.retailCents * 4 + 10_000,
  })
}
const anyOffers = anyItems.map((items) => items.map(offerOf))

/** What applying these filters one by one would leave. */
function passing(offers: readonly Offer[], filters: Filters): Offer[] {
  const among = <Value>(picked: readonly Value[], value: Value) => picked.length === 0 || picked.includes(value)
  const least = (picked: string | null, value: number | undefined | null) =>
    picked === null || (value ?? 0) >= Number(picked)
  return offers.filter(
    ({ line, items: [item], fitment, perTireCents, score, warrantyMiles, readyOn, totalCents, isInStock }) =>
      [
        among(filters.verdict, fitment?.verdict ?? ''),
        among(filters.type, line.type.slug),
        among(filters.category, line.category.slug),
        among(filters.brand, line.brand.slug),
        among(filters.speed, item.speed ?? ''),
        among(filters.load, String(item.loadIndex)),
        among(filters.range, item.loadClass ?? ''),
        among(filters.sidewall, item.sidewall),
        among(filters.mark, item.oeMark ?? ''),
        filters.by === null || (readyOn !== null && readyOn <= filters.by),
        filters.total === null || (totalCents ?? Infinity) <= Number(filters.total) * 100,
        least(filters.rating, (line.rating?.overallHundredths ?? 0) / 100),
        least(filters.score, (score?.tenths ?? 0) / 10),
        least(filters.warranty, warrantyMiles),
        !filters.snow || line.threePeak,
        !filters['mud-snow'] || line.mPlusS,
        !filters.ev || line.ev,
        !filters.deal || reduced(item),
        !filters['run-flat'] || item.runFlat,
        !filters.stock || isInStock,
        filters.price === null ||
          (perTireCents >= (filters.price.min ?? 0) * 100 && perTireCents <= (filters.price.max ?? Infinity) * 100),
      ].every(Boolean),
  )
}

/** The filters with `value` as the only choice of one facet. */
function choosing(filters: Filters, name: keyof Filters, value: string): Filters {
  if (name === 'price') {
    const [min, max] = value.split('-')
    return { ...filters, price: { min: min ? Number(min) : null, max: max ? Number(max) : null } }
  }
  const before = noFilters[name]
  return { ...filters, [name]: typeof before === 'boolean' ? true : before === null ? value : [value] }
}

test('each facet count equals the result of choosing only that option with all other filters', () => {
  fc.assert(
    fc.property(anyOffers, someFilters, (offers, filters) => {
      const { facets, total, inScope } = arrange(indexOffers(offers, allFacets), { ...plainQuery, filters })
      expect(inScope).toBe(offers.length)
      expect(total).toBe(passing(offers, filters).length)
      for (const { name, options } of facets) {
        for (const { value, count, isChosen } of options) {
          expect({ name, value, count }).toEqual({
            name,
            value,
            count: passing(offers, choosing(filters, name, value)).length,
          })
          expect(isChosen).toBe(chosen(filters, name).includes(value))
        }
      }
      // Chosen options can always be removed.
      for (const name of allFacets)
        for (const value of chosen(filters, name))
          expect(facets.find((facet) => facet.name === name)?.options.map((option) => option.value)).toContain(value)
    }),
  )
})

test('pages of a list contain every tire once, in any reading order', () => {
  fc.assert(
    fc.property(anyOffers, fc.constantFrom(...sorts), fc.constantFrom(...pageSizes), (offers, sort, pageSize) => {
      const page = (number: number, of: readonly Offer[]) =>
        arrange(indexOffers(of, allFacets), { ...plainQuery, sort, pageSize, page: number })
      const first = page(1, offers)
      const all = Array.from({ length: first.pages }, (_, index) => page(index + 1, offers.toReversed()).offers).flat()
      expect(all.map(({ key }) => key)).toEqual(offers.toSorted(comparing(sort)).map(({ key }) => key))
      expect(first.offers.length).toBe(Math.min(pageSize, offers.length))
    }),
  )
})

test('paging never skips or repeats a tire as stock changes', () => {
  const few = fc.uniqueArray(fc.nat(49), { maxLength: 9 })
  const fifty = fc
    .array(anyItem, { minLength: 50, maxLength: 50 })
    .map((items) => items.map((item, index) => offerOf({ ...item, id: 100_000 + index })))
  fc.assert(
    fc.property(fifty, few, few, fc.constantFrom(...sorts), (offers, notYet, gone, sort) => {
      const query = { ...plainQuery, sort }
      const seen = arrange(
        indexOffers(
          offers.filter((_, index) => !notYet.includes(index)),
          allFacets,
        ),
        query,
      ).offers
      const last = seen.at(-1)!
      // The last one seen remains, because it is the only position marker.
      const now = offers.filter((offer, index) => offer === last || !gone.includes(index))
      const inOrder = now.toSorted(comparing(sort))
      const next = arrange(indexOffers(now, allFacets), { ...query, page: 2, after: last.key }).offers
      const behind = inOrder.slice(inOrder.indexOf(last) + 1)
      expect(next.map(({ key }) => key)).toEqual(behind.slice(0, query.pageSize).map(({ key }) => key))
    }),
  )
})

test('falls back to the page number when the last offer seen has moved', () => {
  const offers = Array.from({ length: 80 }, (_, index) =>
    tireOffer(makeItem({ id: index + 1, retailCents: 10_000 + index }), context),
  )
  const page = (after: string | null) =>
    arrange(indexOffers(offers, allFacets), { ...plainQuery, sort: 'price', page: 3, after }).offers[0]?.key
  expect(page(null)).toBe('49')
  expect(page('48')).toBe('49')
  expect(page('46')).toBe('47')
  expect(page('3')).toBe('49')
  expect(page('999')).toBe('49')
})

test('tires that do not fit come last in every sort', () => {
  fc.assert(
    fc.property(anyOffers, fc.constantFrom(...sorts), (offers, sort) => {
      const verdicts = offers.toSorted(comparing(sort)).map(({ fitment }) => fitment?.verdict)
      expect(verdicts.lastIndexOf('fits')).toBeLessThan(
        verdicts.includes('does_not_fit') ? verdicts.indexOf('does_not_fit') : Infinity,
      )
      expect(arrange(indexOffers(offers, allFacets), plainQuery).notFitting).toBe(
        verdicts.filter((verdict) => verdict === 'does_not_fit').length,
      )
    }),
  )
})

test('the best match is never a speed exception while another tire meets the requirement in full', () => {
  fc.assert(
    fc.property(anyOffers, (offers) => {
      const sorted = offers.toSorted(comparing('best'))
      for (const verdict of ['fits', 'fits_with_conditions'] as const) {
        const below = sorted
          .filter(({ fitment }) => fitment?.verdict === verdict)
          .map(({ fitment }) => fitment?.isBelowRequirement ?? false)
        expect(below).toEqual([...below].sort((a, b) => Number(a) - Number(b)))
      }
    }),
  )
})

const context = { prices: priceBook([], now), at: fitAt }

test('each sort puts first what it is named for', () => {
  const cheap = tireOffer(
    makeItem({ id: 1, retailCents: 9_000, line: makeLine({ id: 1, rating: null, warrantyMiles: null }) }),
    context,
  )
  const loved = tireOffer(
    makeItem({ id: 2, retailCents: 20_000, line: makeLine({ id: 2, warrantyMiles: 40_000 }) }),
    context,
  )
  const lasting = tireOffer(
    makeItem({ id: 3, retailCents: 30_000, line: makeLine({ id: 3, warrantyMiles: 90_000, rating: null }) }),
    context,
  )
  const first = Object.fromEntries(
    sorts.map((sort) => [sort, [cheap, loved, lasting].toSorted(comparing(sort))[0]?.key]),
  )
  expect(first).toEqual({ best: '2', price: '1', 'price-desc': '3', rating: '2', score: '2', warranty: '3' })
})

test('speeds sort by speed, not by letter', () => {
  const offers = ['W', 'H', '(Y)', 'T', 'ZR', 'Y', 'S', 'U', 'V'].map((speed, index) =>
    tireOffer(makeItem({ id: index + 1, speed }), context),
  )
  const speeds = arrange(indexOffers(offers, allFacets), plainQuery).facets.find(({ name }) => name === 'speed')
  expect(speeds?.options.map(({ value }) => value)).toEqual(['S', 'T', 'U', 'H', 'ZR', 'V', 'W', 'Y', '(Y)'])
})

test('omits facets that cannot change the list, and clamps to the last page', () => {
  const offers = [tireOffer(makeItem({ id: 1 }), context), tireOffer(makeItem({ id: 2, speed: 'V' }), context)]
  const { facets, page, pages } = arrange(indexOffers(offers, allFacets), { ...plainQuery, page: 7 })
  expect(facets.map(({ name }) => name)).toEqual(['speed'])
  expect(facets[0]?.options).toEqual([
    { value: 'H', label: 'H, 130 mph', count: 1, isChosen: false, isKnown: true },
    { value: 'V', label: 'V, 149 mph', count: 1, isChosen: false, isKnown: true },
  ])
  expect({ page, pages }).toEqual({ page: 1, pages: 1 })
})

test('best match prefers all-season tires unless the shopper filters for snow', () => {
  const type = (slug: string) => ({ slug, name: slug })
  const lines = {
    winter: makeLine({ id: 1, winter: true, threePeak: true, tread: 'winter', type: type('winter') }),
    summer: makeLine({ id: 2, tread: 'summer', type: type('summer') }),
    allWeather: makeLine({
      id: 3,
      threePeak: true,
      tread: 'all-weather',
      type: type('all-weather'),
    }),
  }
  const offers = Object.values(lines).map((line) =>
    tireOffer({ ...makeItem({ id: line.id, line }), score: null }, context),
  )
  const keys = (season: 'winter' | 'other', more: Partial<ListingQuery> = {}) =>
    arrange(indexOffers(offers, allFacets, season), { ...plainQuery, ...more }).offers.map(({ key }) => key)
  // Otherwise equal, so that the key would decide: 1, 2, 3.
  expect(keys('other')).toEqual(['2', '3', '1'])
  expect(keys('winter')).toEqual(['3', '1', '2'])
  expect(keys('winter', { filters: { ...noFilters, snow: true } })).toEqual(['1', '3'])
  // The other sorts use only their named criterion.
  for (const sort of ['price', 'rating'] as const) expect(keys('winter', { sort })).toEqual(keys('other', { sort }))
})

test('the sort by price and the lowest price count what shipping adds', () => {
  const offers = [
    { id: 1, retailCents: 10_000, weightLb: 70 },
    { id: 2, retailCents: 11_000, weightLb: 30 },
  ].map((item) =>
    tireOffer(makeItem({ ...item, line: makeLine({ id: item.id }) }), {
      prices: priceBook([], now),
      at: fitAt,
      shippingOf: ([tire]) => (tire && tire.weightLb > 60 ? 4_475 : 2_475),
    }),
  )
  const keys = (sort: 'price' | 'price-desc') =>
    arrange(indexOffers(offers, allFacets), { ...plainQuery, sort }).offers.map(({ key }) => key)
  expect(keys('price')).toEqual(['2', '1'])
  expect(keys('price-desc')).toEqual(['1', '2'])
  const lowest = topPicks(offers).find(({ reason }) => reason === 'Lowest price that fits')
  expect(lowest?.offer.key ?? topPicks(offers)[0]?.offer.key).toBe('2')
})
