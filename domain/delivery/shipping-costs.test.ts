import { expect, test } from 'vitest'
import { itemizeShipping, priceShipping, shippingTable, type DeliveryRegion } from './delivery.ts'

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
    const rows = itemizeShipping(region, tires)
    expect(rows.reduce((sum, { totalCents }) => sum + totalCents, 0)).toBe(priceShipping(region, tires).totalCents)
    expect(rows.find(({ kind }) => kind === 'shipping')?.units).toBe(
      tires.reduce((sum, { quantity }) => sum + quantity, 0),
    )
  }
})

test('oversize has a separate row where it applies, and every rate has a unit and a reason', () => {
  expect(
    itemizeShipping('AK', [{ quantity: 4, weightLb: 70 }]).map(({ kind, totalCents }) => [kind, totalCents]),
  ).toEqual([
    ['shipping', 9_900],
    ['oversize', 6_000],
    ['handling', 0],
  ])
  expect(itemizeShipping('HI', [{ quantity: 4, weightLb: 20 }]).map(({ kind }) => kind)).toEqual([
    'shipping',
    'handling',
  ])
  expect(shippingTable.filter(({ reason }) => reason.length < 10)).toEqual([])
  expect(shippingTable.filter(({ region, cents }) => region === 'CONUS' && cents > 0)).toEqual([])
})
