/** The form of an order by phone. */
import { optionalText } from '#platform/form-fields.ts'
import { z } from 'zod'

/** What staff state when they place an order on net terms; `totalCents` is the total that the page showed. */
export const termsOrderForm = z.object({
  poNumber: optionalText(40),
  accepted: z.literal('1', 'Confirm that the customer accepts the terms of sale.'),
  totalCents: z.coerce.number('Reload the page and try again.').int().positive().max(2_147_483_647),
})
