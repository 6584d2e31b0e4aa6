/** Prices of carts, step by step. Over 400 lines: calculation steps in order. */
import { expect, test } from 'vitest'
import { standardPriceRates } from '#domain/kernel/rates/rates.ts'
import { MEMBER_OFFERS } from '#platform/business-constants.ts'
import { priceCart, type AccountType, type CouponOffer, type PriceBreakdown, type PriceInput } from './pricing.ts'
import { DAY, DEAL, ORDER, stateRule, TIRE, tiresOnly } from './price-input.example.ts'

const reasons = (breakdown: PriceBreakdown) =>
  breakdown.ignored.map(({ what, id, reason }) => [what, id, reason].filter((part) => part).join(' '))
const coupon = (code: string, reduction: CouponOffer['reduction'], rest: Partial<CouponOffer> = {}): CouponOffer => ({
  kind: 'coupon',
  code,
  fundedBy: 'store',
  stacksWithPromotions: false,
  reduction,
  ...rest,
})
const percentOff = (percent: number) => ({ type: 'Percentage', ratePpm: percent * 10_000, articleIds: 'all' }) as const

// Step 1

test.each<[AccountType, number | null, number]>([
  ['Fleet', 13_000, 13_000],
  ['Fleet', 15_000, 14_800],
  ['Fleet', null, 14_800],
  ['Retail Member', 14_000, 14_000],
  ['Special Order', 15_500, 15_500],
  ['Special Order', null, 14_800],
  ['Retail', 10_000, 14_800],
  ['none', 10_000, 14_800],
])('%s with an account price of %s pays %s', (accountType, accountUnitCents, unitCents) => {
  expect(priceCart({ ...tiresOnly({ accountUnitCents }), accountType }).lines[0]?.unitCents).toBe(unitCents)
})

test('charges the retail price where it is lower, and names the label it beats', () => {
  const fleet = {
    ...tiresOnly({ accountUnitCents: 14_000, promotions: [DEAL] }, { articleId: 'B', promotions: [] }),
    accountType: 'Fleet',
  } as const
  const open = priceCart(fleet)
  expect(open.accountType).toBe('Retail')
  expect(open.passedOver).toBe('Fleet')
  expect(open.totals).toEqual(priceCart({ ...fleet, accountType: 'none' }).totals)
  // Mentioned where there is a fleet price, and not for the tire without one.
  const words = open.explain.filter(({ key }) => key.startsWith('tire:')).map(({ detail }) => detail)
  expect(words).toEqual([`${TIRE.name}, Public deal, lower than your fleet price`, TIRE.name])

  const own = priceCart({ ...tiresOnly({ accountUnitCents: 11_000, promotions: [DEAL] }), accountType: 'Fleet' })
  expect(own.accountType).toBe('Fleet')
  expect(own.passedOver).toBeNull()
  expect(own.explain[0]?.detail).toBe('Kestrel Alltide AS2 225/65R17, Fleet price')
})

test('coverage follows the price charged for its tire', () => {
  const services = [{ kind: 'coverage', articleId: 'A', eachCents: 1499, accountEachCents: 1199, quantity: 4 }] as const
  const covered = (promotions: (typeof DEAL)[]) =>
    priceCart({ ...tiresOnly({ accountUnitCents: 14_000, promotions }), services, accountType: 'Fleet' }).lines.find(
      ({ kind }) => kind === 'coverage',
    )
  expect(covered([])?.unitCents).toBe(1199)
  expect(covered([DEAL])?.unitCents).toBe(1499)
})

