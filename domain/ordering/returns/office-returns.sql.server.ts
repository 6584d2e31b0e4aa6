/** Office return lists, paged without counting, each through an index in the same order. */
import { sql } from 'kysely'
import type { Database } from '#platform/db.ts'
import type { ReturnReason, ReturnTireState } from './return-terms.ts'

export type ListedReturn = {
  id: number
  orderId: number
  name: string
  reason: ReturnReason
  requestedAt: Temporal.Instant
  states: ReturnTireState[]
  /** Whether its refund is on hold. */
  isHeld: boolean
  /** When the tire with the longest pending inspection or refund was received; null if not pending. */
  waitingSince: Temporal.Instant | null
}

/**
 * Returns with a tire in `state`, or all, newest first, from before `before`. Reads at most `limit`.
 */
export async function selectReturns(
  db: Database,
  { state, before, limit }: { state: ReturnTireState | null; before: number | null; limit: number },
): Promise<ListedReturn[]> {
  const from =
    state === null
      ? sql`select id from order_return where ${before}::bigint is null or id < ${before}::bigint order by id desc limit ${limit}`
      : sql`select distinct return_id as id from return_tire where state = ${state} and (${before}::bigint is null or return_id < ${before}::bigint) order by return_id desc limit ${limit}`
  return readListed(db, from)
}

/**
 * Selects returns with received or accepted tires, longest pending first, because their refund is due within 48 hours.
 */
export function selectWaitingReturns(db: Database, limit: number): Promise<ListedReturn[]> {
  return readListed(
    db,
    sql`select return_id as id from return_tire where state in ('received', 'accepted') group by return_id order by min(received_at) limit ${limit}`,
    sql`"waitingSince", id`,
  )
}

/** Selects undecided returns of tires that never arrived, oldest first. */
export function selectMissingTires(db: Database, limit: number): Promise<ListedReturn[]> {
  return readListed(
    db,
    sql`select distinct return_id as id from return_tire where state = 'requested' and not ships_back order by return_id limit ${limit}`,
    sql`id`,
  )
}

async function readListed(
  db: Database,
  from: ReturnType<typeof sql>,
  order: ReturnType<typeof sql> = sql`id desc`,
): Promise<ListedReturn[]> {
  const { rows } = await sql<
    Omit<ListedReturn, 'requestedAt' | 'waitingSince'> & { requestedAt: string; waitingSince: string | null }
  >`
    select back.id, back.order_id as "orderId", o.first_name || ' ' || o.last_name as name, back.reason, back.requested_at as "requestedAt",
      (select array_agg(tire.state order by tire.tire_no) from return_tire tire where tire.return_id = back.id) as states,
      exists (select from return_hold hold where hold.return_id = back.id and hold.released_at is null) as "isHeld",
      (select min(tire.received_at) from return_tire tire where tire.return_id = back.id and tire.state in ('received', 'accepted')) as "waitingSince"
    from (${from}) as found join order_return back using (id) join sales_order o on o.id = back.order_id
    order by ${order}`.execute(db)
  return rows.map((row) => ({
    ...row,
    requestedAt: instantOf(row.requestedAt),
    waitingSince: row.waitingSince === null ? null : instantOf(row.waitingSince),
  }))
}

function instantOf(value: unknown): Temporal.Instant {
  return value instanceof Temporal.Instant ? value : Temporal.Instant.from(String(value))
}

export type ReturnEntry = {
  tireNo: number
  at: Temporal.Instant
  from: ReturnTireState | null
  to: ReturnTireState
  actor: string
  note: string | null
}

/** Selects a return's tire events, newest first. */
export async function selectReturnEvents(db: Database, returnId: number): Promise<ReturnEntry[]> {
  const rows = await db
    .selectFrom('return_event')
    .select(['tire_no as tireNo', 'at', 'from_state as from', 'to_state as to', 'actor', 'note'])
    .where('return_id', '=', returnId)
    .orderBy('id', 'desc')
    .execute()
  return rows.map((row) => ({
    ...row,
    from: row.from as ReturnTireState | null,
    to: row.to as ReturnTireState,
  }))
}

export type ReturnHold = {
  reason: string
  by: string
  at: Temporal.Instant
  /** Null while it is held. */
  released: { result: string; by: string; at: Temporal.Instant } | null
}

/** Selects a return's holds, newest first. */
export async function selectReturnHolds(db: Database, returnId: number): Promise<ReturnHold[]> {
  const rows = await db
    .selectFrom('return_hold')
    .select(['reason', 'held_by', 'held_at', 'result', 'released_by', 'released_at'])
    .where('return_id', '=', returnId)
    .orderBy('id', 'desc')
    .execute()
  return rows.map(({ reason, held_by: by, held_at: at, result, released_by: releasedBy, released_at: releasedAt }) => ({
    reason,
    by,
    at,
    released:
      result !== null && releasedBy !== null && releasedAt !== null ? { result, by: releasedBy, at: releasedAt } : null,
  }))
}

/** Selects a return's photos without their bytes. */
export function selectReturnPhotos(
  db: Database,
  returnId: number,
): Promise<{ no: number; tireNo: number | null; by: string; name: string; at: Temporal.Instant }[]> {
  return db
    .selectFrom('return_photo')
    .select(['no', 'tire_no as tireNo', 'by', 'name', 'at'])
    .where('return_id', '=', returnId)
    .orderBy('no')
    .execute()
}

/** The key of a picture's file. */
export async function selectReturnPhotoKey(
  db: Database,
  { returnId, no }: { returnId: number; no: number },
): Promise<string | undefined> {
  const row = await db
    .selectFrom('return_photo')
    .select('file_key')
    .where('return_id', '=', returnId)
    .where('no', '=', no)
    .executeTakeFirst()
  return row?.file_key
}
