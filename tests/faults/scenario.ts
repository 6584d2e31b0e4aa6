/**
 * The small demo market with external services that outlive the store's processes, and a check that everything agrees
 * at the end.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expireHolds } from '#domain/scheduling/booking/booking.server.ts'
import { findShopsNear } from '#domain/scheduling/installers/installers.server.ts'
import { sendMessage } from '#domain/messaging/messages/messages.server.ts'
import { messageValues } from '#domain/ordering/orders/order-messages.server.ts'
import { cancelParcel, releaseOrder, shipOrder } from '#domain/ordering/orders/orders.server.ts'
import {
  payOutRefund,
  releaseAbandonedCharges,
  releaseCutOffCharges,
  voidCharge,
} from '#domain/payments/payments/payments.server.ts'
import { fixedClock } from '#platform/clock.testing.ts'
import { createTestDatabase, smallDataMadeAt } from '#tests/support/database.ts'
import type { Application } from '#application'
import { verify } from '#tests/support/invariants.ts'
import type { Inspection } from '#db/invariants/invariants.ts'
import { openOutside } from './outside.ts'
import { composeApplication, granted, prepareCart, stockPlenty, type ReadyCart, type Wish } from './ready-cart.ts'
import { watchSteps, type AtStep, type Watched } from './steps.ts'

export type Scenario = Awaited<ReturnType<typeof openScenario>>
export type JobName =
  | 'release-order'
  | 'ship-order'
  | 'cancel-parcel'
  | 'void-charge'
  | 'refund-charge'
  | 'send-message'

/**
 * The number of interrupted steps between comparisons. Comparisons are expensive. Each step has its own order, so
 * disagreements persist. `npm run test:long` compares after each step.
 */
export const stepsBetweenComparisons = Number(process.env['STEPS_BETWEEN_COMPARISONS'] ?? 10)

/**
 * The number of an order's steps between overtakes. Steps between two locks are equivalent because the overtaking
 * operation is blocked by the same row. OVERTAKE_STEPS=1 runs each.
 */
export const stepsBetweenOvertakes = Number(process.env['OVERTAKE_STEPS'] ?? 5)

/** A disagreement, described. */
export type Disagreement = Inspection | string

