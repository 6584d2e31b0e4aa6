import { z } from 'zod'

const staffEmail = z
  .string('Please enter a valid email')
  .trim()
  .toLowerCase()
  .max(254, 'Please enter a valid email')
  .pipe(z.email('Please enter a valid email'))

/** The first owner's email for sign-in. */
export const firstOwnerForm = z.object({ email: staffEmail })

/** The invitation form. The last day is optional, and not allowed for owners. */
export const staffInvitationForm = z
  .object({
    email: staffEmail,
    /** The short name of a role; whether there is one is checked with the grant. */
    role: z.string('Choose a role.').regex(/^[a-z][a-z0-9-]{0,39}$/, 'Choose a role.'),
    lastDay: z
      .string()
      .trim()
      .default('')
      .transform((text) => text || null)
      .pipe(z.iso.date('Write the day as 2026-12-31.').nullable()),
  })
  .refine(({ role, lastDay }) => role !== 'owner' || lastDay === null, {
    path: ['lastDay'],
    message: 'Owner roles don’t expire. Revoke the role instead.',
  })

export type StaffInvitation = z.output<typeof staffInvitationForm>

/** Why a role is revoked. */
export const revocationForm = z.object({
  grant: z.uuid('Choose who it is about.'),
  reason: z
    .string()
    .trim()
    .min(1, 'Enter a reason for the audit log.')
    .max(500, 'Please keep this under 500 characters.'),
})
