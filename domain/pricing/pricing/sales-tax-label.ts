/**
 * The sales tax label and footnote, used for every displayed amount: pages, emails, receipts, refunds, the API, the
 * office, purchasing documents and the line items sent to payment providers. Safe in the browser.
 */
import type { TaxSummary } from './price-breakdown.ts'

type Taxed = Pick<TaxSummary, 'isExempt' | 'ratePpm' | 'basis' | 'estimatedBy'>

export const salesTaxNames = { charged: 'Sales tax', estimated: 'Estimated sales tax' } as const

const stateRateNote = 'State rate, without local tax'

/** Returns the label. The tax is an estimate at a state's base rate, and while the tax provider does not answer. */
export function salesTaxName(tax: Taxed): (typeof salesTaxNames)[keyof typeof salesTaxNames] {
  const isEstimate = !tax.isExempt && tax.ratePpm > 0 && (tax.basis === 'state-base' || tax.estimatedBy)
  return isEstimate ? salesTaxNames.estimated : salesTaxNames.charged
}

/** Returns the footnote; empty for a tax that is not an estimate at a state's base rate. */
export function salesTaxNote(tax: Taxed): string {
  return salesTaxName(tax) === salesTaxNames.estimated && tax.basis === 'state-base' ? stateRateNote : ''
}

/** Returns label and footnote where both are one text: "Estimated sales tax. State rate, without local tax". */
export function salesTaxText(tax: Taxed): string {
  return [salesTaxName(tax), salesTaxNote(tax)].filter(Boolean).join('. ')
}

/** Returns the name of a state's tire fee as receipts show it: "Illinois tire fee", or what staff named it. */
export function tireFeeName({ stateName, tireFeeName: name }: Pick<TaxSummary, 'stateName' | 'tireFeeName'>): string {
  return name ?? `${stateName} tire fee`
}
