/** Company members' spending limits and approval rights. Safe in the browser. */
import type { CompanyRole } from './companies.ts'

/** The maximum order total per role without an approval, in cents; null means unlimited. Viewers can't order. */
export type RoleLimits = { readonly owner: number | null; readonly buyer: number | null }

/** A member's limit is their role's, unlimited, or an individual one. */
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

/** Returns whether this member is an approver, meaning an owner or a buyer with approval rights. */
export function isApprover({ role, approves }: Pick<Spender, 'role' | 'approves'>): boolean {
  return role === 'owner' || (role === 'buyer' && approves)
}

/**
 * Returns whether this member can approve an order with this total. Their own spending limit applies, including to
 * their own orders.
 */
export function mayApprove(roles: RoleLimits, member: Spender, totalCents: number): boolean {
  return isApprover(member) && isWithinLimit(limitOf(roles, member), totalCents)
}

/** Returns whether a change raises a member's spending limit, which members can't do for themselves. */
export function isRaised(before: number | null, after: number | null): boolean {
  return before !== null && (after === null || after > before)
}

/** Days until a request expires. */
export const approvalDays = 7
