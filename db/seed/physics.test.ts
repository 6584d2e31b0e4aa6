import { expect, test } from 'vitest'
import { profileOf, type CategorySlug } from '#db/reference/categories.ts'
import { rimWidths, usualPrice, weightOf } from './physics.ts'
import { readSizes, type Size, type Strength } from './sizes.ts'

const sizes = readSizes([])

function made(designation: string, strength: 'SL' | 'XL' | 'C' | 'D' | 'E'): [Size, Strength] {
  const size = sizes.find((candidate) => candidate.designation === designation)
  const found = size?.strengths.find(
    (candidate) => candidate.loadClass === strength || candidate.loadRange === strength,
  )
  if (!size || !found) throw new Error(`${designation} ${strength} is not in the data`)
  return [size, found]
}

test.each([
  ['205/55R16', 'SL', 'touring-all-season', 21],
  ['225/65R17', 'SL', 'touring-all-season', 26.4],
  ['265/70R17', 'SL', 'highway-all-season', 36],
  ['LT265/70R17', 'E', 'all-terrain', 48.5],
  ['35X12.50R17LT', 'E', 'all-terrain', 67],
] as const)('%s %s %s weighs about %f lb', (size, strength, category: CategorySlug, pounds) => {
  const weight = weightOf(...made(size, strength), profileOf(category), false)
  expect(Math.abs(weight - pounds) / pounds).toBeLessThan(0.02)
})

test.each([
  ['225/65R17', 6, 8],
  ['205/55R16', 5.5, 7.5],
  ['225/45R17', 7, 8.5],
  ['295/30R20', 10, 11],
] as const)('%s fits rims of %f to %f inches', (designation, narrowest, widest) => {
  const [size] = made(designation, designation === '295/30R20' ? 'XL' : 'SL')
  expect(rimWidths(size)).toEqual([narrowest, widest])
})

test('every size has a range of rims around its width', () => {
  for (const size of sizes) {
    const [narrowest, widest] = rimWidths(size)
    expect(narrowest).toBeLessThanOrEqual(widest)
    expect(narrowest * 25.4).toBeGreaterThan(size.width * 0.6)
    expect(widest * 25.4).toBeLessThan(size.width * 1.06)
  }
})

test('more tire costs more', () => {
  const price = (size: string, strength: 'SL' | 'XL' | 'C' | 'E', category: CategorySlug, runFlat = false): number =>
    usualPrice(...made(size, strength), profileOf(category), runFlat)
  expect(price('225/65R17', 'SL', 'touring-all-season')).toBeCloseTo(128, -1)
  expect(price('225/65R17', 'XL', 'touring-all-season')).toBeGreaterThan(price('225/65R17', 'SL', 'touring-all-season'))
  expect(price('225/45R17', 'SL', 'max-performance-summer', true)).toBeGreaterThan(
    price('225/45R17', 'SL', 'max-performance-summer'),
  )
  expect(price('LT265/70R17', 'E', 'all-terrain')).toBeGreaterThan(price('LT265/70R17', 'C', 'all-terrain'))
  expect(price('235/55R19', 'SL', 'touring-all-season')).toBeGreaterThan(price('205/55R16', 'SL', 'touring-all-season'))
})
