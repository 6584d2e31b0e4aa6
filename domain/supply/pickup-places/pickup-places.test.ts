import { expect, test } from 'vitest'
import { hoursOfDay, keptUntil, weekLines, weekText } from './pickup-places.ts'

const weekday = (opens: string, closes: string) => [1, 2, 3, 4, 5].map((day) => ({ weekday: day, opens, closes }))

test('equal days are said together', () => {
  const week = [...weekday('09:00', '18:30'), { weekday: 6, opens: '10:00', closes: '12:00' }]
  expect(weekLines(week)).toEqual(['Mon–Fri 9am–6:30pm', 'Sat 10am–12pm', 'Sun Closed'])
  expect(weekText(week)).toBe('Mon–Fri 9am–6:30pm, Sat 10am–12pm, Sun Closed')
  expect(weekText([])).toBe('')
})

test('a day may have a break, no end, or no hours', () => {
  const week = [
    { weekday: 1, opens: '08:00', closes: '12:00' },
    { weekday: 1, opens: '13:00', closes: '17:00' },
    { weekday: 2, opens: '00:00', closes: '23:59' },
  ]
  expect([1, 2, 3].map((day) => hoursOfDay(week, day))).toEqual(['8am–12pm, 1pm–5pm', 'Open all day', 'Closed'])
})

test('a parcel is kept for so many days after its arrival', () => {
  expect(keptUntil(Temporal.PlainDate.from('2026-11-27'), 7).toString()).toBe('2026-12-04')
})
