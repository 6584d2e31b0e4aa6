/** When a bay is free. Over 400 lines: cases that share a calendar. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { capacityOn, firstOpenings, nextOpenings, offerDays, placeFor, type Ask, type ShopCalendar } from './slots.ts'
import { day, at, wall, bay, calendar, version, weekdays, ask, dayOf } from './slots.testing.ts'

test('shows today and the next thirty days, each empty one with its reason', () => {
  const shop = calendar({
    closures: [{ on: '2026-11-26', reason: 'Thanksgiving' }],
    bays: [bay(1, 'bay', [['2026-12-02T08:00', '2026-12-02T18:00']])],
  })
  const days = offerDays(shop, ask())
  expect(days).toHaveLength(31)
  expect(days.slice(0, 7).map(({ date, state }) => `${date} ${state}`)).toEqual([
    '2026-11-20 too-soon',
    '2026-11-21 too-soon',
    '2026-11-22 closed',
    '2026-11-23 too-soon',
    '2026-11-24 free',
    '2026-11-25 free',
    '2026-11-26 holiday',
  ])
  expect(days[6]?.reason).toBe('Thanksgiving')
  expect(days.find(({ date }) => date.toString() === '2026-12-02')).toMatchObject({ state: 'full', freeTimes: 0 })
  expect(days.at(-1)?.date.toString()).toBe('2026-12-20')
})

test('times of a day are free or full, and jobs end before closing', () => {
  const taken: [string, string][] = [
    ['2026-11-24T08:00', '2026-11-24T09:00'],
    ['2026-11-24T12:30', '2026-11-24T13:30'],
  ]
  const times = dayOf('2026-11-24', calendar({ bays: [bay(1, 'bay', taken)] })).times.map(
    ({ start, free }) => `${wall(start)} ${free ? 'free' : 'full'}`,
  )
  expect(times).toEqual([
    '08:00 full',
    '09:30 free',
    '11:00 free',
    '12:30 full',
    '14:00 free',
    '15:30 free',
    '17:00 free',
  ])
  const longer = dayOf('2026-11-24', calendar({ bays: [bay(1, 'bay', taken)] }), ask({ minutes: 95 })).times.map(
    ({ start, free }) => `${wall(start)} ${free ? 'free' : 'full'}`,
  )
  expect(longer).toEqual(['08:00 full', '09:30 free', '11:00 full', '12:30 full', '14:00 free', '15:30 free'])
})

test('a job longer than the day has no times', () => {
  expect(dayOf('2026-11-28', calendar(), ask({ minutes: 361 }))).toMatchObject({
    state: 'full',
    times: [],
    dropOffs: [{ window: 'AM' }].slice(1),
  })
})

test('one more bay frees a full time', () => {
  const taken: [string, string][] = [['2026-11-24T08:00', '2026-11-24T18:00']]
  expect(dayOf('2026-11-24', calendar({ bays: [bay(1, 'bay', taken)] })).state).toBe('full')
  expect(dayOf('2026-11-24', calendar({ bays: [bay(1, 'bay', taken), bay(2, 'bay')] })).freeTimes).toBe(7)
})

test.for([
  ['2026-11-23', 0, '2026-11-24T08:00'], // delivered by 5 pm, when the last appointment starts; see the next row
  ['2026-11-23', 60, '2026-11-24T08:00'],
  ['2026-11-23', 16 * 60, '2026-11-24T09:30'],
  ['2026-11-25', 60, '2026-11-27T08:00'], // over the holiday
  ['2026-11-26', 60, '2026-11-28T08:00'], // no deliveries on the holiday: Friday
  ['2026-11-27', 60, '2026-11-28T08:00'],
  ['2026-11-28', 60, '2026-12-01T08:00'], // not a business day: Monday
] as const)(
  'tires that arrive on %s with %i minutes of receiving can be installed from %s',
  ([arrivesOn, receivingMinutes, first]) => {
    const shop = calendar({ receivingMinutes, closures: [{ on: '2026-11-26', reason: 'Thanksgiving' }] })
    const expected = receivingMinutes === 0 ? '2026-11-23T17:00' : first
    expect(
      nextOpenings(shop, ask({ arrivesOn: day(arrivesOn) }), { kind: 'wait', limit: 1 })[0]
        ?.start.toZonedDateTimeISO('America/Chicago')
        .toPlainDateTime()
        .toString({ smallestUnit: 'minute' }),
    ).toBe(expected)
  },
)

test('a shop that is closed on the delivery day gets the tires on its next business day', () => {
  const shop = calendar({ closures: [{ on: '2026-11-27', reason: 'Inventory' }] })
  expect(nextOpenings(shop, ask({ arrivesOn: day('2026-11-27') }), { kind: 'wait', limit: 1 })[0]?.start).toEqual(
    at('2026-12-01T08:00[America/Chicago]'),
  )
})

test('with the tires in the shop, today starts in an hour and ends as past', () => {
  const there = { arrivesOn: day('2026-11-16') }
  expect(dayOf('2026-11-20', calendar(), ask(there)).times.map(({ start }) => wall(start))).toEqual([
    '11:00',
    '12:30',
    '14:00',
    '15:30',
    '17:00',
  ])
  expect(
    dayOf('2026-11-20', calendar(), ask({ ...there, now: at('2026-11-20T10:01[America/Chicago]') })).times.map(
      ({ start }) => wall(start),
    )[0],
  ).toBe('12:30')
  expect(dayOf('2026-11-20', calendar(), ask({ ...there, now: at('2026-11-20T17:30[America/Chicago]') })).state).toBe(
    'past',
  )
})

test('delivered tires are ready after the receiving time, also before their promised day', () => {
  const deliveredAt = at('2026-11-20T12:30[America/Chicago]')
  const [first] = nextOpenings(calendar(), ask({ deliveredAt }), { kind: 'wait', limit: 1 })
  expect(first?.start).toEqual(at('2026-11-20T14:00[America/Chicago]'))
  const onSaturday = ask({ deliveredAt: at('2026-11-21T09:00[America/Chicago]') })
  expect(nextOpenings(calendar(), onSaturday, { kind: 'wait', limit: 1 })[0]?.start).toEqual(
    at('2026-11-21T11:00[America/Chicago]'),
  )
})

test('drop-off windows are clipped to the hours and give the time the car is ready', () => {
  const windows = (date: string, over: Partial<Ask> = {}) =>
    dayOf(date, calendar({ closures: [{ on: '2026-11-26', reason: 'Thanksgiving' }] }), ask(over)).dropOffs.map(
      ({ code, start, end, readyBy }) =>
        `${code} ${wall(start)}-${wall(end)} ${readyBy.toZonedDateTimeISO('America/Chicago').toPlainDateTime().toString({ smallestUnit: 'minute' })}`,
    )
  expect(windows('2026-11-24')).toEqual([
    '20261124-AM 08:00-10:00 2026-11-24T14:00',
    '20261124-PM 12:00-14:00 2026-11-24T17:00',
    '20261124-EVE 16:00-18:00 2026-11-25T12:00',
  ])
  // On the evening before the holiday the car stays until the shop reopens.
  expect(windows('2026-11-25').at(-1)).toBe('20261125-EVE 16:00-18:00 2026-11-27T12:00')
  // The shop closes at 2 on Saturday, so a car dropped off at noon must be done by then, and there is no evening
  // window.
  expect(windows('2026-11-28')).toEqual([
    '20261128-AM 08:00-10:00 2026-11-28T14:00',
    '20261128-PM 12:00-13:00 2026-11-28T14:00',
  ])
  expect(windows('2026-11-24', { minutes: 270 })).toEqual([
    '20261124-AM 08:00-09:30 2026-11-24T14:00',
    '20261124-PM 12:00-12:30 2026-11-24T17:00',
    '20261124-EVE 16:00-18:00 2026-11-25T12:00',
  ])
})

test('a car dropped off in the evening is not ready before the shop opens on a late-opening day', () => {
  const hours = weekdays.map((each) => (each.weekday === 3 ? { ...each, opens: 13 * 60 } : each))
  const evening = dayOf('2026-11-24', calendar({ hours })).dropOffs.at(-1)
  expect(evening?.window).toBe('EVE')
  expect(evening?.readyBy.toString()).toBe(at('2026-11-25T13:00[America/Chicago]').toString())
})

test('each drop-off slot takes one car per window, and mobile installers have no drop-off', () => {
  const shop = calendar({ bays: [bay(1, 'bay'), bay(2, 'drop-off', [['2026-11-24T08:00', '2026-11-24T10:00']])] })
  expect(dayOf('2026-11-24', shop).dropOffs.map(({ window, free }) => [window, free])).toEqual([
    ['AM', false],
    ['PM', true],
    ['EVE', true],
  ])
  expect(dayOf('2026-11-24', calendar({ kind: 'van' })).dropOffs).toEqual([])
})

test('a day with only a drop-off left is free', () => {
  const shop = calendar({ bays: [bay(1, 'bay', [['2026-11-24T08:00', '2026-11-24T18:00']]), bay(2, 'drop-off')] })
  expect(dayOf('2026-11-24', shop)).toMatchObject({ state: 'free', freeTimes: 0 })
})

test.for([
  [{ start: '2026-11-24T09:30' }, 'free'],
  [{ start: '2026-11-24T09:00' }, 'outside-hours'], // not on the grid
  [{ start: '2026-11-24T18:30' }, 'outside-hours'],
  [{ start: '2026-11-22T09:30' }, 'outside-hours'], // Sunday
  [{ start: '2026-11-26T09:30' }, 'outside-hours'], // holiday
  [{ start: '2026-11-23T09:30' }, 'too-soon'],
  [{ start: '2026-11-19T09:30' }, 'too-soon'], // yesterday
  [{ start: '2026-12-19T08:00' }, 'free'],
  [{ start: '2026-12-21T08:00' }, 'too-late'],
  [{ start: '2026-11-25T08:00' }, 'slot-taken'],
  [{ date: '2026-11-24', window: 'EVE' }, 'free'],
  [{ date: '2026-11-28', window: 'EVE' }, 'outside-hours'], // closes at 2
  [{ date: '2026-11-25', window: 'AM' }, 'slot-taken'],
  [{ date: '2026-12-21', window: 'AM' }, 'too-late'],
] as const)('%o is %s', ([choice, expected]) => {
  const shop = calendar({
    closures: [{ on: '2026-11-26', reason: 'Thanksgiving' }],
    bays: [
      bay(1, 'bay', [['2026-11-25T08:00', '2026-11-25T09:00']]),
      bay(2, 'drop-off', [['2026-11-25T08:00', '2026-11-25T10:00']]),
    ],
  })
  const place = placeFor(
    shop,
    ask(),
    'start' in choice
      ? { start: at(`${choice.start}[America/Chicago]`) }
      : { date: day(choice.date), window: choice.window },
  )
  expect(place.ok ? 'free' : place.reason).toBe(expected)
})

test('offers, finds and holds a time that starts exactly at the earliest moment, but not a moment before it', () => {
  // The tires are ready at 5 pm on Monday, when the last appointment starts.
  const shop = calendar({ receivingMinutes: 0 })
  // With the tires in the shop, an hour before 11 am on Friday.
  const there = { arrivesOn: day('2026-11-16') }
  const late = { ...there, now: at('2026-11-20T10:00:00.001[America/Chicago]') }
  for (const [asked, start, isOffered] of [
    [ask(), '2026-11-23T17:00', true],
    [ask({ ...there }), '2026-11-20T11:00', true],
    [ask(late), '2026-11-20T11:00', false],
  ] as const) {
    const opening = at(`${start}[America/Chicago]`)
    const offered = dayOf(start.slice(0, 10), shop, asked)
    expect(offered.state).toBe('free')
    expect(offered.times.some((time) => time.start.equals(opening))).toBe(isOffered)
    expect(nextOpenings(shop, asked, { kind: 'wait', limit: 1 })[0]?.start.equals(opening)).toBe(isOffered)
    expect(placeFor(shop, asked, { start: opening })).toMatchObject(
      isOffered ? { ok: true } : { ok: false, reason: 'too-soon' },
    )
  }
  expect(dayOf('2026-11-23', calendar({ receivingMinutes: 1 }))).toMatchObject({ state: 'too-soon', times: [] })
  // Today's last time disappears at the exact moment notice runs out.
  const last = (now: string) => dayOf('2026-11-20', shop, ask({ ...there, now: at(`${now}[America/Chicago]`) })).state
  expect(last('2026-11-20T16:00')).toBe('free')
  expect(last('2026-11-20T16:00:00.001')).toBe('past')
})

test('the thirtieth day from today can be booked, the next one cannot', () => {
  const shop = calendar({ hours: [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({ weekday, opens: 480, closes: 1080 })) })
  const place = (date: string) => placeFor(shop, ask(), { start: at(`${date}T08:00[America/Chicago]`) })
  expect(place('2026-12-20').ok).toBe(true)
  expect(place('2026-12-21')).toMatchObject({ reason: 'too-late' })
  expect(placeFor(shop, ask(), { date: day('2026-12-20'), window: 'AM' }).ok).toBe(true)
  expect(placeFor(shop, ask(), { date: day('2026-12-21'), window: 'AM' })).toMatchObject({ reason: 'too-late' })
  const dates = (kind: 'wait' | 'drop-off') =>
    nextOpenings(shop, ask(), { kind, limit: 100, from: at('2026-12-20T00:00[America/Chicago]') }).map(({ date }) =>
      date.toString(),
    )
  expect(dates('wait')).toEqual(Array.from({ length: 7 }, () => '2026-12-20'))
  expect(dates('drop-off')).toEqual(['2026-12-20', '2026-12-20', '2026-12-20'])
})

test('jobs can run back to back', () => {
  const isFree = (ends: string, begins: string, minutes: number) => {
    const taken = [`2026-11-24T08:00 2026-11-24T${ends}`, `2026-11-24T${begins} 2026-11-24T12:00`].map(
      (span) => span.split(' ') as [string, string],
    )
    const [shop, start] = [calendar({ bays: [bay(1, 'bay', taken)] }), at('2026-11-24T09:30[America/Chicago]')]
    return placeFor(shop, ask({ minutes }), { start }).ok
  }
  expect(isFree('09:30', '11:00', 90)).toBe(true)
  expect(isFree('09:30', '11:00', 91)).toBe(false)
  expect(isFree('09:30:01', '11:00', 90)).toBe(false)
  // The last job ends at closing time.
  const ends = (minutes: number) => dayOf('2026-11-24', calendar(), ask({ minutes })).times.at(-1)?.start
  expect([ends(60), ends(61)].map((start) => start && wall(start))).toEqual(['17:00', '15:30'])
})

test('free times can be held, full ones cannot, and the quick search finds the same times', () => {
  const busy = fc.array(
    fc.record({ slot: fc.integer({ min: 0, max: 30 * 24 * 2 }), halves: fc.integer({ min: 1, max: 6 }) }),
    { maxLength: 60 },
  )
  fc.assert(
    fc.property(fc.array(busy, { minLength: 1, maxLength: 4 }), fc.integer({ min: 20, max: 200 }), (bays, minutes) => {
      const origin = at('2026-11-20T00:00[America/Chicago]').epochMilliseconds / 1000
      const shop = calendar({
        bays: bays.map((taken, index) => ({
          id: index + 1,
          kind: index % 2 ? 'drop-off' : 'bay',
          days: null,
          ...disjoint(taken, origin),
        })),
      })
      const asked = ask({ minutes })
      const free: number[] = []
      for (const offered of offerDays(shop, asked)) {
        for (const { start, end, free: isFree } of offered.times) {
          const place = placeFor(shop, asked, { start })
          expect(place.ok).toBe(isFree)
          if (!place.ok) continue
          free.push(start.epochMilliseconds)
          for (const id of place.value.bayIds) {
            const chosen = shop.bays.find((candidate) => candidate.id === id)
            const overlaps = chosen?.starts.some(
              (from, index) =>
                from * 1000 < end.epochMilliseconds && (chosen.ends[index] ?? 0) * 1000 > start.epochMilliseconds,
            )
            expect(overlaps).toBe(false)
          }
        }
        for (const { window, free: isFree } of offered.dropOffs)
          expect(placeFor(shop, asked, { date: offered.date, window }).ok).toBe(isFree)
      }
      expect(
        nextOpenings(shop, asked, { kind: 'wait', limit: 1000 }).map(({ start }) => start.epochMilliseconds),
      ).toEqual(free)
    }),
    { numRuns: 60 },
  )
})

test('first times stay valid until their stated end, and no longer', () => {
  const busy = fc.array(
    fc.record({ slot: fc.integer({ min: 0, max: 32 * 24 * 2 }), halves: fc.integer({ min: 1, max: 500 }) }),
    { maxLength: 60 },
  )
  const later = fc.array(fc.integer({ min: 0, max: 3 * 24 * 60 }), { minLength: 5, maxLength: 5 })
  fc.assert(
    fc.property(
      fc.array(busy, { minLength: 1, maxLength: 3 }),
      later,
      fc.constantFrom(1, 4, 400),
      (bays, minutesLater, limit) => {
        const origin = at('2026-11-20T00:00[America/Chicago]').epochMilliseconds / 1000
        const shop = calendar({
          bays: bays.map((taken, index) => ({
            id: index + 1,
            kind: index % 2 ? 'drop-off' : 'bay',
            days: null,
            ...disjoint(taken, origin),
          })),
        })
        const asked = ask({ arrivesOn: day('2026-11-20') })
        const { openings, until } = firstOpenings(shop, asked, limit)
        for (const now of [...minutesLater.map((minutes) => asked.now.epochMilliseconds + minutes * 60_000), until]) {
          if (now <= until && now !== Infinity)
            expect(
              firstOpenings(shop, { ...asked, now: Temporal.Instant.fromEpochMilliseconds(now) }, limit).openings,
            ).toEqual(openings)
        }
      },
    ),
    { numRuns: 200 },
  )
})

test('a shop without hours offers no times, and the search ends', () => {
  const shop = calendar({ hours: [] })
  expect(nextOpenings(shop, ask(), { kind: 'wait', limit: 4 })).toEqual([])
  expect(offerDays(shop, ask()).every(({ state }) => state === 'closed')).toBe(true)
})

function disjoint(taken: { slot: number; halves: number }[], origin: number): { starts: number[]; ends: number[] } {
  const starts: number[] = []
  const ends: number[] = []
  for (const { slot, halves } of taken.toSorted((a, b) => a.slot - b.slot)) {
    const start = origin + slot * 1800
    if (start < (ends.at(-1) ?? 0)) continue
    starts.push(start)
    ends.push(start + halves * 1800)
  }
  return { starts, ends }
}

test('each day has exactly one version, the last one in effect', () => {
  const starts = fc.uniqueArray(fc.integer({ min: 0, max: 60 }), { maxLength: 6 })
  const first = day('2026-11-20')
  fc.assert(
    fc.property(starts, fc.integer({ min: 0, max: 60 }), (days, asked) => {
      const froms = days.toSorted((one, other) => one - other).map((ahead) => first.add({ days: ahead }).toString())
      const versions = [null, ...froms].map((from, index) => version({ from, slotMinutes: 15 + index }))
      const date = first.add({ days: asked })
      const begun = froms.filter((from) => from <= date.toString()).length
      expect(capacityOn({ versions }, date).slotMinutes).toBe(15 + begun)
    }),
  )
})

test('every day is offered as in its own version', () => {
  const later = version({
    from: '2026-12-01',
    hours: [1, 2, 3, 4, 5].map((weekday) => ({ weekday, opens: 600, closes: 1200 })),
    slotMinutes: 45,
    leadMinutes: 300,
    dropOffWindows: ['EVE'],
  })
  const both = calendar({ versions: [version(), later] })
  const alone = { before: calendar(), after: calendar({ versions: [{ ...later, from: null }] }) }
  const offers = (shop: ShopCalendar) => offerDays(shop, ask()).map((each) => JSON.stringify(each))
  const [mixed, before, after] = [offers(both), offers(alone.before), offers(alone.after)]
  const begins = Temporal.PlainDate.from('2026-11-20').until('2026-12-01').days
  // Cars left on the evening before are ready by the hours of the day after, from the later version.
  expect(mixed.slice(0, begins - 1)).toEqual(before.slice(0, begins - 1))
  expect(mixed.slice(begins)).toEqual(after.slice(begins))
})

test('times never overlap lunch and fill the time around it', () => {
  const lunch = [720, 780] as const
  const hours = weekdays.map((each) => ({ ...each, lunch: each.closes > lunch[1] ? lunch : null }))
  const shop = calendar({ versions: [{ ...version({ slotMinutes: 30 }), hours }] })
  const starts = dayOf('2026-11-24', shop).times.map(({ start }) => wall(start))
  expect(starts).not.toContain('11:30')
  expect(starts.filter((start) => start > '10:30' && start < '13:30')).toEqual(['11:00', '13:00'])
})

test('a bay that is used on some days only is free on those', () => {
  const days = [['2026-11-25', '2026-11-27']] as const
  const shop = calendar({ bays: [{ ...bay(1, 'bay'), days }] })
  const open = offerDays(shop, ask()).filter(({ state }) => state === 'free')
  expect(open.map(({ date }) => date.toString())).toEqual(['2026-11-25', '2026-11-26'])
})
