/**
 * The statements that move an order and its parcels on, each with the event that says who did. Nothing else writes
 * their states once they are placed, and no move is made that their lives in `orders.ts` do not have.
 */
import { sql } from 'kysely'
import {
  nextOrderState,
  orderStatesFor,
  shipmentLife,
  type OrderMove,
  type OrderState,
  type ShipmentState,
} from '#domain/orders/orders.ts'
import type { Database, Tx } from '#platform/db.ts'
import { statesBefore } from '#platform/transitions.ts'

/** Locks an order until the transaction ends and returns its state; undefined if there is none. */
export async function lockOrder(tx: Tx, orderId: number): Promise<OrderState | undefined> {
  const locked = await tx
    .selectFrom('sales_order')
    .select(['id', 'state'])
    .where('id', '=', orderId)
    .forUpdate()
    .executeTakeFirst()
  return locked && (locked.state as OrderState)
}

/**
 * Releases an order whose life allows it and whose window is over at `now`; whether it is released, now or before. A
 * canceling that began before has the row; what it decides counts.
 */
export async function updateToReleased(db: Database, orderId: number, now: Temporal.Instant): Promise<boolean> {
  const at = now.toString()
  const { rows } = await sql`
    update sales_order set released_at = coalesce(released_at, ${at}::timestamptz)
    where id = ${orderId}::bigint and state = any(${orderStatesFor('release')}::text[]) and (released_at is not null or cancel_until <= ${at}::timestamptz) returning id`.execute(
    db,
  )
  return rows.length > 0
}

/** Who changed an order or parcel, and what staff need to know about it. */
type Change = { actor: string; at: Temporal.Instant; note: string | null }

/**
 * Moves a locked order on and writes that down. Throws where its life has no such move, or its state is not the one
 * given: whoever may be refused is refused before (`canCancel`).
 */
export async function moveOrder(
  tx: Tx,
  order: { id: number; state: OrderState },
  move: OrderMove,
  change: Change,
): Promise<void> {
  const to = nextOrderState(order.state, move)
  if (to === undefined) throw new Error(`Order ${order.id} is ${order.state}, which does not allow: ${move}.`)
  const { numUpdatedRows } = await tx
    .updateTable('sales_order')
    .set({ state: to })
    .where('id', '=', order.id)
    .where('state', '=', order.state)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows !== 1n) throw new Error(`Order ${order.id} is not ${order.state} any more.`)
  await insertOrderEvent(tx, { orderId: order.id, from: order.state, to, ...change })
}

/** Writes down what people have to know about an order, which stays as it is. */
export function insertOrderNote(
  db: Database,
  order: { id: number; state: OrderState },
  change: Change & { note: string },
): Promise<void> {
  return insertOrderEvent(db, { orderId: order.id, from: order.state, to: order.state, ...change })
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
 * Moves a parcel on where its life leads there from where it is, notes its number at the carrier where there is one to
 * note, and writes it down; anything else changes nothing. Answers whether it moved.
 */
export async function moveShipment(
  db: Database,
  id: string,
  to: ShipmentState,
  change: Change & { tracking: { carrier: string; trackingNumber: string } | null },
): Promise<boolean> {
  const at = change.at.toString()
  const { numAffectedRows } = await sql`
    with before as (select id, state from shipment where id = ${id}::uuid for update),
    moved as (
      update shipment set state = ${to}, delivered_at = case when ${to} = 'delivered' then ${at}::timestamptz else shipment.delivered_at end,
        carrier = coalesce(${change.tracking?.carrier ?? null}, shipment.carrier), tracking_number = coalesce(${change.tracking?.trackingNumber ?? null}, shipment.tracking_number)
      from before where shipment.id = before.id and before.state = any(${statesBefore(shipmentLife, to)}::text[])
      returning shipment.id, before.state as was)
    insert into shipment_event (shipment_id, at, from_state, to_state, actor, note)
    select id, ${at}::timestamptz, was, ${to}, ${change.actor}, ${change.note} from moved`.execute(db)
  return numAffectedRows === 1n
}

/** The parcel with a tracking number, its order and whom to notify. */
export function selectShipmentByTracking(
  tx: Tx,
  trackingNumber: string,
): Promise<{ id: string; orderId: number; email: string } | undefined> {
  return tx
    .selectFrom('shipment')
    .innerJoin('sales_order', 'sales_order.id', 'shipment.order_id')
    .select(['shipment.id', 'shipment.order_id as orderId', 'sales_order.email'])
    .where('tracking_number', '=', trackingNumber)
    .executeTakeFirst()
}
