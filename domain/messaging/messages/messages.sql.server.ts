/** The statements for queued mails. */
import { sql } from 'kysely'
import { messageLife, type MessageKind, type MessageState } from './messages.ts'
import type { Database, Tx } from '#platform/db.ts'
import { statesBefore } from '#platform/transitions.ts'

/** A mail about an order, or about what its key names. The key makes it unique, however often it is queued. */
export type Promised = { kind: MessageKind; key: string; to: string; orderId: number | null; at: Temporal.Instant }

/** Stores a queued mail; false if its key already exists. */
export async function insertMessage(db: Database, id: string, message: Promised): Promise<boolean> {
  const written = await db
    .insertInto('message')
    .values({
      id,
      key: message.key,
      kind: message.kind,
      to_address: message.to,
      order_id: message.orderId,
      created_at: message.at,
    })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .returning('id')
    .executeTakeFirst()
  return written !== undefined
}

/** A queued mail and its state; undefined if it was deleted. */
export async function selectMessage(
  db: Database,
  id: string,
): Promise<(Omit<Promised, 'at'> & { id: string; state: MessageState }) | undefined> {
  const row = await db.selectFrom('message').selectAll().where('id', '=', id).executeTakeFirst()
  return (
    row && {
      id: row.id,
      key: row.key,
      kind: row.kind as MessageKind,
      to: row.to_address,
      orderId: row.order_id,
      state: row.state as MessageState,
    }
  )
}

/** Changes the state of a mail, if the transition is allowed. `sentAt` is null for one that was not sent. */
export async function updateMessageState(
  db: Database,
  id: string,
  state: MessageState,
  sentAt: Temporal.Instant | null,
): Promise<void> {
  await db
    .updateTable('message')
    .set({ state, sent_at: sentAt })
    .where('id', '=', id)
    .where('state', 'in', statesBefore(messageLife, state))
    .execute()
}

/** Exports emails queued to a verified email, as plain data for JSON. Empty for null. */
export async function exportMails(db: Database, email: string | null): Promise<object[]> {
  const { rows } = await sql<{ mails: object[] }>`
    select coalesce(json_agg(mail order by at), '[]') as mails from (
      select json_build_object('about', kind, 'promisedAt', created_at, 'sentAt', message.sent_at, 'subject', subject, 'text', body_text) as mail, created_at as at
      from message left join email_copy on email_copy.message_id = message.id where lower(to_address) = ${email}
      union all
      select json_build_object('about', reason, 'blockedAt', blocked_at, 'clearedAt', cleared_at), blocked_at
      from mail_block where email = ${email}) as kept`.execute(db)
  return rows[0]?.mails ?? []
}

/** Deletes the mails to an account's email that are not about an order, if the email is verified. */
export async function forgetMailsTo(tx: Tx, accountId: string): Promise<void> {
  await sql`
    delete from message
    where order_id is null and lower(to_address) = (select email from account where id = ${accountId}::uuid and email_verified_at is not null)`.execute(
    tx,
  )
}

/** Deletes the emails about these orders, and those to these addresses, in lowercase, that are about no order. */
export async function forgetMailsOf(
  tx: Tx,
  { emails, orderIds }: { emails: readonly string[]; orderIds: readonly number[] },
): Promise<void> {
  if (orderIds.length > 0) await tx.deleteFrom('message').where('order_id', 'in', orderIds).execute()
  if (emails.length > 0)
    await sql`delete from message where order_id is null and lower(to_address) in (${sql.join(emails)})`.execute(tx)
}

/** Emails that the receiving side refused since then, oldest first. */
export function listRefusedMessages(
  { db }: { db: Database },
  { since, limit }: { since: Temporal.Instant; limit: number },
): Promise<{ kind: string; to: string; orderId: number | null; createdAt: Temporal.Instant }[]> {
  return db
    .selectFrom('message')
    .select(['kind', 'to_address as to', 'order_id as orderId', 'created_at as createdAt'])
    .where(sql<boolean>`state = 'refused'`)
    .where('created_at', '>=', since)
    .orderBy('created_at')
    .limit(limit)
    .execute()
}

