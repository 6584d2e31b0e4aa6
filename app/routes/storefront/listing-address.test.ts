import { expect, test } from 'vitest'
import { plainQuery } from '#domain/catalog/catalog/catalog.ts'
import { listingPath, nextCount, pageNumbers, tidySearch } from './listing-address.ts'

test('a listing’s address has its identity first, then its filters', () => {
  expect(listingPath('/tire-sizes/225-65r17', [], plainQuery)).toBe('/tire-sizes/225-65r17')
  expect(
    listingPath('/vehicles/honda/civic/2022', [['trim', 'sport']], { ...plainQuery, sort: 'price', page: 2 }),
  ).toBe('/vehicles/honda/civic/2022?trim=sport&sort=price&page=2')
})

test('empty fields and defaults are dropped, unknown parameters stay', () => {
  expect(tidySearch(new URLSearchParams('brand=kestrel&min=&max=&sort=best&size=24'))).toBe('brand=kestrel')
  expect(tidySearch(new URLSearchParams('min=&by='))).toBe('')
  expect(tidySearch(new URLSearchParams('brand=kestrel&utm_source=mail'))).toBeNull()
  expect(tidySearch(new URLSearchParams(''))).toBeNull()
})

test.for([
  [1, 1, [1]],
  [1, 3, [1, 2, 3]],
  [1, 9, [1, 2, null, 9]],
  [3, 9, [1, 2, 3, 4, null, 9]],
  [4, 9, [1, 2, 3, 4, 5, null, 9]],
  [5, 9, [1, null, 4, 5, 6, null, 9]],
  [9, 9, [1, null, 8, 9]],
] as const)('on page %i of %i the pager shows %j', ([page, pages, shown]) => {
  expect(pageNumbers(page, pages)).toEqual(shown)
})

test('the next page states how many it has', () => {
  expect(nextCount(141, 1, 24)).toBe(24)
  expect(nextCount(141, 5, 24)).toBe(21)
  expect(nextCount(141, 6, 24)).toBe(0)
})
