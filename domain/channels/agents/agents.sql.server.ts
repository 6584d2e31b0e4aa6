/** The statements for sessions of shopping agents. */
import { sql } from 'kysely'
import type { AgentSession, Said, SessionKind } from './agents.ts'
import type { Database, Tx } from '#platform/db.ts'

const columns = [
  'id',
  'kind',
  'cart_id as cartId',
  'account_id as accountId',
  'platform',
  'version',
  'webhook_url as webhookUrl',
  'said',
  'handover_key as handoverKey',
  'handed_over_at as handedOverAt',
  'canceled_at as canceledAt',
  'told_digest as toldDigest',
  'expires_at as expiresAt',
] as const

function toSession(row: Omit<AgentSession, 'kind' | 'said'> & { kind: string; said: unknown }): AgentSession {
  return { ...row, kind: row.kind as SessionKind, said: row.said as Said }
}

/** Writes a session; false if its cart has one of the kind already. */
export async function insertSession(
  db: Database,
  session: Pick<
    AgentSession,
    'id' | 'kind' | 'cartId' | 'accountId' | 'platform' | 'version' | 'webhookUrl' | 'handoverKey' | 'expiresAt'
  > & { at: Temporal.Instant },
): Promise<boolean> {
  const written = await db
    .insertInto('agent_session')
    .values({
      id: session.id,
      kind: session.kind,
      cart_id: session.cartId,
      account_id: session.accountId,
      platform: session.platform,
      version: session.version,
      webhook_url: session.webhookUrl,
      handover_key: session.handoverKey,
      expires_at: session.expiresAt,
      created_at: session.at,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return written.numInsertedOrUpdatedRows === 1n
}

/** A session of this platform; undefined for one of another. */
export async function selectSession(
  db: Database,
  { id, kind, platform }: Pick<AgentSession, 'id' | 'kind' | 'platform'>,
): Promise<AgentSession | undefined> {
  const row = await db
    .selectFrom('agent_session')
    .select(columns)
    .where('id', '=', id)
    .where('kind', '=', kind)
    .where('platform', '=', platform)
    .executeTakeFirst()
  return row && toSession(row)
}

/** The checkout of a cart that was not canceled. */
export async function selectCheckoutOf(db: Database, cartId: string): Promise<AgentSession | undefined> {
  const row = await db
    .selectFrom('agent_session')
    .select(columns)
    .where('cart_id', '=', cartId)
    .where('kind', '=', 'checkout')
    .where('canceled_at', 'is', null)
    .executeTakeFirst()
  return row && toSession(row)
}

/** Locks and returns a checkout by id, as used in browser links. */
export async function lockSession(tx: Tx, id: string): Promise<AgentSession | undefined> {
  const row = await tx.selectFrom('agent_session').select(columns).where('id', '=', id).forUpdate().executeTakeFirst()
  return row && toSession(row)
}

/** Returns a session by id. */
export async function selectAnySession(db: Database, id: string): Promise<AgentSession | undefined> {
  const row = await db.selectFrom('agent_session').select(columns).where('id', '=', id).executeTakeFirst()
  return row && toSession(row)
}

export async function updateSaid(db: Database, id: string, said: Said, expiresAt: Temporal.Instant): Promise<void> {
  await db
    .updateTable('agent_session')
    .set({ said: JSON.stringify(said), expires_at: expiresAt })
    .where('id', '=', id)
    .execute()
}

/** Makes the sessions of a guest's cart an account's. */
export async function updateAccount(tx: Tx, cartId: string, accountId: string): Promise<void> {
  await tx
    .updateTable('agent_session')
    .set({ account_id: accountId })
    .where('cart_id', '=', cartId)
    .where('account_id', 'is', null)
    .execute()
}

/** The sessions of an account, oldest first, for the export of its data. */
export async function selectSessionsOf(db: Database, accountId: string) {
  return db
    .selectFrom('agent_session')
    .select(['kind', 'platform', 'said', 'created_at as openedAt'])
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .orderBy('kind')
    .orderBy('id')
    .execute()
}

export async function updateCanceled(db: Database, id: string, at: Temporal.Instant): Promise<void> {
  await db.updateTable('agent_session').set({ canceled_at: at }).where('id', '=', id).execute()
}

/** Moves an agent's cart session to another cart. */
export async function updateCartOf(tx: Tx, { from, into }: { from: string; into: string }): Promise<void> {
  await tx
    .updateTable('agent_session')
    .set({ cart_id: into })
    .where('cart_id', '=', from)
    .where('kind', '=', 'cart')
    .execute()
}

export async function updateHandedOver(
  tx: Tx,
  id: string,
  next: { key: string; cartId: string; at: Temporal.Instant; expiresAt: Temporal.Instant },
): Promise<void> {
  await tx
    .updateTable('agent_session')
    .set({ handover_key: next.key, cart_id: next.cartId, handed_over_at: next.at, expires_at: next.expiresAt })
    .where('id', '=', id)
    .execute()
}

/**
 * Selects checkouts with an order since `since` and a platform that subscribed to updates, least recently checked
 * first, and marks them as checked.
 */
export async function lookAtOrdered(
  tx: Tx,
  { since, at, limit }: { since: Temporal.Instant; at: Temporal.Instant; limit: number },
): Promise<AgentSession[]> {
  const rows = await tx
    .updateTable('agent_session')
    .set({ looked_at: at })
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('agent_session as s')
        .innerJoin('sales_order as o', 'o.cart_id', 's.cart_id')
        .select('s.id')
        .where('s.canceled_at', 'is', null)
        .where('s.webhook_url', 'is not', null)
        .where('o.placed_at', '>', since)
        .orderBy(sql`s.looked_at nulls first`)
        .limit(limit)
        .forUpdate('s')
        .skipLocked(),
    )
    .returning(columns)
    .execute()
  return rows.map(toSession)
}

export async function updateTold(tx: Tx, id: string, digest: string): Promise<void> {
  await tx.updateTable('agent_session').set({ told_digest: digest }).where('id', '=', id).execute()
}

/** Deletes buyer data in sessions that ended before the given time, and sessions without an order. */
export async function forgetSaid(db: Database, before: Temporal.Instant): Promise<number> {
  const gone = await db
    .deleteFrom('agent_session')
    .where('expires_at', '<', before)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('sales_order').select('id').whereRef('sales_order.cart_id', '=', 'agent_session.cart_id'))),
    )
    .executeTakeFirst()
  const emptied = await db
    .updateTable('agent_session')
    .set({ said: '{}' })
    .where('expires_at', '<', before)
    .where(sql<boolean>`said <> '{}'`)
    .executeTakeFirst()
  return Number(gone.numDeletedRows + emptied.numUpdatedRows)
}
