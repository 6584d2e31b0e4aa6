import { expect, test } from 'vitest'
import { planFor } from './payment-plans.ts'

const today = Temporal.PlainDate.from('2026-11-20')

test('a way without a spread is paid once', () => {
  expect(planFor(undefined, 76_614, today)).toMatchObject({ firstCents: 76_614, often: 'once', payments: [] })
})

test('four installments every two weeks add up, and the first has the odd cents', () => {
  const plan = planFor({ kind: 'installments', count: 4, everyWeeks: 2 }, 76_614, today)
  expect(plan.payments.map(({ on, cents }) => [on.toString(), cents])).toEqual([
    ['2026-11-20', 19_155],
    ['2026-12-04', 19_153],
    ['2026-12-18', 19_153],
    ['2027-01-01', 19_153],
  ])
  expect(plan).toMatchObject({ firstCents: 19_155, often: 'today', interestCents: 0, totalCents: 76_614 })
})

test('a loan of twelve months shows its payment, interest and total', () => {
  const plan = planFor({ kind: 'monthly', count: 12, ratePpm: 149_900 }, 76_614, today)
  expect(plan).toMatchObject({ firstCents: 6_915, often: 'a month', interestCents: 6_366, totalCents: 82_980 })
  expect(plan.payments[0]?.on.toString()).toBe('2026-12-20')
  expect(plan.payments).toHaveLength(12)
})