test('a special order takes deals on unquoted items, but no order-wide discounts', () => {
  const special = (accountUnitCents: number | null) =>
    priceCart({
      ...ORDER,
      tires: [
        { ...TIRE, quantity: 2, accountUnitCents, promotions: [DEAL] },
        { ...TIRE, articleId: 'B', quantity: 2, promotions: [DEAL] },
      ],
      accountType: 'Special Order',
      programs: [{ kind: 'military' }],
      tender: { kind: 'store-card', ratePpm: 50_000, fundedBy: 'bank' },
    })
  const quoted = special(15_000)
  expect(quoted.accountType).toBe('Special Order')
  expect(quoted.passedOver).toBeNull()
  expect(quoted.lines.slice(0, 2).map(({ itemPromotionCents }) => itemPromotionCents)).toEqual([0, 2 * 2960])
  expect(quoted.totals).toMatchObject({ programCents: 0, installDiscountCents: 0, tenderCents: 0 })
  const unquoted = special(null)
  expect(unquoted.accountType).toBe('Retail')
  expect(unquoted.totals).toMatchObject({ itemPromotionCents: 4 * 2960, installDiscountCents: 2500 })
  expect(unquoted.totals.programCents).toBeGreaterThan(0)
  expect(unquoted.totals.tenderCents).toBeGreaterThan(0)
})

test('contradictory lines of one article throw', () => {
  expect(() => priceCart(tiresOnly({ quantity: 2 }, { quantity: 2, retailUnitCents: 14_900 }))).toThrow(/disagree/)
})

test('lines have a canonical order: tires by item, coverage, installation, kits, disposal, roadside, shipping', () => {
  const services = (['roadside', 'disposal', 'service-kit', 'installation', 'coverage'] as const).map((kind) => ({
    kind,
    articleId: null,
    eachCents: 100,
    quantity: 4,
  }))
  const { lines } = priceCart({
    ...ORDER,
    services,
    tires: [
      { ...TIRE, articleId: 'B' },
      { ...TIRE, articleId: 'A' },
    ],
  })
  expect(lines.map(({ id }) => id)).toEqual([
    'tire:A',
    'tire:B',
    'coverage',
    'installation',
    'service-kit',
    'disposal',
    'roadside',
    'shipping',
  ])
})

test('roadside assistance needs 4 tires and installation; without either it is removed with a reason', () => {
  const roadside = { kind: 'roadside', articleId: null, eachCents: 2995, quantity: 1 } as const
  const has = (input: PriceInput) => priceCart(input).lines.some(({ kind }) => kind === 'roadside')
  const withRoadside = { ...ORDER, services: [...ORDER.services, roadside] }
  expect(has(withRoadside)).toBe(true)
  expect(priceCart({ ...ORDER, services: [...ORDER.services, { ...roadside, quantity: 3 }] })).toEqual(
    priceCart(withRoadside),
  )
  expect(has({ ...ORDER, services: [roadside] })).toBe(false)
  const three = priceCart({ ...withRoadside, tires: [{ ...TIRE, quantity: 3 }] })
  expect(three.ignored.map(({ text }) => text)).toEqual([
    'Roadside assistance comes only with 4 or more tires and installation, so it was removed.',
  ])
})

test('coverage is limited to the tires in the cart', () => {
  const covered = (articleId: string | null, quantity: number) =>
    priceCart({ ...tiresOnly({ quantity: 2 }), services: [{ kind: 'coverage', articleId, eachCents: 2599, quantity }] })
  expect(covered('A', 2).totals.grossCents).toBe(2 * (14_800 + 2599))
  expect(reasons(covered('A', 2))).toEqual([])
  expect(covered(null, 4).totals.grossCents).toBe(2 * (14_800 + 2599))
  expect(reasons(covered(null, 4))).toEqual(['coverage no-tire-to-cover'])
  expect(covered('gone', 2).totals.grossCents).toBe(2 * 14_800)
})

// Step 2

