/** The statements for sets that shops store. */
import { sql, type RawBuilder } from 'kysely'
import type { Database, Tx } from '#platform/db.ts'

/** An order's stored set as JSON; null without one. */
export function storedSetOf(orderId: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(select json_build_object('storedOn', kept.stored_on, 'storedUntil', kept.stored_until, 'place', kept.place, 'returnedAt', kept.returned_at)
    from stored_set kept where kept.order_id = ${orderId})`
}

/** Stores the set of a finished service. Days are on the shop's calendar. */
export async function insertStoredSet(
  tx: Tx,
  set: {
    orderId: number
    shopId: number
    storedOn: Temporal.PlainDate
    storedUntil: Temporal.PlainDate
    at: Temporal.Instant
  },
): Promise<void> {
  await tx
    .insertInto('stored_set')
    .values({
      order_id: set.orderId,
      shop_id: set.shopId,
      stored_at: set.at,
      stored_on: set.storedOn.toString(),
      stored_until: set.storedUntil.toString(),
    })
    .execute()
}

/** A shop's stored set with its customer. `bookingId` is the finished job; days are ISO dates. */
export type StoredSetRow = {
  orderId: number
  bookingId: string
  firstName: string
  lastName: string
  vehicle: string | null
  storedOn: string
  storedUntil: string
  place: string | null
  returnedAt: Temporal.Instant | null
}

/** Selects up to `limit` sets of a shop. Stored sets come in the order of their last day, returned ones newest first. */
export async function selectStoredSets(
  db: Database,
  { shopId, isReturned, limit }: { shopId: number; isReturned: boolean; limit: number },
): Promise<StoredSetRow[]> {
  const order = isReturned ? sql`kept.returned_at desc, kept.order_id` : sql`kept.stored_until, kept.order_id`
  const { rows } = await sql<StoredSetRow>`
    select kept.order_id as "orderId", (select b.id from booking b where b.order_id = kept.order_id and b.state = 'done' limit 1) as "bookingId",
      o.first_name as "firstName", o.last_name as "lastName", coalesce(o.fitment_verdict ->> 'vehicleName', o.vehicle_note) as vehicle,
      kept.stored_on::text as "storedOn", kept.stored_until::text as "storedUntil", kept.place, kept.returned_at as "returnedAt"
    from stored_set kept join sales_order o on o.id = kept.order_id
    where kept.shop_id = ${shopId}::int and (kept.returned_at is null) = ${!isReturned}::boolean
    order by ${order} limit ${limit}`.execute(db)
  return rows
}

/** Sets a stored set's place. False if another shop stores it, or it was returned. */
export async function updateSetPlace(
  tx: Tx,
  { orderId, shopId, place }: { orderId: number; shopId: number; place: string | null },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('stored_set')
    .set({ place })
    .where('order_id', '=', orderId)
    .where('shop_id', '=', shopId)
    .where('returned_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Marks a stored set as returned to its customer. False if another shop stores it, or it was returned before. */
export async function updateSetReturned(
  tx: Tx,
  { orderId, shopId, memberId, at }: { orderId: number; shopId: number; memberId: string; at: Temporal.Instant },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('stored_set')
    .set({ returned_at: at, returned_by: memberId })
    .where('order_id', '=', orderId)
    .where('shop_id', '=', shopId)
    .where('returned_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/**
 * Marks sets that end within `days` as reminded, up to 500, and returns their orders with emails. Each is returned once.
 * Skips sets past their last day.
 */
export async function updateReminded(
  tx: Tx,
  { days, at }: { days: number; at: Temporal.Instant },
): Promise<{ orderId: number; email: string }[]> {
  const today = sql`(${at.toString()}::timestamptz at time zone shop.time_zone)::date`
  const { rows } = await sql<{ orderId: number; email: string }>`
    with due as (
      select kept.order_id, o.email from stored_set kept join sales_order o on o.id = kept.order_id join shop on shop.id = kept.shop_id
      where kept.returned_at is null and kept.reminded_at is null
        and kept.stored_until <= ${today} + ${days}::int and kept.stored_until >= ${today}
      order by kept.order_id limit 500 for update of kept skip locked)
    update stored_set set reminded_at = ${at.toString()}::timestamptz from due where stored_set.order_id = due.order_id
    returning due.order_id as "orderId", due.email`.execute(tx)
  return rows
}
