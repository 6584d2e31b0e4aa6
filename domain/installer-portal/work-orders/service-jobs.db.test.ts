/** Jobs without tires, which have no pieces, positions, or DOT codes, and pay the shop its price. */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makeServiceOrder } from '#domain/ordering/checkout/service-orders.testing.ts'
import { must, openTestStore } from '#domain/ordering/checkout/checkout.testing.ts'
import { cancelOrder, readOrder, releaseOrder } from '#domain/ordering/orders/orders.server.ts'
import { orderProgress } from '#domain/ordering/orders/orders.ts'
import { readEarnings } from '#domain/installer-portal/payouts/payouts.server.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { verify } from '#tests/support/invariants.ts'
import type { JobDeps } from './job.server.ts'
import { technicianOf, wholeInput } from './work-orders.testing.ts'
import { finishJob, moveJob, readJob } from './work-orders.server.ts'

const [port = 0] = await freePorts(3)

test('a service is done without tires, and pays its shop the whole price', async () => {
  await using store = await openTestStore(port)
  const { orderId, booking, shop, priceCents } = await makeServiceOrder(store, { service: 'sensors', units: 4 })
  store.clock.set(store.clock.now().add({ minutes: 31 }))
  await releaseOrder(store, orderId)
  const bookingId = (await readOrder(store.db, orderId))?.booking?.id ?? ''
  store.clock.set(booking.start)
  const config = { session: { secret: 'a secret for tests only' }, store: { name: 'Sidewall' }, demo: true }
  const deps = { db: store.db, clock: store.clock, config } as never as JobDeps
  const by = await technicianOf({ ...store, config }, shop.id)
  const job = await readJob(deps, { shopId: shop.id, bookingId })
  expect(job).toMatchObject({
    notReady: null,
    tires: [],
    facts: { service: 'Pressure sensor service, 4', prepaid: ['Pressure sensor service, 4'] },
  })
  const day = booking.start.toZonedDateTimeISO(booking.timeZone).toPlainDate()
  const place = { shopId: shop.id, timeZone: booking.timeZone }
  const ahead = await readEarnings(store, place, [{ bookingId, day }])
  expect(ahead.get(bookingId)?.amountCents).toBe(4 * priceCents)
  must(await moveJob(deps, by, { bookingId, to: 'arrived' }))
  // The car is there.
  expect(await cancelOrder(store, { orderId, actor: 'shopper' })).toMatchObject({ ok: false, reason: 'too-late' })
  expect(
    await finishJob(deps, by, { bookingId, input: wholeInput({ tires: [] }, { odometerMiles: null }) }),
  ).toMatchObject({ ok: false, reason: 'incomplete', detail: [{ name: 'odometer' }] })
  must(await finishJob(deps, by, { bookingId, input: wholeInput({ tires: [] }) }))
  const paid = await sql<object>`
    select pay.amount_cents as amount, line.service, line.quantity, line.job, line.rim_in as rim
    from job_pay pay join job_pay_line line on line.job_pay_id = pay.id where pay.booking_id = ${bookingId}::uuid`.execute(
    store.db,
  )
  expect(paid.rows).toEqual([{ amount: 4 * priceCents, service: 'sensors', quantity: 4, job: null, rim: null }])
  const done = await readOrder(store.db, orderId)
  expect(done && orderProgress(done)).toBe('done')
  expect(await cancelOrder(store, { orderId, actor: 'shopper' })).toMatchObject({ ok: false, reason: 'too-late' })
  // The demo's parcels are late by then.
  const broken = await verify(store.db, store.clock.now())
  expect(broken.filter(({ severity }) => severity === 'error')).toEqual([])
})
