/** The statement that extends a quote. */
import type { Tx } from '#platform/db.ts'
import { insertEvent, type Quote } from './quotes.sql.server.ts'

/** Moves the last day of a locked open quote, with an event. */
export async function updateExpiry(
  tx: Tx,
  { id, state }: Pick<Quote, 'id' | 'state'>,
  {
    goodThrough,
    expiresAt,
    ...event
  }: { goodThrough: Temporal.PlainDate; expiresAt: Temporal.Instant; by: string; at: Temporal.Instant; note: string },
): Promise<void> {
  await tx
    .updateTable('sales_quote')
    .set({ good_through_on: goodThrough.toString(), expires_at: expiresAt, updated_at: event.at })
    .where('id', '=', id)
    .execute()
  await insertEvent(tx, { id, from: state, to: state, ...event })
}
