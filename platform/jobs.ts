/**
 * Queues follow-up work in the same transaction as the change. graphile-worker's queue is a table, so the job exists
 * exactly if the change does. Jobs contain IDs and re-read their data. Each can run twice. A job contains the ID of its
 * request, so that both can be found together in the log, and the request's trace, which the worker continues.
 */
import { sql, type RawBuilder } from 'kysely'
import { sendWithNext, type Database, type Tx } from '#platform/db.ts'
import type { JobInput, JobName } from '#platform/job-payloads.ts'
import { currentRequestId } from '#platform/request-scope.ts'
import { currentTraceparent } from '#platform/tracing.ts'

export type JobOptions = {
  /** Not before this instant. */
  runAt?: Temporal.Instant
  /** Queuing again under the same key replaces the waiting job instead of adding one. */
  key?: string
  maxAttempts?: number
}

export type Job = { [Name in JobName]: JobOptions & { name: Name; payload: JobInput<Name> } }[JobName]

/** Queues job `name` with `payload`, in the transaction `db` if it is one. */
export async function enqueue<Name extends JobName>(
  db: Database,
  name: Name,
  payload: JobInput<Name>,
  options: JobOptions = {},
): Promise<void> {
  await statementFor([{ name, payload, ...options }]).execute(db)
}

/** Queues several jobs in one statement. */
export async function enqueueAll(db: Database, jobs: readonly Job[]): Promise<void> {
  if (jobs.length > 0) await statementFor(jobs).execute(db)
}

/** The same in the packet of the transaction's next statement, such as its commit. */
export async function enqueueWithCommit(tx: Tx, jobs: readonly Job[]): Promise<void> {
  if (jobs.length > 0) await sendWithNext(tx, statementFor(jobs))
}

function statementFor(jobs: readonly (JobOptions & { name: string; payload: object })[]): RawBuilder<unknown> {
  const [requestId, traceparent] = [currentRequestId(), currentTraceparent()]
  const asked = { ...(requestId !== undefined && { requestId }), ...(traceparent !== undefined && { traceparent }) }
  const specs = jobs.map(({ name, payload, runAt, maxAttempts = 25, key }) => ({
    name,
    payload: { ...payload, ...asked },
    run_at: runAt?.toString(),
    max_attempts: maxAttempts,
    key,
  }))
  return sql`
    select from graphile_worker.add_jobs(array(
      select row (job.name, job.payload, null, job.run_at, job.max_attempts, job.key, null, case when job.key is not null then array['keyed'] end)::graphile_worker.job_spec
      from json_to_recordset(${JSON.stringify(specs)}::json) as job (name text, payload json, run_at timestamptz, max_attempts smallint, key text)))`
}

/** A job is overdue this long after its due time. */
export const jobOverdueMinutes = 5

/**
 * Returns whether a job was queued again under its key while a worker ran it. The queue then removes the job's key,
 * which the flag records, and its attempts, and the later job does its work. If the earlier attempt fails or its worker
 * crashes, no work is lost.
 */
export const isSuperseded = sql<boolean>`(attempts >= max_attempts and key is null and coalesce(flags ? 'keyed', false))`

/** How many jobs should have run by `now` and have not, since when, and how many have failed for good. */
export async function readJobState(
  { db }: { db: Database },
  now: Temporal.Instant,
): Promise<{ overdue: number; overdueSince: Temporal.Instant | null; failed: number }> {
  const due = now.subtract({ minutes: jobOverdueMinutes })
  const { rows } = await sql<{ overdue: number; overdueSince: Temporal.Instant | null; failed: number }>`
    select count(*) filter (where run_at < ${due}::timestamptz and attempts < max_attempts)::int as overdue,
      min(run_at) filter (where run_at < ${due}::timestamptz and attempts < max_attempts) as "overdueSince",
      count(*) filter (where attempts >= max_attempts and not ${isSuperseded})::int as failed
    from graphile_worker.jobs`.execute(db)
  return rows[0] ?? { overdue: 0, overdueSince: null, failed: 0 }
}

/** Jobs that have failed as often as they may and are not tried again, oldest first. */
export async function listFailedJobs(
  { db }: { db: Database },
  limit: number,
): Promise<{ name: string; error: string; createdAt: Temporal.Instant }[]> {
  const { rows } = await sql<{ name: string; error: string; createdAt: Temporal.Instant }>`
    select task_identifier as name, coalesce(last_error, '') as error, created_at as "createdAt"
    from graphile_worker.jobs where attempts >= max_attempts and not ${isSuperseded} order by created_at limit ${limit}`.execute(
    db,
  )
  return rows
}
