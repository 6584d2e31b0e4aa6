import { expect, test } from 'vitest'
import { priceCart, refundForReturn, type PriceBreakdown, type ReturnedUnits } from './pricing.ts'
import { RETURN_HANDLING_FEE_CENTS } from '#platform/business-constants.ts'
import { ok, refused } from '#platform/outcome.ts'
import { ORDER, stateRule, tiresOnly } from './price-input.example.ts'

const order = priceCart({ ...ORDER, programs: [{ kind: 'military' }], taxRule: stateRule('TN') })
const refundOf = (breakdown: PriceBreakdown, returned: ReturnedUnits[], feeCents = 0) => {
  const outcome = refundForReturn(breakdown, returned, feeCents)
  if (!outcome.ok) throw new Error(outcome.reason)
  return outcome.value
}

test('a returned tire refunds its share of price and tax, and its tire fee; the handling fee is a separate line', () => {
  expect(
    refundForReturn(order, [{ lineId: 'tire:A', quantity: 1, alreadyReturned: 0 }], RETURN_HANDLING_FEE_CENTS),
  ).toEqual(
    ok({
      lines: [
        {
          lineId: 'tire:A',
          quantity: 1,
          netCents: 14_060,
          taxCents: 993,
          fetCents: 0,
          tireFeeCents: 135,
          totalCents: 15_188,
        },
      ],
      handlingFeeCents: 2000,
      refundCents: 13_188,
    }),
  )
})

test('a service not rendered is refunded in full, without a handling fee', () => {
  const refund = refundOf(
    order,
    [{ lineId: 'installation', quantity: 4, alreadyReturned: 0 }],
    RETURN_HANDLING_FEE_CENTS,
  )
  const installation = order.lines.find(({ id }) => id === 'installation')
  expect(refund.refundCents).toBe((installation?.netCents ?? 0) + (installation?.taxCents ?? 0))
  expect(refund.handlingFeeCents).toBe(0)
})

test('returning one unit, then three, refunds the same as returning four', () => {
  const first = refundOf(order, [{ lineId: 'tire:A', quantity: 1, alreadyReturned: 0 }]).refundCents
  const rest = refundOf(order, [{ lineId: 'tire:A', quantity: 3, alreadyReturned: 1 }]).refundCents
  expect(first + rest).toBe(refundOf(order, [{ lineId: 'tire:A', quantity: 4, alreadyReturned: 0 }]).refundCents)
})

test('excise tax is refunded; a nonrefundable tire fee is not', () => {
  const kept = { ...stateRule('TN'), tireFeeRefundable: false }
  const breakdown = priceCart({ ...tiresOnly({ fetUnitCents: 130 }), taxRule: kept })
  expect(refundOf(breakdown, [{ lineId: 'tire:A', quantity: 2, alreadyReturned: 0 }]).lines[0]).toMatchObject({
    fetCents: 260,
    tireFeeCents: 0,
  })
})

test("a handling fee never exceeds the tire's refund", () => {
  const cheap = priceCart({ ...tiresOnly({ retailUnitCents: 1500 }), taxRule: stateRule('OR') })
  expect(refundOf(cheap, [{ lineId: 'tire:A', quantity: 1, alreadyReturned: 0 }], 2000)).toMatchObject({
    handlingFeeCents: 1500,
    refundCents: 0,
  })
})

test('refuses units not bought or already refunded', () => {
  expect(refundForReturn(order, [{ lineId: 'tire:Z', quantity: 1, alreadyReturned: 0 }], 0)).toEqual(
    refused('not-on-order', { lineId: 'tire:Z' }),
  )
  expect(refundForReturn(order, [{ lineId: 'tire:A', quantity: 2, alreadyReturned: 3 }], 0)).toEqual(
    refused('more-than-bought', { lineId: 'tire:A', leftUnits: 1 }),
  )
})

test('a line named twice in one return throws', () => {
  const once = { lineId: 'tire:A', quantity: 1, alreadyReturned: 0 }
  expect(() => refundForReturn(order, [once, once], 0)).toThrow(RangeError)
})
