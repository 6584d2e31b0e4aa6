/** Faults planted in the books of a month, to see that each row of them finds its own; everything is taken back. */
import { sql } from 'kysely'
import type { Tx } from '#platform/db.ts'
import { firstPlacedOrder } from '#tests/support/database.ts'
import { countBooks, differenceOf } from './books.ts'
import type { Lived } from './days.ts'

/** What is planted, and the row that must find it. */
const faults: { row: string; plant(tx: Tx): Promise<{ numAffectedRows?: bigint }> }[] = [
  {
    row: 'Cash',
    plant: (tx) =>
      sql`update ledger_entry set amount_cents = amount_cents + 1
        where ctid = (select ctid from ledger_entry where account = 'cash' and order_id >= ${firstPlacedOrder} limit 1)`.execute(
        tx,
      ),
  },
  {
    row: 'Statements of shops',
    plant: (tx) =>
      sql`update job_pay set amount_cents = amount_cents + 1
        where id = (select job_pay_id from pay_transfer_item where job_pay_id is not null limit 1)`.execute(tx),
  },
  {
    row: 'Reconciliation',
    plant: (tx) =>
      sql`update reconciled_day set state = 'open' where ctid = (select ctid from reconciled_day limit 1)`.execute(tx),
  },
  { row: 'Orders', plant: (tx) => sql`delete from sales_order where id = ${firstPlacedOrder}`.execute(tx) },
  {
    row: 'Bays',
    async plant(tx) {
      await sql`alter table booking drop constraint booking_bay_taken_once`.execute(tx)
      return sql`update booking set bay_id = other.bay_id, shop_id = other.shop_id, during = other.during, state = 'confirmed'
        from (select * from booking where state = 'confirmed' order by id limit 1) other
        where booking.id <> other.id and booking.id = (select id from booking where state = 'confirmed' order by id desc limit 1)`.execute(
        tx,
      )
    },
  },
  {
    row: 'Stock',
    plant: (tx) =>
      sql`update stock set on_hand = on_hand + 1 where (item_id, warehouse_id) = (select item_id, warehouse_id from stock_adjustment order by id desc limit 1)`.execute(
        tx,
      ),
  },
  {
    row: 'Mails',
    plant: (tx) =>
      sql`update message set id = gen_random_uuid() where id = (select id from message where state = 'sent' order by created_at desc limit 1)`.execute(
        tx,
      ),
  },
  {
    row: 'Timers',
    plant: (tx) =>
      sql`update sales_order set state = 'confirmed', released_at = null, cancel_until = now() - interval '3 days' where id = ${firstPlacedOrder + 1}`.execute(
        tx,
      ),
  },
]

/** Creates each fault separately. Returns the accounts that didn't detect it. */
export async function unnoticed(lived: Lived): Promise<string[]> {
  const missed: string[] = []
  for (const { row, plant } of faults) {
    const tx = await lived.life.place.database.db.startTransaction().execute()
    try {
      // Disables constraints, because this tests the accounts.
      await sql`set local session_replication_role = replica`.execute(tx)
      // A small month can lack the data, for example without a paid shop.
      const { numAffectedRows = 0n } = await plant(tx)
      if (numAffectedRows === 0n) continue
      const place = { ...lived.life.place, database: { ...lived.life.place.database, db: tx } }
      const rows = await countBooks({ ...lived, life: { ...lived.life, place } }, row)
      if (rows.every((one) => differenceOf(one) === 0)) missed.push(row)
    } finally {
      await tx.rollback().execute()
    }
  }
  return missed
}