test('account prices take no promotion, program or payment offer, each with a reason', () => {
  const breakdown = priceCart({
    ...tiresOnly({ accountUnitCents: 8_000, promotions: [DEAL] }),
    accountType: 'EPP',
    programs: [{ kind: 'military' }, coupon('SAVE', percentOff(10))],
    tender: { kind: 'store-card', ratePpm: 50_000, fundedBy: 'bank' },
  })
  expect(breakdown.totals.netCents).toBe(breakdown.totals.grossCents)
  expect(breakdown.tender).toBeNull()
  expect(reasons(breakdown)).toEqual([
    'coupon SAVE account-price',
    'item-promotion deal account-price',
    'military account-price',
    'tender store-card account-price',
  ])
})

test('of two promotions the one that leaves less to pay applies, tax included', () => {
  const store = { ...DEAL, id: 'store', reduction: { type: 'Flat Amount', amountCents: 950 } } as const
  const maker = {
    ...DEAL,
    id: 'maker',
    fundedBy: 'maker',
    reduction: { type: 'Flat Amount', amountCents: 1000 },
  } as const
  const breakdown = priceCart(tiresOnly({ promotions: [maker, store] }))
  expect(breakdown.lines[0]?.promotion?.id).toBe('store')
  expect(reasons(breakdown)).toEqual(['item-promotion maker better-promotion'])
  const exemption = { stateCode: 'IL', validThrough: null }
  expect(priceCart({ ...tiresOnly({ promotions: [maker, store] }), exemption }).lines[0]?.promotion?.id).toBe('maker')
  expect(
    priceCart({ ...tiresOnly({ promotions: [maker, store] }), taxRule: stateRule('OR') }).lines[0]?.promotion?.id,
  ).toBe('maker')
})

test('a promotion already in the price isn’t discounted again, but excludes others and coupons', () => {
  const breakdown = priceCart({
    ...tiresOnly({ promotions: [DEAL, { ...DEAL, id: 'sale', alreadyApplied: true }] }),
    programs: [coupon('SAVE', percentOff(10))],
  })
  expect(breakdown.totals.netCents).toBe(4 * 14_800)
  expect(reasons(breakdown)).toEqual(['coupon SAVE tires-on-promotion', 'item-promotion deal already-in-price'])
})

test('a promotion never exceeds the price of the tire, and does not count before it frees a unit', () => {
  expect(
    priceCart(tiresOnly({ promotions: [{ ...DEAL, reduction: { type: 'Flat Amount', amountCents: 99_999 } }] })).totals
      .netCents,
  ).toBe(0)
  expect(
    priceCart(tiresOnly({ promotions: [{ ...DEAL, reduction: { type: 'Free', units: 9 } }] })).totals.netCents,
  ).toBe(0)
  const three = priceCart({
    ...tiresOnly({ quantity: 3, promotions: [{ ...DEAL, reduction: { type: 'Buy3Get1' } }] }),
    programs: [coupon('SAVE', percentOff(10))],
  })
  expect(reasons(three)).toEqual(['item-promotion deal needs-more-tires'])
  expect(three.program.id).toBe('SAVE')
})

// Step 3

test('the program with the lowest total wins, not the largest discount', () => {
  const { program, ignored } = priceCart({
    ...tiresOnly({ retailUnitCents: 17_500 }),
    programs: [
      coupon('MAKER', { type: 'Flat Amount', amountCents: 7000, articleIds: 'all' }, { fundedBy: 'maker' }),
      coupon('STORE', { type: 'Flat Amount', amountCents: 6800, articleIds: 'all' }),
    ],
  })
  expect(program).toMatchObject({ id: 'STORE', discountCents: 6800, why: 'lowest-total' })
  expect(program.considered).toEqual([
    { kind: 'coupon', id: 'MAKER', totalCents: 71_175 },
    { kind: 'coupon', id: 'STORE', totalCents: 70_678 },
  ])
  expect(ignored.map(({ text }) => text)).toEqual([
    'Coupon MAKER was left out: coupon STORE saves $4.97 more, and only one can be used.',
  ])
})

