/** How much a member of a company orders alone, and who approves more. Safe in the browser. */
import type { CompanyRole } from './companies.ts'

/** The most an order of each role may come to without an approval, in cents; null for no limit. Viewers order nothing. */
export type RoleLimits = { readonly owner: number | null; readonly buyer: number | null }

/** What holds for one member: the limit of their role, none, or one of their own. */
export type LimitRule = { readonly by: 'role' | 'none' } | { readonly by: 'own'; readonly cents: number }

/** A member as far as orders and approvals go. */
export type Spender = { readonly role: CompanyRole; readonly limit: LimitRule; readonly approves: boolean }

/** The most that one order of this member may come to, in cents; null for no limit. */
export function limitOf(roles: RoleLimits, { role, limit }: Pick<Spender, 'role' | 'limit'>): number | null {
  if (role === 'viewer') return 0
  if (limit.by === 'own') return limit.cents
  return limit.by === 'none' ? null : roles[role]
}

/** Whether an order of this total is within a limit. */
export function isWithinLimit(limitCents: number | null, totalCents: number): boolean {
  return limitCents === null || totalCents <= limitCents
}

/** Whether this member approves orders at all: owners, and buyers who were made approvers. */
export function isApprover({ role, approves }: Pick<Spender, 'role' | 'approves'>): boolean {
  return role === 'owner' || (role === 'buyer' && approves)
}

/**
 * Whether this member approves an order of this total: nobody approves more than they may order alone, their own orders
 * included.
 */
export function mayApprove(roles: RoleLimits, member: Spender, totalCents: number): boolean {
  return isApprover(member) && isWithinLimit(limitOf(roles, member), totalCents)
}

/** Whether a change gives a member more to order alone than before, which nobody does for themselves. */
export function isRaised(before: number | null, after: number | null): boolean {
  return before !== null && (after === null || after > before)
}

/** How long a request waits. */
export const approvalDays = 7
