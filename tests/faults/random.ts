/** Reproducible randomness. A seed determines a whole run. SEEDS sets the number of seeds. A failure names its seed. */
import { env } from 'node:process'
import { rotationOf } from '../../tools/rotation.ts'

/** One in `npm test`, two in a full run, or SEEDS. `npm run test:long` runs many more. */
export const seeds: readonly number[] = Array.from(
  { length: Number(env.SEEDS ?? (rotationOf(env) === 'all' ? 2 : 1)) },
  (_, index) => index + 1,
)

export type Random = {
  /** A whole number from `from` to `to`, both included. */
  between(from: number, to: number): number
  chance(probability: number): boolean
  pick<Value>(values: readonly Value[]): Value
}

/** The stream of a seed (mulberry32). */
export function randomOf(seed: number): Random {
  let state = seed * 0x9e3779b9
  function next(): number {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (from: number, to: number) => from + Math.floor(next() * (to - from + 1))
  return {
    between,
    chance: (probability) => next() < probability,
    pick(values) {
      const value = values[between(0, values.length - 1)]
      if (value === undefined) throw new RangeError('There is nothing to pick from.')
      return value
    },
  }
}
