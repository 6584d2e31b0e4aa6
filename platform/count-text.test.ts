import { expect, test } from 'vitest'
import { countOf, countOrNone, pluralForm } from './count-text.ts'

test('a count uses the singular for one and the plural otherwise', () => {
  expect([0, 1, 2, 1_200].map((count) => countOf(count, 'shop'))).toEqual([
    '0 shops',
    '1 shop',
    '2 shops',
    '1,200 shops',
  ])
  expect([1, 3].map((count) => countOf(count, 'city', 'cities and towns'))).toEqual(['1 city', '3 cities and towns'])
})

test('countOrNone renders zero as a word', () => {
  expect([0, 1, 2].map((count) => countOrNone(count, 'match', 'matches'))).toEqual([
    'No matches',
    '1 match',
    '2 matches',
  ])
})

test('pluralForm returns the words without the count', () => {
  expect([0, 1, 2].map((count) => pluralForm(count, 'is', 'are'))).toEqual(['are', 'is', 'are'])
})
