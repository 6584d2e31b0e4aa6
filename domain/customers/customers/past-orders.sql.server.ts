/** Orders that another store program took, imported as history. They are no orders of this store. */
import { sql, type RawBuilder } from 'kysely'
import type { Database, Tx } from '#platform/db.ts'

/** A line item of a file, with its order; the first row of an order says what its rows have in common. */
export type ImportedOrderRow = {
  row_no: number
  store: string
  number: string
  placed_at: Temporal.Instant
  email: string | null
  phone: string | null
  customer_name: string | null
  total_cents: number
  status: string
  line_sku: string | null
  line_name: string | null
  line_quantity: number | null
  line_price_cents: number | null
}

/** Adds the orders that `staged` selects. One with the same store and number, in any case, is replaced with its lines. */
export async function mergePastOrders(
  tx: Tx,
  staged: RawBuilder<ImportedOrderRow>,
  at: Temporal.Instant,
): Promise<void> {
  await sql`
    insert into past_order (store, number, placed_at, email, phone, customer_name, total_cents, status, imported_at)
    select distinct on (lower(store), lower(number)) store, number, placed_at, lower(email), phone, customer_name, total_cents, status, ${at.toString()}::timestamptz
    from (${staged}) as file order by lower(store), lower(number), row_no
    on conflict (lower(store), lower(number)) do update set placed_at = excluded.placed_at, email = excluded.email, phone = excluded.phone,
      customer_name = excluded.customer_name, total_cents = excluded.total_cents, status = excluded.status, imported_at = excluded.imported_at`.execute(
    tx,
  )
  await sql`
    delete from past_order_line using past_order, (${staged}) as file
    where order_id = past_order.id and lower(past_order.store) = lower(file.store) and lower(past_order.number) = lower(file.number)`.execute(
    tx,
  )
  await sql`
    insert into past_order_line (order_id, line_no, sku, name, quantity, price_cents)
    select past_order.id, row_number() over (partition by past_order.id order by row_no), line_sku, line_name, line_quantity, line_price_cents
    from (${staged}) as file
    join past_order on lower(past_order.store) = lower(file.store) and lower(past_order.number) = lower(file.number)
    where line_name is not null`.execute(tx)
}

/** Whether there is a past order with a store and number in any case, as a condition for a query. */
export function hasPastOrder(store: RawBuilder<unknown>, number: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`exists (select from past_order where lower(store) = lower(${store}) and lower(number) = lower(${number}))`
}

/** `priceCents` is the price of one. */
export type PastOrder = {
  id: number
  store: string
  number: string
  placedAt: Temporal.Instant
  email: string | null
  phone: string | null
  name: string | null
  totalCents: number
  status: string
  lines: { sku: string | null; name: string; quantity: number; priceCents: number }[]
}

/** Lists up to `limit` past orders with these emails, newest first. */
export async function selectPastOrders(
  db: Database | Tx,
  emails: readonly string[],
  limit: number,
): Promise<PastOrder[]> {
  const lowered = emails.map((email) => email.toLowerCase())
  const { rows } = await sql<PastOrder>`
    select id, store, number, placed_at as "placedAt", email, phone, customer_name as name, total_cents as "totalCents", status, (
      select coalesce(json_agg(json_build_object('sku', sku, 'name', line.name, 'quantity', quantity, 'priceCents', price_cents) order by line_no), '[]')
      from past_order_line as line where order_id = past_order.id) as lines
    from past_order where email = any(${lowered}::text[]) order by past_order.placed_at desc, id desc limit ${limit}`.execute(
    db,
  )
  return rows
}

/** Deletes a person's past orders: those with their emails, and those without an email that have one of their phones. */
export async function deletePastOrders(
  tx: Tx,
  { emails, phones }: { emails: readonly string[]; phones: readonly string[] },
): Promise<void> {
  const lowered = emails.map((email) => email.toLowerCase())
  await sql`delete from past_order where email = any(${lowered}::text[]) or (email is null and phone = any(${phones}::text[]))`.execute(
    tx,
  )
}
