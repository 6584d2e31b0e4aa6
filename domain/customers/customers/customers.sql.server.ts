/** The statements for customers. */
import { sql, type RawBuilder } from 'kysely'
import type { Database } from '#platform/db.ts'

export type Customer = {
  id: string
  email: string
  /** As last given; null for an account without one that has not ordered. */
  name: string | null
  phone: string | null
  city: string | null
  state: string | null
  zip: string | null
  createdAt: Temporal.Instant
  activeAt: Temporal.Instant
  /** The ids of this customer and of those merged into it. */
  ids: string[]
  /** Their emails in lowercase, starting with the customer's own. */
  emails: string[]
}

/** The columns of `Customer`, for the table `customer`. */
export const customerColumns = sql`
  customer.id, customer.email, customer.name, customer.phone, customer.city, customer.state_code as state, customer.zip,
  customer.created_at as "createdAt", customer.active_at as "activeAt",
  customer.id || array(select merged.id from customer merged where merged.merged_into = customer.id order by merged.id) as ids,
  lower(customer.email) || array(select lower(merged.email) from customer merged where merged.merged_into = customer.id order by merged.id) as emails`

export function selectCustomer(db: Database, id: string): Promise<Customer | undefined> {
  return selectOne(db, sql`select coalesce(merged_into, id) from customer where id = ${id}::uuid`)
}

export function selectCustomerByEmail(db: Database, email: string): Promise<Customer | undefined> {
  return selectOne(db, sql`select coalesce(merged_into, id) from customer where lower(email) = lower(${email})`)
}

async function selectOne(db: Database, which: RawBuilder<unknown>): Promise<Customer | undefined> {
  const { rows } = await sql<Customer>`select ${customerColumns} from customer where id = (${which})`.execute(db)
  return rows[0]
}

/** The other customers of open pairs with this one or with those merged into it. */
export async function selectPossibleDuplicates(
  db: Database,
  { id, ids }: Pick<Customer, 'id' | 'ids'>,
  limit: number,
): Promise<Customer[]> {
  const { rows } = await sql<Customer>`
    with pair as (
      select other_id as id from customer_duplicate where dismissed_at is null and customer_id = any(${ids}::uuid[])
      union select customer_id from customer_duplicate where dismissed_at is null and other_id = any(${ids}::uuid[]))
    select ${customerColumns} from customer
    where id in (select coalesce(other.merged_into, other.id) from pair join customer other using (id)) and id <> ${id}::uuid
    order by active_at desc, id desc limit ${limit}`.execute(db)
  return rows
}

/** Adds a customer who has not ordered, unless there is one with this email. */
export async function insertCustomer(
  db: Database,
  { id, email, name, at }: { id: string; email: string; name: string | null; at: Temporal.Instant },
): Promise<void> {
  await sql`
    insert into customer (id, email, name, created_at, active_at)
    values (${id}::uuid, ${email}, ${name}, ${at}::timestamptz, ${at}::timestamptz)
    on conflict (lower(email)) do nothing`.execute(db)
}

/** Deletes a customer without orders, merges, a block or a request to erase them. */
export async function deleteUnused(db: Database, email: string): Promise<void> {
  await sql`
    delete from customer where lower(email) = lower(${email}) and merged_into is null
      and not exists (select from sales_order where sales_order.customer_id = customer.id)
      and not exists (select from customer merged where merged.merged_into = customer.id)
      and not exists (select from customer_block where customer_block.customer_id = customer.id and ended_at is null)
      and not exists (select from customer_erasure where customer_erasure.customer_id = customer.id)`.execute(db)
}
