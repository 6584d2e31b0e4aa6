import type { IgnoredOffer } from './ignored-offers.ts'
import type { AccountType, FundedBy, SalesChannel, TenderOffer } from './price-input.ts'
import { sumOf, type PriceLine } from './price-line.ts'
import type { TaxPart, TaxRule } from './tax-rule.ts'
import type { ProgramOutcome } from './step-3-programs.ts'

/** A price with every step explained. Plain data, stored unchanged with the order and never recalculated. */
export type PriceBreakdown = {
  /** The label charged. */
  readonly accountType: AccountType
  /**
   * The account's price label if the order costs less without it. Null (or missing in older data) if the label is
   * charged or doesn't exist.
   */
  readonly passedOver: AccountType | null
  readonly lines: readonly PriceLine[]
  readonly totals: PriceTotals
  readonly program: ProgramOutcome
  /** The payment offer applied. */
  readonly tender: { readonly kind: TenderOffer['kind']; readonly ratePpm: number; readonly fundedBy: FundedBy } | null
  readonly tax: TaxSummary
  readonly ignored: readonly IgnoredOffer[]
  readonly explain: readonly ExplainRow[]
  /** The sales channel; missing for the store itself. */
  readonly channel?: SalesChannel
}

/** netCents = grossCents − the four discounts; totalCents = netCents + tireFeeCents + fetCents + taxCents. */
export type PriceTotals = {
  readonly grossCents: number
  readonly itemPromotionCents: number
  readonly programCents: number
  readonly installDiscountCents: number
  readonly tenderCents: number
  readonly netCents: number
  readonly tireFeeCents: number
  readonly fetCents: number
  readonly taxBaseCents: number
  readonly taxCents: number
  readonly totalCents: number
}

export type TaxSummary = Pick<
  TaxRule,
  'stateCode' | 'stateName' | 'ratePpm' | 'basis' | 'tireFeeName' | 'tireFeeRefundable'
> & {
  readonly isExempt: boolean
  /** What is taxed, worded: "tires and kits". */
  readonly on: string
  /** Tax by jurisdiction, if the parts of the rate are known. */
  readonly parts?: readonly (TaxPart & { readonly cents: number })[]
  /**
   * Set if the tax provider didn't respond for this order; the source is its last response for the location, or our
   * table.
   */
  readonly estimatedBy?: 'last-answer' | 'table'
}

/** One row of the order summary, ready to display. */
export type ExplainRow = {
  /** Identifies the same item across two prices: `tire:A`, `program:coupon:SAVE10`, `sales-tax`. */
  readonly key: string
  readonly label: string
  /** Second line, may be empty: "4 at $22.00, set by the shop". */
  readonly detail: string
  /** Negative for a discount. */
  readonly cents: number
  /** "$88.00", "−$25.00" or "Free". */
  readonly amount: string
  readonly kind: 'plain' | 'discount' | 'total'
  /** Quantities and unit prices, where the row consists of units. */
  readonly units: readonly UnitPrice[]
}

export type UnitPrice = { readonly quantity: number; readonly unitCents: number }

export function totalsOf(lines: readonly PriceLine[]): PriceTotals {
  const netCents = sumOf(lines, 'netCents')
  const tireFeeCents = sumOf(lines, 'tireFeeCents')
  const fetCents = sumOf(lines, 'fetCents')
  const taxCents = sumOf(lines, 'taxCents')
  return {
    grossCents: sumOf(lines, 'grossCents'),
    itemPromotionCents: sumOf(lines, 'itemPromotionCents'),
    programCents: sumOf(lines, 'programCents'),
    installDiscountCents: sumOf(lines, 'installDiscountCents'),
    tenderCents: sumOf(lines, 'tenderCents'),
    netCents,
    tireFeeCents,
    fetCents,
    taxBaseCents: sumOf(lines, 'taxableCents'),
    taxCents,
    totalCents: netCents + tireFeeCents + fetCents + taxCents,
  }
}
