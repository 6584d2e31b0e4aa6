import { expect, test } from 'vitest'
import { freeFromCentsIn, isShippingFree, itemizeShipping, priceShipping, shippingTable } from './delivery.ts'
import { standardShippingRates as rates, type DeliveryRegion } from '#domain/kernel/rates/rates.ts'

const regions = ['CONUS', 'AK', 'HI', 'TERRITORY'] as const satisfies readonly DeliveryRegion[]
const unitCents = 15_000
const carts = [
  [{ quantity: 4, weightLb: 26, unitCents }],
  [
    { quantity: 2, weightLb: 60, unitCents },
    { quantity: 2, weightLb: 61, unitCents },
  ],
  [{ quantity: 6, weightLb: 88, unitCents }],
]

test.for(regions)('the rows of %s come to what is charged', (region) => {
  for (const tires of carts) {
    const rows = itemizeShipping(rates, region, tires)
    expect(rows.reduce((sum, { totalCents }) => sum + totalCents, 0)).toBe(
      priceShipping(rates, region, tires).totalCents,
    )
    expect(rows.find(({ kind }) => kind === 'shipping')?.units).toBe(
      tires.reduce((sum, { quantity }) => sum + quantity, 0),
    )
  }
})

test('oversize has a separate row where it applies, and every rate has a unit and a reason', () => {
  expect(
    itemizeShipping(rates, 'AK', [{ quantity: 4, weightLb: 70, unitCents }]).map(({ kind, totalCents }) => [
      kind,
      totalCents,
    ]),
  ).toEqual([
    ['shipping', 9_900],
    ['oversize', 6_000],
    ['handling', 0],
  ])
  expect(itemizeShipping(rates, 'HI', [{ quantity: 4, weightLb: 20, unitCents }]).map(({ kind }) => kind)).toEqual([
    'shipping',
    'handling',
  ])
  expect(shippingTable(rates).filter(({ reason }) => reason.length < 10)).toEqual([])
  expect(shippingTable(rates).filter(({ region, cents }) => region === 'CONUS' && cents > 0)).toEqual([])
})

test('handling is charged once per order, and only an all-zero contiguous US is free', () => {
  const changed = { ...rates, zones: { ...rates.zones, CONUS: { ...rates.zones.CONUS, handlingCents: 500 } } }
  const tires = [{ quantity: 4, weightLb: 20, unitCents }]
  expect(priceShipping(changed, 'CONUS', tires).totalCents).toBe(500)
  expect(priceShipping(changed, 'CONUS', []).totalCents).toBe(0)
  expect(itemizeShipping(changed, 'CONUS', tires).map(({ totalCents }) => totalCents)).toEqual([0, 500])
  expect(isShippingFree(rates)).toBe(true)
  expect(isShippingFree(changed)).toBe(false)
})

test('a zone ships free from its total on, oversize and handling included, and other zones do not', () => {
  const alaska = { ...rates.zones.AK, handlingCents: 500, freeFromCents: 60_000 }
  const changed = { ...rates, zones: { ...rates.zones, AK: alaska } }
  const four = [{ quantity: 4, weightLb: 70, unitCents }]
  expect(priceShipping(changed, 'AK', four)).toEqual({
    baseCents: 0,
    oversizeCents: 0,
    handlingCents: 0,
    totalCents: 0,
  })
  expect(itemizeShipping(changed, 'AK', four)).toMatchObject([{ kind: 'shipping', cents: 0, totalCents: 0 }])
  const less = [{ quantity: 4, weightLb: 70, unitCents: unitCents - 1 }]
  expect(priceShipping(changed, 'AK', less).totalCents).toBe(4 * (2_475 + 1_500) + 500)
  expect(priceShipping(changed, 'HI', four).totalCents).toBe(4 * (2_975 + 1_500))
  expect(itemizeShipping(changed, 'AK', less)[0]?.reason).toMatch(/Free with tires for \$600 or more$/)
  expect(freeFromCentsIn(changed, 'AK')).toBe(60_000)
  // A zone that always ships free doesn't say when.
  const free = { ...rates.zones.CONUS, freeFromCents: 60_000 }
  expect(freeFromCentsIn({ ...rates, zones: { ...rates.zones, CONUS: free } }, 'CONUS')).toBe(null)
})
