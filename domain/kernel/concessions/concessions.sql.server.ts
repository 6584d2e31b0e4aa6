/** Queries for concessions. */
import { sql } from 'kysely'
import type { Database, Tx } from '#platform/db.ts'
import type { ConcessionKind, GivenAlone } from './concessions.ts'

export type ConcessionSubject = {
  kind: ConcessionKind
  reference: string
  orderId: number | null
  shopId: number | null
  recipient: string | null
  amountCents: number
}

/** A concession that awaits a second person. */
export type ConcessionRequest = { id: string; amountCents: number; requestedBy: string; requestedAt: Temporal.Instant }

/**
 * Serializes concessions of the same order, recipient, shop and person until the transaction ends. The order avoids
 * deadlocks.
 */
export async function lockSums(
  tx: Tx,
  {
    orderId,
    shopId,
    recipient,
    person,
  }: { orderId: number | null; shopId: number | null; recipient: string | null; person: string },
): Promise<void> {
  const keys = [
    ...(orderId === null ? [] : [`concession order ${orderId}`]),
    ...(recipient === null ? [] : [`concession recipient ${recipient}`]),
    ...(shopId === null ? [] : [`concession shop ${shopId}`]),
    `concession person ${person}`,
  ]
  for (const key of keys) await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(tx)
}

/** Sums concessions without approval for an order, for a shop since `shopSince`, by a person since `personSince`. */
export async function selectGivenAlone(
  db: Database,
  {
    orderId,
    shopId,
    recipient,
    person,
    shopSince,
    personSince,
    recipientSince,
  }: {
    orderId: number | null
    shopId: number | null
    recipient: string | null
    person: string
    shopSince: Temporal.Instant
    personSince: Temporal.Instant
    recipientSince: Temporal.Instant
  },
): Promise<GivenAlone> {
  const alone = sql`state = 'given' and decided_by = requested_by`
  const { rows } = await sql<GivenAlone>`select
    (select coalesce(sum(amount_cents), 0) from concession where ${alone} and order_id = ${orderId}::bigint)::int as "orderCents",
    (select coalesce(sum(amount_cents), 0) from concession where ${alone} and recipient = ${recipient}::text and decided_at > ${recipientSince})::int as "recipientCents",
    (select coalesce(sum(amount_cents), 0) from concession where ${alone} and shop_id = ${shopId}::int and decided_at > ${shopSince})::int as "shopCents",
    (select coalesce(sum(amount_cents), 0) from concession where ${alone} and decided_by = ${person} and decided_at > ${personSince}
      and kind <> 'pay-deduction')::int as "personCents"`.execute(db)
  return rows[0] ?? { orderCents: 0, recipientCents: 0, shopCents: 0, personCents: 0 }
}

/** Finds the request for a concession; undefined without one. */
export async function selectRequest(
  db: Database,
  { kind, reference }: Pick<ConcessionSubject, 'kind' | 'reference'>,
): Promise<ConcessionRequest | undefined> {
  const { rows } = await sql<ConcessionRequest>`
    select id, amount_cents as "amountCents", requested_by as "requestedBy", requested_at as "requestedAt" from concession
    where kind = ${kind} and reference = ${reference} and state = 'requested'`.execute(db)
  return rows[0]
}

/** Lists requests that await a second person, oldest first. */
export async function selectRequests(
  db: Database,
  limit: number,
): Promise<(ConcessionRequest & Pick<ConcessionSubject, 'kind' | 'reference'>)[]> {
  const { rows } = await sql<ConcessionRequest & Pick<ConcessionSubject, 'kind' | 'reference'>>`
    select id, kind, reference, amount_cents as "amountCents", requested_by as "requestedBy", requested_at as "requestedAt" from concession
    where state = 'requested' order by requested_at, id limit ${limit}`.execute(db)
  return rows
}

/** Inserts a request; an immediate concession is decided next. */
export async function insertConcession(
  tx: Tx,
  concession: ConcessionSubject & { id: string; isOverLimit: boolean; by: string; at: Temporal.Instant },
): Promise<void> {
  const { kind, reference, orderId, shopId, recipient, amountCents, id, isOverLimit, by, at } = concession
  await tx
    .insertInto('concession')
    .values({
      id,
      kind,
      reference,
      state: 'requested',
      order_id: orderId,
      shop_id: shopId,
      recipient,
      amount_cents: amountCents,
      is_over_limit: isOverLimit,
      requested_by: by,
      requested_at: at,
    })
    .execute()
}

/** Replaces a request's requester and amount. */
export async function updateRequest(
  tx: Tx,
  {
    id,
    amountCents,
    isOverLimit,
    by,
    at,
  }: { id: string; amountCents: number; isOverLimit: boolean; by: string; at: Temporal.Instant },
): Promise<void> {
  await tx
    .updateTable('concession')
    .set({ amount_cents: amountCents, is_over_limit: isOverLimit, requested_by: by, requested_at: at })
    .where('id', '=', id)
    .execute()
}

/** Decides a request. */
export async function updateToDecided(
  tx: Tx,
  {
    id,
    state,
    amountCents,
    by,
    at,
  }: { id: string; state: 'given' | 'declined'; amountCents: number; by: string; at: Temporal.Instant },
): Promise<void> {
  await tx
    .updateTable('concession')
    .set({ state, amount_cents: amountCents, decided_by: by, decided_at: at })
    .where('id', '=', id)
    .execute()
}
