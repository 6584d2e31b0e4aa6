/**
 * Queries that change the state of an order or parcel, each with an event that records the actor. After placement,
 * states are written only here and only along the transitions in `orders.ts`.
 */
import { sql } from 'kysely'
import {
  nextOrderState,
  orderStatesFor,
  shipmentLife,
  type OrderMove,
  type OrderState,
  type ShipmentState,
} from './orders.ts'
import { shipInventory } from '#domain/supply/stock/stock.server.ts'
import type { Database, Tx } from '#platform/db.ts'
import { statesBefore } from '#platform/transitions.ts'

/**
 * Locks an order until the transaction ends and returns its state; undefined if it doesn't exist. Always lock the order
 * before its related rows. The lock doesn't block inserts of referencing rows. Their foreign keys also lock the order
 * at arbitrary points, and could otherwise deadlock.
 */
export async function lockOrder(tx: Tx, orderId: number): Promise<OrderState | undefined> {
  const locked = await tx
    .selectFrom('sales_order')
    .select(['id', 'state'])
    .where('id', '=', orderId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return locked && (locked.state as OrderState)
}

/** Locks an order's parcels until the transaction ends. */
export async function lockShipments(tx: Tx, orderId: number): Promise<void> {
  await tx.selectFrom('shipment').select('id').where('order_id', '=', orderId).orderBy('id').forUpdate().execute()
}

/**
 * Releases an order if its state allows it, its window is over at `now` and staff don't hold it. Returns whether it is
 * released, now or earlier. A concurrent cancellation that started first holds the row, and its outcome decides.
 */
export async function updateToReleased(db: Database, orderId: number, now: Temporal.Instant): Promise<boolean> {
  const at = now.toString()
  const { rows } = await sql`
    update sales_order set released_at = coalesce(released_at, ${at}::timestamptz)
    where id = ${orderId}::bigint and state = any(${orderStatesFor('release')}::text[]) and (released_at is not null or cancel_until <= ${at}::timestamptz)
      and not exists (select from order_screening where order_id = sales_order.id and outcome = 'review' and decision is distinct from 'accepted') returning id`.execute(
    db,
  )
  return rows.length > 0
}

/** Extends the cancellation window to `until`. */
export async function updateCancelUntil(tx: Tx, orderId: number, until: Temporal.Instant): Promise<void> {
  await tx.updateTable('sales_order').set({ cancel_until: until }).where('id', '=', orderId).execute()
}

/** When a parcel leaves its warehouse and arrives. If `shipsBy` is null, the stored deadline applies. */
export type ParcelPromise = { arrivesOn: Temporal.PlainDate; shipsBy: Temporal.Instant | null }

/** Moves a parcel's promised day and its deadline in the warehouse, never to earlier ones. */
export async function updatePromise(tx: Tx, shipmentId: string, { arrivesOn, shipsBy }: ParcelPromise): Promise<void> {
  await sql`
    update shipment set promised_on = greatest(promised_on, ${arrivesOn.toString()}::date),
      ship_by = greatest(ship_by, ${shipsBy?.toString() ?? null}::timestamptz)
    where id = ${shipmentId}::uuid`.execute(tx)
}

/** The orders that wait to be confirmed and have to be by `by`, those that wait longest first. */
export async function selectUnconfirmed(
  db: Database,
  by: Temporal.Instant,
  limit: number,
): Promise<{ id: number; email: string; state: OrderState; confirmBy: Temporal.Instant | null }[]> {
  const rows = await db
    .selectFrom('sales_order')
    .select(['id', 'email', 'state', 'confirm_by as confirmBy'])
    .where('state', '=', 'needs-confirmation')
    .where('confirm_by', '<=', by)
    .orderBy('confirm_by')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ ...row, state: row.state as OrderState }))
}

/** The actor of a change to an order or parcel, and a note for staff. */
export type Change = { actor: string; at: Temporal.Instant; note: string | null }

/**
 * Moves a locked order on and writes that down. Throws if the transition isn't allowed or the order isn't in the given
 * state, so callers check first with `canCancel`. `isLate`: canceled after its release.
 */
