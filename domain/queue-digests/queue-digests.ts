/** The form of the daily email of open tasks. */
import { z } from 'zod'

/** What staff choose: the hour of the store's zone, null for no email. */
export const digestForm = z.object({
  hour: z
    .string('Choose a time.')
    .regex(/^(?:off|1?\d|2[0-3])$/, 'Choose a time.')
    .transform((hour) => (hour === 'off' ? null : Number(hour))),
})
