/** Company forms for staff. */
import { z } from 'zod'
import { dollars, ticked } from '#platform/form-fields.ts'
import { parseDollars } from '#platform/money.ts'

export const decisionForm = z.object({ decision: z.enum(['approve', 'refuse', 'close'], 'Choose a decision.') })

const daysMessage = 'Enter 1 to 120 days.'

/** Net terms; no days means payment when ordering. */
export const termsForm = z
  .object({
    days: z
      .string()
      .trim()
      .transform((text) => (text === '' ? null : Number(text)))
      .pipe(z.int(daysMessage).min(1, daysMessage).max(120, daysMessage).nullable())
      .default(null),
    limit: z
      .string()
      .trim()
      .max(20, 'Enter an amount in dollars, such as 5000.')
      .default('')
      .meta({ formUnit: 'cents' }),
  })
  .transform(({ days, limit }, issues) => {
    if (days === null) return null
    const creditLimitCents = parseDollars(limit)
    if (creditLimitCents !== undefined && creditLimitCents > 0) return { netDays: days, creditLimitCents }
    issues.addIssue({ code: 'custom', path: ['limit'], message: 'Enter an amount in dollars, such as 5000.' })
    return z.NEVER
  })

/** The company's Resolve customer ID; empty removes it. */
export const resolveCustomerForm = z.object({
  customer: z
    .string()
    .trim()
    .regex(/^[A-Za-z0-9_-]{0,64}$/, 'Copy the customer ID from Resolve (letters and digits).')
    .transform((id) => (id === '' ? null : id))
    .default(null),
})

/** The URL slug of a price list; empty selects the account type's list. */
export const companyListForm = z.object({
  list: z
    .string()
    .trim()
    .max(60, 'Choose a price list.')
    .transform((slug) => (slug === '' ? null : slug))
    .default(null),
})

/** A checkbox for requiring fleet work order details on its orders. */
export const fleetPacketForm = z.object({ packets: ticked() })

export const domainForm = z.object({
  domain: z
    .string()
    .trim()
    .toLowerCase()
    .min(3, 'Enter a domain, such as acme.com.')
    .max(253, 'Enter a domain, such as acme.com.'),
  role: z.enum(['buyer', 'viewer'], 'Choose a role.'),
})

/** Brand slugs, separated by commas or spaces. An empty list allows all brands. */
export const brandsForm = z.object({
  brands: z
    .string()
    .trim()
    .toLowerCase()
    .max(2_000, 'Please keep this under 2,000 characters.')
    .transform((text) => (text === '' ? null : text.split(/[\s,]+/).filter(Boolean)))
    .default(null),
})

export const paymentForm = z.object({
  order: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER),
  amount: dollars('Enter an amount in dollars, such as 250.00.'),
  reference: z
    .string()
    .trim()
    .min(1, 'Enter the number of the transfer or check.')
    .max(60, 'Please keep this under 60 characters.'),
})

export const certificateForm = z.object({
  answer: z.enum(['accept', 'decline'], 'Choose an answer.'),
})
