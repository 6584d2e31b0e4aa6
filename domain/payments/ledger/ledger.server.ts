/**
 * The double-entry ledger. A transfer's entries sum to zero, and a deferred constraint refuses the commit otherwise.
 * Debits are positive, credits negative.
 */
import { lockOwner } from '#domain/payments/cart/cart.server.ts'
import { insertEntries, selectCreditOfOrder, sumCredit, type Transfer } from './ledger.sql.server.ts'
import type { Database, Tx } from '#platform/db.ts'
import { newId } from '#platform/ids.ts'

export {
  exportCredit,
  selectCreditEntries,
  selectCredits,
  selectEntriesOfOrder,
  selectRefund as readRefund,
  type CreditEntry,
  type LedgerLine,
} from './ledger.sql.server.ts'

export type Account =
  | 'receivable'
  | 'cash'
  | 'sales'
  | 'sales-tax'
  | 'tire-fee'
  | 'excise-tax'
  | 'refunds'
  | 'handling-fees'
  | 'referral-rewards'
  | 'goodwill'
  | 'memberships'
  | 'disputes'
  | 'dispute-fees'
/** Accounts that only the database function `enter_inventory` enters (domain/supply/stock/inventory.sql.server.ts). */
export type InventoryAccount =
  | 'inventory'
  | 'cost-of-goods-sold'
  | 'goods-received-not-invoiced'
  | 'inventory-adjustments'
/** Store credit is owed to someone, so its entries name the owner. */
export type Entry = { account: Account; cents: number } | { account: 'store-credit'; cents: number; ownerId: string }

/** Enters one transfer of an order, a membership term or a grant of store credit. Skips entries of zero; throws if the rest does not balance. */
export async function enterTransfer(db: Database, transfer: Transfer & { entries: readonly Entry[] }): Promise<void> {
  const entries = transfer.entries.filter((entry) => entry.cents !== 0)
  const sum = entries.reduce((total, entry) => total + entry.cents, 0)
  if (sum !== 0) throw new RangeError(`The transfer "${transfer.reason}" is off by ${sum} cents.`)
  if (entries.length === 0) return
  await insertEntries(db, newId(), transfer, entries)
}

/**
 * Returns the ledger entries for placing an order. The shopper owes the total, and sales and amounts collected for
 * others are credited.
 */
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

/** Returns the entries of a payment for an order, which reduces the receivable. */
export function entriesOfReceipt(cents: number): Entry[] {
  return [
    { account: 'cash', cents },
    { account: 'receivable', cents: -cents },
  ]
}

/** Returns the opposite of `entries`, for reversing a canceled sale. */
export function reversed(entries: readonly Entry[]): Entry[] {
  return entries.map((entry) => ({ ...entry, cents: -entry.cents }))
}

const creditUsed = 'credit used'

/**
 * Pays `cents` of an order with the store credit of the cart's owner. False if there is not enough, or no owner. Locks
 * the account until the transaction ends, so that credit is not spent twice.
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

/** Returns a canceled order's store credit to its owner, unless the account was deleted. */
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

/**
 * Refunds part of an order's used store credit to its owner, unless the account was deleted. Throws if the order used
 * no credit.
 */
export async function refundCredit(
  tx: Tx,
  { orderId, cents, at }: { orderId: number; cents: number; at: Temporal.Instant },
): Promise<void> {
  const used = await selectCreditOfOrder(tx, orderId, creditUsed)
  if (!used) throw new Error(`Order ${orderId} was not paid with store credit.`)
  await enterTransfer(tx, {
    orderId,
    reason: 'credit refunded',
    at,
    entries: [
      { account: 'refunds', cents },
      used.ownerId === null
        ? { account: 'referral-rewards', cents: -cents }
        : { account: 'store-credit', cents: -cents, ownerId: used.ownerId },
    ],
  })
}

/**
 * Returns the ledger entries for refunding an order's units. Reverses the sale, its taxes and its fees, retains a
 * handling fee, and owes the rest as a refund until it is paid out.
 */
export function entriesOfRefundedLines(refunded: {
  netCents: number
  tireFeeCents: number
  fetCents: number
  taxCents: number
  handlingFeeCents: number
}): Entry[] {
  const { netCents, tireFeeCents, fetCents, taxCents, handlingFeeCents } = refunded
  return [
    { account: 'sales', cents: netCents },
    { account: 'tire-fee', cents: tireFeeCents },
    { account: 'excise-tax', cents: fetCents },
    { account: 'sales-tax', cents: taxCents },
    { account: 'handling-fees', cents: -handlingFeeCents },
    { account: 'refunds', cents: handlingFeeCents - netCents - tireFeeCents - fetCents - taxCents },
  ]
}

/** Returns an account's store credit in cents. */
export async function creditOf(db: Database, ownerId: string): Promise<number> {
  const cents = await sumCredit(db, ownerId)
  return cents === 0 ? 0 : -cents
}
