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
  tires: [{ lineNo: 1, quantity: 4, description: 'Kestrel Alltide AS2' }],
  service: null,
  pieces: 4,
  delivered: 4,
  dueOn: null,
  reply: null,
  minutesLate: null,
}
const lay = (jobs: Jobs, today = day) =>
  layOutDay({ places, hours, timeZone }, { day, now: at('09:40', today.toString()), jobs })

test('a job appears in its bay, in quarter hours from opening', () => {
  const { columns, jobs, quarters, hours: lines, zone } = lay([job])
  expect(columns.map(({ label }) => label)).toEqual(['Bay 1', 'Drop-off 1'])
  expect(quarters).toBe(36)
  expect(lines).toHaveLength(9)
  expect(lines[0]).toEqual({ quarter: 0, label: '8 AM' })
  expect(zone).toBe('CST')
  expect(jobs[0]).toMatchObject({
    column: 0,
    from: 6,
    to: 10,
    time: '9:30 AM to 10:30 AM',
    who: 'Dana R.',
    order: 'S-104921',
    tires: ['4 × Kestrel Alltide AS2'],
    pieces: '4 of 4 delivered',
    state: 'booked',
  })
})

test('a day has the time of each quarter, and the first that is not over', () => {
  const today = lay([job])
  expect(today.times).toHaveLength(37)
  expect(today.times[0]).toEqual({ at: '08:00', label: '8:00 AM' })
  expect(today.times.at(-1)).toEqual({ at: '17:00', label: '5:00 PM' })
  expect(today.columns.map(({ isBay }) => isBay)).toEqual([true, false])
  // At 9:40 AM.
  expect(today.firstQuarter).toBe(7)
  expect(lay([job], day.subtract({ days: 1 })).firstQuarter).toBe(0)
  const over = lay([job], day.add({ days: 1 }))
  expect(over.firstQuarter).toBe(36)
  expect(over.empty).toEqual([])
})

test('the page grows with jobs before opening and after closing, and ends at midnight', () => {
  const late = { ...job, bookingId: 'b', start: at('16:30'), end: at('02:00', '2026-11-25') }
  const { hours: lines, quarters, jobs } = lay([{ ...job, start: at('07:45') }, late])
  expect(lines[0]?.label).toBe('7 AM')
  expect(lines.at(-1)?.label).toBe('11 PM')
  expect(quarters).toBe(68)
  expect(jobs.map(({ from, to }) => [from, to])).toEqual([
    [3, 14],
    [38, 68],
  ])
})

test('missing tires are flagged on the day, and blocked installations show the reason', () => {
  const missing = { ...job, delivered: 2, dueOn: '2026-11-25' }
  expect(lay([missing]).jobs[0]).toMatchObject({ state: 'short', pieces: '2 of 4 delivered, the rest due Nov 25' })
  expect(lay([missing], day.subtract({ days: 1 })).jobs[0]).toMatchObject({ state: 'booked' })
  expect(lay([missing]).short).toBe(1)
  const states = (['canceled', 'returned', 'needs-confirmation'] as const).map(
    (orderState) => lay([{ ...job, orderState }]).jobs[0]?.words,
  )
  expect(states).toEqual(['Canceled: do not install', 'Returned: do not install', 'Not confirmed yet, do not install'])
  expect(lay([{ ...job, state: 'done' }])).toMatchObject({ done: 1 })
})

test('a shopper’s message about the time shows on the job until it is complete', () => {
  const news = (change: Partial<Jobs[number]>) => lay([{ ...job, ...change }]).jobs[0]?.news
  expect(news({})).toBeNull()
  expect(news({ reply: 'coming' })).toBe('Confirmed by customer')
  expect(news({ reply: 'late', minutesLate: 20 })).toBe('20 minutes late')
  expect(news({ reply: 'not-coming' })).toBe('Not coming today')
  expect(news({ reply: 'late', minutesLate: 20, state: 'done' })).toBeNull()
})

const own: NonNullable<Parameters<typeof layOutDay>[1]['ownJobs']>[number] = {
  id: 'own',
  bayId: 7,
  start: at('10:00'),
  end: at('11:15'),
  kind: 'walk-in',
  state: 'planned',
  firstName: 'Ann',
  phone: null,
  vehicle: 'Camry',
  tires: null,
  note: 'Flat repair',
  alignmentMinutes: null,
  revision: 1,
  overlaps: [{ bookingId: 'a', reason: 'quick-job' }],
}
const layBoth = (time: string, on = '2026-11-24') =>
  layOutDay({ places, hours, timeZone }, { day, now: at(time, on), jobs: [job], ownJobs: [own] })

test('a shop job appears next to online jobs and shows overlaps', () => {
  expect(layBoth('08:00').ownJobs).toEqual([
    {
      id: 'own',
      column: 0,
      from: 8,
      to: 13,
      bay: 'Bay 1',
      time: '10:00 AM to 11:15 AM',
      title: 'Walk-in: Ann',
      lines: ['Camry', 'Flat repair'],
      isBlock: false,
      isDone: false,
      overlap: 'Overlaps Dana R. (A quick job in between)',
    },
  ])
})

test('offers empty bay times from now, cut at full hours, and not for past days', () => {
  const { empty, now } = layBoth('13:20')
  expect(now).toBeCloseTo(21.33)
  expect(empty.map(({ at: time, from, to }) => [time, to - from])).toEqual([
    ['13:30', 2],
    ['14:00', 4],
    ['15:00', 4],
    ['16:00', 4],
  ])
  expect(layBoth('08:00').empty.map(({ at: time }) => time)).toEqual([
    '08:00',
    '09:00',
    '11:15',
    '12:00',
    '13:00',
    '14:00',
    '15:00',
    '16:00',
  ])
  expect(layBoth('08:00', '2026-11-25')).toMatchObject({ empty: [], now: null })
})
