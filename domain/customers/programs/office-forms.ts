/** The form of an employer for staff. */
import { z } from 'zod'

const domainMessage = 'Enter a domain, such as acme.com.'

export const employerForm = z.object({
  domain: z
    .string()
    .trim()
    .toLowerCase()
    .max(253, domainMessage)
    .regex(/^[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63})+$/, domainMessage),
  employer: z.string().trim().min(1, 'Enter the employer’s name.').max(100, 'Please keep this under 100 characters.'),
})
