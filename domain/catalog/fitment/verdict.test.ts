import fc from 'fast-check'
import { expect, test } from 'vitest'
import { acrossConfigurations, capOf, levels, worse, worst } from './verdict.ts'

const level = fc.constantFrom(...levels)

test('worse: commutative, associative, idempotent; fits is neutral, does_not_fit absorbs', () => {
  fc.assert(
    fc.property(level, level, level, (a, b, c) => {
      expect(worse(a, b)).toBe(worse(b, a))
      expect(worse(worse(a, b), c)).toBe(worse(a, worse(b, c)))
      expect(worse(a, a)).toBe(a)
      expect(worse('fits', a)).toBe(a)
      expect(worse('does_not_fit', a)).toBe('does_not_fit')
      expect(worst([a, b, c])).toBe(worse(worse(a, b), c))
    }),
  )
  expect(levels).toEqual(['does_not_fit', 'unknown', 'fits_with_conditions', 'fits'])
})

test('several configurations are rejected only if all are, and better than unknown only if all are', () => {
  expect(acrossConfigurations(['does_not_fit', 'does_not_fit'])).toBe('does_not_fit')
  expect(acrossConfigurations(['does_not_fit', 'fits'])).toBe('unknown')
  expect(acrossConfigurations(['unknown', 'fits'])).toBe('unknown')
  expect(acrossConfigurations(['does_not_fit', 'unknown'])).toBe('unknown')
  expect(acrossConfigurations(['fits_with_conditions', 'fits'])).toBe('fits_with_conditions')
  expect(acrossConfigurations(['fits', 'fits'])).toBe('fits')
})

test('only a confirmed label gives a plain fits', () => {
  expect(capOf('placard')).toBe('fits')
  expect(capOf('catalog')).toBe('fits_with_conditions')
  expect(capOf('weak')).toBe('unknown')
  expect(capOf('none')).toBe('unknown')
})
