import fc from 'fast-check'
import {
  ACCOUNT_TYPES,
  type CouponReduction,
  type FundedBy,
  type ItemPromotion,
  type PriceInput,
  type ProgramOffer,
  type ServiceLine,
  type TireLine,
} from './price-input.ts'
import type { TaxRule } from './tax-rule.ts'

/**
 * Random carts for the pricing laws, with up to four items and every service, promotion, program, payment offer and
 * state rule.
 */

const cents = (max: number) => fc.integer({ min: 0, max })
const fundedBy = fc.constantFrom<FundedBy>('store', 'store', 'maker', 'lender', 'bank')
const ratePpm = (maxPercent: number) => fc.integer({ min: 0, max: maxPercent * 10_000 })
const ARTICLES = ['A', 'B', 'C', 'D']

export const promotion: fc.Arbitrary<ItemPromotion> = fc.record({
  id: fc.constantFrom('deal-1', 'deal-2'),
  name: fc.constant('Daily deal'),
  fundedBy,
  alreadyApplied: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  reduction: fc.oneof(
    fc.record({ type: fc.constant('Percentage' as const), ratePpm: ratePpm(100) }),
    fc.record({ type: fc.constant('Flat Amount' as const), amountCents: cents(40_000) }),
    fc.constant({ type: 'Buy3Get1' as const }),
    fc.record({ type: fc.constant('Free' as const), units: fc.integer({ min: 1, max: 3 }) }),
  ),
})

const tire: fc.Arbitrary<TireLine> = fc.record({
  articleId: fc.constantFrom(...ARTICLES),
  name: fc.constant('Alltide AS2'),
  quantity: fc.integer({ min: 1, max: 9 }),
  retailUnitCents: fc.oneof(cents(60_000), fc.constant(14_800)),
  accountUnitCents: fc.option(cents(60_000)),
  rimInches: fc.integer({ min: 12, max: 24 }),
  fetUnitCents: fc.oneof(fc.constant(0), cents(3000)),
  promotions: fc.uniqueArray(promotion, { maxLength: 2, selector: ({ id }) => id }),
})

const service: fc.Arbitrary<ServiceLine> = fc
  .record({
    kind: fc.constantFrom<ServiceLine['kind']>('coverage', 'installation', 'service-kit', 'disposal', 'roadside'),
    articleId: fc.option(fc.constantFrom(...ARTICLES)),
    eachCents: cents(4000),
    ownCents: fc.option(cents(4000)),
    quantity: fc.integer({ min: 1, max: 9 }),
  })
  // Coverage follows the tire's price, and an account's coverage never costs more than retail.
  .map(({ ownCents, ...line }) =>
    ownCents === null ? line : { ...line, accountEachCents: Math.min(ownCents, line.eachCents) },
  )

const articleIds = fc.oneof(fc.constant('all' as const), fc.subarray(ARTICLES))
const couponReduction: fc.Arbitrary<CouponReduction> = fc.oneof(
  fc.record({ type: fc.constant('Percentage' as const), ratePpm: ratePpm(100), articleIds }),
  fc.record({ type: fc.constant('Flat Amount' as const), amountCents: cents(90_000), articleIds }),
  fc.record({ type: fc.constant('Buy3Get1' as const), articleIds }),
  fc.record({
    type: fc.constant('Free' as const),
    item: fc.oneof(
      fc.record({ articleId: fc.constantFrom(...ARTICLES) }),
      fc.record({
        service: fc.constantFrom('coverage', 'installation', 'service-kit', 'disposal', 'roadside', 'shipping'),
      }),
    ),
    units: fc.oneof(fc.constant('all' as const), fc.integer({ min: 1, max: 5 })),
  }),
)

const program: fc.Arbitrary<ProgramOffer> = fc.oneof(
  fc.constant({ kind: 'military' as const }),
  fc.record({ kind: fc.constant('referral' as const), id: fc.constant('friend'), ratePpm: ratePpm(30) }),
  fc.record({
    kind: fc.constant('coupon' as const),
    code: fc.constantFrom('SAVE', 'EXTRA', 'MAKER'),
    fundedBy,
    stacksWithPromotions: fc.boolean(),
    minimumCents: fc.option(cents(90_000)),
    reduction: couponReduction,
  }),
)

export const taxRule: fc.Arbitrary<TaxRule> = fc.record({
  stateCode: fc.constant('IL'),
  stateName: fc.constant('Illinois'),
  ratePpm: ratePpm(12),
  basis: fc.constantFrom('state-base', 'destination'),
  tireFee: fc.oneof(
    fc.constant([]),
    fc.tuple(
      fc.record({ belowRimInches: fc.constant(18), cents: cents(300) }),
      fc.record({ belowRimInches: fc.constant(null), cents: cents(500) }),
    ),
    fc.tuple(fc.record({ belowRimInches: fc.constant(null), ratePpm: ratePpm(3), capCents: fc.option(cents(500)) })),
  ),
  taxable: fc.record({
    tire: fc.boolean(),
    coverage: fc.boolean(),
    installation: fc.boolean(),
    'service-kit': fc.boolean(),
    disposal: fc.boolean(),
    roadside: fc.boolean(),
    shipping: fc.boolean(),
    fet: fc.boolean(),
    'tire-fee': fc.boolean(),
  }),
  tireFeeRefundable: fc.boolean(),
})

/**
 * Payment offers up to 50%. Near 100% a store-funded offer can make a maker's promotion raise the total: the promotion
 * hardly lowers what the shopper pays, but its amount stays taxable.
 */
export const priceInput: fc.Arbitrary<PriceInput> = fc.record({
  accountType: fc.oneof(fc.constantFrom('none' as const, 'Retail' as const), fc.constantFrom(...ACCOUNT_TYPES)),
  date: fc.constant(Temporal.PlainDate.from('2026-11-20')),
  tires: fc.uniqueArray(tire, { maxLength: 4, selector: ({ articleId }) => articleId }),
  services: fc.uniqueArray(service, { maxLength: 7, selector: ({ kind, articleId }) => `${kind} ${articleId}` }),
  shipping: fc.option(
    fc.record({ cents: fc.oneof(fc.constant(0), cents(20_000)), to: fc.constantFrom('shop', 'address', 'pickup') }),
  ),
  programs: fc.uniqueArray(program, {
    maxLength: 4,
    selector: (offer) => (offer.kind === 'coupon' ? offer.code : offer.kind),
  }),
  tender: fc.option(fc.record({ kind: fc.constantFrom('store-card', 'pay-later'), ratePpm: ratePpm(50), fundedBy })),
  taxRule,
  exemption: fc.option(fc.constant({ stateCode: 'IL', validThrough: null }), { freq: 5 }),
  shopName: fc.constant('Halsted Tire'),
})
