/** Listings with one entry per model and size. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyItem, fitAt, makeItem, makeLine, makeSize, now } from './catalog.testing.ts'
import { allFacets } from './facets.ts'
import type { Judge } from './fit.ts'
import type { Item } from './items.ts'
import { arrange, arrangeModels, comparing, indexOffers, type ModelOffer } from './listing.ts'
import { setOffers, tireOffer, type Offer } from './offer.ts'
import { priceBook } from './promotion.ts'
import { noFilters, pageSizes, plainQuery, sorts, type ListingQuery } from './query.ts'

const judge: Judge = ([item]) => ({
  verdict: item?.loadIndex === 98 ? 'does_not_fit' : 'fits',
  text: '',
  factorySize: undefined,
  isBelowRequirement: item?.loadIndex === 98 || item?.speed === 'T',
})
const context = { prices: priceBook([], now), at: fitAt, judge }
const offerOf = (item: Item) => tireOffer(item, context)
const models = (offers: readonly Offer[], change: Partial<ListingQuery> = {}) =>
  arrangeModels(indexOffers(offers, allFacets), { ...plainQuery, ...change })
const keysOf = (listed: readonly ModelOffer[]) =>
  listed.map(({ offer, others }) => [offer, ...others].map(({ key }) => key))

/** Forty offers of at most twelve models, most in several versions. */
const fortyOffers = fc
  .array(fc.tuple(anyItem, fc.nat(11)), { minLength: 40, maxLength: 40 })
  .map((all) =>
    all.map(([item, line], index) =>
      offerOf({ ...item, id: 100_000 + index, line: { ...item.line, id: line + 1, brand: brands[line % 4]! } }),
    ),
  )
const brands = ['kestrel', 'tarn', 'corvane', 'halden'].map((slug, index) => ({
  id: index + 1,
  slug,
  name: slug,
  tier: 'mid' as const,
}))

test('a model with two load indexes in a size is one entry, by its version that fits, is in stock and costs least', () => {
  const line = makeLine()
  const versions = [
    makeItem({ id: 1, line, loadIndex: 98, retailCents: 9_000 }),
    makeItem({ id: 2, line, loadIndex: 102, retailCents: 12_000, stock: [] }),
    makeItem({ id: 3, line, loadIndex: 105, retailCents: 15_000 }),
    makeItem({ id: 4, line, loadIndex: 102, sidewall: 'OWL', retailCents: 14_000 }),
  ].map(offerOf)
  for (const sort of sorts) {
    const listed = models(versions, { sort })
    expect(keysOf(listed.models)).toEqual([['4', '3', '2', '1']])
    expect(listed).toMatchObject({ total: 4, inScope: 4, modelTotal: 1, modelsNotFitting: 0, pages: 1, lastKey: '4' })
  }
})

test('the same model in another size is another entry, and so is another model', () => {
  const other = makeSize({ slug: '235-60r18', designation: '235/60R18' })
  const offers = [
    makeItem({ id: 1, retailCents: 1_000 }),
    makeItem({ id: 2, retailCents: 2_000, size: other }),
    makeItem({ id: 3, retailCents: 3_000, line: makeLine({ id: 2 }) }),
    makeItem({ id: 4, retailCents: 4_000, size: other, speed: 'V' }),
  ].map(offerOf)
  expect(keysOf(models(offers, { sort: 'price' }).models)).toEqual([['1'], ['2', '4'], ['3']])
})

test('filters remove versions, and models without versions', () => {
  const offers = [
    makeItem({ id: 1, speed: 'H', retailCents: 10_000 }),
    makeItem({ id: 2, speed: 'V', retailCents: 12_000 }),
    makeItem({ id: 3, speed: 'H', line: makeLine({ id: 2 }) }),
  ].map(offerOf)
  const listed = models(offers, { filters: { ...noFilters, speed: ['V'] } })
  expect(keysOf(listed.models)).toEqual([['2']])
  expect(listed).toMatchObject({ total: 1, inScope: 3, modelTotal: 1 })
})

test('a model doesn’t fit only if all its versions don’t fit', () => {
  const refused = makeLine({ id: 2 })
  const offers = [
    makeItem({ id: 1, loadIndex: 98 }),
    makeItem({ id: 2, loadIndex: 102 }),
    makeItem({ id: 3, loadIndex: 98, line: refused }),
    makeItem({ id: 4, loadIndex: 98, line: refused, sidewall: 'OWL' }),
  ].map(offerOf)
  const listed = models(offers)
  expect(listed.modelsNotFitting).toBe(1)
  expect(keysOf(listed.models)).toEqual([
    ['2', '1'],
    ['3', '4'],
  ])
})

