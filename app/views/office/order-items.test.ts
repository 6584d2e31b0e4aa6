import { expect, test } from 'vitest'
import type { LineSource } from '#domain/supply/stock/stock.server.ts'
import { sourceTexts } from './order-items.server.ts'

const source = (state: LineSource['state'], quantity: number, name = 'Grove City'): LineSource => ({
  purchaseOrderId: 5001,
  state,
  supplier: 'Ridgeway Wholesale',
  warehouse: { id: 13, code: 'GCO', name },
  quantity,
  unitCostCents: 8_815,
  unitFreightCents: 450,
})

test('a line’s sources have their cost if the line comes from several and the role sees costs', () => {
  const sources = [source('released', 3), source('held', 1, 'Jeffersonville'), source('canceled', 4)]
  const line = { quantity: 4, sources }
  expect(sourceTexts(line, { showsCost: false })).toEqual([
    '3 from Ridgeway Wholesale, Grove City',
    '1 from Ridgeway Wholesale, Jeffersonville',
  ])
  expect(sourceTexts(line, { showsCost: true })).toEqual([
    '3 from Ridgeway Wholesale, Grove City, cost $88.15 with $4.50 freight',
    '1 from Ridgeway Wholesale, Jeffersonville, cost $88.15 with $4.50 freight',
  ])
  const whole = { quantity: 4, sources: [source('accepted', 4)] }
  expect(sourceTexts(whole, { showsCost: true })).toEqual(['4 from Ridgeway Wholesale, Grove City'])
  expect(sourceTexts({ quantity: 4, sources: [] }, { showsCost: true })).toEqual([])
})
