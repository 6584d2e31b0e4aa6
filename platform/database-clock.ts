/**
 * The database's clock, read by a process. One process places an order, another charges it, a third cancels it, and the
 * queue runs on database time, so all must agree on "now". Between readings the process uses a monotonic counter, so
 * its own clock may be wrong or jump without effect.
 */
import { sql } from 'kysely'
import { systemClock, type Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'

export type DatabaseClock = Clock & {
  /** Reads the database's time again; if that fails, continues from the last reading. */
  read(): Promise<void>
  stop(): void
}

const readEveryMs = 15_000
/** A reading is only as precise as its round trip. Slower ones are ignored, except for the first reading. */
const exactEnoughMs = 250

/** Starts the clock; resolves after the first reading. While the database is down, this computer's clock is used. */
export async function startDatabaseClock(db: Database): Promise<DatabaseClock> {
  let known: { time: Temporal.Instant; at: number } | undefined

  async function read(): Promise<void> {
    const asked = performance.now()
    const { rows } = await sql<{ time: Temporal.Instant }>`select clock_timestamp() as time`.execute(db)
    const tookMs = performance.now() - asked
    const [row] = rows
    if (row && (!known || tookMs < exactEnoughMs)) known = { time: row.time, at: asked + tookMs / 2 }
  }

  const readQuietly = () => read().catch(() => {})
  await readQuietly()
  const timer = setInterval(() => void readQuietly(), readEveryMs)
  timer.unref()
  return {
    now: () =>
      known ? known.time.add({ microseconds: Math.round((performance.now() - known.at) * 1_000) }) : systemClock.now(),
    read: readQuietly,
    stop: () => clearInterval(timer),
  }
}
