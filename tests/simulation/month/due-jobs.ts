/** The worker's timetable over a step of the clock, and the end of everything that is due. */
import { sql } from 'kysely'
import { parseCrontab } from 'graphile-worker'
import { setTimeout as later } from 'node:timers/promises'
import { enqueueAll, isSuperseded, type Job } from '#platform/jobs.ts'
import type { Database } from '#platform/db.ts'
import { timetable } from '../../../timetable.ts'

const entries = parseCrontab(timetable({ isBuying: false }))

/** The scheduled jobs that come due after `from` and until `to`, each once, in the order in which they first do. */
export function dueBetween(from: Temporal.Instant, to: Temporal.Instant): string[] {
  const due = new Set<string>()
  const minute = { minutes: 1 }
  const first = from.round({ smallestUnit: 'minute', roundingMode: 'floor' }).add(minute)
  for (let at = first; Temporal.Instant.compare(at, to) <= 0 && due.size < entries.length; at = at.add(minute)) {
    const { minute: min, hour, day: date, month, dayOfWeek } = at.toZonedDateTimeISO('UTC')
    for (const { task, match } of entries) if (match({ min, hour, date, month, dow: dayOfWeek % 7 })) due.add(task)
  }
  return [...due]
}

/** Queues them as the worker's timetable does. */
export async function enqueueDue(db: Database, names: readonly string[]): Promise<void> {
  await enqueueAll(
    db,
    names.map((name) => ({ name, payload: {}, key: name }) as Job),
  )
}

export type OpenJob = { id: string; task: string; attempts: number; error: string | null }

/** Jobs that are due and not done, by the database's own clock. */
export async function openJobs(db: Database): Promise<OpenJob[]> {
  const { rows } = await sql<OpenJob>`
    select id::text, task_identifier as task, attempts, last_error as error
    from graphile_worker.jobs where run_at <= now() and not ${isSuperseded} order by id limit 2000`.execute(db)
  return rows
}

/**
 * Resolves when no job is due or no job has ended for `seconds`. Jobs blocked by an unavailable provider stay open
 * until their next attempt. Returns the open jobs.
 */
export async function settleJobs(db: Database, seconds: number): Promise<OpenJob[]> {
  let open = await openJobs(db)
  for (let lastEnd = performance.now(); open.length > 0 && performance.now() < lastEnd + seconds * 1_000;) {
    await later(150)
    const now = await openJobs(db)
    const stillOpen = new Set(now.map(({ id }) => id))
    if (open.some(({ id }) => !stillOpen.has(id))) lastEnd = performance.now()
    open = now
  }
  return open
}
