/** Queries that write returns. Lock the return before changing it, or its order if the return doesn't exist yet. */
import { sql } from 'kysely'
import { storeFile } from '#domain/kernel/files/files.server.ts'
import type { Attachment } from '#domain/kernel/files/files.server.ts'
import type { Database, Tx } from '#platform/db.ts'
import {
  mayTireMove,
  type FeeReason,
  type ReturnOutcome,
  type ReturnReason,
  type ReturnTireState,
} from './return-terms.ts'

/** The actor and time of a change, with `note` for details. */
export type ReturnChange = { actor: string; at: Temporal.Instant; note: string | null }

export type NewReturn = {
  orderId: number
  seq: number
  reason: ReturnReason
  wants: 'refund' | 'exchange'
  note: string | null
  wasSaidToFit: boolean
  by: 'shopper' | 'program' | 'staff'
  /** The actor who opens it, as shown in its history. */
  actor: string
  at: Temporal.Instant
  shipBy: Temporal.PlainDate | null
  units: readonly { lineNo: number; unit: number }[]
  photos: readonly Attachment[]
}

/** The return of an order with this number among its returns. */
export async function findReturnBySeq(db: Database, orderId: number, seq: number): Promise<number | undefined> {
  const found = await db
    .selectFrom('order_return')
    .select('id')
    .where('order_id', '=', orderId)
    .where('seq', '=', seq)
    .executeTakeFirst()
  return found?.id
}

/** How many returns an order has. */
export async function countReturns(db: Database, orderId: number): Promise<number> {
  const { count } = await db
    .selectFrom('order_return')
    .select((eb) => eb.fn.coalesce(eb.fn.max('seq'), eb.lit(0)).as('count'))
    .where('order_id', '=', orderId)
    .executeTakeFirstOrThrow()
  return count
}

/** Selects an order's units in active returns. */
export function selectTakenUnits(db: Database, orderId: number): Promise<{ lineNo: number; unit: number }[]> {
  return db
    .selectFrom('return_tire')
    .select(['line_no as lineNo', 'unit'])
    .where('order_id', '=', orderId)
    .where('state', '<>', 'canceled')
    .execute()
}