export async function moveOrder(
  tx: Tx,
  order: { id: number; state: OrderState },
  move: OrderMove,
  change: Change,
  { isLate = false }: { isLate?: boolean } = {},
): Promise<void> {
  const to = nextOrderState(order.state, move)
  if (to === undefined) throw new Error(`Order ${order.id} is ${order.state}, which does not allow: ${move}.`)
  const { numUpdatedRows } = await tx
    .updateTable('sales_order')
    .set(isLate ? { state: to, canceled_late: true } : { state: to })
    .where('id', '=', order.id)
    .where('state', '=', order.state)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows !== 1n) throw new Error(`Order ${order.id} is not ${order.state} anymore.`)
  await insertOrderEvent(tx, { orderId: order.id, from: order.state, to, ...change })
}

/** Records a note for staff on an order without changing its state. */
export function insertOrderNote(
  db: Database,
  order: { id: number; state: OrderState },
  change: Change & { note: string },
): Promise<void> {
  return insertOrderEvent(db, { orderId: order.id, from: order.state, to: order.state, ...change })
}

/** Whether an order already has this note. */
export async function hasOrderNote(tx: Tx, orderId: number, note: string): Promise<boolean> {
  const found = await tx
    .selectFrom('order_event')
    .select('note')
    .where('order_id', '=', orderId)
    .where('note', '=', note)
    .limit(1)
    .execute()
  return found.length > 0
}

async function insertOrderEvent(
  db: Database,
  event: { orderId: number; from: OrderState; to: OrderState } & Change,
): Promise<void> {
  await db
    .insertInto('order_event')
    .values({
      order_id: event.orderId,
      at: event.at,
      from_state: event.from,
      to_state: event.to,
      actor: event.actor,
      note: event.note,
    })
    .execute()
}

/**
 * Advances a parcel's state if the transition is allowed, and records its tracking number (if any) and the event.
 * Returns whether it moved. Ignores other transitions. When its tires leave, enters their cost in the ledger.
 */
export async function moveShipment(
  tx: Tx,
  id: string,
  to: ShipmentState,
  change: Change & { tracking: { carrier: string; trackingNumber: string; url?: string | null } | null },
): Promise<boolean> {
  const at = change.at.toString()
  const { numAffectedRows } = await sql`
    with before as (select id, state from shipment where id = ${id}::uuid for update),
    moved as (
      update shipment set state = ${to}, delivered_at = case when ${to} = 'delivered' then ${at}::timestamptz else shipment.delivered_at end,
        carrier = coalesce(${change.tracking?.carrier ?? null}, shipment.carrier), tracking_number = coalesce(${change.tracking?.trackingNumber ?? null}, shipment.tracking_number),
        tracking_url = case when ${change.tracking === null} then shipment.tracking_url else ${change.tracking?.url ?? null} end
      from before where shipment.id = before.id and before.state = any(${statesBefore(shipmentLife, to)}::text[])
      returning shipment.id, before.state as was)
    insert into shipment_event (shipment_id, at, from_state, to_state, actor, note)
    select id, ${at}::timestamptz, was, ${to}, ${change.actor}, ${change.note} from moved`.execute(tx)
  const isMoved = numAffectedRows === 1n
  if (isMoved && to === 'in-transit') await shipInventory(tx, id, change.at)
  return isMoved
}

/**
 * Records when a parcel arrived at a pickup location. Returns false if it is already recorded or the parcel isn't held
 * there.
 */