test('a tie goes to military, then referral, then coupon', () => {
  const five = [coupon('FIVE', percentOff(5)), { kind: 'referral', id: 'friend', ratePpm: 50_000 } as const]
  expect(priceCart({ ...tiresOnly({}), programs: [...five, { kind: 'military' }] }).program).toMatchObject({
    kind: 'military',
    why: 'first-among-equals',
  })
  expect(priceCart({ ...tiresOnly({}), programs: five }).program.kind).toBe('referral')
})

test('a program that would not lower the total is not redeemed', () => {
  const breakdown = priceCart({ ...tiresOnly({}), programs: [coupon('ZERO', percentOff(0))] })
  expect(breakdown.program).toMatchObject({ kind: 'none', why: 'none-lowers-the-total', discountCents: 0 })
  expect(reasons(breakdown)).toEqual(['coupon ZERO no-lower-total'])
})

test('a stacking coupon applies to promoted tires too', () => {
  const input = tiresOnly({ promotions: [DEAL] })
  const stacking = priceCart({ ...input, programs: [coupon('STACK', percentOff(10), { stacksWithPromotions: true })] })
  expect(stacking.totals).toMatchObject({ itemPromotionCents: 11_840, programCents: 4736 })
})

test('a coupon for articles not in the cart has a different reason than one excluded by promotions', () => {
  const only = (articleIds: string[]) => coupon('ONLY', { type: 'Percentage', ratePpm: 100_000, articleIds })
  expect(reasons(priceCart({ ...tiresOnly({}), programs: [only(['Z'])] }))).toEqual(['coupon ONLY nothing-eligible'])
  expect(reasons(priceCart({ ...tiresOnly({ promotions: [DEAL] }), programs: [only(['A'])] }))).toEqual([
    'coupon ONLY tires-on-promotion',
  ])
})

test('Buy3Get1 counts all eligible tires together and frees the cheapest', () => {
  const three = coupon('THREE', { type: 'Buy3Get1', articleIds: 'all' })
  const mixed = [{ quantity: 7 }, { articleId: 'B', quantity: 1, retailUnitCents: 9900 }]
  expect(priceCart({ ...tiresOnly(...mixed), programs: [three] }).program).toMatchObject({
    discountCents: 9900 + 14_800,
    words: '2 of 8 tires free, the lowest priced',
  })
  expect(reasons(priceCart({ ...tiresOnly({ quantity: 3 }), programs: [three] }))).toEqual([
    'coupon THREE needs-more-tires',
  ])
})

test('a Free coupon frees its item up to its units and charges the rest', () => {
  const free = (item: { articleId: string } | { service: 'installation' | 'roadside' }, units: 'all' | number) =>
    priceCart({ ...ORDER, programs: [coupon('FREE', { type: 'Free', item, units })] })
  expect(free({ service: 'installation' }, 2).program).toMatchObject({
    discountCents: 4400,
    isOnService: true,
    words: 'Free installation, up to 2',
  })
  expect(free({ service: 'installation' }, 2).totals.installDiscountCents).toBe(2500)
  expect(free({ service: 'installation' }, 'all').totals.installDiscountCents).toBe(0)
  expect(free({ articleId: 'A' }, 1).program).toMatchObject({ discountCents: 14_800, isOnService: false })
  expect(reasons(free({ service: 'roadside' }, 'all'))).toEqual(['coupon FREE nothing-eligible'])
})

test('a Free coupon counts its units over all lines of the service', () => {
  const services = [
    { kind: 'installation', articleId: 'A', eachCents: 2000, quantity: 2 },
    { kind: 'installation', articleId: 'B', eachCents: 3000, quantity: 2 },
  ] as const
  const tires = [
    { ...TIRE, quantity: 2 },
    { ...TIRE, articleId: 'B', quantity: 2 },
  ]
  const programs = [coupon('FREE', { type: 'Free', item: { service: 'installation' }, units: 3 })]
  expect(priceCart({ ...ORDER, services, tires, programs }).program.discountCents).toBe(7000)
})

