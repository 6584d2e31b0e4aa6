import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { coldStates } from './cold-states.ts'
import { seasonAt } from './season.ts'

test.for([
  ['60614', '2026-11-25', 'winter'],
  ['60614', '2026-04-01', 'other'],
  ['60614', '2026-07-01', 'other'],
  ['04101', '2026-04-30', 'winter'],
  ['04101', '2026-05-01', 'other'],
  ['99501', '2026-12-24', 'winter'],
  ['99501', '2026-09-30', 'winter'],
  ['98101', '2026-12-24', 'winter'],
  ['33101', '2026-12-24', 'other'],
  ['90210', '2026-12-24', 'other'],
  // San Juan.
  ['00901', '2026-12-24', 'other'],
  [null, '2026-12-24', 'other'],
  [undefined, '2026-12-24', 'other'],
] as const)('the season at %s on %s is %s', ([zip, day, season]) => {
  expect(seasonAt(zip, Temporal.PlainDate.from(day))).toBe(season)
})

test('each listed state has twelve temperatures, and a month below freezing', () => {
  for (const [state, [, ...temperatures]] of Object.entries(coldStates)) {
    expect(temperatures, state).toHaveLength(12)
    expect(Math.min(...temperatures), state).toBeLessThan(32)
  }
})

test('a ZIP’s season is its state’s, except for shared prefixes', async () => {
  const packed = await readFile(join(import.meta.dirname, '../../../db/data/zips.csv.br'))
  const january = Temporal.PlainDate.from('2026-01-15')
  const wrong = brotliDecompressSync(packed)
    .toString()
    .trim()
    .split('\n')
    .slice(1)
    .map((row) => row.split(','))
    .filter(([zip, , state]) => (seasonAt(zip, january) === 'winter') !== Object.hasOwn(coldStates, state ?? ''))
  expect(wrong.map(([zip, , state]) => `${zip} ${state}`)).toEqual(['72643 MO'])
})
