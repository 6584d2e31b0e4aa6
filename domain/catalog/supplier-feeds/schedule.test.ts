import { expect, test } from 'vitest'
import { feedForm, lastTime, nextTime, typedTimes } from './supplier-feeds.ts'

const zone = 'America/New_York'
const at = (text: string) => Temporal.Instant.from(text)
const daily = (...times: number[]) => ({ days: [1, 2, 3, 4, 5, 6, 7], times })

test('scheduled times are on the store’s clock in summer and in winter', () => {
  const morning = daily(6 * 60)
  expect(nextTime(morning, at('2026-07-01T05:00:00Z'), zone)).toEqual(at('2026-07-01T10:00:00Z'))
  expect(nextTime(morning, at('2026-12-01T05:00:00Z'), zone)).toEqual(at('2026-12-01T11:00:00Z'))
  expect(lastTime(morning, at('2026-12-01T11:00:00Z'), zone)).toEqual(at('2026-12-01T11:00:00Z'))
})

test('a time that clocks skip is an hour later, and one that they repeat comes once', () => {
  const night = daily(2 * 60 + 30)
  expect(nextTime(night, at('2026-03-08T05:00:00Z'), zone)).toEqual(at('2026-03-08T07:30:00Z'))
  const repeated = daily(60 + 30)
  expect(nextTime(repeated, at('2026-11-01T04:00:00Z'), zone)).toEqual(at('2026-11-01T05:30:00Z'))
  expect(nextTime(repeated, at('2026-11-01T05:30:00Z'), zone)).toEqual(at('2026-11-02T06:30:00Z'))
})

test('days are those of the week on the store’s clock', () => {
  const mondays = { days: [1], times: [23 * 60] }
  // Sunday evening in New York is Monday in UTC.
  expect(lastTime(mondays, at('2026-11-30T01:00:00Z'), zone)).toEqual(at('2026-11-24T04:00:00Z'))
  expect(nextTime(mondays, at('2026-11-30T01:00:00Z'), zone)).toEqual(at('2026-12-01T04:00:00Z'))
  expect(nextTime({ days: [], times: [60] }, at('2026-11-30T01:00:00Z'), zone)).toBeUndefined()
})

const typed = {
  name: 'Broadmoor prices',
  kind: 'prices',
  mode: 'per-row',
  url: 'https://feeds.example.com/prices.csv',
  monday: '1',
  times: '14:30, 6:00; 06:00',
  maxPricePercent: '20',
}
const faultsOf = (change: Record<string, string>) => {
  const read = feedForm.safeParse({ ...typed, ...change })
  return read.success ? [] : read.error.issues.map(({ path }) => path.join('.'))
}

test('times are typed in any order and kept once each', () => {
  expect(feedForm.parse(typed)).toMatchObject({ days: [1], times: [360, 870], secret: null })
  expect(typedTimes([360, 870])).toBe('06:00, 14:30')
})

test.for([
  [{ times: '25:00' }, 'times'],
  [{ times: '' }, 'times'],
  [{ monday: '' }, 'times'],
  [{ maxPricePercent: '0' }, 'maxPricePercent'],
  [{ url: 'ftp://feeds.example.com/a.csv' }, 'url'],
  [{ url: 'sftp://feeds.example.com/a.csv', username: 'ann' }, 'hostKey'],
  [{ hostKey: 'MD5:12' }, 'hostKey'],
  [{ password: 'x' }, 'username'],
  [{ privateKey: 'secret', username: 'ann' }, 'privateKey'],
] as const)('%j is an error at the field %s', ([change, field]) => {
  expect(faultsOf(change)).toContain(field)
})
