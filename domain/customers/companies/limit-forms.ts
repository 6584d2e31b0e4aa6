/** What owners and staff type about limits of orders. Safe in the browser. */
import { z } from 'zod'
import { ticked } from '#platform/form-fields.ts'
import { parseDollars } from '#platform/money.ts'
import type { LimitRule } from './order-limits.ts'

const message = 'Enter an amount in dollars, such as 1500, or leave it empty for no limit.'
const mostCents = 999_999_999

/** Dollars as cents; null for an empty field. */
const limit = z
  .string(message)
  .trim()
  .max(20, message)
  .transform((text, issue) => {
    if (text === '') return null
    const cents = parseDollars(text)
    if (cents !== undefined && cents <= mostCents) return cents
    issue.addIssue({ code: 'custom', message })
    return z.NEVER
  })
  .meta({ formUnit: 'cents' })
  .default(null)

export const roleLimitsForm = z.object({ owner: limit, buyer: limit })

/** One member; a checkbox makes a buyer an approver. */
export const memberLimitForm = z
  .object({
    member: z.uuid('Choose a member.'),
    rule: z.enum(['role', 'none', 'own'], 'Choose one of the three.'),
    amount: limit,
    approves: ticked(),
  })
  .transform(({ member, rule, amount, approves }, issues) => {
    if (rule !== 'own') return { accountId: member, approves, limit: { by: rule } satisfies LimitRule }
    if (amount !== null) return { accountId: member, approves, limit: { by: rule, cents: amount } satisfies LimitRule }
    issues.addIssue({ code: 'custom', path: ['amount'], message: 'Enter an amount in dollars, such as 1500.' })
    return z.NEVER
  })
