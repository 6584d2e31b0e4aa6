/** The form of the daily email of open tasks. */
import { z } from 'zod'

/** The chosen hour in the store's zone; null for no email. */
export const digestForm = z.object({
  hour: z
    .string('Choose a time.')
    .regex(/^(?:off|1?\d|2[0-3])$/, 'Choose a time.')
    .transform((hour) => (hour === 'off' ? null : Number(hour))),
})