export async function keepHeld(tx: Tx, id: string, since: Temporal.Instant): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('shipment')
    .set({ held_since: since })
    .where('id', '=', id)
    .where('state', '=', 'in-transit')
    .where('held_since', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** A parcel with its order's state and whom to notify. */
export type TrackedShipment = {
  id: string
  state: ShipmentState
  orderId: number
  orderState: OrderState
  isPickedUp: boolean
  email: string
}

/** Locks the order of the parcel with a tracking number until the transaction ends, and then reads both. */
export async function lockOrderByTracking(tx: Tx, trackingNumber: string): Promise<TrackedShipment | undefined> {
  const found = await tx
    .selectFrom('shipment')
    .select('order_id')
    .where('tracking_number', '=', trackingNumber)
    .executeTakeFirst()
  if (!found) return undefined
  await lockOrder(tx, found.order_id)
  const row = await tx
    .selectFrom('shipment')
    .innerJoin('sales_order', 'sales_order.id', 'shipment.order_id')
    .select([
      'shipment.id',
      'shipment.state',
      'shipment.order_id as orderId',
      'sales_order.state as orderState',
      sql<boolean>`sales_order.fulfillment = 'carrier-pickup'`.as('isPickedUp'),
      'sales_order.email',
    ])
    .where('tracking_number', '=', trackingNumber)
    .executeTakeFirst()
  return row && { ...row, state: row.state as ShipmentState, orderState: row.orderState as OrderState }
}

/**
 * Gives an order that staff question until `until` to be confirmed; with the move to `needs-confirmation`, in one
 * transaction and before it.
 */
export async function updateQuestioned(tx: Tx, orderId: number, rule: string, until: Temporal.Instant): Promise<void> {
  await sql`
    update sales_order set confirm_by = ${until.toString()}::timestamptz, cancel_until = ${until.toString()}::timestamptz, confirmation_rules = array_append(confirmation_rules, ${rule})
    where id = ${orderId}::bigint`.execute(tx)
}

/** Whether lines of the order were refunded, or are about to be. */
export async function hasLineRefunds(tx: Database, orderId: number): Promise<boolean> {
  const found = await tx
    .selectFrom('order_refund')
    .select('id')
    .where('order_id', '=', orderId)
    .where('state', '<>', 'declined')
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** Whether a shop has an order's car, and its work isn't over. */
export async function isWorkBegun(tx: Tx, orderId: number): Promise<boolean> {
  const found = await tx
    .selectFrom('work_order')
    .select('booking_id')
    .where('order_id', '=', orderId)
    .where('state', 'in', ['arrived', 'in-bay'])
    .limit(1)
    .execute()
  return found.length > 0
}

/** Locks a parcel and returns its current state; undefined if it doesn't exist. */
export async function lockParcel(
  db: Database,
  shipmentId: string,
): Promise<{ state: ShipmentState; trackingNumber: string | null } | undefined> {
  const row = await db
    .selectFrom('shipment')
    .select(['state', 'tracking_number as trackingNumber'])
    .where('id', '=', shipmentId)
    .forShare()
    .executeTakeFirst()
  return row && { ...row, state: row.state as ShipmentState }
}

/** The carrier's reference of a parcel; null before it has one. */
export async function selectParcelRef(db: Database, shipmentId: string): Promise<string | null> {
  const row = await db
    .selectFrom('shipment')
    .select('carrier_ref')
    .where('id', '=', shipmentId)
    .executeTakeFirstOrThrow()
  return row.carrier_ref
}

/**
 * Stores the carrier's reference of a parcel, and returns the effective one, since another process may have stored it
 * first.
 */
export async function keepParcelRef(
  db: Database,
  { shipmentId, warehouseId }: { shipmentId: string; warehouseId: number },
  parcelRef: string,
): Promise<string | undefined> {
  const row = await db
    .updateTable('shipment')
    .set((eb) => ({ carrier_ref: eb.fn.coalesce('carrier_ref', eb.val(parcelRef)) }))
    .where('id', '=', shipmentId)
    .where('warehouse_id', '=', warehouseId)
    .returning('carrier_ref')
    .executeTakeFirst()
  return row?.carrier_ref ?? undefined
}

/** Notes the day the carrier expects to deliver, unless it has said something newer. */
export async function updateExpected(
  tx: Tx,
  shipmentId: string,
  { expectedOn, asOf }: { expectedOn: string; asOf: string },
): Promise<void> {
  await sql`
    update shipment set expected_on = ${expectedOn}::date, expected_as_of = ${asOf}::timestamptz
    where id = ${shipmentId}::uuid and (expected_as_of is null or expected_as_of <= ${asOf}::timestamptz)`.execute(tx)
}
