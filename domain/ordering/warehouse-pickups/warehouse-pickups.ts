/** A warehouse counter's forms. Safe in the browser. */
import { z } from 'zod'

/** The completion form, with the customer's code, tire count, and confirmed ID check. */
export const handOverForm = z.object({
  code: z
    .string('Enter the six digits of the pickup code.')
    .max(20)
    .transform((text) => text.replaceAll(/[\s-]/g, ''))
    .refine((text) => /^\d{6}$/.test(text), { error: 'Enter the six digits of the pickup code.' }),
  pieces: z
    .string('Count the tires.')
    .trim()
    .regex(/^\d{1,3}$/, 'Count the tires.')
    .transform(Number),
  id: z.literal('1', { error: 'Check the ID. Its name must match the order.' }),
})
export type HandOver = z.output<typeof handOverForm>

/** The longest search at the pickup counter, by order number or code. */
export const longestCounterSearch = 30
