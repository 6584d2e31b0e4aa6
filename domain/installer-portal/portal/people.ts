/** The forms for the people of a shop. Safe in the browser. */
import { z } from 'zod'
import { uuidShape } from './own-job-form.ts'

export const mostPeople = 40
/** Maximum invitations per day, because each sends an email. */
export const mostInvitationsADay = 20

const role = z.enum(['owner', 'technician'], 'Choose a role.')

export const inviteForm = z.object({
  email: z
    .string('Enter an email address.')
    .trim()
    .max(254, 'Enter an email address.')
    .pipe(z.email('Enter an email address.'))
    .transform((email) => email.toLowerCase()),
  name: z.string('Enter a name.').trim().min(1, 'Enter a name.').max(60, 'Please keep this under 60 characters.'),
  role,
})

/** The form of a member's buttons. */
export const memberForm = z.object({ member: uuidShape, role: role.optional() })
