/** Customer search for staff. */
import { sql, type RawBuilder } from 'kysely'
import type { Database } from '#platform/db.ts'
import {
  hasPart,
  hasWords,
  isPart,
  phoneEnds,
  readSearchText,
  readTypos,
  selectExistingWords,
  startsWith,
} from '#platform/search-text.ts'
import { customerColumns, type Customer } from './customers.sql.server.ts'

/** Of more matches than this, not all are put in order. */
const maxMatches = 1_000

/** As in the index `customer_by_word`. */
const words = sql`string_to_array(lower(name), ' ')`

/**
 * Selects customer ids, up to 1,000 per criterion, by any part of the name or email, the last four or more digits of
 * the phone, or the ZIP code. A merged customer is returned as the customer it was merged into.
 */
export function customersMatching(text: string): RawBuilder<unknown> {
  const { phone, zip } = readSearchText(text)
  const ways = [
    startsWith(sql`lower(email)`, text.toLowerCase()),
    ...(isPart(text) ? [hasPart(sql`lower(coalesce(name, '') || E'\\n' || email)`, text)] : []),
    ...(phone === undefined ? [] : [phoneEnds(sql`phone`, phone)]),
    ...(zip === undefined ? [] : [sql`zip = ${zip}`]),
  ]
  return sql.join(ways.map(idsWhere), sql` union `)
}

/**
 * Finds up to `limit` customers, exact emails and names first, then the last active. Falls back to names with one typo.
 */
export async function findCustomers({ db }: { db: Database }, text: string, limit: number): Promise<Customer[]> {
  const found = await selectCustomers(db, customersMatching(text), { text, limit })
  const spellings = found.length === 0 ? readTypos(text) : null
  if (!spellings) return found
  const existing = await selectExistingWords(db, spellings, { rows: sql`from customer`, words })
  return selectCustomers(db, idsWhere(hasWords(words, existing)), { text, limit })
}

function idsWhere(condition: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(select coalesce(merged_into, id) from customer where ${condition} limit ${maxMatches})`
}

async function selectCustomers(
  db: Database,
  ids: RawBuilder<unknown>,
  { text, limit }: { text: string; limit: number },
): Promise<Customer[]> {
  const typed = text.toLowerCase()
  const { rows } = await sql<Customer>`
    select ${customerColumns} from customer where customer.id in (${ids})
    order by (lower(customer.email) = ${typed} or lower(customer.name) = ${typed}) is true desc, customer.active_at desc, customer.id desc
    limit ${limit}`.execute(db)
  return rows
}
