/** Tests a coupon's message against its effect on the price. */
import { expect, test } from 'vitest'
import { couponOffer, couponWorksOn, type CouponAbout } from '#domain/catalog/coupons/coupons.ts'
import { DEAL, tiresOnly } from '#domain/pricing/pricing/price-input.example.ts'
import { priceCart, type PriceInput } from '#domain/pricing/pricing/pricing.ts'
import { couponMessages, couponSaid, couponTakes } from './coupons.ts'

const about = (change: Partial<CouponAbout> = {}): CouponAbout => ({
  code: 'FALL10',
  kind: 'Percentage',
  amount: 10,
  service: null,
  filteredItemIds: null,
  itemId: null,
  lineId: null,
  brandId: null,
  subject: 'Every tire',
  fundedBy: 'store',
  stacks: false,
  minimumCents: null,
  ...change,
})

function said(
  coupon: CouponAbout,
  change: Partial<PriceInput> = {},
  tire: Parameters<typeof tiresOnly>[0] = {},
): string {
  const { programs = [], ...rest } = change
  const input: PriceInput = { ...tiresOnly(tire), ...rest, programs: [couponOffer(coupon, []), ...programs] }
  const { isUsed, lead, words } = couponSaid(coupon, priceCart(input))
  return `${isUsed ? '+' : '-'} ${lead} ${words}`
}

const flat = { code: 'KESTREL40', kind: 'Flat Amount', amount: 4_000, fundedBy: 'maker', stacks: true } as const

test('a used coupon shows its discount and funding', () => {
  expect(said(about())).toMatch(/^\+ FALL10: \$[\d.]+ off\. It takes 10% off tires\.$/)
  expect(said(about(flat))).toBe('+ KESTREL40: $40.00 off. The maker pays it, so sales tax stays the same.')
  expect(said(about(flat), {}, { promotions: [DEAL] })).toBe(
    '+ KESTREL40: $40.00 off. The maker pays it, so sales tax stays the same. It works with the sale price.',
  )
})

test('shows the extra savings when a coupon and the military discount exclude each other', () => {
  const military = { programs: [{ kind: 'military' }] } as const
  expect(said(about(), military)).toMatch(
    /We used it in place of your military discount, because it saves \$[\d.]+ more\. The two don't combine\.$/,
  )
  expect(said(about({ code: 'TINY', kind: 'Flat Amount', amount: 100 }), military)).toMatch(
    /^- TINY isn't needed here\. Your military discount saves \$[\d.]+ more\. The two don't combine\.$/,
  )
  // A tie goes to the military discount.
  expect(said(about({ amount: 5 }), military)).toBe(
    "- FALL10 isn't needed here. Your military discount saves as much. The two don't combine.",
  )
})

test.for<[string, CouponAbout, Partial<PriceInput>, Parameters<typeof tiresOnly>[0]]>([
  ["It takes 10% off tires that aren't on sale.", about(), {}, { promotions: [DEAL] }],
  [
    'It makes one of every four tires free. Add tires to use it.',
    about({ kind: 'Buy3Get1', amount: 0 }),
    {},
    { quantity: 3 },
  ],
  ['It takes 10% off tires from $9,000.00 in all.', about({ minimumCents: 900_000 }), {}, {}],
  ["It doesn't combine with your fleet price.", about(), { accountType: 'Fleet' }, { accountUnitCents: 100 }],
  ["It doesn't combine with a quoted price.", about(), {}, { quotedUnitCents: 100 }],
  [
    'It makes installation free, and no items in your cart are eligible.',
    about({ kind: 'Free', amount: 4, service: 'installation', subject: 'installation' }),
    {},
    {},
  ],
  [
    'It takes 10% off Osprey tires, and no items in your cart are eligible.',
    about({ brandId: 2, subject: 'Osprey' }),
    {},
    {},
  ],
])('%s', ([words, coupon, change, tire]) => {
  expect(said(coupon, change, tire)).toBe(`- FALL10 doesn't apply here. ${words}`)
})

test('a coupon without effect on the total is reported', () => {
  expect(said(about({ amount: 1 }), {}, { retailUnitCents: 10, quantity: 1 })).toBe(
    "- FALL10 doesn't apply here. It takes 1% off tires, which would not lower your total.",
  )
})

test('an inapplicable code shows the reason', () => {
  const known = { code: 'SPRING26', endedOn: 'May 31, 2026' }
  expect(Object.entries(couponMessages).map(([reason, text]) => [reason, text(known)])).toEqual([
    ['not-found', "We can't find this code. Check its letters and numbers, or go on without it."],
    ['ended', 'SPRING26 ended May 31, 2026.'],
    ['used-up', 'SPRING26 has reached its usage limit.'],
    ['used-by-you', 'You have used SPRING26 as often as one customer can.'],
  ])
})

test('an advertised coupon applies to its advertised tires', () => {
  const tires = (change: object = {}) => [
    { itemId: 1, lineId: 2, brandId: 3, cents: 60_000, quantity: 4, isPromoted: false, ...change },
  ]
  expect(couponWorksOn(about(), tires())).toBe(true)
  expect(couponWorksOn(about(), tires({ isPromoted: true }))).toBe(false)
  expect(couponWorksOn(about({ stacks: true }), tires({ isPromoted: true }))).toBe(true)
  expect(couponWorksOn(about({ minimumCents: 60_001 }), tires())).toBe(false)
  expect(couponWorksOn(about({ brandId: 4, subject: 'Osprey' }), tires())).toBe(false)
  expect(couponWorksOn(about({ kind: 'Buy3Get1', amount: 0 }), tires({ quantity: 3 }))).toBe(false)
  expect(couponWorksOn(about({ kind: 'Free', amount: 1, service: 'installation' }), tires())).toBe(false)
  expect(couponTakes(about({ brandId: 3, subject: 'Kestrel' }))).toBe('takes 10% off Kestrel tires')
})