// Steps 4 and 5

test.each<[AccountType, number]>([
  ['Fleet', 2500],
  ['Retail', 2500],
  ['WholeSale', 0],
  ['Special Order', 0],
])('installation discount for %s with an account price: %s cents', (accountType, cents) => {
  expect(
    priceCart({ ...ORDER, tires: [{ ...TIRE, accountUnitCents: 10_000 }], accountType }).totals.installDiscountCents,
  ).toBe(cents)
})

test('the installation discount applies once per order, even with two rim prices', () => {
  const services = [
    { kind: 'installation', articleId: 'A', eachCents: 2000, quantity: 2 },
    { kind: 'installation', articleId: 'B', eachCents: 3000, quantity: 2 },
  ] as const
  const { lines, totals } = priceCart({
    ...ORDER,
    services,
    tires: [
      { ...TIRE, quantity: 2 },
      { ...TIRE, articleId: 'B', quantity: 2 },
    ],
  })
  expect(totals.installDiscountCents).toBe(2500)
  expect(
    lines.filter(({ kind }) => kind === 'installation').map(({ installDiscountCents }) => installDiscountCents),
  ).toEqual([1000, 1500])
})

test('a bank-funded payment offer does not lower the taxable price', () => {
  const offered = (fundedBy: 'store' | 'bank') =>
    priceCart({ ...tiresOnly({}), tender: { kind: 'store-card', ratePpm: 50_000, fundedBy } }).totals
  expect(offered('bank')).toMatchObject({ tenderCents: 2960, taxBaseCents: 59_200 })
  expect(offered('store')).toMatchObject({ tenderCents: 2960, taxBaseCents: 56_240 })
})

// Steps 6 and 8

test('a percent tire fee is based on the price after store discounts, with maker-funded ones added back', () => {
  const rule = stateRule('NC')
  const fee = (fundedBy: 'store' | 'maker') =>
    priceCart({ ...tiresOnly({}), taxRule: rule, programs: [coupon('TEN', percentOff(10), { fundedBy })] }).totals
      .tireFeeCents
  expect(fee('store')).toBe(4 * 266)
  expect(fee('maker')).toBe(4 * 296)
  expect(priceCart({ ...tiresOnly({ rimInches: 20 }), taxRule: rule }).totals.tireFeeCents).toBe(4 * 148)
})

test('a capped fee stops at its cap, and rims beyond the last band have no fee', () => {
  expect(priceCart({ ...tiresOnly({ retailUnitCents: 40_000 }), taxRule: stateRule('AZ') }).totals.tireFeeCents).toBe(
    4 * 466,
  )
  expect(priceCart({ ...tiresOnly({ retailUnitCents: 10_000 }), taxRule: stateRule('AZ') }).totals.tireFeeCents).toBe(
    4 * 200,
  )
  expect(priceCart({ ...tiresOnly({ rimInches: 24.5 }), taxRule: stateRule('UT') }).totals.tireFeeCents).toBe(400)
  expect(priceCart({ ...tiresOnly({ rimInches: 26 }), taxRule: stateRule('UT') }).totals.tireFeeCents).toBe(0)
})

test.each([
  ['valid', 'IL', '2026-11-20', 0, []],
  ['expired yesterday', 'IL', '2026-11-19', 6068, ['exemption IL certificate-expired']],
  ['of another state', 'IN', '2027-01-01', 6068, ['exemption IN certificate-for-another-state']],
])(
  'with an exemption certificate %s: tax, while tire fee and excise tax stay',
  (_case, stateCode, validThrough, taxCents, told) => {
    const breakdown = priceCart({
      ...tiresOnly({ fetUnitCents: 130 }),
      date: DAY,
      exemption: { stateCode, validThrough: Temporal.PlainDate.from(validThrough) },
      taxRule: { ...ORDER.taxRule, taxable: { ...ORDER.taxRule.taxable, fet: false } },
    })
    expect(breakdown.totals).toMatchObject({ taxCents, tireFeeCents: 1000, fetCents: 520 })
    expect(reasons(breakdown)).toEqual(told)
  },
)

