import { expect, test } from 'vitest'
import type { ShopRate } from '#domain/scheduling/installers/installers.ts'
import { clockOf } from '#platform/time-text.ts'
import { openText, priceTable, weekOf } from './shop-page.server.ts'

const today = Temporal.PlainDate.from('2026-11-26')
const clock = clockOf('America/Chicago', today)
const opens = (days: number) => ({ on: today.add({ days }), from: 480 })

test.for([
  [{ isOpen: true, until: 17 * 60 + 30 }, 'Open until 5:30 PM CST'],
  [{ isOpen: false, next: opens(0), reason: null }, 'Closed, opens today at 8:00 AM CST'],
  [{ isOpen: false, next: opens(1), reason: 'Thanksgiving' }, 'Closed: Thanksgiving, opens tomorrow at 8:00 AM CST'],
  [
    { isOpen: false, next: opens(4), reason: 'Closed for vacation' },
    'Closed for vacation, opens Mon, Nov 30 at 8:00 AM CST',
  ],
  [{ isOpen: false, next: null, reason: null }, 'Closed'],
] as const)('%o is said as %s', ([state, text]) => {
  expect(openText(state, clock, today).text).toBe(text)
})

test('the next seven days show which ones have unusual hours', () => {
  const hours = [1, 4, 5].map((weekday) => ({ weekday, opens: 480, closes: 1020 }))
  const closures = [
    { on: '2026-11-26', reason: 'Thanksgiving Day' },
    { on: '2026-11-30', reason: 'Closed for vacation' },
    // A day that is closed anyway, and the same weekday a week later.
    { on: '2026-11-28', reason: 'Fair' },
    { on: '2026-12-04', reason: 'Fair' },
  ]
  expect(
    weekOf({ hours, closures }, clock, today).map(({ day, hours: text, isToday }) => [day.slice(0, 3), text, isToday]),
  ).toEqual([
    ['Mon', 'Closed for vacation', false],
    ['Tue', 'Closed', false],
    ['Wed', 'Closed', false],
    ['Thu', 'Closed: Thanksgiving Day', true],
    ['Fri', '8:00 AM to 5:00 PM', false],
    ['Sat', 'Closed', false],
    ['Sun', 'Closed', false],
  ])
})

const rate = (job: ShopRate['job'], rimFromIn: number, rimToIn: number, installCents: number): ShopRate => ({
  job,
  rimFromIn,
  rimToIn,
  installCents,
  serviceKitCents: 600,
  disposalCents: 350,
  minutesPerTire: 15,
})

test('prices are listed by wheel size and installation type, as far as the shop accepts them', () => {
  const rates = [
    rate('run-flat', 12, 17.9, 3300),
    rate('standard', 18, 20.9, 2500),
    rate('standard', 12, 17.9, 2200),
    rate('standard', 21, 24.9, 2900),
  ]
  const table = priceTable(rates, { rimMinIn: 14, rimMaxIn: 20 })
  expect(table.bands).toEqual(['14 to 17 in', '18 to 20 in'])
  expect(table.rows.map(({ job, cells }) => [job, ...cells])).toEqual([
    ['Standard', '$22.00', '$25.00'],
    ['Run-flat', '$33.00', 'Not taken'],
  ])
})
