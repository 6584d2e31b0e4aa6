/** Sales tax rates by ZIP code, as imported by an operator. Browser-safe. */
import { z } from 'zod'

export {
  cancelStateTaxForm,
  resetStateTaxForm,
  stateTaxForm,
  taxableKindNames,
  taxableKinds,
} from './state-tax-form.ts'
export { maxStateTaxBytes, optionalStateTaxColumns, stateTaxColumns, stateTaxRowLimit } from './state-tax-file.ts'
export { maxTireFeeText, tireFeeText } from './tire-fee-text.ts'
export { mostRateBytes, mostRateRows, rateColumns, type RateChanges, type RateRow } from './rate-rows.ts'

/** An order's tax comes from the provider, its last rate for the ZIP code, or our table. */
export type TaxSource = 'provider' | 'last-answer' | 'table'

/** Why the tax of an order is not what the provider calculated for it, for staff; null where it is. */
export function estimateWords(tax: {
  source: TaxSource
  replacedAt: Temporal.Instant | null
  problem: string | null
}): string | null {
  if (tax.problem !== null) return `The tax provider refused it: ${tax.problem}`
  if (tax.replacedAt !== null) return 'The price was changed after the order. We charged the new location’s rates.'
  if (tax.source === 'provider') return null
  const from = tax.source === 'table' ? 'our table of rates was' : 'its last answer for the ZIP was'
  return `The tax provider didn’t respond, so ${from} was charged, and the customer won’t be charged more later.`
}

/** The upload of a file of rates. */
export const ratesForm = z.object({ formKey: z.uuid('Reload the page and try again.') })

/** A place as far as its sales tax is concerned. */
export type TaxPlace = { readonly zip: string; readonly state: string }
