import { expect, test } from 'vitest'
import { binsOf } from './periods.ts'
import { comparedWith, daysOfMonth, monthOf } from './reports.ts'

const days = (from: string, to: string) => ({ from: Temporal.PlainDate.from(from), to: Temporal.PlainDate.from(to) })

test('a period is shown by week, and by month once that would be too many weeks', () => {
  expect(binsOf(days('2026-10-28', '2026-11-08'))).toEqual({
    unit: 'Week',
    bins: [
      { label: 'Oct 28–31', from: '2026-10-28', to: '2026-10-31' },
      { label: 'Nov 1–7', from: '2026-11-01', to: '2026-11-07' },
      { label: 'Nov 8', from: '2026-11-08', to: '2026-11-08' },
    ],
  })
  expect(binsOf(days('2026-09-29', '2026-10-03')).bins.map(({ label }) => label)).toEqual(['Sep 29–Oct 3'])
  const { unit, bins } = binsOf(days('2026-08-15', '2026-11-20'))
  expect(unit).toBe('Month')
  expect(bins.map(({ label }) => label)).toEqual(['Aug 2026', 'Sep 2026', 'Oct 2026', 'Nov 2026'])
})

test('every day of the period compared with counts to one day of this one', () => {
  // A longer preceding month, where the extra days map to this month's last day.
  const february = comparedWith(daysOfMonth(Temporal.PlainYearMonth.from('2026-02')), 'month')
  expect(february?.period.to.toString()).toBe('2026-01-31')
  expect(['2026-01-05', '2026-01-31'].map((day) => february?.counterpart(day))).toEqual(['2026-02-05', '2026-02-28'])
  const range = days('2026-11-02', '2026-11-10')
  expect(monthOf(range)).toBeNull()
  expect(comparedWith(range, 'month')).toMatchObject({ period: days('2026-10-24', '2026-11-01') })
  expect(comparedWith(range, 'month')?.counterpart('2026-10-24')).toBe('2026-11-02')
  expect(comparedWith(range, 'year')?.counterpart('2025-11-10')).toBe('2026-11-10')
  expect(comparedWith(range, 'nothing')).toBeNull()
})
