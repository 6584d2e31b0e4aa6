import { expect, test } from 'vitest'
import { counterHoursText } from './warehouse-hours.ts'

const day = (weekday: number, opens = '08:00', closes = '17:30') => ({ weekday, opens, closes })

test.for([
  [[], 'No pickup'],
  [[day(1), day(2), day(3)], 'Mon–Wed 8am–5:30pm CST'],
  [[day(1), day(3)], 'Mon 8am–5:30pm, Wed 8am–5:30pm CST'],
  [[day(5), day(6, '09:00', '13:00')], 'Fri 8am–5:30pm, Sat 9am–1pm CST'],
] as const)('%j reads "%s"', ([hours, text]) => {
  expect(counterHoursText(hours, 'CST')).toBe(text)
})
