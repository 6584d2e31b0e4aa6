/** The store credit of a customer as staff see it: each entry with who gave it and why. */
import type { FoundAccount } from '#domain/accounts/accounts.server.ts'
import type { CreditEntry } from '#domain/ledger/ledger.server.ts'
import { orderNumber } from '#domain/orders/orders.ts'
import type { CreditGrantView } from '#domain/store-credit/store-credit.server.ts'
import { formatCents } from '#platform/money.ts'
import { storeDateText } from '#platform/store-zone.ts'
import type { Person } from './office-customer.server.ts'
import { capital } from './office-order-ledger.server.ts'

/** The account that store credit is given to: the one with the customer's own email, or else the first. */
export function creditAccount({ accounts, emails: [email] }: Person): FoundAccount | undefined {
  return accounts.find((account) => account.email === email) ?? accounts[0]
}

/** An entry of the balance; one of staff has their reason and name. */
export function creditRow({ at, reason, cents, orderId, grantId }: CreditEntry, grants: readonly CreditGrantView[]) {
  const grant = grants.find(({ id }) => id === grantId)
  const words = (cents < 0 ? grant?.takenBackReason : grant?.reason) ?? capital(reason)
  const by = cents < 0 ? grant?.takenBackBy : (grant?.decidedBy ?? grant?.requestedBy)
  const about = orderId ?? grant?.orderId ?? null
  return {
    reason: about === null ? words : `${words}, ${orderNumber(about)}`,
    day: [storeDateText(at), ...(by ? [`by ${by}`] : [])].join(' '),
    amount: `${cents < 0 ? '−' : '+'}${formatCents(Math.abs(cents))}`,
    isGiven: cents > 0,
  }
}

/** A grant with its state in words, and what staff can do about it. */
export function grantView(
  { id, cents, reason, orderId, state, requestedBy, requestedAt, unusedCents }: CreditGrantView,
  { by, mayApprove }: { by: string; mayApprove: boolean },
) {
  const isOwn = requestedBy === by
  return {
    id,
    amount: formatCents(cents),
    why: [reason ?? 'No reason kept', ...(orderId === null ? [] : [orderNumber(orderId)])].join(', '),
    note: `${state === 'requested' ? 'Requested' : 'Given'} ${storeDateText(requestedAt)} by ${requestedBy}`,
    isWaiting: state === 'requested',
    mayApprove: mayApprove && !isOwn,
    mayDecline: mayApprove || isOwn,
    unused: unusedCents > 0 ? formatCents(unusedCents) : null,
  }
}

export type GrantView = ReturnType<typeof grantView>

/** The orders that store credit can make up for, by their number. */
export function orderOptions(orders: readonly { id: number }[]): Record<string, string> {
  return { '': 'No order', ...Object.fromEntries(orders.map(({ id }) => [orderNumber(id), orderNumber(id)])) }
}
