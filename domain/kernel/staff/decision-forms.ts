/** Staff forms for deciding shoppers' requests. */
import { z } from 'zod'
import { dollars } from '#platform/form-fields.ts'
import { countOf } from '#platform/count-text.ts'

/** The longest reason of a refusal. */
export const longestRefusal = 500

/** The approval form, with the amount entered in dollars and converted to cents. */
export const approvalForm = z.object({ amount: dollars('Enter an amount in dollars, such as 82.00.') })

/** A refusal with the reason that the shopper reads. */
export const refusalForm = z.object({
  reason: z
    .string()
    .trim()
    .min(1, 'Write the reason the shopper will read.')
    .max(longestRefusal, `Please keep this under ${countOf(longestRefusal, 'character')}.`),
})
