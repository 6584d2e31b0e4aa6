/**
 * Military exchange prices by row. They use retail prices with item promotions and the installation discount under
 * their own label, without programs, payment offers and sales tax. State tire fee and excise tax still apply.
 */
import { expect, test } from 'vitest'
import { exchangePriceName } from './price-input.ts'
import { priceCart, type PriceInput } from './pricing.ts'

const tire = {
  articleId: 'A',
  name: 'A',
  quantity: 4,
  retailUnitCents: 15_999,
  accountUnitCents: null,
  rimInches: 17,
  fetUnitCents: 0,
  promotions: [],
} satisfies PriceInput['tires'][number]
const california: PriceInput['taxRule'] = {
  stateCode: 'CA',
  stateName: 'California',
  ratePpm: 72_500,
  basis: 'state-base',
  tireFee: [{ belowRimInches: null, cents: 175 }],
  tireFeeRefundable: true,
  taxable: {
    tire: true,
    coverage: false,
    installation: false,
    'service-kit': true,
    disposal: false,
    roadside: false,
    shipping: false,
    fet: true,
    'tire-fee': false,
  },
}
const plain: PriceInput = {
  accountType: 'Retail',
  channel: 'military-exchange',
  date: Temporal.PlainDate.from('2026-11-20'),
  tires: [tire],
  services: [],
  shipping: null,
  programs: [],
  tender: null,
  taxRule: california,
  exemption: null,
  shopName: null,
}
const deal = {
  id: 'deal',
  name: 'Daily deal',
  fundedBy: 'store',
  alreadyApplied: false,
  reduction: { type: 'Percentage', ratePpm: 200_000 },
} as const
const install = { kind: 'installation', articleId: null, eachCents: 2_500, quantity: 4 } as const
const coupon = {
  kind: 'coupon',
  code: 'TEN',
  fundedBy: 'store',
  stacksWithPromotions: true,
  reduction: { type: 'Percentage', ratePpm: 100_000, articleIds: 'all' },
} as const
const friend = { kind: 'referral', id: 'friend', ratePpm: 300_000 } as const
const storeCard = { kind: 'store-card', ratePpm: 50_000, fundedBy: 'store' } as const

/** Columns: promotion, program, installation discount, payment offer, tire fee, FET, sales tax, total. */
test.each<[string, Partial<PriceInput>, number[]]>([
  ['a plain set of 4', {}, [0, 0, 0, 0, 700, 0, 0, 64_696]],
  ['installed: the $25 stay', { services: [install] }, [0, 0, 2_500, 0, 700, 0, 0, 72_196]],
  ['a daily deal stays', { tires: [{ ...tire, promotions: [deal] }] }, [12_800, 0, 0, 0, 700, 0, 0, 51_896]],
  ['no 5 % on top', { programs: [{ kind: 'military' }] }, [0, 0, 0, 0, 700, 0, 0, 64_696]],
  ['no coupon', { programs: [coupon] }, [0, 0, 0, 0, 700, 0, 0, 64_696]],
  ['no referral', { programs: [friend, { kind: 'military' }] }, [0, 0, 0, 0, 700, 0, 0, 64_696]],
  ['no payment offer', { tender: storeCard }, [0, 0, 0, 0, 700, 0, 0, 64_696]],
  ['excise tax stays', { tires: [{ ...tire, fetUnitCents: 130 }] }, [0, 0, 0, 0, 700, 520, 0, 65_216]],
  [
    'no account price',
    { accountType: 'Fleet', tires: [{ ...tire, accountUnitCents: 10_000 }] },
    [0, 0, 0, 0, 700, 0, 0, 64_696],
  ],
  [
    'everything at once',
    {
      tires: [{ ...tire, promotions: [deal], fetUnitCents: 130 }],
      services: [install],
      programs: [coupon, friend, { kind: 'military' }],
      tender: storeCard,
    },
    [12_800, 0, 2_500, 0, 700, 520, 0, 59_916],
  ],
])('%s', (_, change, [promotion, program, installation, tender, fee, fet, tax, total]) => {
  const priced = priceCart({ ...plain, ...change })
  expect(priced.totals).toMatchObject({
    itemPromotionCents: promotion,
    programCents: program,
    installDiscountCents: installation,
    tenderCents: tender,
    tireFeeCents: fee,
    fetCents: fet,
    taxCents: tax,
    totalCents: total,
  })
  expect(priced.lines[0]?.label).toBe(exchangePriceName)
  expect(priced.explain.find(({ key }) => key === 'sales-tax')?.detail).toBe('Not charged by a military exchange')
  // Without the channel the same cart is taxed, and never has the label.
  const { channel, ...ours } = { ...plain, ...change }
  expect(channel).toBe('military-exchange')
  expect(priceCart(ours).lines[0]?.label).not.toBe(exchangePriceName)
  expect(priceCart(ours).totals.taxCents).toBeGreaterThan(0)
})
