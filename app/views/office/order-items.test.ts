import { expect, test } from 'vitest'
import type { OrderSource } from '#domain/supply/stock/stock.server.ts'
import { sourceTexts } from './order-items.server.ts'

const source = (state: OrderSource['state'], quantity: number, name = 'Grove City'): OrderSource => ({
  purchaseOrderId: 5001,
  state,
  supplier: 'Ridgeway Wholesale',
  warehouse: { id: 13, code: 'GCO', name },
  lines: [{ lineNo: 1, quantity, unitCostCents: 8_815, unitFreightCents: 450 }],
})
const line = { lineNo: 1, quantity: 4 }

test('a line’s sources have their cost if the line comes from several and the role sees costs', () => {
  const parts = [source('released', 3), source('held', 1, 'Jeffersonville'), source('canceled', 4)]
  expect(sourceTexts(parts, line, { showsCost: false })).toEqual([
    '3 from Ridgeway Wholesale, Grove City',
    '1 from Ridgeway Wholesale, Jeffersonville',
  ])
  expect(sourceTexts(parts, line, { showsCost: true })).toEqual([
    '3 from Ridgeway Wholesale, Grove City, cost $88.15 with $4.50 freight',
    '1 from Ridgeway Wholesale, Jeffersonville, cost $88.15 with $4.50 freight',
  ])
  expect(sourceTexts([source('accepted', 4)], line, { showsCost: true })).toEqual([
    '4 from Ridgeway Wholesale, Grove City',
  ])
  expect(sourceTexts(parts, { lineNo: 2, quantity: 4 }, { showsCost: true })).toEqual([])
})
