import { SpanKind } from '@opentelemetry/api'
import type { Task, TaskList } from 'graphile-worker'
import type { Log } from '#platform/log.ts'
import type { Metrics } from '#platform/metrics.ts'
import { readRequestId, statementsSoFar, withRequestId } from '#platform/request-scope.ts'
import { beginTrace, currentTraceId } from '#platform/tracing.ts'

/**
 * Wraps tasks with timing, counting, and the ID of the request that queued the job, or a new ID. Logs a failure once
 * and rethrows it so that the queue retries.
 */
export function observeJobs(tasks: Record<string, Task>, { log, metrics }: { log: Log; metrics: Metrics }): TaskList {
  return Object.fromEntries(
    Object.entries(tasks).map(([job, task]): [string, Task] => [
      job,
      (payload, helpers) => {
        const { requestId, traceparent } = askedBy(payload)
        const step = { name: `job ${job}`, kind: SpanKind.CONSUMER, traceparent, from: 'ours' as const }
        return withRequestId(requestId ?? `job-${helpers.job.id}-${helpers.job.attempts}`, () =>
          beginTrace({ ...step, attributes: { attempt: helpers.job.attempts } }, () =>
            observe({ job, task, payload, helpers }, { log, metrics }),
          ),
        )
      },
    ]),
  )
}

type Running = { job: string; task: Task; payload: unknown; helpers: Parameters<Task>[1] }

async function observe({ job, task, payload, helpers }: Running, { log, metrics }: { log: Log; metrics: Metrics }) {
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
    metrics.jobDone({ job, outcome, ms, traceId: currentTraceId() })
    log.debug({ job, outcome, ms: Math.round(ms), ...statementsSoFar() }, 'job')
  }
}

/** The id and the trace of the request that queued the job. */
function askedBy(payload: unknown): { requestId: string | undefined; traceparent: unknown } {
  if (typeof payload !== 'object' || payload === null) return { requestId: undefined, traceparent: undefined }
  return {
    requestId: 'requestId' in payload ? readRequestId(payload.requestId) : undefined,
    traceparent: 'traceparent' in payload ? payload.traceparent : undefined,
  }
}
