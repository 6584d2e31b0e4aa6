import { expect, test } from 'vitest'
import { dayText, monthDayText, parseUsDay, weekdayText, weekSpanText } from './day-text.ts'

test('days are written as American calendars write them, on every day of a year', () => {
  const first = Temporal.PlainDate.from('2028-01-01')
  for (let ahead = 0; ahead < 366; ahead++) {
    const date = first.add({ days: ahead })
    expect(dayText(date)).toBe(date.toLocaleString('en-US', { weekday: 'short', month: 'short', day: 'numeric' }))
    expect(monthDayText(date)).toBe(date.toLocaleString('en-US', { month: 'short', day: 'numeric' }))
    expect(weekdayText(date)).toBe(date.toLocaleString('en-US', { weekday: 'short' }))
  }
})

test('a week within one month names the month once', () => {
  expect(weekSpanText(Temporal.PlainDate.from('2026-11-16'))).toBe('Nov 16 to 22')
  expect(weekSpanText(Temporal.PlainDate.from('2026-11-30'))).toBe('Nov 30 to Dec 6')
})

test('a typed date is read month first, and impossible dates are invalid', () => {
  expect(parseUsDay(' 2/29/2028 ')?.toString()).toBe('2028-02-29')
  expect(parseUsDay('11/09/2026')?.toString()).toBe('2026-11-09')
  for (const text of ['', '2/29/2027', '13/1/2026', '0/1/2026', '1/1/26', '2026-11-09', '11/9/2026x'])
    expect(parseUsDay(text), text).toBeUndefined()
})
