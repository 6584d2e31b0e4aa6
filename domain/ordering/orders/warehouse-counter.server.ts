/**
 * Orders at a warehouse's counter, from release to ready to completed with the pickup code. Permissions are in
 * domain/ordering/warehouse-pickups.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import { readyBy, remindDaysBefore, type CounterHours } from '#domain/supply/delivery/delivery.ts'
import { queueMessage } from '#domain/messaging/messages/messages.server.ts'
import type { PickupState } from './warehouse-counter.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Tx } from '#platform/db.ts'
import { makingSecret, someSecret, type Secrets } from '#platform/secrets.ts'

/** An order at the counter. `shipmentId` is its parcel; `tires` are those not canceled. */
export type Pickup = {
  orderId: number
  state: PickupState
  warehouse: string
  timeZone: string
  firstName: string
  lastName: string
  email: string
  shipmentId: string
  tires: number
  items: string[]
  readyBy: Temporal.Instant
  readyAt: Temporal.Instant | null
  keepUntil: string | null
  handedOverAt: Temporal.Instant | null
  handedOverBy: string | null
  wrongCodes: number
  wrongCodeAt: Temporal.Instant | null
  /** The terms of its warehouse. */
  readyHours: number
  keptDays: number
}

/** Opens the pickup of a released order. Idempotent. */
export async function openPickup(
  tx: Tx,
  order: {
    orderId: number
    warehouseId: number
    week: readonly CounterHours[]
    closedDays: readonly string[]
    timeZone: string
    readyHours: number
  },
  now: Temporal.Instant,
): Promise<void> {
  // A warehouse that closed its counter since still gets the tires ready.
  const by = readyBy(order, now) ?? now.add({ hours: order.readyHours })
  await tx
    .insertInto('warehouse_pickup')
    .values({ order_id: order.orderId, warehouse_id: order.warehouseId, ready_by: by })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/**
 * The six digits with which a buyer shows at the counter that an order is theirs: an HMAC cut short as RFC 4226 has it.
 * They are stored nowhere.
 */
export function pickupCodeOf(secret: Secrets, orderId: number): string {
  const mac = createHmac('sha256', makingSecret(secret)).update(`pickup-code\n${orderId}`).digest()
  return String(mac.readUIntBE(0, 6) % 1_000_000).padStart(6, '0')
}

/** Whether six digits are the pickup code of an order, in the same time whatever they are. */
export function isPickupCode(secret: Secrets, orderId: number, code: string): boolean {
  return someSecret(secret, (each) => {
    const [given, right] = [Buffer.from(code), Buffer.from(pickupCodeOf(each, orderId))]
    return given.length === right.length && timingSafeEqual(given, right)
  })
}

/** Returns the pickup code of an order that is ready; null before that and after completion. */
export function readyCodeOf(
  secret: Secrets,
  order: {
    id: number
    state: string
    warehousePickup: { readyAt: Temporal.Instant | null; handedOverAt: Temporal.Instant | null } | null
  },
): string | null {
  const { warehousePickup: pickup } = order
  return order.state === 'confirmed' && pickup?.readyAt && !pickup.handedOverAt ? pickupCodeOf(secret, order.id) : null
}

const columns = sql`
  u.order_id::int as "orderId", w.name as warehouse, w.time_zone as "timeZone", o.first_name as "firstName", o.last_name as "lastName", o.email,
  h.id as "shipmentId",
  (select coalesce(sum(a.quantity), 0)::int from stock_allocation a where a.order_id = u.order_id and a.warehouse_id = u.warehouse_id) as tires,
  (select coalesce(json_agg(packed.quantity || ' × ' || packed.description order by packed.line_no), '[]') from (
    select a.quantity, l.description, l.line_no from stock_allocation a
      join order_line l on l.order_id = a.order_id and l.line_no = a.line_no where a.order_id = u.order_id and a.warehouse_id = u.warehouse_id
    union all
    select l.quantity - canceled_units(l.order_id, l.line_no), l.description, l.line_no from order_line l
      where l.order_id = u.order_id and l.part_warehouse_id = u.warehouse_id) packed where packed.quantity > 0) as items,
  u.ready_by as "readyBy", u.ready_at as "readyAt", u.keep_until as "keepUntil", u.handed_over_at as "handedOverAt", u.handed_over_by as "handedOverBy",
  u.wrong_codes as "wrongCodes", u.wrong_code_at as "wrongCodeAt", w.pickup_ready_hours as "readyHours", w.pickup_kept_days as "keptDays"`

/** Active pickups. A canceled order drops out automatically. */
const live = sql`
  from warehouse_pickup u join sales_order o on o.id = u.order_id and o.fulfillment = 'warehouse-pickup' and o.state in ('confirmed', 'returned')
  join warehouse w on w.id = u.warehouse_id
  join shipment h on h.order_id = u.order_id and h.warehouse_id = u.warehouse_id and h.state <> 'canceled'`

const stateSql = (now: Temporal.Instant) => sql<PickupState>`
  case when u.handed_over_at is not null then 'handed-over' when u.ready_at is null then 'preparing'
    when u.keep_until < (${now.toString()}::timestamptz at time zone w.time_zone)::date then 'overdue' else 'ready' end`

/** The pickups in a state, those due first; the handed-over ones newest first. `warehouse`: the code of one. */
export async function listPickups(
  { db, clock }: { db: Database; clock: Clock },
  { state, warehouse, limit }: { state: PickupState; warehouse?: string | undefined; limit: number },
): Promise<Pickup[]> {
  const now = clock.now()
  const at = warehouse === undefined ? sql`` : sql`and w.code = ${warehouse}`
  const order = state === 'handed-over' ? sql`u.handed_over_at desc` : sql`u.ready_by`
  const { rows } = await sql<Pickup>`
    select ${columns}, ${stateSql(now)} as state ${live}
    where ${stateSql(now)} = ${state} ${at} order by ${order}, u.order_id limit ${limit}::int`.execute(db)
  return rows
}

/** Returns an order's pickup; undefined if it has no active pickup. */
export async function selectPickup(
  { db, clock }: { db: Database; clock: Clock },
  orderId: number,
): Promise<Pickup | undefined> {
  const { rows } = await sql<Pickup>`
    select ${columns}, ${stateSql(clock.now())} as state ${live} where u.order_id = ${orderId}::bigint`.execute(db)
  return rows[0]
}

/** The same, locked until the transaction ends. */
export async function lockPickup(tx: Tx, clock: Clock, orderId: number): Promise<Pickup | undefined> {
  await sql`select from warehouse_pickup where order_id = ${orderId}::bigint for update`.execute(tx)
  return selectPickup({ db: tx, clock }, orderId)
}

export async function updateReady(
  tx: Tx,
  orderId: number,
  { at, keepUntil }: { at: Temporal.Instant; keepUntil: Temporal.PlainDate },
): Promise<void> {
  await tx
    .updateTable('warehouse_pickup')
    .set({ ready_at: at, keep_until: keepUntil.toString() })
    .where('order_id', '=', orderId)
    .execute()
}

export async function updateHandedOver(
  tx: Tx,
  orderId: number,
  { at, by }: { at: Temporal.Instant; by: string },
): Promise<void> {
  await tx
    .updateTable('warehouse_pickup')
    .set({ handed_over_at: at, handed_over_by: by, wrong_codes: 0 })
    .where('order_id', '=', orderId)
    .execute()
}

/** Notes how many wrong codes were given in a row, and when the last was. */
export async function updateWrongCode(
  tx: Tx,
  orderId: number,
  { count, at }: { count: number; at: Temporal.Instant },
): Promise<void> {
  await tx
    .updateTable('warehouse_pickup')
    .set({ wrong_codes: count, wrong_code_at: at })
    .where('order_id', '=', orderId)
    .execute()
}

/** Reminds customers before their pickup deadline, once per order. */
export async function remindOfPickups({ db, clock }: { db: Database; clock: Clock }): Promise<number> {
  const now = clock.now()
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ orderId: number; email: string }>`
      with due as (
        select u.order_id, o.email ${live}
        where u.ready_at is not null and u.handed_over_at is null and u.reminded_at is null and o.state = 'confirmed'
          and u.keep_until - ${remindDaysBefore}::int <= (${now.toString()}::timestamptz at time zone w.time_zone)::date
          and u.keep_until >= (${now.toString()}::timestamptz at time zone w.time_zone)::date
        order by u.order_id limit 500 for update of u skip locked)
      update warehouse_pickup set reminded_at = ${now.toString()}::timestamptz from due where warehouse_pickup.order_id = due.order_id
      returning due.order_id::int as "orderId", due.email`.execute(tx)
    for (const { orderId, email } of rows)
      await queueMessage(tx, {
        kind: 'pickup-reminder',
        key: `pickup-reminder:${orderId}`,
        to: email,
        orderId,
        at: now,
      })
    return rows.length
  })
}
