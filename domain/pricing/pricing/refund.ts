import { unitShare } from '#platform/money.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import type { PriceBreakdown } from './price-breakdown.ts'
import { isTire, type PriceLine } from './price-line.ts'

/** One line's units that were returned (tires) or not provided (services). */
export type ReturnedUnits = {
  readonly lineId: string
  readonly quantity: number
  /** The line's units refunded earlier. Returns consume units in order, so this is the index of the next one. */
  readonly alreadyReturned: number
}

/** The refund to the shopper, in cents. refundCents = the sum of the lines' totalCents − handlingFeeCents. */
export type ReturnRefund = {
  readonly lines: readonly RefundedLine[]
  /** A separate line, not a lower price; never more than the tires' refund. */
  readonly handlingFeeCents: number
  readonly refundCents: number
}

export type RefundedLine = {
  readonly lineId: string
  readonly quantity: number
  readonly netCents: number
  readonly taxCents: number
  readonly fetCents: number
  readonly tireFeeCents: number
  readonly totalCents: number
}

export type NotOnOrder = Refused<'not-on-order', { readonly lineId: string }>
export type TooManyUnits = Refused<'more-than-bought', { readonly lineId: string; readonly leftUnits: number }>

/**
 * Returns the refund for a return, which is each unit's share of the line's net and sales tax, its excise tax, and its
 * tire fee unless the state retains it. The shares already include every discount, so no clawback is needed, and any
 * sequence of returns adds up to the amount paid.
 *
 * @param handlingFeePerTireCents `RETURN_HANDLING_FEE_CENTS`, or 0 if the right size is reordered or we said that the
 * tire fits
 */
export function refundForReturn(
  breakdown: PriceBreakdown,
  returned: readonly ReturnedUnits[],
  handlingFeePerTireCents: number,
): Outcome<ReturnRefund, NotOnOrder | TooManyUnits> {
  if (new Set(returned.map(({ lineId }) => lineId)).size < returned.length)
    throw new RangeError('A return names each line once')
  const refunds: RefundedLine[] = []
  let handlingFeeCents = 0
  for (const units of returned) {
    const line = breakdown.lines.find(({ id }) => id === units.lineId)
    if (!line) return refused('not-on-order', { lineId: units.lineId })
    const leftUnits = line.quantity - units.alreadyReturned
    if (units.quantity > leftUnits) return refused('more-than-bought', { lineId: line.id, leftUnits })
    const refund = refundOf(line, units, breakdown.tax.tireFeeRefundable)
    if (isTire(line)) handlingFeeCents += Math.min(handlingFeePerTireCents * units.quantity, refund.totalCents)
    refunds.push(refund)
  }
  const totalCents = refunds.reduce((sum, refund) => sum + refund.totalCents, 0)
  return ok({ lines: refunds, handlingFeeCents, refundCents: totalCents - handlingFeeCents })
}

function refundOf(
  line: PriceLine,
  { quantity, alreadyReturned }: ReturnedUnits,
  tireFeeRefundable: boolean,
): RefundedLine {
  const netCents = unitShare(line.netCents, line.quantity, alreadyReturned, quantity)
  const taxCents = unitShare(line.taxCents, line.quantity, alreadyReturned, quantity)
  const fetCents = line.fetUnitCents * quantity
  const tireFeeCents = tireFeeRefundable ? line.tireFeeUnitCents * quantity : 0
  return {
    lineId: line.id,
    quantity,
    netCents,
    taxCents,
    fetCents,
    tireFeeCents,
    totalCents: netCents + taxCents + fetCents + tireFeeCents,
  }
}
