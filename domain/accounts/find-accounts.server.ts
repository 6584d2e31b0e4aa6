/** Accounts as staff find them, with orders or without. */
import { sql } from 'kysely'
import type { Database } from '#platform/db.ts'
import { hasPart, isPart, phoneEnds, readSearchText } from '#platform/search-text.ts'
import { startPattern } from '#platform/start-pattern.ts'

export type FoundAccount = {
  id: string
  name: string | null
  email: string | null
  emailVerifiedAt: Temporal.Instant | null
  createdAt: Temporal.Instant
}

/** Of more matches than this, not all are put in order. */
const maxMatches = 200

/**
 * Up to `limit` accounts, newest first, by the beginning of the email, a part of the name or of the email before its @,
 * and by the ZIP or the last four or more digits of the phone of a saved address.
 */
export async function findAccounts({ db }: { db: Database }, text: string, limit: number): Promise<FoundAccount[]> {
  const { phone, zip } = readSearchText(text)
  const ways = [
    sql`select id from account where email like ${startPattern(text)}`,
    ...(isPart(text) && !text.includes('@')
      ? [
          sql`
            select id from account
            where ${hasPart(sql`lower(coalesce(name, '') || ' ' || split_part(coalesce(email, ''), '@', 1))`, text)}`,
        ]
      : []),
    ...(phone === undefined ? [] : [sql`select account_id from account_address where ${phoneEnds(sql`phone`, phone)}`]),
    ...(zip === undefined ? [] : [sql`select account_id from account_address where zip = ${zip}`]),
  ].map((way) => sql`(${way} limit ${maxMatches})`)
  const { rows } = await sql<FoundAccount>`
    select id, name, email, email_verified_at as "emailVerifiedAt", created_at as "createdAt" from account
    where id in (${sql.join(ways, sql` union `)}) order by created_at desc, id limit ${limit}`.execute(db)
  return rows
}

/** The account with this id; undefined if there is none. */
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
