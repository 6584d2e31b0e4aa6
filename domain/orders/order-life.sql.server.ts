/** The statements that move an order and its parcels on, each with the event that says who did. */
import { sql } from 'kysely'
import { shipmentLife, type OrderState, type ShipmentState } from '#domain/orders/orders.ts'
import type { Database, Tx } from '#platform/db.ts'
import { statesBefore } from '#platform/transitions.ts'

/** Locks an order until the transaction ends and answers its state; undefined when there is no such order. */
export async function lockOrder(tx: Tx, orderId: number): Promise<OrderState | undefined> {
  const locked = await tx
    .selectFrom('sales_order')
    .select(['id', 'state'])
    .where('id', '=', orderId)
    .forUpdate()
    .executeTakeFirst()
  return locked && (locked.state as OrderState)
}

/** Cancels an order that is not released. */
export async function updateToCanceled(tx: Tx, orderId: number): Promise<void> {
  await tx
    .updateTable('sales_order')
    .set({ state: 'canceled' })
    .where('id', '=', orderId)
    .where('released_at', 'is', null)
    .execute()
}

/**
 * Releases a confirmed order whose window is over at `now`; whether it is released, now or before. A canceling that
 * began before has the row; what it decides counts.
 */
export async function updateToReleased(db: Database, orderId: number, now: Temporal.Instant): Promise<boolean> {
  const at = now.toString()
  const { rows } = await sql`
    update sales_order set released_at = coalesce(released_at, ${at}::timestamptz)
    where id = ${orderId}::bigint and state = 'confirmed' and (released_at is not null or cancel_until <= ${at}::timestamptz) returning id`.execute(
    db,
  )
  return rows.length > 0
}

/** Who did what to an order or a parcel, and what people have to know about it. */
type Change = { actor: string; at: Temporal.Instant; note: string | null }

/** Writes down what happened to an order. */
export async function insertOrderEvent(
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

/** Cancels a parcel that was not handed over, and writes that down. */
export async function cancelShipment(
  tx: Tx,
  shipment: { id: string; state: ShipmentState },
  { actor, at }: { actor: string; at: Temporal.Instant },
): Promise<void> {
  await tx.updateTable('shipment').set({ state: 'canceled' }).where('id', '=', shipment.id).execute()
  await tx
    .insertInto('shipment_event')
    .values({
      shipment_id: shipment.id,
      at,
      from_state: shipment.state,
      to_state: 'canceled',
      actor,
      note: null,
    })
    .execute()
}

/**
 * Moves a parcel on where its life leads there from where it is, notes its number at the carrier where there is one to
 * note, and writes it down; anything else changes nothing.
 */
export async function moveShipment(
  db: Database,
  id: string,
  to: ShipmentState,
  change: Change & { tracking: { carrier: string; trackingNumber: string } | null },
): Promise<void> {
  const at = change.at.toString()
  await sql`
    with before as (select id, state from shipment where id = ${id}::uuid for update),
    moved as (
      update shipment set state = ${to}, delivered_at = case when ${to} = 'delivered' then ${at}::timestamptz else shipment.delivered_at end,
        carrier = coalesce(${change.tracking?.carrier ?? null}, shipment.carrier), tracking_number = coalesce(${change.tracking?.trackingNumber ?? null}, shipment.tracking_number)
      from before where shipment.id = before.id and before.state = any(${statesBefore(shipmentLife, to)}::text[])
      returning shipment.id, before.state as was)
    insert into shipment_event (shipment_id, at, from_state, to_state, actor, note)
    select id, ${at}::timestamptz, was, ${to}, ${change.actor}, ${change.note} from moved`.execute(db)
}

/** The parcel of a tracking number, with its order and who is written to about it. */
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
