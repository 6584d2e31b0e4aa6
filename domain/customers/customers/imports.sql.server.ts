/** Customers imported from another store program. */
import { sql, type RawBuilder } from 'kysely'
import type { ImportedCustomer } from '#domain/catalog/catalog-import/customer-records.port.ts'
import type { Database, Tx } from '#platform/db.ts'

/**
 * Adds the customers that `staged` selects, each email once. The rule for a customer that the store has, by email in
 * any case: **existing data wins**. An imported name fills an empty one unless an account has the email, because the
 * account's owner sets the name. A phone fills an empty one. City, state and ZIP code fill empty ones together. Address
 * and consent of an earlier import stay. A note is added unless the customer has it. Customers aren't merged by name or
 * phone.
 */
export async function mergeImportedCustomers(
  tx: Tx,
  staged: RawBuilder<ImportedCustomer>,
  { at, by }: { at: Temporal.Instant; by: string },
): Promise<void> {
  const now = sql`${at.toString()}::timestamptz`
  await sql`
    update customer set
      name = case when customer.name is null and not exists (select from account where account.email = lower(customer.email)) then file.name else customer.name end,
      phone = coalesce(customer.phone, file.phone),
      city = case when num_nonnulls(customer.city, customer.state_code, customer.zip) = 0 then file.city else customer.city end,
      state_code = case when num_nonnulls(customer.city, customer.state_code, customer.zip) = 0 then file.state_code else customer.state_code end,
      zip = case when num_nonnulls(customer.city, customer.state_code, customer.zip) = 0 then file.zip else customer.zip end,
      version = version + 1
    from (${staged}) as file
    where lower(customer.email) = lower(file.email) and (
      (customer.name is null and file.name is not null) or (customer.phone is null and file.phone is not null)
      or (num_nonnulls(customer.city, customer.state_code, customer.zip) = 0 and num_nonnulls(file.city, file.state_code, file.zip) > 0))`.execute(
    tx,
  )
  await sql`
    insert into customer (id, email, name, phone, city, state_code, zip, created_at, active_at)
    select gen_random_uuid(), email, name, phone, city, state_code, zip, ${now}, ${now} from (${staged}) as file
    on conflict (lower(email)) do nothing`.execute(tx)
  await sql`
    insert into customer_import (customer_id, street, city, state_code, zip, consented_at, imported_at)
    select customer.id, file.street, file.city, file.state_code, file.zip, file.consented_at, ${now}
    from (${staged}) as file join customer on lower(customer.email) = lower(file.email)
    on conflict (customer_id) do nothing`.execute(tx)
  await sql`
    insert into customer_note (id, customer_id, body, author, at)
    select gen_random_uuid(), customer.id, file.note, ${by}::text, ${now}
    from (${staged}) as file join customer on lower(customer.email) = lower(file.email)
    where file.note is not null and not exists (
      select from customer_note where customer_note.customer_id = customer.id and body = file.note)`.execute(tx)
}

/** Whether there is a customer with an email in any case, as a condition for a query. */
export function hasCustomer(email: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`exists (select from customer where lower(customer.email) = lower(${email}))`
}

/** The imported address of a customer, and the time of their marketing consent. */
export type ImportedDetails = {
  street: string | null
  city: string | null
  state: string | null
  zip: string | null
  consentedAt: Temporal.Instant | null
  importedAt: Temporal.Instant
}

/** Lists what imports brought about a customer and those merged into it. `ids` are theirs. */
export function selectImportedDetails(db: Database | Tx, ids: readonly string[]): Promise<ImportedDetails[]> {
  return db
    .selectFrom('customer_import')
    .select([
      'street',
      'city',
      'state_code as state',
      'zip',
      'consented_at as consentedAt',
      'imported_at as importedAt',
    ])
    .where('customer_id', 'in', ids)
    .orderBy('imported_at')
    .execute()
}
