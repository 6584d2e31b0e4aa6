import { explain } from './explain.ts'
import { totalsOf, type ExplainRow, type PriceBreakdown } from './price-breakdown.ts'
import { addTireFees } from './step-6-state-tire-fee.ts'
import { addSalesTax, taxSummaryOf } from './step-8-sales-tax.ts'
import type { TaxRule } from './tax-rule.ts'

/** The rows of the summary that a state decides; they are its last ones. */
const ofTheState: ReadonlySet<string> = new Set(['tire-fee', 'fet', 'sales-tax', 'total'])

/**
 * Replaces the tire fee and sales tax of an agreed price with another state's. Prices and discounts stay as agreed.
 * Throws for a tax-exempt order, because its certificate is limited to one state.
 */
export function retaxed(agreed: PriceBreakdown, taxRule: TaxRule): PriceBreakdown {
  if (agreed.tax.isExempt) throw new RangeError('An exemption certificate applies only to its own state')
  const lines = addSalesTax(addTireFees(agreed.lines, taxRule.tireFee), taxRule, false)
  const priced = {
    ...agreed,
    lines,
    totals: totalsOf(lines),
    tax: taxSummaryOf(lines, taxRule, false),
  }
  return { ...priced, explain: withStateRows(priced) }
}

/** The rows of the summary with those that a state decides worded again. */
export function withStateRows(priced: PriceBreakdown): ExplainRow[] {
  // Shop and shipping word rows that stay.
  const rows = explain(priced, { shopName: null, shipping: null })
  return [...priced.explain.filter(({ key }) => !ofTheState.has(key)), ...rows.filter(({ key }) => ofTheState.has(key))]
}
