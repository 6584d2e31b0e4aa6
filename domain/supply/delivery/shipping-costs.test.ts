import { expect, test } from 'vitest'
import { isShippingFree, itemizeShipping, priceShipping, shippingTable } from './delivery.ts'
import { standardShippingRates as rates, type DeliveryRegion } from '#domain/kernel/rates/rates.ts'

const regions = ['CONUS', 'AK', 'HI', 'TERRITORY'] as const satisfies readonly DeliveryRegion[]
const carts = [
  [{ quantity: 4, weightLb: 26 }],
  [
    { quantity: 2, weightLb: 60 },
    { quantity: 2, weightLb: 61 },
  ],
  [{ quantity: 6, weightLb: 88 }],
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
    itemizeShipping(rates, 'AK', [{ quantity: 4, weightLb: 70 }]).map(({ kind, totalCents }) => [kind, totalCents]),
  ).toEqual([
    ['shipping', 9_900],
    ['oversize', 6_000],
    ['handling', 0],
  ])
  expect(itemizeShipping(rates, 'HI', [{ quantity: 4, weightLb: 20 }]).map(({ kind }) => kind)).toEqual([
    'shipping',
    'handling',
  ])
  expect(shippingTable(rates).filter(({ reason }) => reason.length < 10)).toEqual([])
  expect(shippingTable(rates).filter(({ region, cents }) => region === 'CONUS' && cents > 0)).toEqual([])
})

test('handling is charged once per order, and only an all-zero contiguous US is free', () => {
  const changed = { ...rates, zones: { ...rates.zones, CONUS: { ...rates.zones.CONUS, handlingCents: 500 } } }
  const tires = [{ quantity: 4, weightLb: 20 }]
  expect(priceShipping(changed, 'CONUS', tires).totalCents).toBe(500)
  expect(priceShipping(changed, 'CONUS', []).totalCents).toBe(0)
  expect(itemizeShipping(changed, 'CONUS', tires).map(({ totalCents }) => totalCents)).toEqual([0, 500])
  expect(isShippingFree(rates)).toBe(true)
  expect(isShippingFree(changed)).toBe(false)
})
