import { expect, test } from 'vitest'
import { payBandText, payBands, rateFor, type PayRate } from './matrix.ts'
import { disputeForm, rateForm } from './pay-forms.ts'
import { carriedInto, readWeek, statementRows, sumStatement, weekOf, type PayLine } from './statement.ts'

const day = (text: string) => Temporal.PlainDate.from(text)
const rate = (over: Partial<PayRate> = {}): PayRate => ({
  id: 'a',
  job: 'standard',
  state: null,
  rimFromIn: 17,
  rimToIn: 18.9,
  cents: 2_200,
  startsOn: '2026-01-01',
  endsOn: null,
  ...over,
})
const rates = [
  rate({ endsOn: '2026-11-20' }),
  rate({ id: 'b', cents: 2_300, startsOn: '2026-11-20' }),
  rate({ id: 'c', state: 'CA', cents: 2_400 }),
  rate({ id: 'd', job: 'run-flat', cents: 2_000 }),
]

test.for([
  ['standard', 17, 'IL', '2026-11-19', 2_200],
  ['standard', 18.5, 'IL', '2026-11-20', 2_300],
  ['standard', 18.9, 'CA', '2026-11-19', 2_400],
  ['run-flat', 17, 'CA', '2026-11-19', 2_000],
  ['standard', 19, 'IL', '2026-11-19', undefined],
  ['standard', 17, 'IL', '2025-12-31', undefined],
  ['light-truck', 17, 'IL', '2026-11-19', undefined],
] as const)('a %s tire of %s inch in %s on %s is paid %s', ([job, rimIn, state, on, cents]) => {
  expect(rateFor(rates, { job, rimIn, state, day: day(on) })?.cents).toBe(cents)
})

test('rims between two bands do not exist, half inches included', () => {
  for (let tenths = 80; tenths <= 400; tenths++)
    expect(
      payBands.filter(([from, to]) => from * 10 <= tenths && tenths <= Math.round(to * 10)),
      `${tenths}`,
    ).toHaveLength(1)
  expect(payBands.map((band) => payBandText(band))).toEqual([
    'up to 14',
    '15 to 16',
    '17 to 18',
    '19 to 20',
    '21 and up',
  ])
})

test('a week starts on Monday in the shop’s time zone, including days with 23 and 25 hours', () => {
  expect(weekOf(day('2026-11-22')).toString()).toBe('2026-11-16')
  expect(weekOf(day('2026-11-23')).toString()).toBe('2026-11-23')
  const dayOf = (text: string) => Temporal.Instant.from(text).toZonedDateTimeISO('America/Chicago').toPlainDate()
  // Sunday, November 1, 2026 has 25 hours, and Sunday, March 8 has 23; both end at midnight in the shop's time zone.
  expect(weekOf(dayOf('2026-11-02T05:59:59Z')).toString()).toBe('2026-10-26')
  expect(weekOf(dayOf('2026-11-02T06:00:00Z')).toString()).toBe('2026-11-02')
  expect(weekOf(dayOf('2026-03-09T04:59:59Z')).toString()).toBe('2026-03-02')
  expect(weekOf(dayOf('2026-03-09T05:00:00Z')).toString()).toBe('2026-03-09')
})

test.for(['2026-11-17', '2026-02-30', '2026-13-01', 'x', '', "2026-11-16'"])('the address %s is no week', (text) => {
  expect(readWeek(text)).toBeUndefined()
})

test('what a week lacks is carried until other weeks made up for it', () => {
  const weeks = [
    { week: '2026-11-02', cents: 5_000 },
    { week: '2026-11-09', cents: -8_000 },
    { week: '2026-11-16', cents: 3_000 },
    { week: '2026-11-23', cents: 9_000 },
  ]
  const into = (week: string) => carriedInto(weeks.toReversed(), week)
  expect(['2026-11-02', '2026-11-09', '2026-11-16', '2026-11-23', '2026-11-30'].map(into)).toEqual([
    0, 0, -8_000, -5_000, 0,
  ])
})

test('the totals of a statement are the sums of its lines, and its rows say them', () => {
  const line = (kind: PayLine['kind'], amountCents: number): PayLine => ({
    id: kind,
    kind,
    day: '2026-11-16',
    at: Temporal.Instant.from('2026-11-16T18:00:00Z'),
    orderId: kind === 'adjustment' ? null : 7,
    bookingId: null,
    words: 'Dana R.',
    tires: kind === 'finished' ? [{ quantity: 4, description: 'Tire', rateCents: 2_200 }] : [],
    dueAt: null,
    disputeUntil: Temporal.Instant.from('2026-11-23T18:00:00Z'),
    dispute: null,
    transfer: null,
    amountCents,
  })
  const lines = [line('finished', 8_800), line('no-show', 1_500), line('adjustment', 500), line('chargeback', -2_200)]
  expect(sumStatement(lines)).toEqual({
    jobsCents: 8_800,
    feesCents: 1_500,
    adjustmentsCents: 500,
    chargebacksCents: -2_200,
    totalCents: 8_600,
  })
  const rows = statementRows(lines, (id) => `S-${id}`)
  expect(rows[0]).toEqual(['2026-11-16', 'Job', 'S-7', 'Dana R.', '4 × Tire', '22.00', '88.00'])
  expect(rows[2]?.[2]).toBe('')
})

test('a rate is from $15.00 to $24.00, on a day that exists', () => {
  const typed = { job: 'standard', band: '2', state: 'il', amount: '$22.50', startsOn: '2026-12-01' }
  expect(rateForm.parse(typed)).toMatchObject({ band: [17, 18.9], state: 'IL', amount: 2_250 })
  for (const wrong of [
    { amount: '14.99' },
    { amount: '24.01' },
    { band: '5' },
    { state: 'ILL' },
    { startsOn: '2026-02-30' },
  ])
    expect(rateForm.safeParse({ ...typed, ...wrong }).success, JSON.stringify(wrong)).toBe(false)
})

test('a dispute names its job or adjustment by a key', () => {
  const id = '01890000-0000-7000-8000-000000000000'
  expect(disputeForm.parse({ about: `job:${id}`, words: 'Four tires, not three.' }).about).toEqual({ kind: 'job', id })
  expect(disputeForm.safeParse({ about: `order:${id}`, words: 'Four tires, not three.' }).success).toBe(false)
  expect(disputeForm.safeParse({ about: `job:${'-'.repeat(36)}`, words: 'Four tires, not three.' }).success).toBe(false)
})
