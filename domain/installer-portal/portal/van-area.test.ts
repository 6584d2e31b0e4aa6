import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lawRuns } from '#tests/support/law-runs.ts'
import { longestArea, mostAreaZips, parseArea } from './van-area.ts'
import { showsAddress, withDrives } from './van-stops.ts'

test('ZIP codes are read however they are separated, each once and in order', () => {
  expect(parseArea(' 60614, 60601;60614\n60602 ')).toEqual({ ok: true, zips: ['60601', '60602', '60614'] })
  expect(parseArea(' , ')).toEqual({ ok: false, why: 'none' })
  expect(parseArea('6061 60614 Chicago')).toEqual({ ok: false, why: 'odd', odd: ['6061', 'Chicago'] })
  expect(parseArea('6'.repeat(longestArea + 1))).toEqual({ ok: false, why: 'too-many' })
  const many = Array.from({ length: mostAreaZips + 1 }, (_, index) => String(10_000 + index)).join(' ')
  expect(parseArea(many)).toEqual({ ok: false, why: 'too-many' })
  expect(parseArea('x'.repeat(5_000))).toEqual({ ok: false, why: 'odd', odd: ['x'.repeat(20)] })
})

const zip = fc.integer({ min: 10_000, max: 99_999 }).map(String)
test('a parsed service area can be formatted and parsed again', () => {
  fc.assert(
    fc.property(fc.array(zip, { minLength: 1, maxLength: 100 }), (zips) => {
      const read = parseArea(zips.join('\r\n'))
      if (!read.ok) throw new Error(read.why)
      expect(parseArea(read.zips.join(' '))).toEqual(read)
      expect(new Set(read.zips)).toEqual(new Set(zips))
    }),
    lawRuns,
  )
})

const at = (text: string) => Temporal.Instant.from(`2026-11-24T${text}:00Z`)

test('stops are sorted by time, with the departure time for each', () => {
  const loop = { latitude: 41.8837, longitude: -87.6289 }
  const stops = withDrives([
    { start: at('18:00'), end: at('19:00'), point: null },
    { start: at('14:00'), end: at('15:00'), point: loop },
    { start: at('16:00'), end: at('17:00'), point: loop },
  ])
  expect(
    stops.map(({ start, drive }) => [start.toString(), drive?.minutes ?? null, drive?.leaveBy.toString()]),
  ).toEqual([
    [at('14:00').toString(), null, undefined],
    [at('16:00').toString(), 10, at('15:50').toString()],
    [at('18:00').toString(), 180, at('15:00').toString()],
  ])
})

test('an address is shown until two days after its stop', () => {
  const stop = { start: at('14:00') }
  expect(showsAddress(stop, at('14:00').add({ hours: 48 }).subtract({ seconds: 1 }))).toBe(true)
  expect(showsAddress(stop, at('14:00').add({ hours: 48 }))).toBe(false)
})
