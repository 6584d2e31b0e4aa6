/** The statements for what happened to an order, as staff read it: states, parcels, appointment and notes. */
import { sql } from 'kysely'
import type { Database, Tx } from '#platform/db.ts'

/** One thing that happened to an order, a parcel or its appointment. */
export type OrderHappening = {
  about: 'order' | 'parcel' | 'appointment'
  /** The parcel, for one of several. */
  parcelId: string | null
  at: Temporal.Instant
  from: string | null
  to: string
  actor: string
  note: string | null
}

/** Every event of an order, its parcels and its appointment, oldest first. */
export async function selectHappenings(db: Database, orderId: number): Promise<OrderHappening[]> {
  const { rows } = await sql<OrderHappening>`
    select 'order' as about, null as "parcelId", at, from_state as "from", to_state as "to", actor, note from order_event where order_id = ${orderId}::bigint
    union all
    select 'parcel', shipment_id::text, at, from_state, to_state, actor, note
    from shipment_event where shipment_id in (select id from shipment where order_id = ${orderId}::bigint)
    union all
    select 'appointment', null, at, from_state, to_state, actor, note
    from booking_event where booking_id in (select id from booking where order_id = ${orderId}::bigint)
    order by at`.execute(db)
  return rows
}

export type OrderNote = { id: number; at: Temporal.Instant; author: string; body: string }

/** The notes of an order, oldest first. */
export function selectOrderNotes(db: Database, orderId: number): Promise<OrderNote[]> {
  return db
    .selectFrom('order_note')
    .select(['id', 'at', 'author', 'body'])
    .where('order_id', '=', orderId)
    .orderBy('id')
    .execute()
}

/** Writes a note; false if its form was submitted before. */
export async function insertOrderNoteRow(
  tx: Tx,
  note: { orderId: number; key: string; body: string; author: string; at: Temporal.Instant },
): Promise<boolean> {
  const written = await tx
    .insertInto('order_note')
    .values({ order_id: note.orderId, submission_key: note.key, body: note.body, author: note.author, at: note.at })
    .onConflict((conflict) => conflict.column('submission_key').doNothing())
    .returning('id')
    .executeTakeFirst()
  return written !== undefined
}

/** Deletes an author's note added at or after `since` and returns its text, or undefined if the note isn't found. */
export async function deleteOrderNoteRow(
  tx: Tx,
  note: { orderId: number; key: string; author: string; since: Temporal.Instant },
): Promise<string | undefined> {
  const deleted = await tx
    .deleteFrom('order_note')
    .where('order_id', '=', note.orderId)
    .where('submission_key', '=', note.key)
    .where('author', '=', note.author)
    .where('at', '>=', note.since)
    .returning('body')
    .executeTakeFirst()
  return deleted?.body
}

/** Whether there is an order with this number. */
export async function selectOrderOf(tx: Tx, orderId: number): Promise<boolean> {
  return (await tx.selectFrom('sales_order').select('id').where('id', '=', orderId).executeTakeFirst()) !== undefined
}
