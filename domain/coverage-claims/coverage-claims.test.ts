import fc from 'fast-check'
import { expect, test } from 'vitest'
import { REPLACEMENT_COVERAGE } from '#platform/business-constants.ts'
import { checkClaim, excludedCauses, mostOfClaim, parseClaimNumber, type ClaimFacts } from './coverage-claims.ts'
import { claimForm } from './claim-form.ts'

const day = (text: string) => Temporal.PlainDate.from(text)
const delivered = day('2026-11-24')
const facts = (change: Partial<ClaimFacts> = {}, order: Partial<ClaimFacts['order']> = {}): ClaimFacts => ({
  cause: 'puncture',
  tires: 1,
  happenedOn: day('2027-02-01'),
  today: day('2027-02-03'),
  ...change,
  order: { state: 'confirmed', deliveredOn: delivered, isCovered: true, tiresLeft: 4, ...order },
})
const failed = (claim: ClaimFacts) => checkClaim(claim).map(({ check }) => check)

test('a covered claim has nothing against it; each rule speaks for itself, by its field', () => {
  expect(checkClaim(facts())).toEqual([])
  expect(failed(facts({}, { state: 'canceled' }))).toEqual(['order-stands'])
  expect(failed(facts({}, { state: 'returned' }))).toEqual(['order-stands'])
  expect(failed(facts({}, { isCovered: false }))).toEqual(['coverage-bought'])
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
  const claim = { kind: 'replacement', tires: 1, paidCents: null, deliveredOn: delivered } as const
  expect(mostOfClaim({ ...claim, happenedOn: day(happened) })).toBe(most)
})

test('years that begin on a leap day end before the 28th or 29th, none twice', () => {
  const claim = { kind: 'replacement', tires: 2, paidCents: null, deliveredOn: day('2028-02-29') } as const
  expect(mostOfClaim({ ...claim, happenedOn: day('2029-02-27') })).toBe(80_000)
  expect(mostOfClaim({ ...claim, happenedOn: day('2029-02-28') })).toBe(40_000)
})

test('a repair is worth what it cost, up to the limit for each tire', () => {
  const claim = { kind: 'repair', deliveredOn: delivered, happenedOn: delivered } as const
  expect(mostOfClaim({ ...claim, tires: 1, paidCents: 1_999 })).toBe(1_999)
  expect(mostOfClaim({ ...claim, tires: 1, paidCents: 4_000 })).toBe(2_500)
  expect(mostOfClaim({ ...claim, tires: 2, paidCents: 4_000 })).toBe(4_000)
})

test('for any day and number, a claim never pays more than the plan’s year, and nothing after its months', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1_500 }), fc.integer({ min: 1, max: 8 }), (days, tires) => {
      const happenedOn = delivered.add({ days })
      const most = mostOfClaim({ kind: 'replacement', tires, paidCents: null, deliveredOn: delivered, happenedOn })
      const isOver = Temporal.PlainDate.compare(happenedOn, delivered.add({ months: REPLACEMENT_COVERAGE.months })) >= 0
      expect(most === undefined).toBe(isOver)
      expect(most ?? 0).toBeLessThanOrEqual(REPLACEMENT_COVERAGE.capCentsByYear[0] * tires)
    }),
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
    expect([field, text, faults({ [field]: text })]).toEqual([field, text, [field]])
})

test('a claim’s number is read in any common form', () => {
  expect([
    parseClaimNumber('C-12'),
    parseClaimNumber(' c-12 '),
    parseClaimNumber('12'),
    parseClaimNumber('G-12'),
  ]).toEqual([12, 12, 12, undefined])
})
