import { expect, test } from 'vitest'
import { layOutDay } from './day.ts'
import { layOutWeekDay, mondayOf } from './week.ts'

const timeZone = 'America/Chicago'
const day = Temporal.PlainDate.from('2026-11-24')
const at = (time: string) => Temporal.ZonedDateTime.from(`2026-11-24T${time}[${timeZone}]`).toInstant()

test('a week starts on Monday', () => {
  expect(
    ['2026-11-23', '2026-11-24', '2026-11-29'].map((on) => mondayOf(Temporal.PlainDate.from(on)).toString()),
  ).toEqual(['2026-11-23', '2026-11-23', '2026-11-23'])
})

test('the load of a bay counts a quarter once, however many jobs are on it', () => {
  const block = {
    id: 'b',
    bayId: 7,
    start: at('08:00'),
    end: at('12:00'),
    kind: 'block' as const,
    state: 'planned' as const,
    firstName: null,
    phone: null,
    vehicle: null,
    tires: null,
    note: null,
    alignmentMinutes: null,
    revision: 1,
    overlaps: [],
  }
  const shopDay = layOutDay(
    { places: [{ id: 7, kind: 'bay', number: 1 }], hours: [{ weekday: 2, opens: 480, closes: 960 }], timeZone },
    { day, now: at('07:00'), jobs: [], ownJobs: [block, { ...block, id: 'c', start: at('11:00') }] },
  )
  expect(layOutWeekDay(shopDay)).toMatchObject({
    online: 0,
    own: 2,
    attention: 0,
    bays: [
      {
        label: 'Bay 1',
        percent: 50,
        parts: [
          { from: 0, to: 50 },
          { from: 37.5, to: 50 },
        ],
      },
    ],
  })
})
