/** A customer's store credit as staff see it, each entry with who granted it and why. */
import type { FieldOptions } from '#app/ui/select-options.tsx'
import type { FoundAccount } from '#domain/customers/accounts/accounts.server.ts'
import { selectCreditEntries, selectCredits, type CreditEntry } from '#domain/payments/ledger/ledger.server.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { listCreditGrants, type CreditGrantView } from '#domain/payments/store-credit/store-credit.server.ts'
import type { Database } from '#platform/db.ts'
import { formatCents } from '#platform/money.ts'
import { storeDateText } from '#platform/store-zone.ts'
import type { Person } from './customer.server.ts'
import { capital } from './order-ledger.server.ts'

/** Returns the account to grant store credit to. Prefers the one with the customer's email, otherwise the first. */
export function creditAccount({ accounts, emails: [email] }: Person): FoundAccount | undefined {
  return accounts.find((account) => account.email === email) ?? accounts[0]
}

/** Returns the combined store credit of accounts, with balance, latest entries, and number of pending grants. */
export async function readCredit(db: Database, accountIds: readonly string[]) {
  const [credits, entries, grants] = await Promise.all([
    selectCredits(db, accountIds),
    selectCreditEntries(db, accountIds, 20),
    listCreditGrants(db, accountIds),
  ])
  const grantOf = (id: string | null) => grants.find((grant) => grant.id === id)
  return {
    balance: formatCents([...credits.values()].reduce((sum, cents) => sum + cents, 0)),
    entries: entries.map((entry) => creditRow(entry, grantOf(entry.grantId))),
    waiting: grants.filter(({ state }) => state === 'requested').length,
  }
}

/** Returns a balance entry; a grant's entry has the staff reason and author. */
function creditRow({ at, reason, cents, orderId, grantId }: CreditEntry, grant: CreditGrantView | undefined) {
  const written = grant && (cents < 0 ? takenBackOf(grant) : givenOf(grant))
  const words = written?.why ?? capital(reason)
  const about = grantId === null ? orderId : (grant?.orderId ?? null)
  return {
    reason: about === null ? words : `${words}, ${orderNumber(about)}`,
    day: written?.by ? `${storeDateText(at)} by ${written.by}` : storeDateText(at),
    amount: `${cents < 0 ? '−' : '+'}${formatCents(Math.abs(cents))}`,
    isGiven: cents > 0,
  }
}

const givenOf = ({ reason, decidedBy }: CreditGrantView) => ({ why: reason, by: decidedBy })
const takenBackOf = ({ takenBackReason, takenBackBy }: CreditGrantView) => ({ why: takenBackReason, by: takenBackBy })

/** Returns a grant with its state label and available actions. */
export function grantView(
  { id, cents, reason, orderId, state, requestedBy, requestedAt, unusedCents }: CreditGrantView,
  { by, mayApprove }: { by: string; mayApprove: boolean },
) {
  const isOwn = requestedBy === by
  return {
    id,
    amount: formatCents(cents),
    why: [reason ?? 'No reason recorded', ...(orderId === null ? [] : [orderNumber(orderId)])].join(', '),
    note: `${state === 'requested' ? 'Requested' : 'Given'} ${storeDateText(requestedAt)} by ${requestedBy}`,
    isWaiting: state === 'requested',
    mayApprove: mayApprove && !isOwn,
    mayDecline: mayApprove || isOwn,
    unused: unusedCents > 0 ? formatCents(unusedCents) : null,
  }
}

export type GrantView = ReturnType<typeof grantView>

/** The orders that store credit can make up for, by their number. */
export function orderOptions(orders: readonly { id: number }[]): FieldOptions {
  return [['', 'No order'], ...orders.map(({ id }): [string, string] => [orderNumber(id), orderNumber(id)])]
}
