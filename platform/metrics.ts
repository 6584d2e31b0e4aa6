/**
 * What a process measures of itself, for Prometheus. The labels are closed lists: routes by their pattern, jobs by
 * their name, so that no visitor can make new series.
 */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import { REQUEST_TIMINGS_MS } from '#platform/business-constants.ts'
import type { Database } from '#platform/db.ts'
import { poolState } from '#platform/db.ts'

export type Metrics = ReturnType<typeof createMetrics>

const timings = [...REQUEST_TIMINGS_MS]
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** How often pages that are kept were answered with, in whole and as unchanged. */
export type PageCounts = { readonly sent: number; readonly unchanged: number }

/**
 * The measurements of this process; `db` is the one whose pool is looked at. Nothing is collected until `read` is
 * called.
 */
export function createMetrics({ db }: { db: Database }) {
  const registry = new Registry()
  const registers = [registry]
  const requests = new Histogram({
    name: 'http_request_duration_ms',
    help: 'How long requests took that were not answered from the page cache',
    labelNames: ['method', 'route', 'status'],
    buckets: timings,
    registers,
  })
  const jobs = new Histogram({
    name: 'job_duration_ms',
    help: 'How long jobs ran',
    labelNames: ['job', 'outcome'],
    buckets: timings,
    registers,
  })
  const orders = new Counter({ name: 'orders_placed_total', help: 'Orders placed by this process', registers })
  const kept: (() => PageCounts)[] = []
  registry.registerMetric(
    new Counter({
      name: 'page_cache_answers_total',
      help: 'Requests answered from the page cache',
      labelNames: ['answer'],
      registers: [],
      collect() {
        this.reset()
        for (const read of kept) {
          const { sent, unchanged } = read()
          this.inc({ answer: 'sent' }, sent)
          this.inc({ answer: 'unchanged' }, unchanged)
        }
      },
    }),
  )
  registry.registerMetric(
    new Gauge({
      name: 'database_pool_connections',
      help: 'Connections to the database by what they do, and those who wait for one',
      labelNames: ['state'],
      registers: [],
      collect() {
        const state = poolState(db)
        if (!state) return
        this.set({ state: 'used' }, state.total - state.idle)
        this.set({ state: 'idle' }, state.idle)
        this.set({ state: 'waited-for' }, state.waiting)
      },
    }),
  )
  let isWatching = false

  return {
    contentType: registry.contentType,
    /** Begins to watch memory, collections of garbage and the lag of the event loop, which is not free. */
    watchProcess(): void {
      if (!isWatching) collectDefaultMetrics({ register: registry })
      isWatching = true
    },
    /** `route` is a pattern of ours, never the address somebody asked for. */
    requestDone({ method, route, status, ms }: { method: string; route: string; status: number; ms: number }): void {
      requests.observe({ method: methods.has(method) ? method : 'other', route, status: String(status) }, ms)
    },
    /** The page cache only counts; it is asked when somebody reads. */
    watchPages(read: () => PageCounts): void {
      kept.push(read)
    },
    jobDone({ job, outcome, ms }: { job: string; outcome: 'done' | 'failed'; ms: number }): void {
      jobs.observe({ job, outcome }, ms)
    },
    orderPlaced(): void {
      orders.inc()
    },
    /** All of it, in the words of Prometheus. */
    read: (): Promise<string> => registry.metrics(),
  }
}
