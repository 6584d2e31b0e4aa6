/**
 * A process's own metrics, for Prometheus. Labels come from closed lists (route patterns, job names), so that visitors
 * cannot create new series.
 */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import { REQUEST_TIMINGS_MS } from '#platform/business-constants.ts'
import type { Database } from '#platform/db.ts'
import { poolState } from '#platform/db.ts'

export type Metrics = ReturnType<typeof createMetrics>

const timings = [...REQUEST_TIMINGS_MS]
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** How often cached pages were sent in full, and answered as unchanged. */
export type PageCounts = {
  readonly sent: number
  readonly unchanged: number
  readonly waited: number
  /** What is kept, and of that what was asked for once; how many pages were driven out. */
  readonly bytes: number
  readonly pages: number
  readonly newPages: number
  readonly evictions: number
}

type RequestDone = {
  method: string
  route: string
  status: number
  ms: number
  statements: number
  roundTrips: number
}

/**
 * The metrics of this process; `db` is the database whose pool is measured. Nothing is collected until `read` is
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
  const statements = new Counter({
    name: 'http_request_statements_total',
    help: 'What those requests sent to the database',
    labelNames: ['method', 'route'],
    registers,
  })
  const roundTrips = new Counter({
    name: 'http_request_round_trips_total',
    help: 'In how many packets those requests sent it',
    labelNames: ['method', 'route'],
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
  measurePages(registry, kept)
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
    /** Starts measuring memory, garbage collection and event-loop lag, which has a cost. */
    watchProcess(): void {
      if (!isWatching) collectDefaultMetrics({ register: registry })
      isWatching = true
    },
    /** `route` is a route pattern, never the requested address. */
    requestDone({ route, status, ms, ...request }: RequestDone): void {
      const method = methods.has(request.method) ? request.method : 'other'
      requests.observe({ method, route, status: String(status) }, ms)
      statements.inc({ method, route }, request.statements)
      roundTrips.inc({ method, route }, request.roundTrips)
    },
    /** The page cache keeps the counts; they are read when metrics are. */
    watchPages(read: () => PageCounts): void {
      kept.push(read)
    },
    jobDone({ job, outcome, ms }: { job: string; outcome: 'done' | 'failed'; ms: number }): void {
      jobs.observe({ job, outcome }, ms)
    },
    orderPlaced(): void {
      orders.inc()
    },
    /** All metrics, in Prometheus format. */
    read: (): Promise<string> => registry.metrics(),
  }
}

/** The answers and the memory of the page caches that `kept` reads. */
function measurePages(registry: Registry, kept: readonly (() => PageCounts)[]): void {
  registry.registerMetric(
    new Counter({
      name: 'page_cache_answers_total',
      help: 'Requests answered from the page cache',
      labelNames: ['answer'],
      registers: [],
      collect() {
        this.reset()
        for (const read of kept) {
          const { sent, unchanged, waited } = read()
          this.inc({ answer: 'sent' }, sent)
          this.inc({ answer: 'unchanged' }, unchanged)
          this.inc({ answer: 'waited' }, waited)
        }
      },
    }),
  )
  registry.registerMetric(
    new Gauge({
      name: 'page_cache_bytes',
      help: 'Memory of the page cache',
      registers: [],
      collect() {
        this.set(kept.reduce((sum, read) => sum + read().bytes, 0))
      },
    }),
  )
  registry.registerMetric(
    new Gauge({
      name: 'page_cache_pages',
      help: 'Pages in the page cache, by how often they were asked for',
      labelNames: ['asked'],
      registers: [],
      collect() {
        this.reset()
        for (const read of kept) {
          const { pages, newPages } = read()
          this.inc({ asked: 'once' }, newPages)
          this.inc({ asked: 'again' }, pages - newPages)
        }
      },
    }),
  )
  registry.registerMetric(
    new Counter({
      name: 'page_cache_evictions_total',
      help: 'Pages that the page cache dropped for others',
      registers: [],
      collect() {
        this.reset()
        this.inc(kept.reduce((sum, read) => sum + read().evictions, 0))
      },
    }),
  )
}
