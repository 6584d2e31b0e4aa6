/** Partner and employer forms for staff. */
import { z } from 'zod'

export const partnerDecisionForm = z.object({
  application: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER),
  intent: z.enum(['approve', 'refuse']),
})

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