/** `env`: settings of the store, such as how long a statement may take. */
export async function openScenario({ size = 10, env = {} }: { size?: number; env?: Record<string, string> } = {}) {
  const database = await createTestDatabase({ from: 'small-open' })
  const clock = fixedClock(smallDataMadeAt)
  const outside = await openOutside(clock)
  const app = composeApplication(database.url, { clock, ...outside.connect() }, { size, env })
  const { db } = database
  let stockAtFirst = await unitsOf(db)

  /** Runs queued jobs with these names, and the jobs they queue, until the queue is empty. */
  async function runJobs(by: Application, ...names: JobName[]): Promise<void> {
    for (;;) {
      const { rows } = await sql<{ id: string; name: JobName; payload: Record<string, never> }>`
        select job.id, task.identifier as name, job.payload
        from graphile_worker._private_jobs job join graphile_worker._private_tasks task on task.id = job.task_id
        where task.identifier = any(${names}::text[]) order by job.id limit 1`.execute(db)
      const [job] = rows
      if (!job) return
      if (job.name === 'release-order') await letWindowEnd(Number(job.payload['orderId']))
      await runJob(by, job)
      await sql`delete from graphile_worker._private_jobs where id = ${job.id}::bigint`.execute(db)
    }
  }

  /** Advances to the end of the cancellation window, for which the queue holds the release. */
  async function letWindowEnd(orderId: number): Promise<void> {
    const { cancel_until } = await db
      .selectFrom('sales_order')
      .select('cancel_until')
      .where('id', '=', orderId)
      .executeTakeFirstOrThrow()
    if (Temporal.Instant.compare(clock.now(), cancel_until) < 0) clock.set(cancel_until)
  }

  return {
    outside,
    db,
    clock,
    url: database.url,
    /** A process that is not disturbed. */
    app,
    /** Creates a process with observed steps. */
    async process(atStep: AtStep): Promise<{ watched: Watched; app: Application } & AsyncDisposable> {
      const watched = await watchSteps(database.url, atStep)
      const { payments, carrier, mailer } = outside.connect()
      const ports = {
        payments: watched.watch(payments),
        carrier: watched.watch(carrier),
        mailer: watched.watch(mailer),
      }
      const own = composeApplication(watched.url, { clock, ...ports }, { size: 4 })
      return {
        watched,
        app: own,
        async [Symbol.asyncDispose]() {
          await own[Symbol.asyncDispose]()
          await watched[Symbol.asyncDispose]()
        },
      }
    },
    /** Stocks plenty of one 225/65R17 article, all in one warehouse. Returns the article. */
    async stockUp(): Promise<number> {
      const id = await stockPlenty(db)
      stockAtFirst = await unitsOf(db)
      return id
    },
    /** A shop near 60614 that installs it, without appointments. */
    async shopNearby(): Promise<number> {
      const near = granted(
        await findShopsNear(app, {
          near: { zip: '60614' },
          tires: [{ quantity: 4, rimIn: 17, aspect: 65, runFlat: false, sizeKind: 'P' }],
        }),
      )
      const busy = await db.selectFrom('booking').select('shop_id').distinct().execute()
      return near.find(({ id }) => !busy.some(({ shop_id }) => shop_id === id))?.id ?? 0
    },
    /** A ready cart with an authorized card. */
    prepare: (wish: Wish): Promise<ReadyCart> => prepareCart(app, wish, outside.authorize),
    async refOf(cartId: string): Promise<string> {
      const { provider_ref } = await db
        .selectFrom('payment')
        .select('provider_ref')
        .where('cart_id', '=', cartId)
        .executeTakeFirstOrThrow()
      return provider_ref ?? ''
    },
    /** Resolves when a statement is blocked by another's lock. */
    async someoneWaits(count = 1): Promise<void> {
      for (;;) {
        const { rows } =
          await sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
            db,
          )
        if (rows.length >= count) return
        await sleep(5)
      }
    },
    runJobs,
    /** Simulates the minute after a crash, with the worker's periodic jobs. */
    async letMinutePass(): Promise<void> {
      clock.set(clock.now().add({ seconds: 60 }))
      await releaseCutOffCharges(app)
      await runJobs(app, 'void-charge')
    },
    /** Shoppers have left, and the worker's periodic jobs run. */
    async letTimePass(): Promise<void> {
      clock.set(clock.now().add({ minutes: 45 }))
      await expireHolds(app)
      await releaseAbandonedCharges(app)
      await runJobs(app, 'void-charge', 'release-order', 'ship-order', 'refund-charge')
    },
    /** Returns disagreements between invariants, provider, and stock. Empty if there aren't any. */
    async disagreements(): Promise<Disagreement[]> {
      const found: Disagreement[] = await verify(db, clock.now())
      const payments = await db
        .selectFrom('payment')
        .leftJoin('sales_order', 'sales_order.id', 'order_id')
        .select([
          'provider_ref',
          'payment.state',
          'sales_order.id as orderId',
          'sales_order.state as order',
          // All its charges together; what a change made cheaper was paid and given back.
          sql<number>`total_cents + coalesce((select sum(before_cents - after_cents) from order_change change
            where change.order_id = sales_order.id and change.state = 'done' and settled_by = 'refund'), 0)::int`.as(
            'dueCents',
          ),
        ])
        .where('provider_ref', 'is not', null)
        .where('provider_ref', 'not like', 'pi_sample_%')
        .execute()
      const records = new Map(payments.map((payment) => [payment.provider_ref, payment]))
      const charges = await outside.charges([...records.keys()].flatMap((ref) => ref ?? []))
      const paidFor = (orderId: number | null | undefined) =>
        [...charges].reduce(
          (sum, [ref, { amountCents }]) => sum + (records.get(ref)?.orderId === orderId ? amountCents : 0),
          0,
        )
      for (const [ref, charge] of charges) {
        const record = records.get(ref)
        const isOwed = record?.order === 'confirmed'
        // Canceled by staff and fully refunded.
        const isPaidBack = charge.state === 'captured' && charge.refundedCents === charge.capturedCents
        const isHeld = !isPaidBack && (charge.state === 'authorized' || charge.state === 'captured')
        if (isHeld && (!isOwed || paidFor(record.orderId) !== record.dueCents))
          found.push(
            `${ref} is ${charge.state} over ${charge.amountCents}, for an order that is ${record?.order ?? 'not there'}`,
          )
        if (!isHeld && isOwed) found.push(`${ref} is ${charge.state}, and its order is confirmed`)
        if (
          record &&
          (record.state === 'authorized' || record.state === 'captured' || record.state === 'voided') &&
          record.state !== charge.state
        )
          found.push(`${ref} is ${charge.state} there and ${record.state} here`)
      }
      const promised = await sql<{ units: number }>`
        select coalesce(sum(quantity), 0)::int as units from stock_allocation join sales_order on sales_order.id = order_id
        where sales_order.state = 'confirmed' and sales_order.id > 104000`.execute(db)
      const shelved = await unitsOf(db)
      if (stockAtFirst - shelved !== promised.rows[0]?.units)
        found.push(`${stockAtFirst - shelved} tires left the shelves for ${promised.rows[0]?.units} that were promised`)
      return found
    },
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]()
      await outside[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}

/** The worker's task of this name, see worker.ts. */
async function runJob(
  app: Application,
  { name, payload }: { name: JobName; payload: Record<string, never> },
): Promise<void> {
  switch (name) {
    case 'release-order':
      return releaseOrder(app, Number(payload['orderId']))
    case 'ship-order':
      return shipOrder(app, { orderId: Number(payload['orderId']), shipmentId: String(payload['shipmentId']) })
    case 'cancel-parcel':
      return cancelParcel(app, {
        orderId: Number(payload['orderId']),
        shipmentId: String(payload['shipmentId']),
        trackingNumber: String(payload['trackingNumber']),
      })
    case 'refund-charge':
      return payOutRefund(app, String(payload['refundId']))
    case 'void-charge': {
      const gone = await voidCharge(app, String(payload['paymentId']), 'store')
      if (!gone.ok) throw new Error('The payment provider is away.')
      return
    }
    case 'send-message':
      return sendMessage(app, String(payload['messageId']), (message) => messageValues(app, message))
  }
}

async function unitsOf(db: Application['db']): Promise<number> {
  const { units } = await db
    .selectFrom('stock')
    .select((eb) => eb.fn.sum<number>('on_hand').as('units'))
    .executeTakeFirstOrThrow()
  return units
}
