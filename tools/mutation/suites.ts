/** Compares the mutants that `npm run test:full` kills with those that each rotation of `npm test` kills. */
import { affectedFiles, filesOutOfTurn } from '../rotation.testing.ts'
import { rotations, unitTestZone, type Rotation } from '../rotation.ts'

/**
 * A mutant of the file `source` that the test file `file` noticed. `zone`: the time zone the test ran in, undefined for
 * the machine's own.
 */
export type Kill = {
  readonly mutant: number
  readonly source: string
  readonly file: string
  readonly zone: string | undefined
}

/** How many mutants are killed. */
export type Suites = {
  /** By `npm run test:full`. */
  readonly full: number
  /** By `npm test` with each rotation, from 0 on. */
  readonly rotations: readonly number[]
  /** By ten rotations together. */
  readonly union: number
  /** Detected by `npm run test:full` but not by any rotation. */
  readonly lost: number
}

/** Counts what each suite kills. `dated`: the unit test files that `npm run test:full` repeats in the other time zone. */
export function compareSuites(kills: readonly Kill[], dated: readonly string[]): Suites {
  const full = killedIn('all', kills, dated)
  const each = Array.from({ length: rotations }, (_, rotation) => killedIn(rotation, kills, dated))
  const union = new Set(each.flatMap((mutants) => [...mutants]))
  return {
    full: full.size,
    rotations: each.map(({ size }) => size),
    union: union.size,
    lost: full.difference(union).size,
  }
}

/**
 * The mutants that one rotation of `npm test` kills, or `npm run test:full` with `all`. A mutant is a change, so the
 * tests that it affects run.
 */
export function killedIn(rotation: Rotation, kills: readonly Kill[], dated: readonly string[]): Set<number> {
  const outOfTurn = new Set(filesOutOfTurn(rotation))
  const affected = new Map<string, ReadonlySet<string>>()
  const affectedBy = (source: string) => affected.getOrInsertComputed(source, () => new Set(affectedFiles([source])))
  const runs = ({ source, file, zone }: Kill) => {
    if (outOfTurn.has(file) && !affectedBy(source).has(file)) return false
    if (!isUnitTest(file)) return zone === undefined
    return zone === unitTestZone(rotation) || (rotation === 'all' && dated.includes(file))
  }
  return new Set(kills.filter(runs).map(({ mutant }) => mutant))
}

/** Whether odd rotations run this test file in the other time zone. */
export function isUnitTest(file: string): boolean {
  return !file.startsWith('tests/') && !file.endsWith('.db.test.ts')
}

/** Adds up areas. */
export function addUpSuites(suites: readonly Suites[]): Suites {
  return {
    full: sum(suites.map(({ full }) => full)),
    rotations: Array.from({ length: rotations }, (_, rotation) =>
      sum(suites.map((one) => one.rotations[rotation] ?? 0)),
    ),
    union: sum(suites.map(({ union }) => union)),
    lost: sum(suites.map(({ lost }) => lost)),
  }
}

/** A Markdown table with a row per area and one for all areas. */
export function suitesTable(rows: readonly { area: string; tried: number; suites: Suites }[]): string {
  const all = {
    area: 'all',
    tried: sum(rows.map(({ tried }) => tried)),
    suites: addUpSuites(rows.map((row) => row.suites)),
  }
  const lines = [...rows, all].map(({ area, tried, suites: { full, rotations: each, union } }) =>
    [area, tried, full, Math.min(...each), (sum(each) / each.length).toFixed(1), union].join(' | '),
  )
  return [
    '| area | tried | killed by `test:full` | by a rotation, at least | by a rotation, mean | by ten rotations |',
    '|---|---|---|---|---|---|',
    ...lines.map((line) => `| ${line} |`),
  ].join('\n')
}

/** The least share of the mutants killed by `npm run test:full` that each rotation has to kill. */
const leastShare = 0.9

/** Whether each rotation kills enough of what `npm run test:full` does, and ten of them all of it. */
export function isEnough({ full, rotations: each, lost }: Suites): boolean {
  return lost === 0 && Math.min(...each) >= full * leastShare
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((one, other) => one + other, 0)
}
