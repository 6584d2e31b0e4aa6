import fc from 'fast-check'
import { coverageLimitsOf, standardTerms } from '#domain/kernel/settings/settings.ts'
import { expect, test } from 'vitest'
import { REPLACEMENT_COVERAGE, ROAD_HAZARD_PLAN } from '#platform/business-constants.ts'
import {
  checkClaim,
  excludedCauses,
  mostOfClaim,
  paidForTires,
  parseClaimNumber,
  type ClaimFacts,
} from './coverage-claims.ts'
import { claimForm } from './claim-form.ts'

const day = (text: string) => Temporal.PlainDate.from(text)
const limits = coverageLimitsOf(standardTerms)
const delivered = day('2026-11-24')
const facts = (change: Partial<ClaimFacts> = {}, order: Partial<ClaimFacts['order']> = {}): ClaimFacts => ({
  kind: 'replacement',
  cause: 'puncture',
  tires: 1,
  happenedOn: day('2027-02-01'),
  today: day('2027-02-03'),
  ...change,
  order: { state: 'confirmed', deliveredOn: delivered, plan: 'replacement', limits, tiresLeft: 4, ...order },
})
const failed = (claim: ClaimFacts) => checkClaim(claim).map(({ check }) => check)

test('a covered claim has no errors, and each rule reports at its field', () => {
  expect(checkClaim(facts())).toEqual([])
  expect(failed(facts({}, { state: 'canceled' }))).toEqual(['order-stands'])
  expect(failed(facts({}, { state: 'returned' }))).toEqual(['order-stands'])
  expect(failed(facts({}, { plan: null }))).toEqual(['coverage-bought'])
  expect(failed(facts({}, { deliveredOn: null }))).toEqual(['coverage-begun'])
  expect(failed(facts({ tires: 5 }))).toEqual(['tires-left'])
  expect(failed(facts({}, { tiresLeft: 0 }))).toEqual(['tires-left'])
  expect(failed(facts({ happenedOn: day('2027-02-04') }))).toEqual(['day-has-come'])
  expect(failed(facts({ happenedOn: day('2026-11-23') }))).toEqual(['after-delivery'])
  expect(failed(facts({ happenedOn: delivered }))).toEqual([])
  const late = { today: day('2030-01-01') }
  expect(failed(facts({ ...late, happenedOn: day('2029-11-23') }))).toEqual([])
  expect(failed(facts({ ...late, happenedOn: day('2029-11-24') }))).toEqual(['within-plan'])
  for (const cause of Object.keys(excludedCauses) as (keyof typeof excludedCauses)[])
    expect(checkClaim(facts({ cause }))).toMatchObject([{ check: 'cause-covered', field: 'cause' }])
})

test.each([
  ['2026-11-24', 40_000],
  ['2027-11-23', 40_000],
  ['2027-11-24', 20_000],
  ['2028-11-23', 20_000],
  ['2028-11-24', 10_000],
  ['2029-11-23', 10_000],
  ['2029-11-24', undefined],
  ['2026-11-23', undefined],
] as const)('a tire ruined on %s is worth up to %s cents', (happened, most) => {
  const claim = {
    plan: 'replacement',
    priceCents: 15_999,
    kind: 'replacement',
    tires: 1,
    paidCents: null,
    deliveredOn: delivered,
  } as const
  expect(mostOfClaim({ limits, ...claim, happenedOn: day(happened) })).toBe(most)
})

test('coverage years that start on a leap day don’t overlap', () => {
  const claim = {
    plan: 'replacement',
    priceCents: 15_999,
    kind: 'replacement',
    tires: 2,
    paidCents: null,
    deliveredOn: day('2028-02-29'),
  } as const
  expect(mostOfClaim({ limits, ...claim, happenedOn: day('2029-02-27') })).toBe(80_000)
  expect(mostOfClaim({ limits, ...claim, happenedOn: day('2029-02-28') })).toBe(40_000)
})

test('a repair is worth what it cost, up to the limit for each tire', () => {
  const claim = {
    plan: 'replacement',
    priceCents: 15_999,
    kind: 'repair',
    deliveredOn: delivered,
    happenedOn: delivered,
  } as const
  expect(mostOfClaim({ limits, ...claim, tires: 1, paidCents: 1_999 })).toBe(1_999)
  expect(mostOfClaim({ limits, ...claim, tires: 1, paidCents: 4_000 })).toBe(2_500)
  expect(mostOfClaim({ limits, ...claim, tires: 2, paidCents: 4_000 })).toBe(4_000)
})

test('a claim never pays more than the plan’s year, and expires with the plan', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1_500 }), fc.integer({ min: 1, max: 8 }), (days, tires) => {
      const happenedOn = delivered.add({ days })
      const most = mostOfClaim({
        limits,
        plan: 'replacement',
        priceCents: 15_999,
        kind: 'replacement',
        tires,
        paidCents: null,
        deliveredOn: delivered,
        happenedOn,
      })
      const isOver = Temporal.PlainDate.compare(happenedOn, delivered.add({ months: REPLACEMENT_COVERAGE.months })) >= 0
      expect(most === undefined).toBe(isOver)
      expect(most ?? 0).toBeLessThanOrEqual(REPLACEMENT_COVERAGE.capCentsByYear[0] * tires)
    }),
  )
})

