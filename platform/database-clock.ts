/**
 * The clock of the database, read by a process. Orders are placed by one process, charged by another and canceled
 * through a third, and the queue goes by the database's time: what one says of "now" must be true for all. Between two
 * readings the process counts by itself, with a counter that nobody can set, so that its own clock may be wrong or jump
 * without anything coming of it.
 */
import { sql } from 'kysely'
import { systemClock, type Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'

export type DatabaseClock = Clock & {
  /** Reads the database's time again; without an answer it goes on from the last. */
  read(): Promise<void>
  stop(): void
}

const readEveryMs = 15_000
/**
 * The time is somewhere between question and answer: one that took longer says too little, unless nothing is known yet.
 */
const exactEnoughMs = 250

/**
 * Starts the clock; settles with the first reading. Where the database is away, this computer's clock has to do until
 * it is back.
 */
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
