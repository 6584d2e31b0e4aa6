/** The statements for blocks of customers, and notes on them. */
import { sql, type RawBuilder } from 'kysely'
import type { Database, Tx } from '#platform/db.ts'

export type Block = { id: string; customerId: string; reason: string; blockedAt: Temporal.Instant; blockedBy: string }

/** The block of a customer, or of one merged into it; undefined without one. `ids` are theirs. */
export async function selectBlock(db: Database, ids: readonly string[]): Promise<Block | undefined> {
  return db
    .selectFrom('customer_block')
    .select(['id', 'customer_id as customerId', 'reason', 'blocked_at as blockedAt', 'blocked_by as blockedBy'])
    .where('customer_id', 'in', ids)
    .where('ended_at', 'is', null)
    .orderBy('blocked_at')
    .limit(1)
    .executeTakeFirst()
}

/** Returns the customers with a direct block. */
export async function selectBlockedAmong(db: Database, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  const rows = await db
    .selectFrom('customer_block')
    .select('customer_id as id')
    .where('customer_id', 'in', ids)
    .where('ended_at', 'is', null)
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** Blocks a customer; false if they are blocked. */
export async function insertBlock(
  tx: Tx,
  {
    id,
    customerId,
    reason,
    by,
    at,
  }: { id: string; customerId: string; reason: string; by: string; at: Temporal.Instant },
): Promise<boolean> {
  const made = await tx
    .insertInto('customer_block')
    .values({ id, customer_id: customerId, reason, blocked_at: at, blocked_by: by })
    .onConflict((conflict) => conflict.column('customer_id').where('ended_at', 'is', null).doNothing())
    .returning('id')
    .executeTakeFirst()
  return made !== undefined
}

/** Ends the blocks of a customer and of those merged into it; how many there were. */
export async function endBlocks(
  tx: Tx,
  { customerId, by, at }: { customerId: string; by: string; at: Temporal.Instant },
): Promise<number> {
  const { rows } = await sql`
    update customer_block set ended_at = ${at.toString()}::timestamptz, ended_by = ${by}
    where ended_at is null and customer_id in (select id from customer where id = ${customerId}::uuid or merged_into = ${customerId}::uuid)
    returning id`.execute(tx)
  return rows.length
}

/** The advisory lock of a phone, shared by orders and exclusive for a block. */
export function phoneKey(phone: string): RawBuilder<unknown> {
  return sql`hashtextextended(${`customer phone ${phone}`}, 0)`
}

/**
 * Locks out orders with the phones of a customer and of those merged into it. Blocks until the orders in progress end,
 * and later orders block until the transaction ends. Call it before locking the customer, in the same order as the
 * query that inserts an order.
 */
export async function lockPhones(tx: Tx, customerId: string): Promise<void> {
  const { rows } = await sql<{ phone: string }>`
    select distinct phone from customer
    where (id = ${customerId}::uuid or merged_into = ${customerId}::uuid) and phone is not null order by phone`.execute(
    tx,
  )
  for (const { phone } of rows) await sql`select pg_advisory_xact_lock(${phoneKey(phone)})`.execute(tx)
}

/**
 * Returns whether an order's buyer is blocked, through a customer with its email, phone or account email, the customer
 * that one was merged into, or another one merged into the same.
 */
export async function selectIsBlocked(
  db: Database,
  { email, phone, accountId }: { email: string; phone: string; accountId: string | null },
): Promise<boolean> {
  const { rows } = await sql<{ isBlocked: boolean }>`
    with own as materialized (
      select coalesce(merged_into, id) as head from customer
      where lower(email) in (lower(${email}), (select email from account where id = ${accountId}::uuid and email_verified_at is not null))
      union select coalesce(merged_into, id) from customer where phone = ${phone})
    select exists (
      select from customer_block where ended_at is null and customer_id in (
        select head from own union select customer.id from own join customer on customer.merged_into = own.head)) as "isBlocked"`.execute(
    db,
  )
  return rows[0]?.isBlocked ?? false
}

export type CustomerNote = { id: string; body: string; author: string; at: Temporal.Instant }

/** Adds a note, once per id; false if it is there. */
export async function insertCustomerNote(tx: Tx, note: CustomerNote & { customerId: string }): Promise<boolean> {
  const { customerId, ...rest } = note
  const made = await tx
    .insertInto('customer_note')
    .values({ customer_id: customerId, ...rest })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst()
  return made !== undefined
}

/** The last notes on customers, newest first. */
export function selectCustomerNotes(db: Database, ids: readonly string[], limit: number): Promise<CustomerNote[]> {
  return db
    .selectFrom('customer_note')
    .select(['id', 'body', 'author', 'at'])
    .where('customer_id', 'in', ids)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}