/** A mail about an order, as staff see it. */
export type OrderMail = {
  id: string
  key: string
  kind: MessageKind
  to: string
  state: MessageState
  queuedAt: Temporal.Instant
  sentAt: Temporal.Instant | null
  /** The sent subject; null before sending, and after its copy was deleted. */
  subject: string | null
}

/** The mails about an order, oldest first. */
export async function selectMailsOfOrder(db: Database, orderId: number): Promise<OrderMail[]> {
  const rows = await db
    .selectFrom('message')
    .leftJoin('email_copy', 'email_copy.message_id', 'message.id')
    .select([
      'id',
      'key',
      'kind',
      'to_address as to',
      'state',
      'created_at as queuedAt',
      'message.sent_at as sentAt',
      'subject',
    ])
    .where('order_id', '=', orderId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map((row) => ({ ...row, kind: row.kind as MessageKind, state: row.state as MessageState }))
}

/** An email about one of a customer's orders. */
export type CustomerMail = {
  id: string
  kind: MessageKind
  orderId: number
  state: MessageState
  /** The sent subject; null before sending, and after its copy was deleted. */
  subject: string | null
  at: Temporal.Instant
}

/** The last emails about these orders, newest first. */
export async function selectMailsOfOrders(
  db: Database,
  orderIds: readonly number[],
  limit: number,
): Promise<CustomerMail[]> {
  if (orderIds.length === 0) return []
  const { rows } = await sql<CustomerMail>`
    select message.id, kind, order_id::int as "orderId", state, subject, coalesce(message.sent_at, message.created_at) as at
    from message left join email_copy on email_copy.message_id = message.id
    where order_id in (${sql.join(orderIds)}) order by message.created_at desc, message.id desc limit ${limit}`.execute(
    db,
  )
  return rows
}

/** Where the mails with these keys are; those that were deleted are not in it. */
export async function selectMessageStates(
  db: Database,
  keys: readonly string[],
): Promise<ReadonlyMap<string, MessageState>> {
  if (keys.length === 0) return new Map()
  const { rows } = await sql<{ key: string; state: MessageState }>`
    select key, state from message where key = any(${keys}::text[])`.execute(db)
  return new Map(rows.map(({ key, state }) => [key, state]))
}

/**
 * Counts emails due since `since` by whether they were sent within this many minutes, and the same since `lately`.
 * `oldestUnsentAt` is the due time of the oldest unsent email. Excludes emails that were refused or no longer needed.
 */
export async function readMailsInTime(
  db: Database,
  {
    since,
    lately,
    now,
    withinMinutes,
  }: { since: Temporal.Instant; lately: Temporal.Instant; now: Temporal.Instant; withinMinutes: number },
): Promise<{ good: number; bad: number; lastGood: number; lastBad: number; oldestUnsentAt: Temporal.Instant | null }> {
  const { rows } = await sql<{
    good: number
    bad: number
    lastGood: number
    lastBad: number
    oldestUnsentAt: Temporal.Instant | null
  }>`
    select count(*) filter (where ended <= until and state <> 'queued')::int as good, count(*) filter (where ended > until)::int as bad,
      count(*) filter (where ended <= until and state <> 'queued' and created_at >= ${lately}::timestamptz)::int as "lastGood",
      count(*) filter (where ended > until and created_at >= ${lately}::timestamptz)::int as "lastBad",
      min(created_at) filter (where state = 'queued') as "oldestUnsentAt"
    from (
      select state, created_at, coalesce(sent_at, ${now}::timestamptz) as ended, created_at + make_interval(mins => ${withinMinutes}::int) as until
      from message where created_at >= ${since}::timestamptz and (sent_at is not null or state = 'queued')
    ) due`.execute(db)
  return rows[0] ?? { good: 0, bad: 0, lastGood: 0, lastBad: 0, oldestUnsentAt: null }
}
