/**
 * Staff sessions of the back office and the shop portal, one row each, in separate tables. The browser stores an ID and
 * a secret; the database stores only the secret's hash.
 */
import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Database, Tx } from './db.ts'
import { isId, newTimedId } from './ids.ts'

/** A person at the sign-in provider. */
export type PersonKey = { issuer: string; subject: string }
export type WorkSession = PersonKey & { id: string; name: string | null; authenticatedAt: Temporal.Instant }
export type SessionKey = { id: string; secretHash: Buffer }

/** Reads a session's cookie; undefined for anything else. */
export function sessionKeyOf(cookie: string | undefined): SessionKey | undefined {
  const [id = '', secret = ''] = cookie?.split('.') ?? []
  return isId(id) && secret !== '' ? { id, secretHash: hashOf(secret) } : undefined
}

/** Returns the earlier time, because a provider's clock can be ahead of the store's. */
export function earlierOf(one: Temporal.Instant, other: Temporal.Instant): Temporal.Instant {
  return Temporal.Instant.compare(one, other) < 0 ? one : other
}

/** Returns the queries for sessions in `table`, which expire after `seconds`. */
export function workSessions(table: string, seconds: number) {
  const rows = sql.table(table)
  return {
    /** Opens a session; returns its id and the value of its cookie. */
    async open(
      tx: Tx,
      session: PersonKey & {
        name: string | null
        idToken: Buffer | null
        authenticatedAt: Temporal.Instant
        now: Temporal.Instant
      },
    ): Promise<{ id: string; cookie: string }> {
      const secret = randomBytes(32).toString('base64url')
      const id = newTimedId()
      await sql`
        insert into ${rows} (id, secret_hash, issuer, subject, name, id_token, authenticated_at, created_at)
        values (${id}, ${hashOf(secret)}, ${session.issuer}, ${session.subject}, ${session.name}, ${session.idToken},
          ${session.authenticatedAt}, ${session.now})`.execute(tx)
      return { id, cookie: `${id}.${secret}` }
    },
    /** Finds the open session by secret, or by ID if the request has already presented the secret. */
    async find(
      db: Database,
      { id, secretHash }: { id: string; secretHash?: Buffer },
      now: Temporal.Instant,
    ): Promise<WorkSession | undefined> {
      const result = await sql<WorkSession>`
        select id, issuer, subject, name, authenticated_at as "authenticatedAt" from ${rows}
        where id = ${id}::uuid and (${secretHash ?? null}::bytea is null or secret_hash = ${secretHash ?? null}::bytea)
          and ended_at is null and created_at > ${now.subtract({ seconds })}::timestamptz`.execute(db)
      return result.rows[0]
    },
    /** Ends a session. Returns its user if it was open. */
    async end(
      tx: Tx,
      { id, secretHash }: SessionKey,
      now: Temporal.Instant,
    ): Promise<(PersonKey & { idToken: Buffer | null }) | undefined> {
      const result = await sql<PersonKey & { idToken: Buffer | null }>`
        update ${rows} set ended_at = ${now}::timestamptz
        where id = ${id}::uuid and secret_hash = ${secretHash}::bytea and ended_at is null
        returning issuer, subject, id_token as "idToken"`.execute(tx)
      return result.rows[0]
    },
    /** Ends every open session of a person. */
    async endOfPerson(tx: Tx, { issuer, subject }: PersonKey, now: Temporal.Instant): Promise<void> {
      await sql`
        update ${rows} set ended_at = ${now}::timestamptz
        where issuer = ${issuer} and subject = ${subject} and ended_at is null`.execute(tx)
    },
    /** Deletes sessions past their lifetime. */
    async deleteOld(db: Database, now: Temporal.Instant): Promise<void> {
      await sql`delete from ${rows} where created_at < ${now.subtract({ seconds })}::timestamptz`.execute(db)
    },
  }
}

function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}
