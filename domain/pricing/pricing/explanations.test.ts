/** Tests a price's explanations of why an offer doesn't count, who funds it, and the taxable amount. */
import { expect, test } from 'vitest'
import { ignored, type IgnoredReason } from './ignored-offers.ts'
import { DEAL, ORDER, TIRE, tiresOnly } from './price-input.example.ts'
import { priceCart, type CouponOffer, type PriceInput } from './pricing.ts'

const reasons = (input: PriceInput) => priceCart(input).ignored.map(({ what, reason }) => `${what} ${reason}`)
const coupon = (reduction: CouponOffer['reduction'], rest: Partial<CouponOffer> = {}): CouponOffer => ({
  kind: 'coupon',
  code: 'SAVE',
  fundedBy: 'store',
  stacksWithPromotions: false,
  reduction,
  ...rest,
})
const tenth = { type: 'Percentage', ratePpm: 100_000, articleIds: 'all' } as const

test.each<[IgnoredReason, string]>([
  ['account-price', "Coupon SAVE does not combine with your account's price."],
  ['quoted-price', 'Coupon SAVE does not combine with a quoted price.'],
  ['already-in-price', 'Coupon SAVE is already in the price.'],
  ['better-promotion', 'Another promotion on this tire saves you more than Coupon SAVE.'],
  ['needs-more-tires', 'Coupon SAVE frees one of every 4 tires. Add tires to use it.'],
  ['nothing-eligible', 'No items in your cart are eligible for Coupon SAVE.'],
  ['tires-on-promotion', 'Coupon SAVE does not work on tires that are already on promotion.'],
  ['better-program', 'Coupon SAVE was left out: another discount saves as much, and only one can be used.'],
  ['below-minimum', 'Coupon SAVE is for tires from $0.00 in all.'],
  ['no-lower-total', 'Coupon SAVE would not lower your total, so it was not used.'],
  ['no-tire-to-cover', 'Coupon SAVE was removed for tires that are not in your cart.'],
  ['certificate-expired', 'Coupon SAVE has expired, so sales tax applies. Send us a new one to shop tax-free.'],
  ['certificate-for-another-state', 'Coupon SAVE is for another state, so sales tax applies.'],
])('%s has a message', (reason, text) => {
  expect(ignored('coupon', reason, 'Coupon SAVE').text).toBe(text)
})

test('a coupon with a minimum counts from that sum of the tires it is for, after their promotions', () => {
  const cart = (minimumCents: number, tire: Parameters<typeof tiresOnly>[0] = {}) => ({
    ...tiresOnly({ retailUnitCents: 10_000, quantity: 4, promotions: [], ...tire }),
    programs: [coupon(tenth, { minimumCents })],
  })
  expect(priceCart(cart(40_000)).program.kind).toBe('coupon')
  expect(reasons(cart(40_001))).toEqual(['coupon below-minimum'])
  expect(priceCart(cart(40_001)).ignored[0]?.text).toBe('Coupon SAVE is for tires from $400.01 in all.')
})

test('explains a coupon for a promoted tire even if another tire is not promoted', () => {
  const cart = (programs: PriceInput['programs']) => ({
    ...tiresOnly({ promotions: [DEAL] }, { articleId: 'B', promotions: [] }),
    programs,
  })
  expect(reasons(cart([coupon({ ...tenth, articleIds: ['A'] })]))).toEqual(['coupon tires-on-promotion'])
  expect(reasons(cart([coupon({ type: 'Free', item: { articleId: 'A' }, units: 1 })]))).toEqual([
    'coupon tires-on-promotion',
  ])
  expect(reasons(cart([coupon({ ...tenth, articleIds: ['C'] })]))).toEqual(['coupon nothing-eligible'])
  expect(reasons(cart([coupon(tenth)]))).toEqual([])
})

test('a coupon reports whether all tires are eligible', () => {
  const two = tiresOnly({ promotions: [] }, { articleId: 'B', promotions: [] })
  const words = (articleIds: 'all' | string[]) =>
    priceCart({ ...two, programs: [coupon({ ...tenth, articleIds })] }).program.words
  expect(words('all')).toBe('10% off tires')
  expect(words(['A'])).toBe('10% off eligible tires')
})

test('a program names who funds it', () => {
  const bearer = (program: PriceInput['programs'][number]) =>
    priceCart({ ...ORDER, programs: [program] }).program.fundedBy
  expect(bearer(coupon(tenth, { fundedBy: 'maker' }))).toBe('maker')
  expect(bearer(coupon(tenth))).toBe('store')
  expect(bearer({ kind: 'military' })).toBe('store')
  expect(bearer({ kind: 'referral', id: 'r', ratePpm: 50_000 })).toBe('store')
})

test('names a payment offer that takes something off, even if not off every line', () => {
  const tender = { kind: 'store-card', ratePpm: 50_000, fundedBy: 'bank' } as const
  const priced = priceCart({ ...ORDER, tender })
  expect(priced.lines.some(({ tenderCents }) => tenderCents === 0)).toBe(true)
  expect(priced.tender).toEqual(tender)
  expect(priceCart({ ...ORDER, tires: [{ ...TIRE, retailUnitCents: 0 }], services: [], tender }).tender).toBeNull()
})

test('explains a missing installation discount only where it would have applied', () => {
  const wholesale = (quantity: number): PriceInput => ({
    ...ORDER,
    accountType: 'WholeSale',
    tires: [{ ...TIRE, quantity, accountUnitCents: 9_000 }],
  })
  expect(reasons(wholesale(4))).toEqual(['install-discount account-price'])
  expect(reasons(wholesale(3))).toEqual([])
  expect(reasons({ ...wholesale(4), services: [] })).toEqual([])
})

test('lists taxed items and the balance due at the shop', () => {
  const taxable = { ...ORDER.taxRule.taxable, fet: true, 'tire-fee': true }
  const on = (tires: PriceInput['tires'], rule = taxable) =>
    priceCart({ ...ORDER, tires, taxRule: { ...ORDER.taxRule, taxable: rule } }).tax.on
  expect(on([{ ...TIRE, fetUnitCents: 130 }])).toBe('tires, kits, excise tax and tire fee')
  expect(on([TIRE])).toBe('tires, kits and tire fee')
  expect(on([TIRE], { ...taxable, 'tire-fee': false })).toBe('tires and kits')
  // A tire that its manufacturer gives away is taxed.
  const free = priceCart({
    ...tiresOnly({ promotions: [] }),
    programs: [coupon({ ...tenth, ratePpm: 1_000_000 }, { fundedBy: 'maker' })],
    taxRule: { ...ORDER.taxRule, taxable, tireFee: [] },
  })
  expect(free.totals.totalCents).toBe(free.totals.taxCents)
  expect(free.tax.on).toBe('tires')
  const total = (input: PriceInput) => priceCart(input).explain.find(({ key }) => key === 'total')?.detail
  expect(total(ORDER)).toBe('No balance due at the shop')
  expect(total(tiresOnly({}))).toBe('')
  expect(total({ ...ORDER, services: ORDER.services.slice(1) })).toBe('')
})
