import fc from 'fast-check'
import { expect, test } from 'vitest'
import { allocate, formatCents, formatDiscount, formatRate, rateOf, roundHalfUp, unitShare } from '#platform/money.ts'

const amount = fc.integer({ min: -1_000_000_000, max: 1_000_000_000 })
const weights = fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 1_000_000_000 })), {
  minLength: 1,
  maxLength: 12,
})
const sum = (parts: readonly number[]) => parts.reduce((all, part) => all + part, 0)

test.each([
  [0, '$0.00'],
  [5, '$0.05'],
  [100, '$1.00'],
  [123_456, '$1,234.56'],
  [100_000_000_000, '$1,000,000,000.00'],
  [-2500, '\u2212$25.00'],
  [-1, '\u2212$0.01'],
])('%i cents is formatted as %s', (cents, text) => {
  expect(formatCents(cents)).toBe(text)
})

test('a discount has a true minus sign, and a zero discount has no sign', () => {
  expect(formatDiscount(2500)).toBe('\u2212$25.00')
  expect(formatDiscount(0)).toBe('$0.00')
})

test.each([
  [102_500, '10.25%'],
  [66_250, '6.625%'],
  [50_000, '5%'],
  [100_000, '10%'],
  [0, '0%'],
  [1, '0.0001%'],
])('%i ppm is formatted as %s', (ratePpm, text) => {
  expect(formatRate(ratePpm)).toBe(text)
})

test('an amount that is not whole cents is refused, not silently rounded', () => {
  expect(() => formatCents(12.5)).toThrow(RangeError)
  expect(() => rateOf(0.1, 50_000)).toThrow(RangeError)
  expect(() => allocate(Number.NaN, [1])).toThrow(RangeError)
})

test.each([
  [1, 2, 1],
  [3, 2, 2],
  [-1, 2, 0],
  [-3, 2, -1],
  [1, 3, 0],
  [2, 3, 1],
  [-2, 3, -1],
  [0, 7, 0],
])('%i/%i rounds half up to %i', (numerator, denominator, rounded) => {
  expect(roundHalfUp(numerator, denominator)).toBe(rounded)
})

test('rounding stays exact where the product passes 2^53', () => {
  expect(roundHalfUp(9_007_199_254_740_993n * 3n, 6n)).toBe(4_503_599_627_370_497)
  expect(rateOf(9_000_000_000_000, 999_999)).toBe(8_999_991_000_000)
})

test('a rounded fraction is within half a cent of the fraction', () => {
  fc.assert(
    fc.property(amount, fc.integer({ min: 1, max: 1_000_000 }), (numerator, denominator) => {
      const doubled = 2 * roundHalfUp(numerator, denominator) * denominator
      expect(doubled - 2 * numerator).toBeGreaterThan(-denominator)
      expect(doubled - 2 * numerator).toBeLessThanOrEqual(denominator)
    }),
  )
})

test.each([
  ['nothing over', 100, [1, 1], [50, 50]],
  ['a tie goes to the earlier part', 101, [1, 1], [51, 50]],
  ['the largest remainders first', 10, [1, 2, 4], [1, 3, 6]],
  ['weight zero gets nothing', 7, [0, 3, 0, 4], [0, 3, 0, 4]],
  ['all weights zero count the same', 5, [0, 0], [3, 2]],
  ['a negative amount mirrors its opposite', -101, [1, 1], [-51, -50]],
  ['a negative amount leaves no negative zero', -1, [1, 1], [-1, 0]],
  ['an amount of nothing', 0, [0, 0, 5], [0, 0, 0]],
])('allocate: %s', (_case, total, weights, parts) => {
  expect(allocate(total, weights)).toEqual(parts)
})

test('allocate: without weights only zero can be split, and a negative weight is refused', () => {
  expect(allocate(0, [])).toEqual([])
  expect(() => allocate(1, [])).toThrow(RangeError)
  expect(() => allocate(1, [2, -1])).toThrow(RangeError)
})

test('allocate: the parts sum to the whole and each is within one cent of its exact share', () => {
  fc.assert(
    fc.property(amount, weights, (total, weights) => {
      const parts = allocate(total, weights)
      expect(sum(parts)).toBe(total)
      const whole = BigInt(sum(weights))
      if (whole === 0n) return
      for (const [index, part] of parts.entries()) {
        const off = BigInt(part) * whole - BigInt(total) * BigInt(weights[index] ?? 0)
        expect(off < whole && off > -whole).toBe(true)
      }
    }),
  )
})

test('allocate: a discount no larger than the lines together never exceeds one of them', () => {
  fc.assert(
    fc.property(weights, fc.nat(), (lines, seed) => {
      const parts = allocate(seed % (sum(lines) + 1), lines)
      for (const [index, part] of parts.entries())
        if (sum(lines) > 0) expect(part).toBeLessThanOrEqual(lines[index] ?? 0)
    }),
  )
})

test('unit shares: PG25, four units of 44,997 carry 11,249 three times and then the rest', () => {
  expect([0, 1, 2, 3].map((unit) => unitShare(44_997, 4, unit))).toEqual([11_249, 11_249, 11_249, 11_250])
})

test('unit shares sum to the amount, however the units are grouped, and differ by at most a cent', () => {
  fc.assert(
    fc.property(amount, fc.integer({ min: 1, max: 40 }), fc.nat({ max: 40 }), (total, units, cut) => {
      const shares = Array.from({ length: units }, (_, unit) => unitShare(total, units, unit))
      expect(sum(shares)).toBe(total)
      expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(1)
      const first = Math.min(cut, units)
      expect(unitShare(total, units, 0, first)).toBe(sum(shares.slice(0, first)))
      expect(unitShare(total, units, first, units - first)).toBe(sum(shares.slice(first)))
    }),
  )
})

test('unit shares: rejects a unit that wasn’t bought', () => {
  expect(() => unitShare(100, 4, 4)).toThrow(RangeError)
  expect(() => unitShare(100, 4, 3, 2)).toThrow(RangeError)
  expect(() => unitShare(100, 4, -1)).toThrow(RangeError)
})