/** Writes a return with its tires and photos, and returns its id. */
export async function insertReturn(tx: Tx, made: NewReturn): Promise<number> {
  const { id } = await tx
    .insertInto('order_return')
    .values({
      order_id: made.orderId,
      seq: made.seq,
      reason: made.reason,
      wants: made.wants,
      note: made.note,
      was_said_to_fit: made.wasSaidToFit,
      requested_by: made.by,
      requested_at: made.at,
      ship_by_on: made.shipBy?.toString() ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('return_tire')
    .values(
      made.units.map(({ lineNo, unit }, index) => ({
        return_id: id,
        tire_no: index + 1,
        order_id: made.orderId,
        line_no: lineNo,
        unit,
        ships_back: made.reason !== 'short',
      })),
    )
    .execute()
  for (const index of made.units.keys())
    await insertReturnEvent(tx, { returnId: id, tireNo: index + 1 }, null, 'requested', {
      actor: made.actor,
      at: made.at,
      note: null,
    })
  for (const [index, photo] of made.photos.entries())
    await insertReturnPhoto(tx, id, { no: index + 1, tireNo: null, by: 'shopper', photo, at: made.at })
  return id
}

/** Stores a return's photo. */
export async function insertReturnPhoto(
  tx: Tx,
  returnId: number,
  {
    no,
    tireNo,
    by,
    photo,
    at,
  }: { no: number; tireNo: number | null; by: 'shopper' | 'staff'; photo: Attachment; at: Temporal.Instant },
): Promise<void> {
  await tx
    .insertInto('return_photo')
    .values({
      return_id: returnId,
      no,
      tire_no: tireNo,
      by,
      name: photo.name,
      file_key: await storeFile(tx, photo, at),
      at,
    })
    .execute()
}

/** Returns the number for a return's next photo. */
export async function nextPhotoNo(tx: Tx, returnId: number): Promise<number> {
  const { last } = await tx
    .selectFrom('return_photo')
    .select((eb) => eb.fn.coalesce(eb.fn.max('no'), eb.lit(0)).as('last'))
    .where('return_id', '=', returnId)
    .executeTakeFirstOrThrow()
  return last + 1
}

/** Locks a return until the transaction ends; undefined if it doesn't exist. */
export async function lockReturn(tx: Tx, returnId: number): Promise<{ orderId: number } | undefined> {
  const row = await tx
    .selectFrom('order_return')
    .select('order_id')
    .where('id', '=', returnId)
    .forUpdate()
    .executeTakeFirst()
  return row && { orderId: row.order_id }
}

/** The tire with this tracking number. Its return is not locked. */
export async function findTireByTracking(
  db: Database,
  trackingNumber: string,
): Promise<{ returnId: number; tireNo: number } | undefined> {
  return db
    .selectFrom('return_tire')
    .select(['return_id as returnId', 'tire_no as tireNo'])
    .where('tracking_number', '=', trackingNumber)
    .executeTakeFirst()
}

type Tire = { returnId: number; tireNo: number; state: ReturnTireState }

/** What is written with a move, by the state it leads to. */
export type TireFields = {
  carrier?: string
  tracking_number?: string
  label_url?: string | null
  received_at?: Temporal.Instant
  finding?: string | null
  dot?: string | null
  is_dot_match?: boolean | null
  outcome?: ReturnOutcome | null
  refusal?: string
  inspected_at?: Temporal.Instant
  refund_no?: number
}

/** Moves a locked return's tire and records the event. Throws on a disallowed transition, so callers check first. */
export async function moveTire(
  tx: Tx,
  tire: Tire,
  to: ReturnTireState,
  { change, ...fields }: TireFields & { change: ReturnChange },
): Promise<void> {
  if (!mayTireMove(tire.state, to)) throw new Error(`A returned tire can’t go from ${tire.state} to ${to}.`)
  const { numUpdatedRows } = await tx
    .updateTable('return_tire')
    .set({ ...fields, state: to })
    .where('return_id', '=', tire.returnId)
    .where('tire_no', '=', tire.tireNo)
    .where('state', '=', tire.state)
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) throw new Error(`Tire ${tire.tireNo} of return ${tire.returnId} is not ${tire.state}.`)
  await insertReturnEvent(tx, tire, tire.state, to, change)
}

/** Stores the carrier's reference for a tire's parcel and the warehouse it goes to, before its label is bought. */
export async function keepParcel(
  db: Database,
  { returnId, tireNo }: { returnId: number; tireNo: number },
  { parcelRef, warehouseId }: { parcelRef: string; warehouseId: number },
): Promise<void> {
  await db
    .updateTable('return_tire')
    .set({ parcel_ref: parcelRef, warehouse_id: warehouseId })
    .where('return_id', '=', returnId)
    .where('tire_no', '=', tireNo)
    .execute()
}

/** Records a scan or a note without changing the tire's state. */
export function noteOnTire(tx: Tx, tire: Tire, change: ReturnChange): Promise<void> {
  return insertReturnEvent(tx, tire, tire.state, tire.state, change)
}

async function insertReturnEvent(
  tx: Tx,
  { returnId, tireNo }: { returnId: number; tireNo: number },
  from: ReturnTireState | null,
  to: ReturnTireState,
  { actor, at, note }: ReturnChange,
): Promise<void> {
  await tx
    .insertInto('return_event')
    .values({ return_id: returnId, tire_no: tireNo, at, from_state: from, to_state: to, actor, note })
    .execute()
}

/** Holds a locked return. */
export async function insertReturnHold(
  tx: Tx,
  { returnId, reason, by, at }: { returnId: number; reason: string; by: string; at: Temporal.Instant },
): Promise<void> {
  await tx.insertInto('return_hold').values({ return_id: returnId, reason, held_by: by, held_at: at }).execute()
}

/** Ends the hold of a locked return. */
export async function updateReturnHold(
  tx: Tx,
  { returnId, result, by, at }: { returnId: number; result: string; by: string; at: Temporal.Instant },
): Promise<void> {
  await tx
    .updateTable('return_hold')
    .set({ result, released_by: by, released_at: at })
    .where('return_id', '=', returnId)
    .where('released_at', 'is', null)
    .execute()
}

/** Records a locked return's refund, and returns its number. */
export async function insertReturnRefund(
  tx: Tx,
  refund: {
    returnId: number
    at: Temporal.Instant
    by: string
    goodsCents: number
    feeCents: number
    loweredCents: number
    feeReason: FeeReason
    way: 'card' | 'credit' | 'invoice' | 'by-hand'
    no: number
  },
): Promise<void> {
  await tx
    .insertInto('return_refund')
    .values({
      return_id: refund.returnId,
      no: refund.no,
      at: refund.at,
      by: refund.by,
      goods_cents: refund.goodsCents,
      fee_cents: refund.feeCents,
      fee_reason: refund.feeReason,
      lowered_cents: refund.loweredCents,
      refund_cents: refund.goodsCents - refund.feeCents - refund.loweredCents,
      way: refund.way,
    })
    .execute()
}

/** Links accepted tires to their order refund, with the fee decision. */
export async function linkToRefund(
  tx: Tx,
  {
    returnId,
    tires,
    refundId,
    feeReason,
  }: {
    returnId: number
    tires: readonly { tireNo: number }[]
    refundId: string
    feeReason: FeeReason
  },
): Promise<void> {
  await tx
    .updateTable('return_tire')
    .set({ order_refund_id: refundId, order_refund_fee: feeReason })
    .where('return_id', '=', returnId)
    .where(
      'tire_no',
      'in',
      tires.map(({ tireNo }) => tireNo),
    )
    .where('state', '=', 'accepted')
    .execute()
}

/** Returns the pending order refund for a return's accepted tires. It is a draft, or approved and not completed. */
export async function selectPendingRefund(
  db: Database,
  returnId: number,
): Promise<{ refundId: string; state: 'draft' | 'approved'; feeReason: FeeReason } | undefined> {
  const { rows } = await sql<{ refundId: string; state: 'draft' | 'approved'; feeReason: FeeReason }>`
    select refund.id as "refundId", refund.state, tire.order_refund_fee as "feeReason"
    from return_tire tire join order_refund refund on refund.id = tire.order_refund_id
    where tire.return_id = ${returnId}::bigint and tire.state = 'accepted' and refund.state <> 'declined'
    order by refund.created_at, refund.id limit 1`.execute(db)
  return rows[0]
}

/** Returns the return an order refund belongs to. */
export async function selectReturnOfRefund(db: Database, refundId: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('return_tire')
    .select('return_id as id')
    .where('order_refund_id', '=', refundId)
    .limit(1)
    .executeTakeFirst()
  return row?.id
}

/** Selects a return's tires in an order refund. */
export async function selectTiresOfRefund(
  db: Database,
  { returnId, refundId }: { returnId: number; refundId: string },
): Promise<number[]> {
  const rows = await db
    .selectFrom('return_tire')
    .select('tire_no as tireNo')
    .where('return_id', '=', returnId)
    .where('order_refund_id', '=', refundId)
    .execute()
  return rows.map(({ tireNo }) => tireNo)
}

/** Links a return to the cart its exchange was started in. */
export async function updateExchangeCart(tx: Tx, returnId: number, cartId: string): Promise<void> {
  await tx.updateTable('order_return').set({ exchange_cart_id: cartId }).where('id', '=', returnId).execute()
}

/** Records the order of the right size that staff found. */
export async function updateReorder(tx: Tx, returnId: number, reorderId: number): Promise<void> {
  await tx.updateTable('order_return').set({ reorder_id: reorderId }).where('id', '=', returnId).execute()
}

/** Returns whether an order's active tires were all refunded. */
export async function isWholeOrderRefunded(tx: Tx, orderId: number): Promise<boolean> {
  const { rows } = await sql<{ whole: boolean }>`
    select (select coalesce(sum(quantity), 0) from stock_allocation where order_id = ${orderId}::bigint)
      = (select count(*) from return_tire where order_id = ${orderId}::bigint and state = 'refunded') as whole`.execute(
    tx,
  )
  return rows[0]?.whole ?? false
}

/** Deletes the photos of completed returns requested before `before`; returns how many. */
export async function forgetOldReturnPhotos(db: Database, before: Temporal.Instant): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from return_photo using order_return
    where order_return.id = return_photo.return_id and order_return.requested_at < ${before}
      and not exists (select from return_tire where return_tire.return_id = order_return.id and state not in ('refunded', 'refused', 'canceled'))`.execute(
    db,
  )
  return Number(numAffectedRows ?? 0n)
}
