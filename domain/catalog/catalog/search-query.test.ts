import { expect, test } from 'vitest'
import { readSearch } from './search-query.ts'

test.each([
  ['2256517', { size: '225-65r17', words: [], number: 2_256_517 }],
  ['225/65 R17', { size: '225-65r17', words: [] }],
  ['P225/65R17 102H tires', { size: '225-65r17', words: [] }],
  ['35x12.50r17', { size: '35x12-50r17' }],
  ['kestrel 225/65r17', { size: '225-65r17', words: ['kestrel'] }],
  ['winter tires for 225 65 17', { size: '225-65r17', words: ['winter'] }],
  ['225/65', { zip: null }],
  ['750-16', { zip: null }],
  ['r17', { filters: expect.objectContaining({ inches: 17 }) }],
  ['225/65 r17', { filters: expect.objectContaining({ inches: null }) }],
  ['315/35r20 275/40r20', { size: '275-40r20', rear: '315-35r20' }],
  ['f 150 2017', { size: null, year: 2017 }],
  ['225/65', { size: null, sizeDigits: '22565', sizeLetters: '' }],
  ['LT275/7', { size: null, sizeDigits: '2757', sizeLetters: 'LT' }],
  ['2019 crv ex', { year: 2019, words: ['crv', 'ex'], terms: ['crv', 'ex', 'crvex'], sizeDigits: null }],
  ['Honda CR-V', { year: null, words: ['honda', 'crv'], terms: ['honda', 'crv', 'hondacrv'] }],
  ['cr v', { terms: ['cr', 'v', 'crv'] }],
  ['60614', { zip: '60614', number: 60_614, size: null }],
  ['  ', { text: '', words: [], terms: [] }],
  ['%_\\', { words: [], terms: [] }],
  ['Citroën', { words: ['citroen'] }],
])('reads %j', (typed, expected) => {
  expect(readSearch(typed)).toMatchObject(expected)
})

test('ignores input beyond the length of the search box', () => {
  expect(readSearch('a b c d e f g h '.repeat(40)).words).toHaveLength(5)
  expect(readSearch('x'.repeat(5_000)).text).toHaveLength(80)
})
