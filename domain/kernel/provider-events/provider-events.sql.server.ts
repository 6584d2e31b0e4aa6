/**
 * Queries for events from providers and carriers. Each event is stored once, and payloads are partitioned by month
 * (docs/decisions/026-large-tables.md).
 */
import { sql } from 'kysely'
import type { Database, Tx } from '#platform/db.ts'
import { turnMonths } from '#platform/months.ts'

/** Stores a provider's message. Returns false if it was already stored and handled. */
export async function keepProviderEvent(
  db: Database,
  event: { provider: string; id: string; kind: string; body: unknown },
  at: Temporal.Instant,
): Promise<boolean> {
  const result = await sql<{ fresh: boolean }>`
    with kept as (
      insert into provider_event (provider, id, kind, received_at)
      values (${event.provider}, ${event.id}, ${event.kind}, ${at.toString()}::timestamptz)
      on conflict (provider, id) do update set received_at = provider_event.received_at
      returning provider, id, received_at, processed_at),
    said as (
      insert into provider_event_body (provider, id, received_at, body)
      select provider, id, received_at, ${JSON.stringify(event.body)}::jsonb from kept on conflict do nothing)
    select processed_at is null as fresh from kept`.execute(db)
  return result.rows[0]?.fresh ?? false
}

/**
 * Stores a provider's message that is handled in the same transaction, like a carrier's. Returns false if already
 * stored.
 */
export async function keepHandledEvent(
  tx: Tx,
  event: { provider: string; id: string; kind: string; body: unknown },
  at: Temporal.Instant,
): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    with kept as (
      insert into provider_event (provider, id, kind, received_at, processed_at)
      values (${event.provider}, ${event.id}, ${event.kind}, ${at.toString()}::timestamptz, ${at.toString()}::timestamptz)
      on conflict do nothing returning provider, id, received_at),
    said as (
      insert into provider_event_body (provider, id, received_at, body)
      select provider, id, received_at, ${JSON.stringify(event.body)}::jsonb from kept)
    select id from kept`.execute(tx)
  return rows.length > 0
}

export async function markProviderEvent(
  db: Database,
  provider: string,
  id: string,
  at: Temporal.Instant,
): Promise<void> {
  await db
    .updateTable('provider_event')
    .set({ processed_at: at })
    .where('provider', '=', provider)
    .where('id', '=', id)
    .execute()
}

/**
 * Deletes provider events from before an instant. They are too old to be redelivered. Returns how many. Payloads are
 * dropped with their monthly partition, up to a month earlier.
 */
export async function forgetOldProviderEvents(db: Database, before: Temporal.Instant): Promise<number> {
  await turnMonths(db, 'provider_event_body', before)
  const { numDeletedRows } = await db
    .deleteFrom('provider_event')
    .where('received_at', '<', before)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
