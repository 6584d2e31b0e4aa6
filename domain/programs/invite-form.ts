import { z } from 'zod'
import { fieldMessages } from '#content/messages/fields.ts'
import { emailAddress } from '#domain/checkout/checkout.ts'
import { invitesADay } from '#domain/programs/referral-rules.ts'

/** The addresses of friends, as they are typed: one to a line, or with commas between them. */
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
        .max(invitesADay, `Up to ${invitesADay} addresses a day. Send the rest tomorrow.`),
    ),
})
