/** The statements for the daily email of open tasks. */
import type { Database, Tx } from '#platform/db.ts'
import type { PersonKey } from '#platform/work-sessions.ts'

/** A person's daily email, with its hour in the store's zone and the slugs of excluded task lists. */
export type Digest = PersonKey & { id: string; hour: number; except: string[]; subscribedAt: Temporal.Instant }

function digests(db: Database) {
  return db
    .selectFrom('queue_digest')
    .select(['id', 'issuer', 'subject', 'hour', 'except_queues as except', 'subscribed_at as subscribedAt'])
}

/** Lists the digests of all staff, at most one each. */
export function selectDigests(db: Database): Promise<Digest[]> {
  return digests(db).orderBy('id').execute()
}

/** A person's digest; undefined if they turned it off. */
export function selectDigestOf(db: Database, { issuer, subject }: PersonKey): Promise<Digest | undefined> {
  return digests(db).where('issuer', '=', issuer).where('subject', '=', subject).executeTakeFirst()
}

export function selectDigest(db: Database, id: string): Promise<Digest | undefined> {
  return digests(db).where('id', '=', id).executeTakeFirst()
}

/** Stores a person's digest. A new hour counts from now on; another choice of lists leaves it. */
export async function upsertDigest(tx: Tx, digest: Digest): Promise<void> {
  const { id, issuer, subject, hour, except, subscribedAt } = digest
  await tx
    .insertInto('queue_digest')
    .values({ id, issuer, subject, hour, except_queues: except, subscribed_at: subscribedAt })
    .onConflict((on) =>
      on.constraint('queue_digest_once').doUpdateSet({ hour, except_queues: except, subscribed_at: subscribedAt }),
    )
    .execute()
}

export async function deleteDigest(tx: Tx, { issuer, subject }: PersonKey): Promise<void> {
  await tx.deleteFrom('queue_digest').where('issuer', '=', issuer).where('subject', '=', subject).execute()
}
