/** The form by which staff write to a customer. Safe in the browser. */
import { z } from 'zod'
import { longestAnswer } from '#domain/messaging/support/support.ts'
import { countOf } from '#platform/count-text.ts'

/** `about` is the customer's order number, or empty. `once` is the idempotency key. */
export const customerMessageForm = z.object({
  as: z.enum(['email', 'text'], 'Choose how to send it.'),
  about: z.string().max(20).default(''),
  message: z
    .string('Please write a message.')
    .trim()
    .min(1, 'Please write a message.')
    .max(longestAnswer, `Please keep this under ${countOf(longestAnswer, 'character')}.`),
  once: z.uuid('Reload the page and try again.'),
})
