/** Queries for customers added by staff, and contact changes. */
import { sql } from 'kysely'
import type { Database, Tx } from '#platform/db.ts'
import { customerColumns, type Customer } from './customers.sql.server.ts'
import { maxAlike } from './place.sql.server.ts'
import type { CustomerContact } from './contact-form.ts'

/** Adds a customer; false if there is one with this email. */
export async function insertContact(
  tx: Tx,
  { id, name, email, phone, at }: CustomerContact & { id: string; at: Temporal.Instant },
): Promise<boolean> {
  const { rows } = await sql`
    insert into customer (id, email, name, phone, created_at, active_at)
    values (${id}::uuid, ${email}, ${name}, ${phone}, ${at.toString()}::timestamptz, ${at.toString()}::timestamptz)
    on conflict (lower(email)) do nothing returning id`.execute(tx)
  return rows.length > 0
}

/** Stores which other customers have the name and phone of this one, as for a new order. */
export async function insertAlike(tx: Tx, id: string, at: Temporal.Instant): Promise<void> {
  await sql`
    insert into customer_duplicate (customer_id, other_id, found_at)
    select least(own.id, other.id), greatest(own.id, other.id), ${at.toString()}::timestamptz
    from customer own join customer other on other.phone = own.phone and lower(other.name) = lower(own.name) and other.id <> own.id
    where own.id = ${id}::uuid and coalesce(other.merged_into, other.id) <> coalesce(own.merged_into, own.id)
    limit ${maxAlike} on conflict do nothing`.execute(tx)
}

/** Up to `limit` customers with a phone, last active first. One that was merged is found as the customer it was merged into. */
export async function selectByPhone(db: Database, phone: string, limit: number): Promise<Customer[]> {
  const { rows } = await sql<Customer>`
    select ${customerColumns} from customer
    where id in (select coalesce(merged_into, id) from customer where phone = ${phone})
    order by active_at desc, id desc limit ${limit}`.execute(db)
  return rows
}

/** The contact of a customer with its version, and whether a verified account has the email. */
export async function selectContact(
  db: Database,
  id: string,
): Promise<
  (Omit<CustomerContact, 'name'> & { name: string | null; version: number; hasAccount: boolean }) | undefined
> {
  const { rows } = await sql<{
    name: string | null
    email: string
    phone: string | null
    version: number
    hasAccount: boolean
  }>`
    select name, email, phone, version, exists (
      select from account where account.email = lower(customer.email) and email_verified_at is not null) as "hasAccount"
    from customer where id = ${id}::uuid`.execute(db)
  return rows[0]
}

/** A change of a contact, with who made it. */
export type ContactChange = {
  id: string
  before: Omit<CustomerContact, 'name'> & { name: string | null }
  after: Omit<CustomerContact, 'name'> & { name: string | null }
  at: Temporal.Instant
  by: string
}

/** Changes the contact of a locked customer and records what it was. */
export async function updateContact(tx: Tx, customerId: string, change: ContactChange): Promise<void> {
  const { id, before, after, at, by } = change
  await sql`
    update customer set name = ${after.name}, email = ${after.email}, phone = ${after.phone}, version = version + 1
    where id = ${customerId}::uuid`.execute(tx)
  await tx
    .insertInto('customer_contact_change')
    .values({
      id,
      customer_id: customerId,
      old_name: before.name,
      old_phone: before.phone,
      old_email: before.email,
      new_name: after.name,
      new_phone: after.phone,
      new_email: after.email,
      changed_at: at,
      changed_by: by,
    })
    .execute()
}

/** Selects customers' latest contact changes, newest first. */
export async function selectContactChanges(
  db: Database,
  ids: readonly string[],
  limit: number,
): Promise<ContactChange[]> {
  const rows = await db
    .selectFrom('customer_contact_change')
    .selectAll()
    .where('customer_id', 'in', ids)
    .orderBy('changed_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    before: { name: row.old_name, email: row.old_email, phone: row.old_phone },
    after: { name: row.new_name, email: row.new_email, phone: row.new_phone },
    at: row.changed_at,
    by: row.changed_by,
  }))
}

/** The emails that these customers had before staff changed them and that no customer has now, in lowercase. */
export async function selectPastEmails(db: Database, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<{ email: string }>`
    select distinct lower(old_email) as email from customer_contact_change change
    where customer_id in (${sql.join(ids.map((id) => sql`${id}::uuid`))})
      and not exists (select from customer where lower(customer.email) = lower(change.old_email))
    order by email`.execute(db)
  return rows.map(({ email }) => email)
}

/** Deletes what contacts were before changes that are older than `before`; how many there were. */
export async function deleteContactChanges(db: Database, before: Temporal.Instant): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('customer_contact_change')
    .where('changed_at', '<', before)
    .executeTakeFirst()
  return Number(numDeletedRows)
}
