/** Order history imported from the retailer's previous store. */
import { sql, type RawBuilder } from 'kysely'
import type { ImportedOrderRow } from '#domain/catalog/catalog-import/customer-records.port.ts'
import type { Database, Tx } from '#platform/db.ts'
import { phoneEnds, readSearchText } from '#platform/search-text.ts'
import { startPattern } from '#platform/start-pattern.ts'

/** Adds the staged orders. Replaces orders with the same store and number, ignoring case. */
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

/** A past order in search results. `customerId` is null if its email belongs to no customer. */
export type FoundPastOrder = Omit<PastOrder, 'lines' | 'status'> & { customerId: string | null }

/**
 * Finds past orders by a number (with or without "#") or email that starts with `text` in any case, or by a phone that
 * ends with it. Returns up to `limit` of them, newest first.
 */
export async function findPastOrders({ db }: { db: Database }, text: string, limit: number): Promise<FoundPastOrder[]> {
  const { phone } = readSearchText(text)
  const ids = [
    sql`select id from past_order where lower(number) like ${startPattern(text)}`,
    sql`select id from past_order where lower(number) like ${startPattern(`#${text}`)}`,
    sql`select id from past_order where email like ${startPattern(text)}`,
    ...(phone === undefined ? [] : [sql`select id from past_order where ${phoneEnds(sql`phone`, phone)}`]),
  ].map((query) => sql`(${query} limit ${limit})`)
  const { rows } = await sql<FoundPastOrder>`
    select past.id, past.store, past.number, past.placed_at as "placedAt", past.email, past.phone, past.customer_name as name,
      past.total_cents as "totalCents", coalesce(customer.merged_into, customer.id) as "customerId"
    from (${sql.join(ids, sql` union `)}) as found
    join past_order past on past.id = found.id left join customer on lower(customer.email) = past.email
    order by past.placed_at desc, past.id desc limit ${limit}`.execute(db)
  return rows
}

/** Deletes past orders with these emails, and orders without an email with these phones. */
export async function deletePastOrders(
  tx: Tx,
  { emails, phones }: { emails: readonly string[]; phones: readonly string[] },
): Promise<void> {
  const lowered = emails.map((email) => email.toLowerCase())
  await sql`delete from past_order where email = any(${lowered}::text[]) or (email is null and phone = any(${phones}::text[]))`.execute(
    tx,
  )
}
