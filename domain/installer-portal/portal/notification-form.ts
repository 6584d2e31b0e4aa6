/** The forms for what a person of a shop is notified about. */
import { z } from 'zod'
import { fieldMessages } from '#content/messages/fields.ts'

/** The hour of the daily summary; null to clear it. The checkboxes of the form are read by their presence. */
export const notificationsForm = z.object({
  summary: z
    .string('Choose a time.')
    .regex(/^(?:off|1?\d|2[0-3])$/, 'Choose a time.')
    .transform((hour) => (hour === 'off' ? null : Number(hour))),
})

/** The phone that gets text messages, with the agreement next to it. */
export const textPhoneForm = z.object({
  phone: z.string(fieldMessages.phone).trim().min(1, fieldMessages.phone).max(40, fieldMessages.phone),
  agreed: z.literal('1', 'Check the box to agree.'),
})
