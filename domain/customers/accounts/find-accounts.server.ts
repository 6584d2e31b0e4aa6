/** Accounts as staff find them, with orders or without. */
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

export type FoundAccount = {
  id: string
  name: string | null
  email: string | null
  emailVerifiedAt: Temporal.Instant | null
  createdAt: Temporal.Instant
}

/** Of more matches than this, not all are put in order. */
const maxMatches = 200

const words = sql`string_to_array(lower(name), ' ')`

/**
 * Up to `limit` accounts, newest first, by any part of the name or email, and by the ZIP or the last four or more
 * digits of the phone of a saved address. Falls back to names with one typo.
 */
export async function findAccounts({ db }: { db: Database }, text: string, limit: number): Promise<FoundAccount[]> {
  const { phone, zip } = readSearchText(text)
  const found = await selectAccounts(
    db,
    [
      sql`select id from account where ${startsWith(sql`email`, text.toLowerCase())}`,
      ...(isPart(text)
        ? [
            sql`
              select id from account
              where ${hasPart(sql`lower(coalesce(name, '') || E'\\n' || coalesce(email, ''))`, text)}`,
          ]
        : []),
      ...(phone === undefined
        ? []
        : [sql`select account_id from account_address where ${phoneEnds(sql`phone`, phone)}`]),
      ...(zip === undefined ? [] : [sql`select account_id from account_address where zip = ${zip}`]),
    ],
    { text, limit },
  )
  const spellings = found.length === 0 ? readTypos(text) : null
  if (!spellings) return found
  const existing = await selectExistingWords(db, spellings, { rows: sql`from account`, words })
  return selectAccounts(db, [sql`select id from account where ${hasWords(words, existing)}`], { text, limit })
}

async function selectAccounts(
  db: Database,
  ways: readonly RawBuilder<unknown>[],
  { text, limit }: { text: string; limit: number },
): Promise<FoundAccount[]> {
  const bounded = ways.map((way) => sql`(${way} limit ${maxMatches})`)
  const { rows } = await sql<FoundAccount>`
    select id, name, email, email_verified_at as "emailVerifiedAt", created_at as "createdAt" from account
    where id in (${sql.join(bounded, sql` union `)}) order by (email = ${text.toLowerCase()} or lower(name) = ${text.toLowerCase()}) is true desc, created_at desc, id limit ${limit}`.execute(
    db,
  )
  return rows
}

/** Returns the account with this id; undefined if it doesn't exist. */
export async function findAccount({ db }: { db: Database }, id: string): Promise<FoundAccount | undefined> {
  return db
    .selectFrom('account')
    .select(['id', 'name', 'email', 'email_verified_at as emailVerifiedAt', 'created_at as createdAt'])
    .where('id', '=', id)
    .executeTakeFirst()
}

/** The accounts that verified one of these emails, in lowercase. */
export async function findVerifiedAccounts(
  { db }: { db: Database },
  emails: readonly string[],
): Promise<(FoundAccount & { email: string })[]> {
  if (emails.length === 0) return []
  const rows = await db
    .selectFrom('account')
    .select(['id', 'name', 'email', 'email_verified_at as emailVerifiedAt', 'created_at as createdAt'])
    .where('email', 'in', emails)
    .where('email_verified_at', 'is not', null)
    .execute()
  return rows.map((row) => ({ ...row, email: row.email ?? '' }))
}
