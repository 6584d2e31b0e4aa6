/** The statements for the list of customers. */
import { sql, type RawBuilder } from 'kysely'
import type { Database } from '#platform/db.ts'
import { customerColumns, type Customer } from './customers.sql.server.ts'
import { customersMatching } from './find-customers.sql.server.ts'
import type { CustomerView } from './customers.ts'

export type CustomerQuery = {
  view: CustomerView
  /** Part of a name or email, the last four or more digits of a phone, or a ZIP; empty for everyone. */
  text: string
  newSince: Temporal.Instant
}

/** A row's place in the list. */
export type CustomerPlace = { activeAt: Temporal.Instant; id: string }

/** Up to `count` customers, last active first, after the place `after`. */
export async function selectCustomerPage(
  db: Database,
  query: CustomerQuery,
  { after, count }: { after: CustomerPlace | null; count: number },
): Promise<Customer[]> {
  const conditions = [
    ...conditionsOf(query),
    ...(after
      ? [sql`(customer.active_at, customer.id) < (${after.activeAt.toString()}::timestamptz, ${after.id}::uuid)`]
      : []),
  ]
  const { rows } = await sql<Customer>`
    select ${customerColumns} from customer where ${sql.join(conditions, sql` and `)}
    order by customer.active_at desc, customer.id desc limit ${count}`.execute(db)
  return rows
}

/** Counts customers, up to `limit`. */
export async function selectCustomerCount(db: Database, query: CustomerQuery, limit: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select from customer where ${sql.join(conditionsOf(query), sql` and `)} limit ${limit}) as found`.execute(db)
  return rows[0]?.count ?? 0
}

function conditionsOf(query: CustomerQuery): RawBuilder<unknown>[] {
  return [
    sql`customer.merged_into is null`,
    ...inView(query),
    ...(query.text === '' ? [] : [sql`customer.id in (${customersMatching(query.text)})`]),
  ]
}

function inView({ view, newSince }: CustomerQuery): RawBuilder<unknown>[] {
  switch (view) {
    case 'all':
      return []
    case 'new':
      // Customers can't be active before their creation, so the activity index serves this.
      return [
        sql`customer.created_at > ${newSince.toString()}::timestamptz and customer.active_at > ${newSince.toString()}::timestamptz`,
      ]
    case 'credit':
      return [
        ofAccounts(
          sql`select owner_id from ledger_entry where account = 'store-credit' and owner_id is not null group by owner_id having sum(amount_cents) < 0`,
        ),
      ]
    case 'company':
      return [ofAccounts(sql`select account_id from company_member`)]
    case 'blocked':
      return [
        sql`customer.id in (
          select coalesce(own.merged_into, own.id) from customer_block join customer own on own.id = customer_id where ended_at is null)`,
      ]
    case 'duplicates':
      return [
        sql`customer.id in (
          select pair.id from customer_duplicate join customer one on one.id = customer_id join customer other on other.id = other_id
            cross join lateral (values (coalesce(one.merged_into, one.id)), (coalesce(other.merged_into, other.id))) as pair (id)
          where dismissed_at is null and coalesce(one.merged_into, one.id) <> coalesce(other.merged_into, other.id))`,
      ]
  }
}

/** Selects customers with an email, directly or through a merge, that one of these accounts has verified. */
function ofAccounts(accountIds: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`customer.id in (
    select coalesce(own.merged_into, own.id) from account join customer own on lower(own.email) = account.email
    where account.email_verified_at is not null and account.id in (${accountIds}))`
}
