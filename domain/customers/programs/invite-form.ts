import { z } from 'zod'
import { fieldMessages } from '#content/messages/fields.ts'
import { emailAddress } from '#domain/kernel/contact-fields/contact-fields.ts'
import { invitesADay } from './referral-rules.ts'
import { countOf } from '#platform/count-text.ts'

/** Friends' email addresses as entered, one per line or separated by commas. */
export const inviteForm = z.object({
  emails: z
    .string(fieldMessages.email)
    .transform((text) => [
      ...new Set(
        text
          .split(/[\s,;]+/)
          .map((part) => part.toLowerCase())
          .filter(Boolean),
      ),
    ])
    .pipe(
      z
        .array(emailAddress)
        .min(1, fieldMessages.email)
        .max(invitesADay, `Up to ${countOf(invitesADay, 'address', 'addresses')} a day. Send the rest tomorrow.`),
    ),
})
