/**
 * The process that places orders. It compares `commitOrder` with prepared data to pgbench's transaction (TPC-B: seven
 * statements) through the same pool. On `{ kind, milliseconds }` it runs its clients in a closed loop and responds like
 * the load client.
 */
import { confirmHold } from '#domain/scheduling/booking/booking.server.ts'
import { lockPriceBasis } from '#domain/ordering/checkout/price-basis.sql.server.ts'
import { listRules, prepareScreening } from '#domain/ordering/fraud/fraud.server.ts'
import { commitOrder } from '#domain/ordering/orders/orders.server.ts'
import { systemClock } from '#platform/clock.ts'
import { loadConfig } from '#platform/config.ts'
import { createDatabase, createPool } from '#platform/db.ts'
import type { LoadResult } from './load-client.ts'
import { prepareOrders, type PreparedOrder } from './prepare-orders.ts'

export type OrderJob =
  | { kind: 'order' | 'tpc-b'; milliseconds: number; clients: number }
  | { kind: 'prepare'; count: number }

const { database } = loadConfig()
const db = createDatabase(database.url, { size: database.poolSize })
const pool = createPool(database.url, { size: database.poolSize })
const prepared: PreparedOrder[] = []
const rules = await listRules({ db })

process.on('message', (message: { orderJob: OrderJob }) => {
  if (message.orderJob) void work(message.orderJob).then((result) => process.send?.({ type: 'result', result }))
})
process.once('SIGTERM', () => process.exit())
process.once('disconnect', () => process.exit())
// Without a server, this process stays alive only through the message channel.
process.channel?.ref()
process.send?.({ type: 'ready' })

async function work(job: OrderJob): Promise<LoadResult | number> {
  if (job.kind === 'prepare') {
    prepared.push(...(await prepareOrders(db, job.count)))
    return prepared.length
  }
  return runClients(job.kind === 'order' ? placeNext : transfer, job)
}

async function runClients(
  once: () => Promise<string | undefined>,
  { milliseconds, clients }: { milliseconds: number; clients: number },
): Promise<LoadResult> {
  const latencies: number[] = []
  let failed = 0
  let firstFailure: string | null = null
  const began = performance.now()
  await Promise.all(
    Array.from({ length: clients }, async () => {
      while (performance.now() - began < milliseconds) {
        const from = performance.now()
        const failure = await once()
        latencies.push(performance.now() - from)
        if (failure === undefined) continue
        failed += 1
        firstFailure ??= failure
      }
    }),
  )
  const sorted = Float64Array.from(latencies).sort()
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return {
    answered: sorted.length,
    failed,
    firstFailure,
    seconds: (performance.now() - began) / 1000,
    p50: at(0.5),
    p99: at(0.99),
    cpuShare: 0,
  }
}

/** Places one of the prepared orders; returns the error, if any. */
async function placeNext(): Promise<string | undefined> {
  const order = prepared.pop()
  if (!order) return 'too few orders were prepared'
  const { cartId } = order.draft
  const placed = await commitOrder(
    { db },
    {
      draft: order.draft,
      cart: { version: order.cartVersion, accountId: null },
      begin: null,
      termsVersion: 0,
      standsPrice: async (tx) =>
        typeof (await lockPriceBasis(tx, { cartId: order.draft.cartId, accountId: null })) === 'string',
      screening: (tx) =>
        prepareScreening(
          tx,
          {
            cartId: order.draft.cartId,
            accountId: null,
            paymentId: order.paymentId,
            email: order.draft.email,
            street: order.draft.shipTo.street,
            zip: order.draft.shipTo.zip,
            billingZip: order.draft.billing.zip,
            at: order.draft.placedAt,
            isHome: order.draft.fulfillment === 'home',
            isForCompany: false,
            tires: 4,
            totalCents: order.draft.breakdown.totals.totalCents,
            names: [order.draft.contact.address1],
            factor: 1_000,
          },
          rules,
        ),
      money: { by: 'charge', paymentId: order.paymentId, method: 'card' },
      claimOffer: null,
      keepTax: null,
      confirmBooking: (tx, orderId) => confirmHold({ db: tx, clock: systemClock }, { cartId, orderId }),
    },
  )
  return placed.ok ? undefined : placed.reason
}

/** https://www.postgresql.org/docs/current/pgbench.html, "tpcb-like", on tables of scale 10. */
async function transfer(): Promise<undefined> {
  const [account, branch, teller] = [draw(1_000_000), draw(10), draw(100)]
  const delta = draw(10_000) - 5_000
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query({
      name: 't1',
      text: 'update bench_account set balance = balance + $1 where id = $2',
      values: [delta, account],
    })
    await client.query({ name: 't2', text: 'select balance from bench_account where id = $1', values: [account] })
    await client.query({
      name: 't3',
      text: 'update bench_teller set balance = balance + $1 where id = $2',
      values: [delta, teller],
    })
    await client.query({
      name: 't4',
      text: 'update bench_branch set balance = balance + $1 where id = $2',
      values: [delta, branch],
    })
    await client.query({
      name: 't5',
      text: 'insert into bench_history (teller, branch, account, delta, at) values ($1, $2, $3, $4, now())',
      values: [teller, branch, account, delta],
    })
    await client.query('commit')
  } finally {
    client.release()
  }
  return undefined
}

function draw(most: number): number {
  return 1 + Math.floor(Math.random() * most)
}
