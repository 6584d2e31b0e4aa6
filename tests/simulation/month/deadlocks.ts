/**
 * PostgreSQL doesn't detect deadlocks under libfaketime. Its timers fire within a wrapped call, where the library
 * returns the machine's real time, so the deadline seems years away. The simulation detects them instead and counts
 * each as a failure, because the store must lock in a consistent order.
 */
import { sql } from 'kysely'
import type { Database } from '#platform/db.ts'

type Waiting = { pid: number; statement: string; blockedBy: number[] }

/** Looks once a second until it is disposed of; ends one of those that wait for each other for longer than that. */
export function watchDeadlocks(db: Database, found: (words: string) => void): AsyncDisposable {
  let before = ''
  const look = async () => {
    const cycle = cycleOf(await selectWaiting(db))
    const pids = cycle.map(({ pid }) => pid)
    const isStill = cycle.length > 0 && pids.join() === before
    before = pids.join()
    if (!isStill) return
    found(`deadlock of ${cycle.map(({ statement }) => statement).join(' and ')}`)
    await sql`select pg_cancel_backend(${pids[0]}::int)`.execute(db)
  }
  let looking = Promise.resolve()
  const timer = setInterval(() => {
    // While PostgreSQL is down, deadlocks can't be read.
    looking = looking.then(look).catch(() => {})
  }, 1_000)
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await looking
    },
  }
}

async function selectWaiting(db: Database): Promise<Waiting[]> {
  const { rows } = await sql<Waiting>`
    select pid, left(regexp_replace(query, '\\s+', ' ', 'g'), 120) as statement, pg_blocking_pids(pid) as "blockedBy"
    from pg_stat_activity where wait_event_type = 'Lock' order by pid`.execute(db)
  return rows
}

/** Returns sessions that wait for each other in a cycle, in order. Empty if there is no cycle. */
function cycleOf(all: readonly Waiting[]): Waiting[] {
  const byPid = new Map(all.map((waiting) => [waiting.pid, waiting]))
  const seen = new Set<Waiting>()
  const follow = (waiting: Waiting, path: readonly Waiting[]): Waiting[] => {
    if (path.includes(waiting)) return path.slice(path.indexOf(waiting))
    if (seen.has(waiting)) return []
    seen.add(waiting)
    for (const pid of waiting.blockedBy) {
      const next = byPid.get(pid)
      const circle = next ? follow(next, [...path, waiting]) : []
      if (circle.length > 0) return circle
    }
    return []
  }
  return all.map((waiting) => follow(waiting, [])).find((circle) => circle.length > 0) ?? []
}
