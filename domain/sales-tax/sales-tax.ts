/** Sales tax: the rates by ZIP that an operator imports. Browser-safe. */
import { z } from 'zod'

export {
  compareRates,
  mostRateBytes,
  mostRateRows,
  rateColumns,
  readRateRows,
  type RateChanges,
  type RateRow,
} from './rate-rows.ts'

/** The upload of a file of rates. */
export const ratesForm = z.object({ formKey: z.uuid('Reload the page and try again.') })

/** What is done with an uploaded file. */
export const rateFileForm = z.object({
  id: z
    .string()
    .regex(/^\d{1,9}$/, 'Reload the page and try again.')
    .transform(Number),
})

/** A place as far as its sales tax is concerned. */
export type TaxPlace = { readonly zip: string; readonly state: string }
