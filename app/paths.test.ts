import { expect, test } from 'vitest'
import { paths, placePath, withQuery } from './paths.ts'

test.for([
  [{ size: '225-65r17' }, '/tire-sizes/225-65r17'],
  [{ size: '225-65r17', brand: 'kestrel' }, '/tire-sizes/225-65r17/brands/kestrel'],
  [{ size: '225-65r17', brand: 'kestrel', type: 'winter' }, '/tire-sizes/225-65r17/brands/kestrel/types/winter'],
  [{ size: '225-65r17', brand: 'kestrel', category: 'studless-winter' }, '/tire-sizes/225-65r17/brands/kestrel/categories/studless-winter'],
  [{ size: '225-65r17', type: 'winter' }, '/tire-sizes/225-65r17/types/winter'],
  [{ size: '245-35r19', rear: '305-30r20' }, '/tire-sizes/245-35r19?rear=305-30r20'],
  [{ brand: 'kestrel' }, '/brands/kestrel'],
  [{ brand: 'kestrel', type: 'winter' }, '/brands/kestrel/types/winter'],
  [{ type: 'winter' }, '/types/winter'],
  [{ category: 'ev-specific' }, '/categories/ev-specific'],
] as const)('a listing of %j is at %s', ([scope, path]) => {
  expect(paths.listing(scope)).toBe(path)
})

test('every kind of place leads to its page, and what has none leads nowhere', () => {
  const rav4 = { kind: 'vehicle', makeSlug: 'toyota' } as const
  expect(placePath(rav4)).toBe('/vehicles/toyota-tires')
  expect(placePath({ ...rav4, modelSlug: 'rav4' })).toBe('/vehicles/toyota/rav4')
  expect(placePath({ ...rav4, modelSlug: 'rav4', year: 2021 })).toBe('/vehicles/toyota/rav4/2021')
  expect(placePath({ ...rav4, modelSlug: 'rav4', year: 2021, trimSlug: 'xle' })).toBe('/vehicles/toyota/rav4/2021?trim=xle')
  expect(placePath({ kind: 'line', brandSlug: 'kestrel', lineSlug: 'alltide-as2' })).toBe('/brands/kestrel/alltide-as2')
  expect(placePath({ kind: 'item', brandSlug: 'kestrel', lineSlug: 'alltide-as2', itemId: 7 })).toBe('/brands/kestrel/alltide-as2/p/7')
  expect(placePath({ kind: 'zip', zip: '60614' })).toBeNull()
})

test('a query holds what has a value, escaped', () => {
  expect(withQuery('/find', { year: 2021, make: undefined, trim: '' })).toBe('/find?year=2021')
  expect(withQuery('/search', { q: 'a&b c' })).toBe('/search?q=a%26b%20c')
})
