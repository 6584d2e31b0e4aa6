import { expect, test } from 'vitest'
import { filesOutOfTurn, rotatingFiles } from '../rotation.testing.ts'
import { otherZone } from '../rotation.ts'
import { addUpSuites, compareSuites, isEnough, killedIn, suitesTable, type Kill } from './suites.ts'

const always = 'domain/ordering/orders/place.db.test.ts'
const inRotation3 =
  rotatingFiles.find((file) => file.endsWith('.db.test.ts') && !filesOutOfTurn(3).includes(file)) ?? ''
const unit = 'domain/pricing/pricing/tax.test.ts'
const dated = 'domain/scheduling/booking/slots.test.ts'

function kill(mutant: number, file: string, zone?: string): Kill {
  return { mutant, source: 'platform/money.ts', file, zone }
}

/** The rotation that runs a file in its turn. */
function turnOf(file: string): number {
  return [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].findIndex((rotation) => !filesOutOfTurn(rotation).includes(file))
}

const kills = [
  kill(1, always),
  kill(2, inRotation3),
  // The tests of units that kill these pass in one of the two zones.
  kill(3, unit),
  kill(4, dated, otherZone),
  kill(5, unit, otherZone),
  // Killed by a file that never rotates as well.
  kill(6, inRotation3),
  kill(6, always),
]

test('a rotation kills what the files of its turn notice in its time zone', () => {
  expect(killedIn(0, kills, [dated])).toEqual(new Set([1, 3, 6]))
  expect(killedIn(3, kills, [dated])).toEqual(new Set([1, 2, 4, 5, 6]))
  expect(killedIn(5, kills, [dated])).toEqual(new Set([1, 4, 5, 6]))
})

test('a mutant is a change, so the tests it affects run out of turn', () => {
  const next = 'domain/ordering/returns/returns.db.test.ts'
  const elsewhere = 'domain/ordering/returns/return-warehouses.db.test.ts'
  const found = [
    { ...kill(1, next), source: 'domain/ordering/returns/returns.server.ts' },
    { ...kill(2, next), source: 'platform/money.ts' },
    { ...kill(3, elsewhere), source: 'domain/ordering/returns/returns.server.ts' },
  ]
  const turn = turnOf(next)
  for (let rotation = 0; rotation < 10; rotation++)
    expect(killedIn(rotation, found, [])).toEqual(new Set(rotation === turn ? [1, 2, 3] : [1, 3]))
})

test('a run of all tests kills what rotating files notice, and what dated unit tests notice in the other time zone', () => {
  expect(killedIn('all', kills, [dated])).toEqual(new Set([1, 2, 3, 4, 6]))
  expect(killedIn('all', kills, [])).toEqual(new Set([1, 2, 3, 6]))
})

test('suites are compared by the number of mutants they kill', () => {
  expect(compareSuites(kills, [dated])).toEqual({
    full: 5,
    rotations: [3, 4, 3, 5, 3, 4, 3, 4, 3, 4],
    union: 6,
    lost: 0,
  })
  // Outside the unit tests only the machine's own zone counts.
  expect(compareSuites([kill(1, always, otherZone)], [])).toMatchObject({ full: 0, union: 0 })
})

test('rotations are enough if each kills nine tenths and ten together kill all', () => {
  const tenKilled = { full: 10, rotations: Array.from({ length: 10 }, () => 9), union: 10, lost: 0 }
  expect(isEnough(tenKilled)).toBe(true)
  expect(isEnough({ ...tenKilled, lost: 1 })).toBe(false)
  expect(isEnough({ ...tenKilled, rotations: [8, ...tenKilled.rotations.slice(1)] })).toBe(false)
})

test('the table ends with all areas', () => {
  const suites = compareSuites(kills, [dated])
  const table = suitesTable([
    { area: 'booking', tried: 8, suites },
    { area: 'pricing', tried: 7, suites },
  ])
  expect(table.split('\n').slice(2)).toEqual([
    '| booking | 8 | 5 | 3 | 3.6 | 6 |',
    '| pricing | 7 | 5 | 3 | 3.6 | 6 |',
    '| all | 15 | 10 | 6 | 7.2 | 12 |',
  ])
  expect(addUpSuites([suites, suites]).lost).toBe(0)
})
