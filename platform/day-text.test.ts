import { expect, test } from 'vitest'
import { dayText, monthDayText, weekdayText } from './day-text.ts'

test('days are written as American calendars write them, on every day of a year', () => {
  const first = Temporal.PlainDate.from('2028-01-01')
  for (let ahead = 0; ahead < 366; ahead++) {
    const date = first.add({ days: ahead })
    expect(dayText(date)).toBe(date.toLocaleString('en-US', { weekday: 'short', month: 'short', day: 'numeric' }))
    expect(monthDayText(date)).toBe(date.toLocaleString('en-US', { month: 'short', day: 'numeric' }))
    expect(weekdayText(date)).toBe(date.toLocaleString('en-US', { weekday: 'short' }))
  }
})
