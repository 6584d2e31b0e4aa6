import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lawRuns } from '#tests/support/law-runs.ts'
import { standardTerms } from '#domain/kernel/settings/settings.ts'
import { priceTires } from '#domain/catalog/offers/offers.ts'
import { accountPriceNames, publicDealName } from '#domain/pricing/pricing/pricing.ts'
import type { AccountPricing } from '#domain/pricing/price-tiers/price-tiers.ts'
import { accountPriceBook } from './account-prices.ts'
import { makeItem, makePromotion, now } from './catalog.testing.ts'
import { priceBook, type Price, type PriceBook } from './promotion.ts'

const item = makeItem({ retailCents: 20_000 })

const sale = makePromotion({ endsAt: now.add({ hours: 2 }) })

/** A price list with one price for every tire. */
const fixed = (amountCents: number): AccountPricing['list'] => ({
  rules: new Map([
    [
      'every-tire',
      { id: 1, scope: { kind: 'every-tire' }, formula: { kind: 'fixed', amountCents }, since: now, until: null },
    ],
  ]),
  until: now.add({ hours: 1 }),
})

const retail = priceBook([sale], now)

const bookOf = (everyone: PriceBook, pricing: AccountPricing, hasMemberDeals = true) =>
  accountPriceBook(everyone, pricing, { hasMemberDeals })

/** The sale makes it 18,000 at retail. */
const open = { unitCents: 18_000, wasCents: 20_000, fetCents: 0, promotion: sale, promotions: [sale], label: null }

test('an account price appears next to the retail price and excludes promotions', () => {
  const account = { type: 'Fleet', unitCents: 17_000 }
  const tag = bookOf(retail, { type: 'Fleet', list: fixed(17_000) }).priceOf(item)
  expect(tag).toEqual({
    unitCents: 17_000,
    wasCents: 20_000,
    fetCents: 0,
    promotion: null,
    promotions: [sale],
    label: 'Fleet',
    account,
  })
})

test('an account without its own price pays retail, without a label', () => {
  expect(bookOf(retail, { type: 'EPP', list: null }).priceOf(item)).toEqual({
    ...open,
    account: { type: 'EPP', unitCents: null },
  })
})

test('where retail is lower, so is the account; a tie goes to its own price', () => {
  const tagAt = (cents: number) => bookOf(retail, { type: 'Fleet', list: fixed(cents) }).priceOf(item)
  expect(tagAt(18_001)).toEqual({ ...open, account: { type: 'Fleet', unitCents: 18_001 } })
  expect(tagAt(18_000)).toMatchObject({ unitCents: 18_000, label: 'Fleet', promotion: null })
})

test('the quantity decides where whole tires are free', () => {
  const book = bookOf(priceBook([makePromotion({ kind: 'Buy3Get1', amount: 0 })], now), {
    type: 'Fleet',
    list: fixed(17_000),
  })
  // Four at retail cost three times 20,000, seven cost six.
  expect([1, 2, 4, 7].map((units) => book.priceOf(item, units).label)).toEqual(['Fleet', 'Fleet', null, 'Fleet'])
  expect(book.priceOf(item).label).toBeNull()
})

test('front and rear tires share the label at which the two pairs cost less', () => {
  const rear = makeItem({ id: 7, retailCents: 20_000 })
  const onFront = (percent: number) => priceBook([makePromotion({ itemId: item.id, amount: percent })], now)
  const labels = (percent: number) =>
    bookOf(onFront(percent), { type: 'Fleet', list: fixed(19_000) })
      .pricesOfPair(item, rear)
      .map(({ label }) => label)
  expect(labels(9)).toEqual(['Fleet', 'Fleet'])
  expect(labels(11)).toEqual([null, null])
})

test('a quote is charged despite deals, and unquoted tires are at retail', () => {
  const quoted: AccountPricing = {
    type: 'Special Order',
    list: {
      rules: new Map([
        [
          `item ${item.id}`,
          {
            id: 1,
            scope: { kind: 'item', id: item.id },
            formula: { kind: 'fixed', amountCents: 21_000 },
            since: now,
            until: null,
          },
        ],
      ]),
      until: null,
    },
  }
  const book = bookOf(retail, quoted)
  expect(book.priceOf(item)).toMatchObject({ unitCents: 21_000, label: 'Special Order', promotion: null })
  expect(book.pricesOfPair(item, makeItem({ id: 7, retailCents: 20_000 })).map(({ unitCents }) => unitCents)).toEqual([
    21_000, 18_000,
  ])
})

