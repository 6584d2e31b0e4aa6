/** The part that customers have in the statement that writes an order. */
import { sql, type RawBuilder } from 'kysely'
import { phoneKey } from './block.sql.server.ts'

/** An order's customer data, as entered at checkout. */
export type OrderContact = {
  /** The id for a customer who is new. */
  customerId: string
  email: string
  name: string
  phone: string
  city: string
  state: string
  zip: string
  /** The account that places it; null for a guest. */
  accountId: string | null
  at: Temporal.Instant
}

/** More customers with one name and phone than this share a phone, such as a front desk. */
export const maxAlike = 5

/**
 * The first parts of a `with`. `held` blocks during a concurrent block of the phone (`lockPhones`). `known` is the
 * customer of the order, added or updated, as `id`. The customer that it was merged into and the one of its account are
 * active, too; a row that another order holds is left to that order, so that two orders never wait for each other.
 * `alike` stores which other customers have the same name and phone.
 */
export function customerParts(order: OrderContact): RawBuilder<unknown> {
  const { name, phone, accountId } = order
  const at = sql`${order.at.toString()}::timestamptz`
  return sql`
    held as materialized (select pg_advisory_xact_lock_shared(${phoneKey(phone)})),
    known as (
      insert into customer (id, email, created_at, name, phone, city, state_code, zip, active_at)
      select ${order.customerId}::uuid, ${order.email}, ${at}, ${name}, ${phone}, ${order.city}, ${order.state}, ${order.zip}, ${at} from held
      on conflict (lower(email)) do update set name = excluded.name, phone = excluded.phone, city = excluded.city, state_code = excluded.state_code,
        zip = excluded.zip, active_at = greatest(customer.active_at, excluded.active_at),
        version = customer.version + ((customer.name, customer.phone) is distinct from (excluded.name, excluded.phone))::int
      returning id, merged_into),
    active as (
      update customer set active_at = ${at} where active_at < ${at} and id in (
        select id from customer where id in (
          select merged_into from known where merged_into is not null
          union select coalesce(own.merged_into, own.id) from account join customer own on lower(own.email) = account.email
            where account.id = ${accountId}::uuid and account.email_verified_at is not null)
          and id <> (select id from known)
        for no key update skip locked)),
    alike as (
      insert into customer_duplicate (customer_id, other_id, found_at)
      select least(known.id, other.id), greatest(known.id, other.id), ${at}
      from known join customer other on other.phone = ${phone} and lower(other.name) = lower(${name}) and other.id <> known.id
      where coalesce(other.merged_into, other.id) <> coalesce(known.merged_into, known.id)
      limit ${maxAlike} on conflict do nothing)`
}
