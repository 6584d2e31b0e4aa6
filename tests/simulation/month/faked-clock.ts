/**
 * One clock for PostgreSQL, web, worker, and sandbox, controlled with libfaketime. The programs read the simulated
 * time. Timers use real time, so clock steps don't wake waiting code.
 */
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

export type FakedClock = {
  /** What every process of the month takes into its environment. */
  env: Record<string, string>
  now(): Temporal.Instant
  /** Advances to an instant. Past instants are ignored because the clock never moves backward. */
  to(instant: Temporal.Instant): Promise<void>
}

/** A clock that starts at `start`, kept in a file of `folder`, which every account may read. */
export async function createFakedClock(library: string, folder: string, start: Temporal.Instant): Promise<FakedClock> {
  const file = join(folder, 'clock')
  let aheadSeconds = Number.NEGATIVE_INFINITY
  async function to(instant: Temporal.Instant): Promise<void> {
    const seconds = Math.ceil(instant.since(Temporal.Now.instant()).total('seconds'))
    if (seconds <= aheadSeconds) return
    aheadSeconds = seconds
    // Atomic because programs can read it at any moment.
    await writeFile(`${file}.new`, `${seconds < 0 ? '' : '+'}${seconds}\n`, { mode: 0o644 })
    await rename(`${file}.new`, file)
  }
  await to(start)
  return {
    env: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      DONT_FAKE_MONOTONIC: '1',
    },
    now: () => Temporal.Now.instant().add({ seconds: aheadSeconds }),
    to,
  }
}
