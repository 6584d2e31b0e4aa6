import { expect, test } from 'vitest'
import { layOutDay } from './day.ts'

const timeZone = 'America/Chicago'
const day = Temporal.PlainDate.from('2026-11-24')
const at = (time: string, on = '2026-11-24') => Temporal.ZonedDateTime.from(`${on}T${time}[${timeZone}]`).toInstant()
const places = [
  { id: 7, kind: 'bay', number: 1 },
  { id: 9, kind: 'drop-off', number: 1 },
] as const
const hours = [{ weekday: 2, opens: 480, closes: 1020 }]

type Jobs = Parameters<typeof layOutDay>[1]['jobs']
const job: Jobs[number] = {
  bookingId: 'a',
  bayId: 7,
  kind: 'wait',
  dropOffWindow: null,
  state: 'confirmed',
  start: at('09:30'),
  end: at('10:30'),
  dropOffCode: null,
  orderId: 104921,
  orderState: 'confirmed',
  firstName: 'Dana',
  lastInitial: 'R',
  vehicle: '2021 Toyota RAV4',
  tires: [{ quantity: 4, description: 'Kestrel Alltide AS2' }],
  pieces: 4,
  delivered: 4,
  dueOn: null,
}
const lay = (jobs: Jobs, today = day) =>
  layOutDay({ places, hours, timeZone }, { day, now: at('09:40', today.toString()), jobs })

test('a job stands in its bay, in quarter hours after the shop opens', () => {
  const { columns, jobs, quarters, hours: lines, zone } = lay([job])
  expect(columns.map(({ label }) => label)).toEqual(['Bay 1', 'Drop-off 1'])
  expect([quarters, lines.length, lines[0], zone]).toEqual([36, 9, { quarter: 0, label: '8 AM' }, 'CST'])
  expect(jobs[0]).toMatchObject({
    column: 0,
    from: 6,
    to: 10,
    time: '9:30 to 10:30',
    who: 'Dana R.',
    order: 'S-104921',
    tires: ['4 × Kestrel Alltide AS2'],
    pieces: '4 of 4 here',
    state: 'booked',
  })
})

test('the page grows with jobs before opening and after closing, and ends at midnight', () => {
  const late = { ...job, bookingId: 'b', start: at('16:30'), end: at('02:00', '2026-11-25') }
  const { hours: lines, quarters, jobs } = lay([{ ...job, start: at('07:45') }, late])
  expect([lines[0]?.label, lines.at(-1)?.label, quarters]).toEqual(['7 AM', '11 PM', 68])
  expect(jobs.map(({ from, to }) => [from, to])).toEqual([
    [3, 14],
    [38, 68],
  ])
})

test('tires that are missing matter on the day, and what must not be installed says why', () => {
  const missing = { ...job, delivered: 2, dueOn: '2026-11-25' }
  expect(lay([missing]).jobs[0]).toMatchObject({ state: 'short', pieces: '2 of 4 here, the rest due Nov 25' })
  expect(lay([missing], day.subtract({ days: 1 })).jobs[0]).toMatchObject({ state: 'booked' })
  expect(lay([missing]).short).toBe(1)
  const states = (['canceled', 'returned', 'needs-confirmation'] as const).map(
    (orderState) => lay([{ ...job, orderState }]).jobs[0]?.words,
  )
  expect(states).toEqual(['Canceled: do not install', 'Returned: do not install', 'Not confirmed yet: do not install'])
  expect(lay([{ ...job, state: 'done' }])).toMatchObject({ done: 1 })
})
