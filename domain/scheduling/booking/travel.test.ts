import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lawRuns } from '#tests/support/law-runs.ts'
import { baysWithTravel, milesBetween, mostTravelMinutes, travelMinutes, type Point, type VanStop } from './travel.ts'

const loop: Point = { latitude: 41.8837, longitude: -87.6289 }
const evanston: Point = { latitude: 42.0451, longitude: -87.6877 }

const degrees = (min: number, max: number) => fc.double({ min, max, noNaN: true })
const point = fc.record({ latitude: degrees(41, 43), longitude: degrees(-89, -87) })

test('a drive takes as long as its miles, in steps of five minutes, with time to park and unload', () => {
  expect(Math.round(milesBetween(loop, evanston) * 10)).toBe(116)
  expect(travelMinutes(loop, evanston)).toBe(40)
  expect(travelMinutes(loop, loop)).toBe(10)
  expect(travelMinutes(loop, null)).toEqual(mostTravelMinutes)
  expect(travelMinutes(null, null)).toEqual(mostTravelMinutes)
  expect(travelMinutes(loop, { latitude: 34, longitude: -118 })).toBe(mostTravelMinutes)
})

test('a drive is as long as the way back, and no shorter for more miles', () => {
  fc.assert(
    fc.property(point, point, point, (one, other, third) => {
      expect(travelMinutes(one, other)).toBe(travelMinutes(other, one))
      expect(travelMinutes(one, other) % 5).toBe(0)
      if (milesBetween(one, other) <= milesBetween(one, third))
        expect(travelMinutes(one, other)).toBeLessThanOrEqual(travelMinutes(one, third))
    }),
    lawRuns,
  )
})

const hour = 3600
const dayOfStops = fc
  .array(fc.record({ at: fc.integer({ min: 0, max: 40 }), place: point }), { maxLength: 8 })
  .map((all) => {
    const stops: VanStop[] = []
    for (const { at, place } of all.toSorted((one, other) => one.at - other.at)) {
      const start = at * 900
      if (stops.every(({ end }) => end <= start)) stops.push({ bayId: 1, start, end: start + hour, ...place })
    }
    return stops
  })

test('every available time is reachable from the stops before and after it', () => {
  fc.assert(
    fc.property(dayOfStops, point, fc.integer({ min: 0, max: 44 }), (stops, to, quarter) => {
      const bay = {
        id: 1,
        kind: 'bay' as const,
        starts: stops.map(({ start }) => start),
        ends: stops.map(({ end }) => end),
      }
      const [taken] = baysWithTravel([bay], stops, to)
      if (!taken) throw new Error('A bay is lost.')
      // In order and apart, as the search for free times needs them.
      for (const [index, end] of taken.ends.entries()) {
        expect(taken.starts[index]).toBeLessThanOrEqual(end)
        expect(taken.starts[index + 1] ?? Infinity).toBeGreaterThan(end)
      }
      const [start, end] = [quarter * 900, quarter * 900 + hour]
      const isFree = taken.starts.every((from, index) => end <= from || start >= (taken.ends[index] ?? 0))
      const canDrive = stops.every((stop) => {
        const drive = 60 * travelMinutes({ latitude: stop.latitude ?? 0, longitude: stop.longitude ?? 0 }, to)
        return end + drive <= stop.start || start >= stop.end + drive
      })
      expect(isFree).toBe(canDrive)
    }),
    lawRuns,
  )
})

test('travel time also applies to shop jobs in a bay', () => {
  const bay = { id: 1, kind: 'bay' as const, starts: [0], ends: [hour] }
  expect(baysWithTravel([bay], [], loop)).toEqual([bay])
  const stop = { bayId: 2, start: 0, end: hour, ...loop }
  expect(baysWithTravel([bay], [stop], loop)).toEqual([bay])
})
