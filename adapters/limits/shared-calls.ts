/**
 * Counts calls in this process and exchanges the counts with the other processes once a second, in one statement for all
 * keys: a call itself costs no statement, and is counted also while the database is away
 * (docs/decisions/027-api-and-agents.md).
 */
import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { CallCounts, CallWindow } from '#platform/attempts.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'

const windowMs = 60_000
const exchangeEveryMs = 1_000
/** The number of callers to remember. A per-network limit can't stop an attacker with more networks. */
const mostRemembered = 100_000
/** Callers far from their limit are not exchanged: nearly all. Several processes together allow that much more. */
const shareWorthTelling = 1 / 20
/** Callers exchanged in one statement; the others follow in the next second. */
const mostExchanged = 2_000

/** A caller's window, with the shared count of all processes and this process's unsent count. */
type Count = { told: number; untold: number; endsAt: number }

export type SharedCalls = CallCounts & {
  /** Sends this process's counts and receives the others'. Skips both without the database. */
  exchange(): Promise<void>
}

/** Creates the counts of a process. They are exchanged as long as calls come. */
export function createSharedCalls({ db, clock }: { db: Database; clock: Clock }): SharedCalls {
  const counts = new LRUCache<string, Count>({ max: mostRemembered })
  const worthTelling = new Set<string>()
  let timer: NodeJS.Timeout | undefined

  function count(key: string, most: number): CallWindow {
    const now = clock.now().epochMilliseconds
    let counted = counts.get(key)
    if (!counted || counted.endsAt <= now) {
      counted = { told: 0, untold: 0, endsAt: now + windowMs }
      counts.set(key, counted)
    }
    counted.untold += 1
    const calls = counted.told + counted.untold
    // Calls far above the limit aren't all shared because the limit already applies.
    if (calls > 2 * most) counted.untold -= 1
    else if (calls >= most * shareWorthTelling) worthTelling.add(key)
    if (worthTelling.size > 0) timer ??= setTimeout(() => void exchangeLater(), exchangeEveryMs).unref()
    return { calls, msLeft: counted.endsAt - now }
  }

  async function exchangeLater(): Promise<void> {
    await exchange()
    timer = undefined
  }

  async function exchange(): Promise<void> {
    const now = clock.now().epochMilliseconds
    // In one order in every process, so that two exchanges never wait for each other.
    const keys = [...worthTelling].sort().slice(0, mostExchanged)
    const telling = new Map<string, { counted: Count; points: number }>()
    for (const key of keys) {
      worthTelling.delete(key)
      const counted = counts.get(key)
      if (counted && counted.untold > 0 && counted.endsAt > now) telling.set(key, { counted, points: counted.untold })
    }
    if (telling.size === 0) return
    const rows = [...telling].map(([key, { counted, points }]) => ({ key, points, expire: counted.endsAt }))
    for (const { key, points, expire } of await addCounts(db, rows, now).catch(() => [])) {
      const told = telling.get(key)
      if (told) Object.assign(told.counted, { told: points, untold: told.counted.untold - told.points, endsAt: expire })
    }
  }

  return { count, exchange }
}

type Row = { key: string; points: number; expire: number }

/** Adds to running windows and restarts expired ones. Returns the new counts. */
async function addCounts(db: Database, told: readonly Row[], now: number): Promise<readonly Row[]> {
  const { rows } = await sql<Row>`
    insert into attempt_count as kept (key, points, expire)
    select key, points, expire from json_to_recordset(${JSON.stringify(told)}::json) as told (key text, points int, expire bigint) order by key
    on conflict (key) do update set
      points = case when kept.expire <= ${now}::bigint then excluded.points else kept.points + excluded.points end,
      expire = case when kept.expire <= ${now}::bigint then excluded.expire else kept.expire end
    returning key, points, expire`.execute(db)
  return rows
}
