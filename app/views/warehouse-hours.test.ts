import { expect, test } from 'vitest'
import { counterHoursText } from './warehouse-hours.ts'

const day = (weekday: number, opens = '08:00', closes = '17:30') => ({ weekday, opens, closes })

test.for([
  [[], 'No pickup'],
  [[day(1), day(2), day(3)], 'Mon–Wed 8:00 AM to 5:30 PM CST'],
  [[day(1), day(3)], 'Mon 8:00 AM to 5:30 PM CST, Wed 8:00 AM to 5:30 PM CST'],
  [[day(5), day(6, '09:00', '13:00')], 'Fri 8:00 AM to 5:30 PM CST, Sat 9:00 AM to 1:00 PM CST'],
] as const)('%j reads "%s"', ([hours, text]) => {
  expect(counterHoursText(hours, 'CST')).toBe(text)
})
