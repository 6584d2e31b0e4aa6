/**
 * Calls that take effect once however often they are sent. The caller identifies a call by a key; the response is kept
 * with it for a day, and the same call under the same key gets it again.
 */
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { atOnce } from '#platform/at-once.ts'
import { sendWithNext, type Database, type Tx } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

/** The caller and operation (`scope`), the key and the input. Only hashes of `scope` and `request` are stored. */
export type KeyedCall = { scope: string; key: string; request: string }
/** A stored response. */
export type KeptAnswer = { status: number; headers: Record<string, string>; body: string | null }
export type KeyRefusal = Refused<'key-reused'> | Refused<'in-progress', { seconds: number }>

export const keptHours = 24
/** A call unfinished after this long was interrupted and can be made again. */
const claimSeconds = 60

/**
 * Runs `work` and stores its response in one transaction, so that both exist or neither. A lock detects a running call
 * with the key. If `work` returns null, stores no response and rolls back its writes.
 */
export function onceTogether(
  db: Database,
  call: KeyedCall,
  now: () => Temporal.Instant,
  work: (tx: Tx) => Promise<{ answer: KeptAnswer; isKept: boolean }>,
): Promise<Outcome<{ answer: KeptAnswer; isReplayed: boolean }, KeyRefusal>> {
  const { scope, request } = hashed(call)
  const taken = db
    .transaction()
    .execute(async (tx): Promise<Outcome<{ answer: KeptAnswer; isReplayed: boolean }, KeyRefusal>> => {
      const [isMine, known] = await atOnce(tx, [
        (own) => tryLock(own, `${scope.toString('hex')} ${call.key}`),
        (own) => selectKey(own, scope, call.key),
      ])
      if (!isMine) return refused('in-progress', { seconds: 1 })
      if (known && isLive(known.createdAt, now())) return replay(known, request)
      const { answer, isKept } = await work(tx)
      if (!isKept) throw new NotKept(answer)
      const row = { request, created_at: now(), claimed_until: null, ...columnsOf(answer) }
      await sendWithNext(
        tx,
        tx
          .insertInto('idempotency_key')
          .values({ scope, key: call.key, ...row })
          .onConflict((conflict) => conflict.columns(['scope', 'key']).doUpdateSet(row)),
      )
      return ok({ answer, isReplayed: false })
    })
  return taken.catch((error: unknown) => {
    if (error instanceof NotKept) return ok({ answer: error.answer, isReplayed: false })
    throw error
  })
}

/**
 * The same for work that runs its own transactions and calls other services in between: the key is claimed first and
 * the response written afterward. Interrupted work runs again, so it must be repeatable.
 */
export async function onceAgain(
  db: Database,
  call: KeyedCall,
  now: () => Temporal.Instant,
  work: () => Promise<{ answer: KeptAnswer; isKept: boolean }>,
): Promise<Outcome<{ answer: KeptAnswer; isReplayed: boolean }, KeyRefusal>> {
  const { scope, request } = hashed(call)
  const claimedUntil = now().add({ seconds: claimSeconds })
  const claimed = await db
    .insertInto('idempotency_key')
    .values({
      scope,
      key: call.key,
      request,
      created_at: now(),
      claimed_until: claimedUntil,
      status: null,
      headers: null,
      body: null,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['scope', 'key'])
        .doUpdateSet({
          request,
          created_at: now(),
          claimed_until: claimedUntil,
          status: null,
          headers: null,
          body: null,
        })
        .where((eb) =>
          eb.or([
            eb('idempotency_key.created_at', '<=', now().subtract({ hours: keptHours })),
            // Only the same request may take over an interrupted call.
            eb.and([eb('idempotency_key.claimed_until', '<=', now()), eb('idempotency_key.request', '=', request)]),
          ]),
        ),
    )
    .executeTakeFirst()
  if (!claimed.numInsertedOrUpdatedRows) {
    const known = await selectKey(db, scope, call.key)
    // It was released between the two statements.
    return known ? replay(known, request) : refused('in-progress', { seconds: 1 })
  }
  const mine = db
    .updateTable('idempotency_key')
    .where('scope', '=', scope)
    .where('key', '=', call.key)
    .where('claimed_until', '=', claimedUntil)
  try {
    const { answer, isKept } = await work()
    if (isKept) await mine.set({ claimed_until: null, ...columnsOf(answer) }).execute()
    else await release()
    return ok({ answer, isReplayed: false })
  } catch (error) {
    await release().catch(() => {})
    throw error
  }

  async function release(): Promise<void> {
    await db
      .deleteFrom('idempotency_key')
      .where('scope', '=', scope)
      .where('key', '=', call.key)
      .where('claimed_until', '=', claimedUntil)
      .execute()
  }
}

/** Deletes responses older than a day. */
export async function forgetOldAnswers(db: Database, now: Temporal.Instant): Promise<void> {
  await db
    .deleteFrom('idempotency_key')
    .where('created_at', '<', now.subtract({ hours: keptHours }))
    .execute()
}

async function tryLock(tx: Tx, key: string): Promise<boolean> {
  const { rows } = await sql<{
    isMine: boolean
  }>`select pg_try_advisory_xact_lock(hashtextextended(${key}, 0)) as "isMine"`.execute(tx)
  return rows[0]?.isMine ?? false
}

class NotKept extends Error {
  readonly answer: KeptAnswer
  constructor(answer: KeptAnswer) {
    super('An answer that is not kept.')
    this.answer = answer
  }
}

type Known = {
  request: Buffer
  createdAt: Temporal.Instant
  claimedUntil: Temporal.Instant | null
  status: number | null
  headers: unknown
  body: string | null
}

function selectKey(db: Database, scope: Buffer, key: string): Promise<Known | undefined> {
  return db
    .selectFrom('idempotency_key')
    .select(['request', 'created_at as createdAt', 'claimed_until as claimedUntil', 'status', 'headers', 'body'])
    .where('scope', '=', scope)
    .where('key', '=', key)
    .executeTakeFirst()
}

function replay(
  { request: first, status, headers, body }: Known,
  request: Buffer,
): Outcome<{ answer: KeptAnswer; isReplayed: boolean }, KeyRefusal> {
  if (!first.equals(request)) return refused('key-reused')
  if (status === null) return refused('in-progress', { seconds: 2 })
  return ok({ answer: { status, headers: headers as Record<string, string>, body }, isReplayed: true })
}

function isLive(createdAt: Temporal.Instant, now: Temporal.Instant): boolean {
  return Temporal.Instant.compare(createdAt.add({ hours: keptHours }), now) > 0
}

function columnsOf({ status, headers, body }: KeptAnswer) {
  return { status, headers: JSON.stringify(headers), body }
}

function hashed({ scope, request }: KeyedCall): { scope: Buffer; request: Buffer } {
  return { scope: sha256(scope), request: sha256(request) }
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
