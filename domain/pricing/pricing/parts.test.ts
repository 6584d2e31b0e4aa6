/** Tests parts in the price of tires. */
import { expect, test } from 'vitest'
import { ORDER, stateRule } from './price-input.example.ts'
import type { PriceInput, ServiceLine } from './price-input.ts'
import { lineName } from './price-line.ts'
import { priceCart } from './pricing.ts'
import { refundForReturn } from './refund.ts'

const sensors: ServiceLine = { kind: 'part', articleId: '7', name: 'Halden Sense 433', eachCents: 4_199, quantity: 4 }
const withSensors = (change: Partial<PriceInput> = {}) =>
  priceCart({ ...ORDER, services: [...ORDER.services, sensors], ...change })
const partOf = ({ lines }: ReturnType<typeof priceCart>) => lines.find(({ kind }) => kind === 'part')

test('a part is a line after the tires, and its price and tax are in the total', () => {
  const [without, priced] = [priceCart(ORDER), withSensors()]
  expect(priced.lines.map(({ kind }) => kind).slice(0, 2)).toEqual(['tire', 'part'])
  const part = partOf(priced)
  expect(part && lineName(part)).toBe('Halden Sense 433')
  expect(part).toMatchObject({ id: 'part:7', netCents: 16_796, taxableCents: 16_796, tireFeeCents: 0 })
  // Illinois taxes goods, here at 10.25%.
  expect(priced.totals.taxCents - without.totals.taxCents).toBe(1_722)
  expect(priced.totals.totalCents - without.totals.totalCents).toBe(16_796 + 1_722)
  expect(priced.explain.find(({ key }) => key === 'part:7')).toMatchObject({
    label: 'Halden Sense 433',
    detail: '4 at $41.99',
    amount: '$167.96',
  })
  expect(priced.tax.on).toBe('tires, parts and kits')
})

test('a state taxes parts as it taxes service kits', () => {
  const rule = stateRule('IL')
  const taxRule = { ...rule, taxable: { ...rule.taxable, 'service-kit': false, installation: true } }
  expect(partOf(withSensors({ taxRule }))).toMatchObject({ taxableCents: 0, taxCents: 0 })
})

test('a coupon for all tires leaves parts out, and a payment offer on the whole order includes them', () => {
  const reduction = { type: 'Percentage', ratePpm: 100_000, articleIds: 'all' } as const
  const coupon = { kind: 'coupon', code: 'TEN', fundedBy: 'store', stacksWithPromotions: true, reduction } as const
  expect(partOf(withSensors({ programs: [coupon] }))).toMatchObject({ programCents: 0, netCents: 16_796 })
  const tender = { kind: 'store-card', ratePpm: 100_000, fundedBy: 'store' } as const
  expect(partOf(withSensors({ tender }))).toMatchObject({ tenderCents: 1_680, netCents: 15_116 })
})

test('refunds of single parts add up to the amount paid', () => {
  const priced = withSensors({ tender: { kind: 'store-card', ratePpm: 33_333, fundedBy: 'store' } })
  const parts = [0, 1, 2, 3].map((alreadyReturned) => {
    const refund = refundForReturn(priced, [{ lineId: 'part:7', quantity: 1, alreadyReturned }], 2_000)
    return refund.ok ? refund.value : { refundCents: 0, handlingFeeCents: -1 }
  })
  const line = partOf(priced)
  expect(parts.reduce((sum, { refundCents }) => sum + refundCents, 0)).toBe(
    (line?.netCents ?? 0) + (line?.taxCents ?? 0),
  )
  // The handling fee is for tires.
  expect(parts.map(({ handlingFeeCents }) => handlingFeeCents)).toEqual([0, 0, 0, 0])
})
