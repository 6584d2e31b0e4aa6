/**
 * Reproducible random numbers. The same name gives the same numbers on every machine. Each part of the demo catalog has
 * its own stream, so a change in one (for example, reviews) doesn't affect the others.
 */
export type Random = {
  /** A number in [0, 1). */
  next(): number
  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number
  /** True with this probability. */
  chance(probability: number): boolean
  pick<Value>(values: readonly Value[]): Value
  /** One of `values`, with probabilities by weight. */
  weighted<Value>(values: readonly Value[], weight: (value: Value) => number): Value
  /** Roughly normally distributed, with this mean and standard deviation. */
  normal(mean: number, deviation: number): number
  /** A shuffled copy. */
  shuffled<Value>(values: readonly Value[]): Value[]
}

/** mulberry32 (public domain, Tommy Ettinger), seeded with a hash of `name`. */
export function randomStream(name: string): Random {
  let state = hashOf(`sidewall ${name}`)
  function next(): number {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  function between(low: number, high: number): number {
    return low + Math.floor(next() * (high - low + 1))
  }
  function pick<Value>(values: readonly Value[]): Value {
    return values[Math.floor(next() * values.length)] as Value
  }
  return {
    next,
    between,
    pick,
    chance: (probability) => next() < probability,
    weighted(values, weight) {
      let left = next() * values.reduce((sum, value) => sum + weight(value), 0)
      return values.find((value) => (left -= weight(value)) < 0) ?? pick(values)
    },
    normal(mean, deviation) {
      // The sum of three uniform numbers is close enough to normal and has no long tails.
      return mean + deviation * 2 * (next() + next() + next() - 1.5)
    },
    shuffled(values) {
      const copy = [...values]
      for (let last = copy.length - 1; last > 0; last--) {
        const other = between(0, last)
        ;[copy[last], copy[other]] = [copy[other] as never, copy[last] as never]
      }
      return copy
    },
  }
}

/** FNV-1a, 32 bits. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return hash >>> 0
}

/** A version 4 UUID from a stream, the same on every machine. */
export function uuid(random: Random): string {
  const hex = Array.from({ length: 32 }, () => random.between(0, 15).toString(16))
  hex[12] = '4'
  hex[16] = '8'
  return hex.join('').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
