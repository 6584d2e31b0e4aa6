/**
 * Readings from a replica of the database (docs/decisions/005-catalog-in-memory.md). Each statement leaves in one
 * packet with the question how far the replica has replayed the primary's log. If that is not far enough, or the replica
 * is away or fails, the primary answers instead. Far enough is what the primary had written when this process last
 * noticed a change, and everything older than the bound.
 */
import { CompiledQuery, Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely'
import type { DB } from '#db/types.ts'
import { createPool, preparing, type Database } from './db.ts'

/** How far the replica is behind in seconds, as of now; null while it is away. And whether readings go to it. */
export type ReplicaState = { lagSeconds: number | null; isUsed: boolean }

/** The number of reads that each has served since the process started. */
export type ReadingCounts = { readonly replica: number; readonly primary: number }

/** The primary's place in its log, at a moment of this process's own time in milliseconds. */
type Position = { bytes: bigint; at: number }

export type Replica = {
  /** For single read-only statements that don't affect decisions. It has no transactions. */
  readings: Database
  /** Records the primary's current log position. With `isChange`, reads must have seen all changes before it. */
  notePosition(lsn: string, isChange: boolean): void
  /** Checks the replica now. */
  look(): Promise<ReplicaState>
  counts(): ReadingCounts
  close(): Promise<void>
}

/** The pause after a replica failure, so that its downtime doesn't slow reads. */
const restMs = 2_000
/** A replica that takes longer than this, for a connection or an answer, is as good as away. */
const patience = { connectMs: 1_000, statementMs: 2_000, lockMs: 1_000, idleInTransactionMs: 5_000 }

const whereIsIt = "select case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else '0/0' end::text as replayed"

/**
 * Opens `size` connections to the replica at `url`. `primary` serves reads while the replica is more than `lagSeconds`
 * behind. `now` is in milliseconds and monotonic.
 */
export function openReplica(
  primary: Database,
  { url, size, lagSeconds }: { url: string; size: number; lagSeconds: number },
  now: () => number = () => performance.now(),
): Replica {
  const pool = createPool(url, { size, application: 'sidewall-readings', patience }, { pipeline: true })
  const sessions = preparing(pool, true)
  const progress = followPrimary(lagSeconds * 1_000, now)
  const counts = { replica: 0, primary: 0 }
  let restUntil = -Infinity

  /** What the replica answers to `text`, and how far it had replayed just before. Undefined if it does not. */
  async function ask(text: string, values: readonly unknown[]) {
    if (now() < restUntil) return undefined
    let session: PostgresPoolClient | undefined
    try {
      session = (await sessions.connect()) as PostgresPoolClient
      const [[place], answer] = await Promise.all([
        session.query<{ replayed: string }>(whereIsIt, []).then(({ rows }) => rows),
        session.query<unknown>(text, values),
      ])
      session.release()
      return { replayed: bytesOf(place?.replayed), answer }
    } catch {
      // What is wrong with the statement itself the primary will say.
      session?.release(true)
      restUntil = now() + restMs
      return undefined
    }
  }

  async function query(text: string, values: readonly unknown[] = []) {
    const needed = progress.needed()
    const found = needed === undefined ? undefined : await ask(text, values)
    if (found && needed !== undefined && found.replayed >= needed) {
      counts.replica += 1
      return found.answer
    }
    counts.primary += 1
    const { rows } = await primary.executeQuery(CompiledQuery.raw(text, [...values]))
    return { command: 'SELECT' as const, rowCount: rows.length, rows }
  }

  const router = { query: refuseTransactions(query), release: () => {} }
  return {
    readings: new Kysely<DB>({
      dialect: new PostgresDialect({
        pool: { options: {}, connect: () => Promise.resolve(router as never), end: () => Promise.resolve() },
      }),
    }),
    notePosition: (lsn, isChange) => progress.note(bytesOf(lsn), isChange),
    async look() {
      const needed = progress.needed()
      const found = await ask('select', [])
      if (!found) return { lagSeconds: null, isUsed: false }
      const isUsed = needed !== undefined && found.replayed >= needed
      return { lagSeconds: progress.behind(found.replayed) / 1_000, isUsed }
    },
    counts: () => counts,
    close: () => pool.end(),
  }
}

function refuseTransactions<Answer>(query: (text: string, values?: readonly unknown[]) => Promise<Answer>) {
  return (text: string, values?: readonly unknown[]) =>
    text === 'begin' ? Promise.reject(new Error('Readings have no transactions.')) : query(text, values)
}

/** What is known of the primary's log, and what follows for readings that may be `lagMs` old. */
export function followPrimary(lagMs: number, now: () => number) {
  /** The oldest is the last one beyond the bound. */
  let positions: Position[] = []
  let change = 0n
  return {
    note(bytes: bigint, isChange: boolean): void {
      // A primary that was restored, or is another now, may be at an earlier place.
      const last = positions.at(-1)
      if (last && bytes < last.bytes) [positions, change] = [[], 0n]
      if (isChange) change = bytes
      positions.push({ bytes, at: now() })
      const beyond = positions.findLastIndex(({ at }) => at <= now() - lagMs)
      positions.splice(0, Math.max(0, beyond))
    },
    /**
     * Returns the log position that a replica must have replayed. Returns undefined if the primary's last position is
     * older than the limit.
     */
    needed(): bigint | undefined {
      const [oldest] = positions
      const last = positions.at(-1)
      if (!oldest || !last || last.at < now() - lagMs) return undefined
      return oldest.bytes > change ? oldest.bytes : change
    },
    /** For how long the primary has been beyond this place at least, in milliseconds. */
    behind(replayed: bigint): number {
      const missed = positions.find(({ bytes }) => bytes > replayed)
      return missed ? now() - missed.at : 0
    },
  }
}

/** A place in the log, which PostgreSQL writes as two hexadecimal numbers of 32 bits. */
function bytesOf(lsn: string | undefined): bigint {
  const [high = '0', low = '0'] = (lsn ?? '0/0').split('/')
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`)
}
