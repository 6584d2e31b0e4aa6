/** Queries for order edits. */
import { sql, type RawBuilder } from 'kysely'
import type { Fulfillment } from '#domain/supply/delivery/delivery.ts'
import type { PriceBreakdown } from '#domain/pricing/pricing/pricing.ts'
import type { Database, Tx } from '#platform/db.ts'
import type { AskedPlace, ChangeState, Settlement } from './order-changes.ts'

/** A change of an order, with the whole price before and after it. */
export type OrderChange = AskedPlace & {
  id: string
  orderId: number
  state: ChangeState
  bookingId: string | null
  /** Where it was to be installed before. */
  fromShopId: number | null
  before: PriceBreakdown
  after: PriceBreakdown
  beforeCents: number
  afterCents: number
  settledBy: Settlement
  reason: string
  createdAt: Temporal.Instant
  createdBy: string
  expiresAt: Temporal.Instant | null
  endedAt: Temporal.Instant | null
}

/** Writes down a change that is made, or offered for payment. */
export async function insertChange(tx: Tx, change: OrderChange & { submissionKey: string }): Promise<void> {
  await tx
    .insertInto('order_change')
    .values({
      id: change.id,
      order_id: change.orderId,
      submission_key: change.submissionKey,
      state: change.state,
      fulfillment: change.fulfillment,
      shop_id: change.shopId,
      carrier_location_id: change.carrierLocationId,
      booking_id: change.bookingId,
      from_shop_id: change.fromShopId,
      before_breakdown: sql`${JSON.stringify(change.before)}::jsonb`,
      breakdown: sql`${JSON.stringify(change.after)}::jsonb`,
      before_cents: change.beforeCents,
      after_cents: change.afterCents,
      settled_by: change.settledBy,
      reason: change.reason,
      created_at: change.createdAt,
      created_by: change.createdBy,
      expires_at: change.expiresAt,
      ended_at: change.endedAt,
    })
    .execute()
}

/** The change with this id, or of this form; locked until the transaction ends with `isLocked`. */
export async function selectChange(
  db: Database,
  by: { id: string } | { submissionKey: string },
  { isLocked = false }: { isLocked?: boolean } = {},
): Promise<OrderChange | undefined> {
  const query = changes(db).$if(isLocked, (locked) => locked.forUpdate())
  const row = await (
    'id' in by ? query.where('id', '=', by.id) : query.where('submission_key', '=', by.submissionKey)
  ).executeTakeFirst()
  return row && toChange(row)
}

/** Returns an order's edit pending payment, at most one. */
export async function selectOpenChange(db: Database, orderId: number): Promise<OrderChange | undefined> {
  const row = await changes(db)
    .where('order_id', '=', orderId)
    .where('state', '=', 'awaiting-payment')
    .executeTakeFirst()
  return row && toChange(row)
}

/** Selects an order's applied edits, oldest first. */
export async function selectDoneChanges(db: Database, orderId: number): Promise<OrderChange[]> {
  const rows = await changes(db)
    .where('order_id', '=', orderId)
    .where('state', '=', 'done')
    .orderBy('ended_at')
    .orderBy('id')
    .execute()
  return rows.map(toChange)
}

/**
 * The first change of an order that was made at `at` or later, for other statements: what the order was before it
 * (`was`, `from_shop_id`) and after it (`becomes`, `to_shop_id`), and when it was made (`ended_at`).
 */
export function changeMadeFrom({ orderId, at }: Record<'orderId' | 'at', RawBuilder<unknown>>): RawBuilder<unknown> {
  return sql`
    select from_shop_id, shop_id as to_shop_id, before_breakdown as was, order_change.breakdown as becomes, ended_at
    from order_change where order_change.order_id = ${orderId} and order_change.state = 'done' and ended_at >= ${at}
    order by ended_at, order_change.id limit 1`
}

/** Ends an edit pending payment. Returns false if it has ended. */
export async function updateToEnded(
  tx: Tx,
  id: string,
  to: { state: Exclude<ChangeState, 'awaiting-payment'>; at: Temporal.Instant; bookingId?: string | null },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('order_change')
    .set({ state: to.state, ended_at: to.at, ...(to.bookingId ? { booking_id: to.bookingId } : {}) })
    .where('id', '=', id)
    .where('state', '=', 'awaiting-payment')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Selects edits with a link that expires by `at`. */
export async function selectOver(db: Database, at: Temporal.Instant, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('order_change')
    .select('id')
    .where('state', '=', 'awaiting-payment')
    .where('expires_at', '<=', at)
    .orderBy('expires_at')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

function changes(db: Database) {
  return db.selectFrom('order_change').selectAll()
}

type Row = Awaited<ReturnType<ReturnType<typeof changes>['executeTakeFirstOrThrow']>>

function toChange(row: Row): OrderChange {
  return {
    id: row.id,
    orderId: row.order_id,
    state: row.state as ChangeState,
    fulfillment: row.fulfillment as Fulfillment,
    shopId: row.shop_id,
    carrierLocationId: row.carrier_location_id,
    bookingId: row.booking_id,
    fromShopId: row.from_shop_id,
    before: row.before_breakdown as unknown as PriceBreakdown,
    after: row.breakdown as unknown as PriceBreakdown,
    beforeCents: row.before_cents,
    afterCents: row.after_cents,
    settledBy: row.settled_by as Settlement,
    reason: row.reason,
    createdAt: row.created_at,
    createdBy: row.created_by,
    expiresAt: row.expires_at,
    endedAt: row.ended_at,
  }
}