test('sets of one model in the same two sizes are one entry', () => {
  const rear = makeSize({ slug: '255-40r19', designation: '255/40R19' })
  const sets = setOffers(
    [makeItem({ id: 1 }), makeItem({ id: 2, runFlat: true })],
    [makeItem({ id: 3, size: rear }), makeItem({ id: 4, size: rear, runFlat: true, retailCents: 30_000 })],
    context,
  )
  expect(keysOf(models(sets).models)).toEqual([['1-3', '2-4']])
})

test('the pages have every tire that passes once, in the order of their best versions, and count as the tires do', () => {
  fc.assert(
    fc.property(fortyOffers, fc.constantFrom(...sorts), fc.constantFrom(...pageSizes), (offers, sort, pageSize) => {
      const index = indexOffers(offers, allFacets)
      const query = { ...plainQuery, sort, pageSize }
      const first = arrangeModels(index, query)
      const all = Array.from(
        { length: first.pages },
        (_, at) => arrangeModels(index, { ...query, page: at + 1 }).models,
      )
      const { total, facets } = arrange(index, query)
      expect(first).toMatchObject({ total, facets, modelTotal: all.flat().length })
      expect(keysOf(all.flat()).flat().toSorted()).toEqual(offers.map(({ key }) => key).toSorted())
      const leaders = all.flat().map(({ offer }) => offer)
      if (sort !== 'best') expect(leaders).toEqual(leaders.toSorted(comparing(sort)))
    }),
  )
})

test('the next page continues after the last model seen, even if another of its versions is the best one by then', () => {
  const item = (id: number, line: number, retailCents: number) =>
    offerOf(makeItem({ id, line: makeLine({ id: line }), retailCents }))
  const before = Array.from({ length: 30 }, (_, index) => item(1000 + index, index + 1, 10_000 + index * 100))
  const seen = models(before, { sort: 'price' })
  expect(seen.lastKey).toBe('1023')
  // The last one seen has a cheaper version now, and one of the first is sold out.
  const now = [...before.slice(1), item(900, 24, 12_250)]
  const next = models(now, { sort: 'price', page: 2, after: seen.lastKey })
  expect(next.models.map(({ offer }) => offer.key)).toEqual(['1024', '1025', '1026', '1027', '1028', '1029'])
})

test('the first results of the best match have at most two models of a brand while others match as well', () => {
  const brandOf = (id: number) => ({ id, slug: `b${id}`, name: `B${id}`, tier: 'mid' as const })
  const item = (id: number, brand: number, change: Partial<Item> = {}) =>
    offerOf(makeItem({ id, line: makeLine({ id, brand: brandOf(brand) }), retailCents: 10_000 + id, ...change }))
  const offers = [1, 1, 1, 1, 2, 3, 4].map((brand, index) => item(index + 1, brand))
  const order = (change: Partial<ListingQuery> = {}, of = offers) =>
    models(of, change).models.map(({ offer }) => Number(offer.key))
  expect(order()).toEqual([1, 2, 5, 6, 7, 3, 4])
  // A tire that does not match as well stays behind: out of stock.
  expect(order({}, [...offers.slice(0, 4), item(5, 2, { stock: [] })])).toEqual([1, 2, 3, 4, 5])
  expect(order({ sort: 'price' })).toEqual([1, 2, 3, 4, 5, 6, 7])
  expect(models(offers).lastKey).toBe('7')
})

test('rotating brands affects only the order on the first page', () => {
  fc.assert(
    fc.property(fortyOffers, (offers) => {
      const index = indexOffers(offers, allFacets)
      const listed = arrangeModels(index, plainQuery)
      const leaders = listed.models.map(({ offer }) => offer)
      expect(
        leaders
          .toSorted(comparing('best'))
          .map(({ key }) => key)
          .at(-1),
      ).toBe(listed.lastKey)
      const verdicts = leaders.map(({ fitment }) => fitment?.verdict)
      expect(verdicts).toEqual(verdicts.toSorted((a, b) => Number(a !== 'fits') - Number(b !== 'fits')))
    }),
  )
})
