/**
 * The demo's open return: Olive, or a guest in a small catalog, returns three of a delivered order's four tires. Two
 * are received and await inspection, and one is in transit.
 */
import type { PoolClient } from 'pg'
import { accountIdOf } from './accounts.ts'
import { returnWarehouse } from './returned-orders.ts'

/** Writes the return; tires take the same steps as in the store, which the database insists on. */
export async function loadReturns(client: PoolClient, now: Temporal.Instant): Promise<void> {
  const at = (hours: number) => now.subtract({ hours }).toString()
  const { rows } = await client.query<{ id: string }>(
    `insert into order_return (order_id, seq, reason, wants, was_said_to_fit, requested_by, requested_at, ship_by_on)
     select o.id, 1, 'wrong-size', 'refund', false, 'shopper', $2::timestamptz, (max(h.delivered_at) + interval '30 days')::date
     from sales_order o join shipment h on h.order_id = o.id
     where o.state = 'confirmed' and o.fulfillment = 'home' and not exists (select from invoice where order_id = o.id)
     group by o.id having bool_and(h.state = 'delivered') and max(h.delivered_at) < $2::timestamptz order by coalesce(o.buyer_id = $1::uuid, false) desc, o.id desc limit 1 returning id`,
    [accountIdOf('olive@example.com'), at(72)],
  )
  const id = rows[0]?.id
  if (id === undefined) return
  await client.query(
    `insert into return_tire (return_id, tire_no, order_id, line_no, unit, ships_back)
     select back.id, no, back.order_id, line.line_no, no, true
     from order_return back join order_line line on line.order_id = back.order_id and line.kind = 'tire' and line.quantity >= 3, generate_series(1, 3) as no
     where back.id = $1`,
    [id],
  )
  await note(client, id, { from: null, to: 'requested', actor: 'shopper', at: at(72), until: 3 })
  await client.query(
    `update return_tire set state = 'labeled', carrier = 'Sidewall Freight', tracking_number = 'SWRETURN00000' || tire_no,
       warehouse_id = ${returnWarehouse} where return_id = $1`,
    [id],
  )
  await note(client, id, { from: 'requested', to: 'labeled', actor: 'store', at: at(71), until: 3 })
  await client.query(`update return_tire set state = 'shipped' where return_id = $1`, [id])
  await note(client, id, { from: 'labeled', to: 'shipped', actor: 'carrier', at: at(40), until: 3 })
  await client.query(
    `update return_tire set state = 'received', received_at = $2::timestamptz where return_id = $1 and tire_no <= 2`,
    [id, at(5)],
  )
  await note(client, id, { from: 'shipped', to: 'received', actor: 'carrier', at: at(5), until: 2 })
}

/** Writes down a move of the first `until` tires. */
async function note(
  client: PoolClient,
  id: string,
  move: { from: string | null; to: string; actor: string; at: string; until: number },
): Promise<void> {
  await client.query(
    `insert into return_event (return_id, tire_no, at, from_state, to_state, actor)
     select return_id, tire_no, $2::timestamptz, $3, $4, $5 from return_tire where return_id = $1 and tire_no <= $6 order by tire_no`,
    [id, move.at, move.from, move.to, move.actor, move.until],
  )
}
