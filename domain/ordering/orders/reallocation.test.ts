import { expect, test } from 'vitest'
import { planReallocation, reallocationForm, type UnshippedParcel } from './reallocation.ts'

const parcel = (of: Partial<UnshippedParcel> = {}): UnshippedParcel => ({
  id: 'p1',
  orderId: 1,
  zip: '60614',
  isReleased: true,
  isLabeled: false,
  promisedOn: '2026-12-03',
  expectedOn: null,
  items: [{ itemId: 7, sku: 'T-7', quantity: 4 }],
  shipsFrom: [1],
  ...of,
})
const warehouse = (id: number, ...free: [number, number][]) => ({
  id,
  code: `W${id}`,
  name: `House ${id}`,
  free: new Map(free),
})
const arrivals = () =>
  new Map([
    [2, '2026-12-03'],
    [3, '2026-12-02'],
    [4, '2026-12-05'],
  ])
const days = { today: '2026-11-30', arrivals }
const plan = (parcels: UnshippedParcel[], ...warehouses: ReturnType<typeof warehouse>[]) =>
  planReallocation(parcels, warehouses, days).map(({ to, notMoved }) => to?.code ?? notMoved)

test('chooses the earliest warehouse with all tires, counting each unit once', () => {
  const both = [parcel(), parcel({ id: 'p2' }), parcel({ id: 'p3' })]
  expect(plan(both, warehouse(2, [7, 5]), warehouse(3, [7, 4]))).toEqual(['W3', 'W2', { why: 'nowhere', sku: 'T-7' }])
})

test('refuses labeled parcels, and warehouses without all tires by the promised day', () => {
  const two = parcel({
    items: [
      { itemId: 7, sku: 'T-7', quantity: 4 },
      { itemId: 8, sku: 'T-8', quantity: 2 },
    ],
  })
  expect(plan([parcel({ isLabeled: true })], warehouse(2, [7, 4]))).toEqual([{ why: 'labeled' }])
  expect(plan([two], warehouse(2, [7, 4]), warehouse(3, [8, 2]))).toEqual([{ why: 'split' }])
  expect(plan([parcel()], warehouse(4, [7, 4]))).toEqual([{ why: 'late', code: 'W4', arrivesOn: '2026-12-05' }])
  expect(plan([parcel({ shipsFrom: [1, 2] })], warehouse(2, [7, 4]))).toEqual([{ why: 'nowhere', sku: 'T-7' }])
})

test('allows arrival by a later expected day, and the earliest arrival for late parcels', () => {
  expect(plan([parcel({ expectedOn: '2026-12-05' })], warehouse(4, [7, 4]))).toEqual(['W4'])
  expect(plan([parcel({ promisedOn: '2026-11-28' })], warehouse(4, [7, 4]))).toEqual(['W4'])
})

test('the form reads valid pairs only', () => {
  const id = '0198c2f4-8d5e-7c10-a1b2-000000000001'
  expect(reallocationForm.parse({ moves: `${id}:2 x ${id}:0 ${id}` }).moves).toEqual([{ shipmentId: id, to: 2 }])
  expect(reallocationForm.safeParse({ moves: 'x'.repeat(3_000) }).success).toBe(false)
})
