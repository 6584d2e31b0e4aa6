import { expect, test } from 'vitest'
import { countOf } from './count-text.ts'

test('a count has its noun in the singular for one, and in the plural for none and several', () => {
  expect([0, 1, 2, 1_200].map((count) => countOf(count, 'shop'))).toEqual([
    '0 shops',
    '1 shop',
    '2 shops',
    '1,200 shops',
  ])
  expect([1, 3].map((count) => countOf(count, 'city', 'cities and towns'))).toEqual(['1 city', '3 cities and towns'])
})
