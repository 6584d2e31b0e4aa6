/**
 * Work that must happen after a change is asked for in the transaction of the change itself: graphile-worker's queue is a table, so the job
 * exists exactly when the change does. Jobs carry ids and re-read what they need; each may run twice.
 */
import { sql, type Kysely } from 'kysely'
import type { DB } from '#db/types.ts'

export type JobOptions = {
  /** Not before this instant. */
  runAt?: Temporal.Instant
  /** Asking again under the same key replaces the waiting job instead of adding one. */
  key?: string
  maxAttempts?: number
}

/** Asks for job `name` with `payload`, in the transaction of `db` when it is one. */
export async function enqueue(db: Kysely<DB>, name: string, payload: Record<string, string | number>, options: JobOptions = {}): Promise<void> {
  await sql`
    select graphile_worker.add_job(
      ${name}::text,
      payload => ${JSON.stringify(payload)}::json,
      run_at => ${options.runAt?.toString() ?? null}::timestamptz,
      max_attempts => ${options.maxAttempts ?? 25}::int,
      job_key => ${options.key ?? null}::text)`.execute(db)
}
