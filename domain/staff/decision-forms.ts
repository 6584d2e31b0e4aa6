/** What staff type to decide what a shopper asks for. */
import { z } from 'zod'
import { dollars } from '#platform/form-fields.ts'
import { countOf } from '#platform/count-text.ts'

/** The longest reason of a refusal. */
export const longestRefusal = 500

/** An approval as typed: the amount in dollars, read as cents. */
export const approvalForm = z.object({ amount: dollars('Enter an amount in dollars, such as 82.00.') })

/** A refusal with the reason that the shopper reads. */
export const refusalForm = z.object({
  reason: z
    .string()
    .trim()
    .min(1, 'Write the reason the shopper will read.')
    .max(longestRefusal, `Please keep this under ${countOf(longestRefusal, 'character')}.`),
})