test('reports whether programs were offered', () => {
  const why = (programs: PriceInput['programs']) =>
    priceCart({ ...tiresOnly({ promotions: [] }), programs }).program.why
  expect(why([])).toBe('none-offered')
  expect(why([coupon('NIL', percentOff(0))])).toBe('none-lowers-the-total')
})

test.each<[string, Partial<PriceInput>]>([
  ['a price with a fraction of a cent', { tires: [{ ...TIRE, retailUnitCents: 99.5 }] }],
  ['a price below zero', { tires: [{ ...TIRE, retailUnitCents: -1 }] }],
  ['no units', { tires: [{ ...TIRE, quantity: 0 }] }],
  ['a coupon above 100 %', { programs: [coupon('BAD', percentOff(101))] }],
  ['a referral above 30 %', { programs: [{ kind: 'referral', id: 'x', ratePpm: 300_001 }] }],
  [
    'more cents than can be counted',
    { tires: [{ ...TIRE, quantity: 10_000, retailUnitCents: Number.MAX_SAFE_INTEGER }] },
  ],
])('refuses %s', (_case, wrong) => {
  expect(() => priceCart({ ...ORDER, ...wrong })).toThrow(RangeError)
})

test('a quoted price is charged exactly, without promotions, programs, offers, or another label', () => {
  const quoted = { ...tiresOnly({ quotedUnitCents: 13_000, promotions: [DEAL] }), accountType: 'Fleet' as const }
  const priced = priceCart({ ...quoted, programs: [{ kind: 'military' }] })
  expect(priced.lines[0]).toMatchObject({ unitCents: 13_000, label: 'Quoted price', promotion: null, programCents: 0 })
  expect(priced.passedOver).toBeNull()
  expect(priced.ignored.map(({ what, reason }) => [what, reason])).toEqual([
    ['item-promotion', 'quoted-price'],
    ['military', 'quoted-price'],
  ])
  const above = priceCart({ ...tiresOnly({ quotedUnitCents: 90_000 }), accountType: 'Retail' })
  expect(above.lines[0]?.unitCents).toBe(90_000)
})

test.each([
  ['deals', { tires: [{ ...TIRE, promotions: [DEAL] }] }, 'itemPromotionCents'],
  ['programs', { programs: [{ kind: 'military' }] }, 'programCents'],
  ['payments', { tender: { kind: 'store-card', ratePpm: 50_000, fundedBy: 'store' } }, 'tenderCents'],
] as const)(
  'without %s for members, the order gets the lower of the member price and the offer',
  (kind, offer, cents) => {
    const priceAt = (accountUnitCents: number, allowed: boolean) => {
      const [tire = TIRE] = 'tires' in offer ? offer.tires : []
      const terms = { ...standardPriceRates, memberOffers: { ...MEMBER_OFFERS, [kind]: allowed } }
      const order = {
        ...ORDER,
        accountType: 'Retail Member',
        ...offer,
        tires: [{ ...tire, accountUnitCents }],
        terms,
      } as const
      return priceCart(order)
    }
    const both = priceAt(14_700, true)
    expect(both).toMatchObject({ accountType: 'Retail Member' })
    expect(both.totals[cents]).toBeGreaterThan(0)
    const offered = priceAt(14_700, false)
    expect(offered).toMatchObject({ accountType: 'Retail', passedOver: 'Retail Member' })
    expect(offered.totals.totalCents).toBeGreaterThan(both.totals.totalCents)
    const own = priceAt(10_000, false)
    expect(own).toMatchObject({ accountType: 'Retail Member', totals: { [cents]: 0 } })
    expect(own.ignored.map(({ reason }) => reason)).toContain('account-price')
  },
)
