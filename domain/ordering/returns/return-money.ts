/** A return's refund. It is each unit's share of all payments for it, less the handling fee. */
import { refundForReturn, type PriceBreakdown, type ReturnedUnits } from '#domain/pricing/pricing/pricing.ts'

/** A unit of an order line. Units and lines are numbered from 1, and lines match the price's lines. */
export type ReturnedUnit = { readonly lineNo: number; readonly unit: number }

/** Amounts in cents, with goods = tires + tireFee + salesTax + services and refund = goods − fee. */
export type ReturnMoney = {
  readonly tires: number
  /** Price after discounts, with the excise tax. */
  readonly tiresCents: number
  readonly tireFeeCents: number
  readonly salesTaxCents: number
  /** Coverage, and installation that was not rendered; without their tax. */
  readonly servicesCents: number
  readonly goodsCents: number
  readonly feeCents: number
  readonly refundCents: number
}

/** Services that are bought per tire and end with it. Shipping and roadside assistance are for the whole order. */
const perTire = ['installation', 'service-kit', 'disposal'] as const

/**
 * Returns the refund of `units`. Every unit has a fixed share of its line, so that any sequence of returns adds up to
 * the amount paid. Coverage is refunded with its tire, and each unit of installation, kits and disposal with one tire,
 * in order. Roadside assistance depends on the tires it was sold with, so it is refunded with the last unit.
 */
export function returnMoney(
  breakdown: PriceBreakdown,
  units: readonly ReturnedUnit[],
  feePerTireCents: number,
): ReturnMoney {
  const sums = { tires: 0, tiresCents: 0, tireFeeCents: 0, salesTaxCents: 0, servicesCents: 0, feeCents: 0 }
  for (const unit of units) {
    const [tire, ...services] = unitsOf(breakdown, unit)
    if (!tire) throw new RangeError(`The order has no unit ${unit.unit} of line ${unit.lineNo}`)
    const goods = refundOf(breakdown, [tire], feePerTireCents)
    const rest = refundOf(breakdown, services, 0)
    sums.tires += 1
    sums.feeCents += goods.handlingFeeCents
    for (const line of goods.lines) sums.tiresCents += line.netCents + line.fetCents
    for (const line of rest.lines) sums.servicesCents += line.netCents
    for (const line of [...goods.lines, ...rest.lines]) {
      sums.tireFeeCents += line.tireFeeCents
      sums.salesTaxCents += line.taxCents
    }
  }
  const goodsCents = sums.tiresCents + sums.tireFeeCents + sums.salesTaxCents + sums.servicesCents
  return { ...sums, goodsCents, refundCents: goodsCents - sums.feeCents }
}

/** Returns the tire, then the service units that belong to it. */
function unitsOf({ lines }: PriceBreakdown, { lineNo, unit }: ReturnedUnit): ReturnedUnits[] {
  const line = lines[lineNo - 1]
  if (line?.kind !== 'tire' || unit < 1 || unit > line.quantity) return []
  const before = lines
    .slice(0, lineNo - 1)
    .filter(({ kind }) => kind === 'tire')
    .reduce((sum, { quantity }) => sum + quantity, 0)
  const all = lines.filter(({ kind }) => kind === 'tire').reduce((sum, { quantity }) => sum + quantity, 0)
  const place = before + unit
  const services = lines.flatMap((service) => {
    if (service.kind === 'coverage' && service.articleId === line.articleId && unit <= service.quantity)
      return { lineId: service.id, quantity: 1, alreadyReturned: unit - 1 }
    if (perTire.some((kind) => kind === service.kind) && place <= service.quantity)
      return { lineId: service.id, quantity: 1, alreadyReturned: place - 1 }
    return service.kind === 'roadside' && place === all
      ? { lineId: service.id, quantity: service.quantity, alreadyReturned: 0 }
      : []
  })
  return [{ lineId: line.id, quantity: 1, alreadyReturned: unit - 1 }, ...services]
}

function refundOf(breakdown: PriceBreakdown, units: readonly ReturnedUnits[], feeCents: number) {
  const refund = refundForReturn(breakdown, units, feeCents)
  if (!refund.ok) throw new RangeError(`Unit not in the price: ${refund.reason}`)
  return refund.value
}
