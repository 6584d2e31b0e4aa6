import { expect, test } from 'vitest'
import { randomStream } from './random.ts'

test('a stream repeats itself, and streams differ', () => {
  const numbers = (name: string): number[] =>
    Array.from(
      { length: 5 },
      (
        (random) => () =>
          random.next()
      )(randomStream(name)),
    )
  expect(numbers('a')).toEqual(numbers('a'))
  expect(numbers('a')).not.toEqual(numbers('b'))
  // Pinned: a change here would change every demo store.
  expect(randomStream('pinned').between(0, 999_999)).toBe(163022)
})

test('numbers are spread evenly and stay within bounds', () => {
  const random = randomStream('spread')
  const counts = Array.from({ length: 10 }, () => 0)
  for (let draw = 0; draw < 100_000; draw++) counts[random.between(0, 9)]! += 1
  for (const count of counts) expect(Math.abs(count - 10_000)).toBeLessThan(400)
})

test('weights, normal values and shuffles are correct', () => {
  const random = randomStream('shapes')
  const heavy = Array.from({ length: 10_000 }, () =>
    random.weighted(['a', 'b'], (value) => (value === 'a' ? 3 : 1)),
  ).filter((value) => value === 'a').length
  expect(heavy).toBeGreaterThan(7_300)
  expect(heavy).toBeLessThan(7_700)
  const bell = Array.from({ length: 10_000 }, () => random.normal(10, 2))
  const mean = bell.reduce((sum, value) => sum + value, 0) / bell.length
  expect(mean).toBeCloseTo(10, 0)
  expect(Math.sqrt(bell.reduce((sum, value) => sum + (value - mean) ** 2, 0) / bell.length)).toBeCloseTo(2, 0)
  expect(random.shuffled([1, 2, 3, 4, 5, 6]).sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6])
})
