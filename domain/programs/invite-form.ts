import { z } from 'zod'
import { emailAddress } from '#domain/checkout/checkout.ts'
import { invitesADay } from '#domain/programs/referral-rules.ts'

/** The addresses of friends, as they are typed: one to a line, or with commas between them. */
export const inviteForm = z.object({
  emails: z
    .string('Please enter a valid email')
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
        .min(1, 'Please enter a valid email')
        .max(invitesADay, `Up to ${invitesADay} addresses a day. Send the rest tomorrow.`),
    ),
})
