/**
 * The ledger: every amount of an order is entered twice, and the entries of one transfer sum to zero; a deferred
 * constraint refuses a commit where they do not. Debits are positive, credits negative.
 */
import { lockOwner } from '#domain/cart/cart.server.ts'
import { insertEntries, selectCreditOfOrder, sumCredit, type Transfer } from '#domain/ledger/ledger.sql.server.ts'
import type { Database, Tx } from '#platform/db.ts'
import { newId } from '#platform/ids.ts'

export { exportCredit } from '#domain/ledger/ledger.sql.server.ts'

export type Account =
  | 'receivable'
  | 'cash'
  | 'sales'
  | 'sales-tax'
  | 'tire-fee'
  | 'excise-tax'
  | 'refunds'
  | 'referral-rewards'
  | 'memberships'
/** Store credit is owed to somebody, so that its entries name whose it is. */
export type Entry = { account: Account; cents: number } | { account: 'store-credit'; cents: number; ownerId: string }

/**
 * Enters one transfer of an order or of a membership's term. Entries of zero are left out; throws when the rest does
 * not balance.
 */
export async function enterTransfer(db: Database, transfer: Transfer & { entries: readonly Entry[] }): Promise<void> {
  const entries = transfer.entries.filter((entry) => entry.cents !== 0)
  const sum = entries.reduce((total, entry) => total + entry.cents, 0)
  if (sum !== 0) throw new RangeError(`The transfer "${transfer.reason}" is off by ${sum} cents.`)
  if (entries.length === 0) return
  await insertEntries(db, newId(), transfer, entries)
}

/** What placing an order enters: the shopper owes the total; sales and what is collected for others are credited. */
export function entriesOfSale(totals: {
  netCents: number
  tireFeeCents: number
  fetCents: number
  taxCents: number
  totalCents: number
}): Entry[] {
  return [
    { account: 'receivable', cents: totals.totalCents },
    { account: 'sales', cents: -totals.netCents },
    { account: 'tire-fee', cents: -totals.tireFeeCents },
    { account: 'excise-tax', cents: -totals.fetCents },
    { account: 'sales-tax', cents: -totals.taxCents },
  ]
}

/** What money enters that comes in for an order: so much less is owed. */
export function entriesOfReceipt(cents: number): Entry[] {
  return [
    { account: 'cash', cents },
    { account: 'receivable', cents: -cents },
  ]
}

/** The opposite of `entries`: how a canceled sale leaves the books. */
export function reversed(entries: readonly Entry[]): Entry[] {
  return entries.map((entry) => ({ ...entry, cents: -entry.cents }))
}

const creditUsed = 'credit used'

/**
 * Pays `cents` of an order with the credit of the account its cart belongs to. False when there is not that much, or no
 * such account. The account is locked until the transaction ends, so that credit is not used twice.
 */
export async function spendCredit(
  tx: Tx,
  use: { orderId: number; cartId: string; cents: number; at: Temporal.Instant },
): Promise<boolean> {
  const ownerId = await lockOwner(tx, use.cartId)
  if (ownerId === undefined || (await creditOf(tx, ownerId)) < use.cents) return false
  await enterTransfer(tx, {
    orderId: use.orderId,
    reason: creditUsed,
    at: use.at,
    entries: [
      { account: 'store-credit', cents: use.cents, ownerId },
      { account: 'receivable', cents: -use.cents },
    ],
  })
  return true
}

/** Gives the credit of an order that is off back to whose it was. An account that is gone since is owed nothing. */
export async function returnCredit(tx: Tx, orderId: number, at: Temporal.Instant): Promise<void> {
  const used = await selectCreditOfOrder(tx, orderId, creditUsed)
  if (!used) return
  const { ownerId, cents } = used
  await enterTransfer(tx, {
    orderId,
    reason: 'credit given back',
    at,
    entries: [
      { account: 'receivable', cents },
      ownerId === null
        ? { account: 'referral-rewards', cents: -cents }
        : { account: 'store-credit', cents: -cents, ownerId },
    ],
  })
}

/** What the store owes an account, in cents. */
export async function creditOf(db: Database, ownerId: string): Promise<number> {
  const cents = await sumCredit(db, ownerId)
  return cents === 0 ? 0 : -cents
}
