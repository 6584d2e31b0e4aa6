/** The statements for the ledger. */
import { sql } from 'kysely'
import type { Entry } from './ledger.server.ts'
import type { Database } from '#platform/db.ts'

/** What a transfer is for, its reason and its time. */
export type Transfer = ({ orderId: number } | { termId: string } | { grantId: string }) & {
  reason: string
  at: Temporal.Instant
}

/** Inserts the entries of one transfer, which sum to zero. */
export async function insertEntries(
  db: Database,
  transferId: string,
  transfer: Transfer,
  entries: readonly Entry[],
): Promise<void> {
  await db
    .insertInto('ledger_entry')
    .values(
      entries.map((entry) => ({
        transfer_id: transferId,
        ...subjectOf(transfer),
        account: entry.account,
        amount_cents: entry.cents,
        owner_id: 'ownerId' in entry ? entry.ownerId : null,
        reason: transfer.reason,
        at: transfer.at,
      })),
    )
    .execute()
}

function subjectOf(transfer: Transfer) {
  if ('orderId' in transfer) return { order_id: transfer.orderId }
  return 'termId' in transfer ? { membership_term_id: transfer.termId } : { credit_grant_id: transfer.grantId }
}

/** The store credit entered for an order for `reason`, and its owner; null for a deleted account. */
export async function selectCreditOfOrder(
  db: Database,
  orderId: number,
  reason: string,
): Promise<{ ownerId: string | null; cents: number } | undefined> {
  return db
    .selectFrom('ledger_entry')
    .select(['owner_id as ownerId', 'amount_cents as cents'])
    .where('order_id', '=', orderId)
    .where('account', '=', 'store-credit')
    .where('reason', '=', reason)
    .executeTakeFirst()
}

/** A refund goes to the original payment method, the customer's store credit, or the company's invoice. */
export type RefundWay = 'payment-method' | 'store-credit' | 'invoice'

/** Returns a transfer's refund in cents. Undefined if the transfer isn't a refund. */
export async function selectRefund(
  db: Database,
  transferId: string,
): Promise<{ amountCents: number; way: RefundWay } | undefined> {
  const entries = await db
    .selectFrom('ledger_entry')
    .select(['account', 'amount_cents as cents'])
    .where('transfer_id', '=', transferId)
    .execute()
  const refund = entries.find(({ account, cents }) => account === 'refunds' && cents > 0)
  if (!refund) return undefined
  const from = entries.find(({ cents }) => cents < 0)?.account
  const way = from === 'cash' ? 'payment-method' : from === 'receivable' ? 'invoice' : 'store-credit'
  return { amountCents: refund.cents, way }
}

/** Sums an account's store-credit entries in cents. Negative when the store owes the account. */
export async function sumCredit(db: Database, ownerId: string): Promise<number> {
  const { cents } = await db
    .selectFrom('ledger_entry')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('amount_cents'), eb.lit(0)).as('cents'))
    .where('owner_id', '=', ownerId)
    .where('account', '=', 'store-credit')
    .executeTakeFirstOrThrow()
  return cents
}

/** The store credit of these accounts, in cents, for those that have any. */
export async function selectCredits(db: Database, ownerIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (ownerIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('ledger_entry')
    .select((eb) => ['owner_id', eb.fn.sum<number>('amount_cents').as('cents')])
    .where('owner_id', 'in', ownerIds)
    .where('account', '=', 'store-credit')
    .groupBy('owner_id')
    .execute()
  return new Map(rows.flatMap(({ owner_id: id, cents }) => (id !== null && cents < 0 ? [[id, -cents] as const] : [])))
}

/**
 * A change of an account's store credit; `cents` is positive for credit given. `grantId` is the staff grant and
 * `orderId` the order, if any.
 */
export type CreditEntry = {
  at: Temporal.Instant
  reason: string
  cents: number
  orderId: number | null
  grantId: string | null
}

/** Selects the latest store credit changes for these accounts, newest first. */
export async function selectCreditEntries(
  db: Database,
  ownerIds: readonly string[],
  limit: number,
): Promise<CreditEntry[]> {
  if (ownerIds.length === 0) return []
  const rows = await db
    .selectFrom('ledger_entry')
    .select(['at', 'reason', 'amount_cents', 'order_id', 'credit_grant_id'])
    .where('owner_id', 'in', ownerIds)
    .where('account', '=', 'store-credit')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ at, reason, amount_cents, order_id, credit_grant_id }) => ({
    at,
    reason,
    cents: -amount_cents,
    orderId: order_id,
    grantId: credit_grant_id,
  }))
}

/** Every store-credit entry of an account, with credits to it positive, as plain data for JSON. */
export async function exportCredit(db: Database, ownerId: string): Promise<object[]> {
  const { rows } = await sql<{ credit: object[] }>`
    select coalesce(json_agg(json_build_object('at', at, 'reason', reason, 'cents', -amount_cents) order by id), '[]') as credit
    from ledger_entry where owner_id = ${ownerId}::uuid`.execute(db)
  return rows[0]?.credit ?? []
}

/** An entry of an order as it is shown to staff; entries of one transfer share its reason and time. */
export type LedgerLine = { transferId: string; account: string; cents: number; reason: string; at: Temporal.Instant }

/** The entries of an order, in the order they were made. */
export function selectEntriesOfOrder(db: Database, orderId: number): Promise<LedgerLine[]> {
  return db
    .selectFrom('ledger_entry')
    .select(['transfer_id as transferId', 'account', 'amount_cents as cents', 'reason', 'at'])
    .where('order_id', '=', orderId)
    .orderBy('id')
    .execute()
}
