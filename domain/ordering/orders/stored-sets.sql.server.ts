/** The statements for sets that shops store. */
import { sql, type RawBuilder } from 'kysely'
import type { Database, Tx } from '#platform/db.ts'
import { sqlList } from '#platform/sql-list.ts'

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

/** A stored set with its shop and customer. `bookingId` is the finished job; days are ISO dates on the shop's calendar. */
export type StoredSetRow = {
  orderId: number
  shopCode: string
  shop: string
  city: string
  timeZone: string
  bookingId: string
  firstName: string
  lastName: string
  vehicle: string | null
  storedOn: string
  storedUntil: string
  place: string | null
  returnedAt: Temporal.Instant | null
}

/** Which stored sets are selected. Null selects all. */
export type StoredSetQuery = {
  shopIds: readonly number[] | null
  isReturned: boolean
  /** Only sets with a last day before this time, on the shop's calendar. */
  endedBy: Temporal.Instant | null
  orderId: number | null
  /** The last order on the previous page. */
  after: number | null
  limit: number
}

/** Selects up to `limit` sets. Stored sets come in the order of their last day, returned ones newest first. */
export async function selectStoredSets(
  db: Database,
  { shopIds, isReturned, endedBy, orderId, after, limit }: StoredSetQuery,
): Promise<StoredSetRow[]> {
  const key = isReturned ? sql`kept.returned_at, kept.order_id` : sql`kept.stored_until, kept.order_id`
  const order = isReturned ? sql`kept.returned_at desc, kept.order_id desc` : key
  const last = sql`(select ${key} from stored_set kept where kept.order_id = ${after}::bigint)`
  const conditions = [
    isReturned ? sql`kept.returned_at is not null` : sql`kept.returned_at is null`,
    ...(shopIds === null ? [] : [sql`kept.shop_id = any(${sqlList('int', shopIds)})`]),
    ...(orderId === null ? [] : [sql`kept.order_id = ${orderId}::bigint`]),
    ...(endedBy === null
      ? []
      : [sql`kept.stored_until < (${endedBy.toString()}::timestamptz at time zone shop.time_zone)::date`]),
    ...(after === null ? [] : [isReturned ? sql`(${key}) < ${last}` : sql`(${key}) > ${last}`]),
  ]
  const { rows } = await sql<StoredSetRow>`
    select kept.order_id as "orderId", shop.code as "shopCode", shop.name as shop, shop.city, shop.time_zone as "timeZone",
      (select b.id from booking b where b.order_id = kept.order_id and b.state = 'done' limit 1) as "bookingId",
      o.first_name as "firstName", o.last_name as "lastName", coalesce(o.fitment_verdict ->> 'vehicleName', o.vehicle_note) as vehicle,
      kept.stored_on::text as "storedOn", kept.stored_until::text as "storedUntil", kept.place, kept.returned_at as "returnedAt"
    from stored_set kept join sales_order o on o.id = kept.order_id join shop on shop.id = kept.shop_id
    where ${sql.join(conditions, sql` and `)}
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
