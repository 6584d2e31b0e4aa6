/**
 * A process's own metrics, for Prometheus. Labels come from closed lists (route patterns, job names), so that visitors
 * cannot create new series.
 */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry, type OpenMetricsContentType } from 'prom-client'
import { REQUEST_TIMINGS_MS } from '#platform/business-constants.ts'
import type { Database } from '#platform/db.ts'
import { poolState } from '#platform/db.ts'
import { createFactGauges } from '#platform/fact-gauges.ts'
import type { Replica } from '#platform/replica.ts'
import { currentTraceId } from '#platform/tracing.ts'

export type Metrics = ReturnType<typeof createMetrics>

const timings = [...REQUEST_TIMINGS_MS]
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** A method as labels name it. Any that HTTP does not know is `other`. */
export function methodLabel(method: string): string {
  return methods.has(method) ? method : 'other'
}

/** How often cached pages were sent in full, and answered as unchanged. */
export type PageCounts = {
  readonly sent: number
  readonly unchanged: number
  readonly waited: number
  /** The cached bytes and pages, the pages requested only once, and the number of evicted pages. */
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
  /** The request's trace, if any, as the exemplar of its histogram bucket. */
  traceId: string | undefined
}

/** What this process counts and times. */
function createSeries(registers: Registry<OpenMetricsContentType>[]) {
  const requests = new Histogram<'method' | 'route' | 'status' | 'trace_id'>({
    name: 'http_request_duration_ms',
    help: 'How long requests took that were not answered from the page cache',
    labelNames: ['method', 'route', 'status'],
    buckets: timings,
    enableExemplars: true,
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
  // Not `job`, which Prometheus uses for its scrape target.
  const jobs = new Histogram<'task' | 'outcome' | 'trace_id'>({
    name: 'job_duration_ms',
    help: 'How long jobs ran',
    labelNames: ['task', 'outcome'],
    buckets: timings,
    enableExemplars: true,
    registers,
  })
  const kept = new Counter({
    name: 'objective_events_total',
    help: 'How often this process kept an objective of the store and missed it',
    labelNames: ['objective', 'outcome'],
    registers,
  })
  const purchases = new Histogram<'step' | 'outcome' | 'trace_id'>({
    name: 'synthetic_purchase_step_duration_ms',
    help: 'How long the steps of the synthetic buyer took',
    labelNames: ['step', 'outcome'],
    buckets: timings,
    enableExemplars: true,
    registers,
  })
  const orders = new Counter({ name: 'orders_placed_total', help: 'Orders placed by this process', registers })
  return { requests, statements, roundTrips, jobs, kept, purchases, orders }
}

/**
 * Creates this process's metrics. `db` is the database with the measured pool, and `replica` its read replica. Collects
 * data only when `read` is called.
 */
export function createMetrics({ db, replica = null }: { db: Database; replica?: Replica | null }) {
  // The form of Prometheus' text that has exemplars.
  const registry = new Registry<OpenMetricsContentType>()
  registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE)
  const registers = [registry]
  const { requests, statements, roundTrips, jobs, kept, purchases, orders } = createSeries(registers)
  const pages: (() => PageCounts)[] = []
  measurePages(registry, pages)
  if (replica) measureReplica(registry, replica)
  const facts = createFactGauges(registers)
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
    /** Starts measuring memory, garbage collection and event-loop lag. Measuring has a cost. */
    watchProcess(): void {
      if (!isWatching) collectDefaultMetrics({ register: registry })
      isWatching = true
    },
    /** `route` is a route pattern, never the requested address. */
    requestDone({ route, status, ms, traceId, ...request }: RequestDone): void {
      const method = methodLabel(request.method)
      requests.observe({ labels: { method, route, status: String(status) }, value: ms, ...exampleOf(traceId) })
      statements.inc({ method, route }, request.statements)
      roundTrips.inc({ method, route }, request.roundTrips)
    },
    /** The page cache maintains the counts. They are read with the metrics. */
    watchPages(read: () => PageCounts): void {
      pages.push(read)
    },
    jobDone({ job, outcome, ms, traceId }: JobDone): void {
      jobs.observe({ labels: { task: job, outcome }, value: ms, ...exampleOf(traceId) })
    },
    orderPlaced(): void {
      orders.inc()
    },
    /** `objective` is one of the store's own names. */
    objective(objective: string, isKept: boolean): void {
      kept.inc({ objective, outcome: isKept ? 'good' : 'bad' })
    },
    purchaseStep({ step, isDone, ms }: { step: string; isDone: boolean; ms: number }): void {
      purchases.observe({
        labels: { step, outcome: isDone ? 'done' : 'failed' },
        value: ms,
        ...exampleOf(currentTraceId()),
      })
    },
    /** The store's totals from the database, replacing the previous ones. */
    facts,
    /** All metrics, in Prometheus format. */
    read: (): Promise<string> => registry.metrics(),
  }
}

type JobDone = { job: string; outcome: 'done' | 'failed'; ms: number; traceId: string | undefined }

function exampleOf(traceId: string | undefined): { exemplarLabels?: { trace_id: string } } {
  return traceId === undefined ? {} : { exemplarLabels: { trace_id: traceId } }
}

/** How far a replica is behind, and how often it answered. */
function measureReplica(registry: Registry<OpenMetricsContentType>, replica: Replica): void {
  registry.registerMetric(
    new Gauge({
      name: 'database_replica_lag_seconds',
      help: 'How far the replica for catalog readings is behind; -1 while it is away',
      registers: [],
      async collect() {
        this.set((await replica.look()).lagSeconds ?? -1)
      },
    }),
  )
  registry.registerMetric(
    new Counter({
      name: 'catalog_readings_total',
      help: 'Catalog queries by cache layer',
      labelNames: ['source'],
      registers: [],
      collect() {
        this.reset()
        for (const [source, count] of Object.entries(replica.counts())) this.inc({ source }, count)
      },
    }),
  )
}

/** The answers and the memory of the page caches that `kept` reads. */
function measurePages(registry: Registry<OpenMetricsContentType>, kept: readonly (() => PageCounts)[]): void {
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
      help: 'Pages in the page cache, by request count',
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
