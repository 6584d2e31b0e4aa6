/**
 * Work that must happen after a change is asked for in the transaction of the change itself: graphile-worker's queue is
 * a table, so the job exists exactly when the change does. Jobs carry ids and re-read what they need; each may run
 * twice. The request that asks for a job leaves its id in it, so that what became of it is found in the log under the
 * same one.
 */
import { sql, type Kysely } from 'kysely'
import type { DB } from '#db/types.ts'
import { currentRequestId } from '#platform/request-scope.ts'

export type JobOptions = {
  /** Not before this instant. */
  runAt?: Temporal.Instant
  /** Asking again under the same key replaces the waiting job instead of adding one. */
  key?: string
  maxAttempts?: number
}

export type Job = JobOptions & { name: string; payload: Record<string, string | number> }

/** Asks for job `name` with `payload`, in the transaction of `db` when it is one. */
export function enqueue(
  db: Kysely<DB>,
  name: string,
  payload: Job['payload'],
  options: JobOptions = {},
): Promise<void> {
  return enqueueAll(db, [{ name, payload, ...options }])
}

/** Asks for several jobs in one statement. */
export async function enqueueAll(db: Kysely<DB>, jobs: readonly Job[]): Promise<void> {
  if (jobs.length === 0) return
  const requestId = currentRequestId()
  const asked = requestId === undefined ? {} : { requestId }
  const specs = jobs.map(({ name, payload, runAt, maxAttempts = 25, key }) => ({
    name,
    payload: { ...payload, ...asked },
    run_at: runAt?.toString(),
    max_attempts: maxAttempts,
    key,
  }))
  await sql`
    select from graphile_worker.add_jobs(array(
      select row (job.name, job.payload, null, job.run_at, job.max_attempts, job.key, null, null)::graphile_worker.job_spec
      from json_to_recordset(${JSON.stringify(specs)}::json) as job (name text, payload json, run_at timestamptz, max_attempts smallint, key text)))`.execute(
    db,
  )
}
