import { expect, test } from 'vitest'
import { readSizes, sizeRows, usualLoadIndex, withMoreSizes } from './sizes.ts'
import { readVehicles } from '#db/reference/vehicles.ts'

const { fitments } = readVehicles()
const sizes = readSizes(fitments)

test('every size listed for a vehicle is known, in a strength that carries the required load', () => {
  const known = new Map(sizes.map((size) => [size.designation, size]))
  const unmet = fitments.flatMap(({ front_size, front_load_index, rear_size, rear_load_index }) =>
    (
      [
        [front_size, front_load_index],
        [rear_size, rear_load_index],
      ] as const
    )
      .filter(
        ([size, loadIndex]) => !known.get(size)?.strengths.some((strength) => strength.loadIndex >= Number(loadIndex)),
      )
      .map(([size, loadIndex]) => `${size} ${loadIndex}`),
  )
  expect(unmet).toEqual([])
})

test('standard load indexes are within three of the common fit for their size', () => {
  const off = sizes.flatMap((size) => {
    const [standard] = size.strengths.filter((strength) => strength.loadClass === 'SL')
    if (size.kind !== 'P' || standard === undefined) return []
    const difference = standard.loadIndex - usualLoadIndex(size.width, size.aspect, size.rim)
    // 335/25R20 is listed below the fitted line; that matches the market.
    return Math.abs(difference) > 3 && size.designation !== '335/25R20'
      ? [`${size.designation} ${standard.loadIndex} ${difference.toFixed(1)}`]
      : []
  })
  expect(off).toEqual([])
})

test('extra load carries two to five indexes more than standard load', () => {
  for (const { designation, strengths } of withMoreSizes(sizes, 2_000)) {
    const [standard, extra] = [
      strengths.find((made) => made.loadClass === 'SL'),
      strengths.find((made) => made.loadClass === 'XL'),
    ]
    if (standard && extra) expect([2, 3, 4, 5], designation).toContain(extra.loadIndex - standard.loadIndex)
  }
})

test('dual wheels carry less per tire than single ones', () => {
  const dual = sizes.flatMap((size) => size.strengths).filter((strength) => strength.dualLoadIndex !== null)
  expect(dual.length).toBeGreaterThan(50)
  for (const strength of dual) expect(strength.dualLoadIndex).toBeLessThan(strength.loadIndex)
})

test('size slugs are unique', () => {
  const rows = sizeRows(withMoreSizes(sizes, 2_000))
  expect(rows).toHaveLength(2_000)
  expect(new Set(rows.map((row) => row.slug)).size).toBe(2_000)
  expect(rows.find((row) => row.designation === '35X12.50R17LT')).toMatchObject({
    slug: '35x12-50r17',
    kind: 'FLOTATION',
    overall_diameter_mm: 889,
  })
  expect(rows.find((row) => row.designation === '235/60R18')).toMatchObject({
    slug: '235-60r18',
    kind: 'P',
    overall_diameter_mm: 739.2,
  })
})
