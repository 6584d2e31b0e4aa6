import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bitsWhere, both, countBoth, either, hasBit } from './bits.ts'

const size = 100
const anySet = fc.uniqueArray(fc.nat({ max: size - 1 })).map((positions) => new Set(positions))
const bitsOf = (set: ReadonlySet<number>) => bitsWhere(size, (position) => set.has(position))
const positionsIn = (bits: Uint32Array) =>
  new Set(Array.from({ length: size }, (_, position) => position).filter((position) => hasBit(bits, position)))

test('behave like sets', () => {
  fc.assert(
    fc.property(anySet, anySet, (a, b) => {
      expect(positionsIn(bitsOf(a))).toEqual(a)
      expect(positionsIn(both(bitsOf(a), bitsOf(b)))).toEqual(a.intersection(b))
      expect(positionsIn(either(bitsOf(a), bitsOf(b)))).toEqual(a.union(b))
      expect(countBoth(bitsOf(a), bitsOf(b))).toBe(a.intersection(b).size)
    }),
  )
})

test('handle the last bit of a word', () => {
  const full = bitsWhere(64, () => true)
  expect(hasBit(full, 31)).toBe(true)
  expect(hasBit(full, 63)).toBe(true)
  expect(countBoth(full, full)).toBe(64)
})