test('the excise tax is in the price for every buyer', () => {
  const heavy = { ...item, fetCents: 234 }
  const tagAt = (cents: number) => bookOf(retail, { type: 'Fleet', list: fixed(cents) }).priceOf(heavy)
  expect(tagAt(17_000)).toMatchObject({
    unitCents: 17_234,
    wasCents: 20_234,
    fetCents: 234,
    account: { unitCents: 17_000 },
  })
  expect(tagAt(19_000)).toMatchObject({
    unitCents: 18_234,
    wasCents: 20_234,
    fetCents: 234,
    account: { unitCents: 19_000 },
  })
})

test("an order of the tires on a tag is charged at the tag's label", () => {
  const types: AccountPricing['type'][] = [
    'EPP',
    'Fleet',
    'Partner Program',
    'Retail Member',
    'Sales Tool',
    'Special Order',
    'WholeSale',
  ]
  const promotion = fc.record({
    id: fc.integer({ min: 1, max: 99 }),
    kind: fc.constantFrom('Percentage' as const, 'Flat Amount' as const, 'Buy3Get1' as const),
    amount: fc.integer({ min: 1, max: 60 }),
  })
  fc.assert(
    fc.property(
      fc.constantFrom(...types),
      fc.option(promotion),
      fc.integer({ min: 8_000, max: 22_000 }),
      fc.integer({ min: 1, max: 8 }),
      fc.boolean(),
      (type, deal, ownCents, units, hasMemberDeals) => {
        const book = priceBook(
          deal
            ? [makePromotion({ ...deal, amount: deal.kind === 'Flat Amount' ? deal.amount * 100 : deal.amount })]
            : [],
          now,
        )
        const price = bookOf(book, { type, list: fixed(ownCents) }, hasMemberDeals).priceOf(item, units)
        const tires = {
          itemId: item.id,
          name: 'Tire',
          quantity: units,
          unitCents: item.retailCents,
          account: price.account,
          fetUnitCents: item.fetCents,
          weightLb: 25,
          coveredQuantity: 0,
          spec: { rimIn: 17, aspect: 65, runFlat: false, sizeKind: 'P' },
          promotions: price.promotions,
        }
        const terms = { ...standardTerms, 'member-deals': Number(hasMemberDeals) }
        const [line] = priceTires([tires], terms).lines
        expect(line?.label ?? null).toBe(labelOfTag(price))
        const isFree = price.promotion?.kind === 'Buy3Get1'
        if (!isFree) expect(line?.netCents).toBe(price.unitCents * units)
      },
    ),
    lawRuns,
  )
})

/** The label on the tag, which the order must have too. */
function labelOfTag({ label, account }: Price): string | null {
  if (label !== null) return accountPriceNames[label] ?? null
  return account && account.unitCents !== null ? publicDealName(account.type) : null
}

test("a member's promotion applies to the member price", () => {
  const tag = bookOf(retail, { type: 'Retail Member', list: fixed(19_000) }).priceOf(item)
  expect(tag).toEqual({
    unitCents: 17_100,
    wasCents: 20_000,
    fetCents: 0,
    promotion: sale,
    promotions: [sale],
    label: 'Retail Member',
    account: { type: 'Retail Member', unitCents: 19_000 },
  })
})

test('without deals for members, the tag has the lower of the deal and the member price', () => {
  const tagAt = (cents: number) => bookOf(retail, { type: 'Retail Member', list: fixed(cents) }, false).priceOf(item)
  expect(tagAt(17_500)).toMatchObject({ unitCents: 17_500, promotion: null, label: 'Retail Member' })
  expect(tagAt(18_001)).toMatchObject({ unitCents: 18_000, promotion: sale, label: null })
})

test('tags stay valid until the price list or a promotion changes, whichever comes first', () => {
  expect(bookOf(retail, { type: 'Fleet', list: fixed(1) }).until).toEqual(now.add({ hours: 1 }))
  expect(bookOf(retail, { type: 'Fleet', list: null }).until).toEqual(now.add({ hours: 2 }))
})
