/** Free times on the days on which clocks change, in every time zone of the US. */
import { expect, test } from 'vitest'
import { inTurn } from '../../../tools/rotation.testing.ts'
import { offerDays } from './slots.ts'
import { day, at, wall, everyZone, clocksThatStandStill, calendar, ask, dayOf } from './slots.testing.ts'

const zones = inTurn(everyZone, { always: (zone) => zone === 'America/New_York' })

test.for(zones)(
  'in %s the first time of every day of five years is the opening time, and all are within the hours',
  (timeZone) => {
    const hours = [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({ weekday, opens: 450, closes: 1050 }))
    const shop = calendar({ timeZone, hours, slotMinutes: 45 })
    let seen = 0
    for (let first = day('2026-01-01'); first.year < 2031; first = first.add({ days: 30 })) {
      const now = first.toZonedDateTime({ timeZone, plainTime: '03:00' }).toInstant()
      for (const offered of offerDays(shop, ask({ now, arrivesOn: first.subtract({ days: 10 }) })).slice(0, 30)) {
        seen += 1
        const starts = offered.times.map(({ start }) => start.toZonedDateTimeISO(timeZone).toPlainDateTime().toString())
        const expected = Array.from({ length: 13 }, (_, index) =>
          offered.date
            .toPlainDateTime('07:30')
            .add({ minutes: 45 * index })
            .toString(),
        )
        if (starts.join() !== expected.join()) expect(starts, offered.date.toString()).toEqual(expected)
      }
    }
    expect(seen).toBeGreaterThan(1825)
  },
)

test('a shop that is always open offers no times in the skipped spring hour', () => {
  const hours = [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({ weekday, opens: 0, closes: 1440 }))
  const offered = dayOf(
    '2027-03-14',
    calendar({ hours, slotMinutes: 30 }),
    ask({ minutes: 30, now: at('2027-03-01T10:00[America/Chicago]') }),
  )
  const times = offered.times.map(({ start }) => wall(start))
  expect(times).toHaveLength(46)
  expect(times.slice(2, 6)).toEqual(['01:00', '01:30', '03:00', '03:30'])
  expect(offered.times.every(({ start, end }) => end.since(start).total('minutes') === 30)).toBe(true)
})

test('offers each time once in the repeated fall hour', () => {
  const hours = [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({ weekday, opens: 0, closes: 1440 }))
  const offered = dayOf(
    '2026-11-01',
    calendar({ hours, slotMinutes: 30 }),
    ask({ minutes: 30, arrivesOn: day('2026-10-05'), now: at('2026-10-20T10:00[America/Chicago]') }),
  )
  const times = offered.times.map(({ start }) => wall(start))
  expect(times).toHaveLength(48)
  expect(new Set(times).size).toBe(48)
  expect(offered.times[2]?.start).toEqual(Temporal.Instant.from('2026-11-01T01:00-05:00'))
  const instants = offered.times.map(({ start }) => start.epochMilliseconds)
  expect(instants).toEqual(instants.toSorted((a, b) => a - b))
})

test.for(zones)(
  'in %s a shop that never closes offers no skipped time and no time twice, on any day of a clock change',
  (timeZone) => {
    const hours = [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({ weekday, opens: 0, closes: 1440 }))
    const shop = calendar({ timeZone, hours, slotMinutes: 15 })
    const midnight = (text: string) => day(text).toZonedDateTime(timeZone)
    let changes = 0
    for (
      let change = midnight('2026-01-01').getTimeZoneTransition('next');
      change && change.year < 2028;
      change = change.getTimeZoneTransition('next')
    ) {
      changes += 1
      const date = change.toPlainDate()
      const now = date.subtract({ days: 5 }).toZonedDateTime(timeZone).toInstant()
      const { times } = dayOf(date.toString(), shop, ask({ minutes: 15, now, arrivesOn: date.subtract({ days: 20 }) }))
      const shown = times.map(({ start }) => wall(start, timeZone))
      const everyQuarter = Array.from({ length: 96 }, (_, index) =>
        Temporal.PlainTime.from('00:00')
          .add({ minutes: 15 * index })
          .toString({ smallestUnit: 'minute' }),
      )
      // Derived from the zone's own rules, by checking whether any instant has this local time.
      const existing = everyQuarter.filter((time) => {
        const plain = date.toPlainDateTime(time)
        return plain.toZonedDateTime(timeZone, { disambiguation: 'earlier' }).toPlainDateTime().equals(plain)
      })
      expect({ date: `${date}`, shown }).toEqual({ date: `${date}`, shown: existing })
      expect(times.every(({ start, end }) => end.since(start).total('minutes') === 15)).toBe(true)
    }
    expect(changes).toBe(clocksThatStandStill.has(timeZone) ? 0 : 4)
  },
)

test('a shop that opens within the skipped hour starts with the first time its clock shows', () => {
  const shop = calendar({ hours: [{ weekday: 7, opens: 150, closes: 600 }], slotMinutes: 30 })
  expect(
    wall(
      dayOf('2027-03-14', shop, ask({ arrivesOn: day('2027-03-01'), now: at('2027-03-08T10:00[America/Chicago]') }))
        .times[0]?.start ?? at('2000-01-01T00:00[UTC]'),
    ),
  ).toBe('03:00')
})