test.each([
  ['2026-11-24', 1, 15_999],
  ['2027-11-23', 1, 15_999],
  // The customer pays half of the tire's price, and the odd cent is ours.
  ['2027-11-24', 1, 8_000],
  ['2027-11-24', 4, 31_999],
  ['2028-11-23', 1, 8_000],
  ['2028-11-24', 1, undefined],
  ['2026-11-23', 1, undefined],
] as const)('the road hazard plan pays for a tire ruined on %s: %s, %s cents', (happened, tires, most) => {
  const line = { quantity: 4, netCents: 63_997 }
  const claim = { plan: 'road-hazard', kind: 'replacement', tires, paidCents: null, deliveredOn: delivered } as const
  expect(mostOfClaim({ limits, ...claim, priceCents: paidForTires(line, tires), happenedOn: day(happened) })).toBe(most)
})

test('the road hazard plan pays no labor, and ends a year before replacement coverage', () => {
  const plan = { plan: 'road-hazard' } as const
  expect(failed(facts({}, plan))).toEqual([])
  expect(checkClaim(facts({ kind: 'repair' }, plan))).toMatchObject([{ check: 'work-covered', field: 'kind' }])
  const late = { today: day('2030-01-01') }
  expect(failed(facts({ ...late, happenedOn: day('2028-11-23') }, plan))).toEqual([])
  expect(failed(facts({ ...late, happenedOn: day('2028-11-24') }, plan))).toEqual(['within-plan'])
  expect(failed(facts({ ...late, happenedOn: day('2028-11-24') }))).toEqual([])
  const repair = { kind: 'repair', tires: 1, paidCents: 2_000, priceCents: 15_999, deliveredOn: delivered } as const
  expect(mostOfClaim({ limits, ...repair, ...plan, happenedOn: delivered })).toBeUndefined()
  // The order's own terms apply.
  const terms = coverageLimitsOf({ ...standardTerms, 'road-hazard-year-1-ppm': 250_000 })
  const blowout = { ...plan, kind: 'replacement', tires: 1, paidCents: null, priceCents: 20_000 } as const
  expect(mostOfClaim({ ...blowout, limits: terms, deliveredOn: delivered, happenedOn: delivered })).toBe(15_000)
})

test('a plan with fewer months ends earlier, and has no payment for the years after', () => {
  const short = coverageLimitsOf({ ...standardTerms, 'coverage-months': 18, 'road-hazard-months': 12 })
  expect(short).toMatchObject({ capCentsByYear: [40_000, 20_000], customerPaysPpmByYear: [0] })
  const claim = { kind: 'replacement', tires: 1, paidCents: null, priceCents: 15_999, deliveredOn: delivered } as const
  const late = { today: day('2030-01-01') }
  for (const [plan, end] of [
    ['replacement', day('2028-05-24')],
    ['road-hazard', day('2027-11-24')],
  ] as const) {
    const last = end.subtract({ days: 1 })
    expect(mostOfClaim({ ...claim, plan, limits: short, happenedOn: last })).toBeGreaterThan(0)
    expect(mostOfClaim({ ...claim, plan, limits: short, happenedOn: end })).toBeUndefined()
    expect(failed(facts({ ...late, happenedOn: last }, { plan, limits: short }))).toEqual([])
    expect(failed(facts({ ...late, happenedOn: end }, { plan, limits: short }))).toEqual(['within-plan'])
  }
})

test('for any price and day, the plan and the customer together pay the price, and the plan never more', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 400_000 }),
      fc.integer({ min: 1, max: 40 }),
      fc.integer({ min: 0, max: 900 }),
      fc.integer({ min: 1, max: 40 }),
      (netCents, quantity, days, claimed) => {
        const tires = Math.min(claimed, quantity)
        const happenedOn = delivered.add({ days })
        const priceCents = paidForTires({ quantity, netCents }, tires)
        const claim = { plan: 'road-hazard', kind: 'replacement', tires, paidCents: null, priceCents } as const
        const most = mostOfClaim({ limits, ...claim, deliveredOn: delivered, happenedOn })
        const isOver = Temporal.PlainDate.compare(happenedOn, delivered.add({ months: ROAD_HAZARD_PLAN.months })) >= 0
        expect(most === undefined).toBe(isOver)
        expect(most ?? 0).toBeLessThanOrEqual(netCents)
        const isFirst = Temporal.PlainDate.compare(happenedOn, delivered.add({ years: 1 })) < 0
        if (!isOver) expect(most).toBe(isFirst ? priceCents : Math.ceil(priceCents / 2))
      },
    ),
  )
})

test('the form reads DOT numbers as they are written, and a repair needs its price', () => {
  const typed = {
    orderNumber: 'S-104001',
    tires: '2',
    kind: 'replacement',
    cause: 'pothole',
    happenedOn: '11/24/2026',
    tin: 'DOT 4b9y-ab12 3526',
  }
  expect(claimForm.parse(typed)).toMatchObject({ orderNumber: 104_001, tires: 2, tin: '4B9YAB123526', item: null })
  const faults = (change: Record<string, string>) =>
    claimForm.safeParse({ ...typed, ...change }).error?.issues.map(({ path }) => path[0]) ?? []
  expect(faults({ kind: 'repair' })).toEqual(['paid'])
  expect(faults({ kind: 'repair', paid: '19.99' })).toEqual([])
  for (const [field, text] of [
    ['tin', 'DOT ab'],
    ['tires', '0'],
    ['tires', '1e9'],
    ['item', 'x'],
    ['cause', 'rust'],
    ['kind', '__proto__'],
    ['happenedOn', '13/40/2026'],
    ['orderNumber', 'none'],
  ] as const)
    expect(faults({ [field]: text }), `${field} ${text}`).toEqual([field])
})

test('a claim’s number is read in any common form', () => {
  expect(parseClaimNumber('C-12')).toBe(12)
  expect(parseClaimNumber(' c-12 ')).toBe(12)
  expect(parseClaimNumber('12')).toBe(12)
  expect(parseClaimNumber('G-12')).toBeUndefined()
})
