import { sql } from 'kysely'
import type { Database } from '#platform/db.ts'

/** The emails about access that wait for the worker, oldest first. */
export async function queuedJoinEmails(
  db: Database,
  kind: 'sign-in-joined' | 'staff-invitation' = 'sign-in-joined',
): Promise<{ key: string; to: string }[]> {
  const { rows } = await sql<{ key: string; to: string }>`
    select job.payload ->> 'key' as key, job.payload ->> 'to' as to
    from graphile_worker._private_jobs as job join graphile_worker._private_tasks as task on task.id = job.task_id
    where task.identifier = 'email-about-join' and coalesce(job.payload ->> 'kind', 'sign-in-joined') = ${kind}
    order by job.id`.execute(db)
  return rows
}
