import type { Task, TaskList } from 'graphile-worker'
import type { Log } from '#platform/log.ts'
import type { Metrics } from '#platform/metrics.ts'
import { readRequestId, statementsSoFar, withRequestId } from '#platform/request-scope.ts'

/**
 * Wraps tasks so that they are timed, counted and run under the id of the request that queued the job, or a new id if
 * none did. A failure is logged here, once, and rethrown for the queue to retry.
 */
export function observeJobs(tasks: Record<string, Task>, { log, metrics }: { log: Log; metrics: Metrics }): TaskList {
  return Object.fromEntries(
    Object.entries(tasks).map(([job, task]): [string, Task] => [
      job,
      (payload, helpers) =>
        withRequestId(askedBy(payload) ?? `job-${helpers.job.id}-${helpers.job.attempts}`, async () => {
          const startedAt = performance.now()
          let outcome: 'done' | 'failed' = 'failed'
          try {
            await task(payload, helpers)
            outcome = 'done'
          } catch (error) {
            log.error({ err: error, job, attempt: helpers.job.attempts, of: helpers.job.max_attempts }, 'a job failed')
            throw error
          } finally {
            const ms = performance.now() - startedAt
            metrics.jobDone({ job, outcome, ms })
            log.debug({ job, outcome, ms: Math.round(ms), ...statementsSoFar() }, 'job')
          }
        }),
    ]),
  )
}

function askedBy(payload: unknown): string | undefined {
  return typeof payload === 'object' && payload !== null && 'requestId' in payload
    ? readRequestId(payload.requestId)
    : undefined
}
