/**
 * Pausing, closing and reopening a shop. Every upcoming appointment is settled as chosen, and new ones can't be added
 * concurrently.
 */
import { expect, test } from 'vitest'
import {
  changeBay,
  confirmHold,
  createCalendars,
  earliestTimes,
  holdSlot,
  offerTimes,
} from '#domain/scheduling/booking/booking.server.ts'
import {
  at,
  crowdOf,
  installation,
  makeBooking,
  makeCart,
  makeOrder,
  oneBay,
} from '#domain/scheduling/booking/booking.testing.ts'
import { makePlacedOrder, must, openTestStore, untilWaiting } from '#domain/ordering/checkout/checkout.testing.ts'
import {
  findShop,
  findShopsNear,
  listUrbanAreas,
  lockShopRecord,
  updateStatus,
} from '#domain/scheduling/installers/installers.server.ts'
import { mostWaivedCents } from '#domain/ordering/order-changes/order-changes.ts'
import { moveParcels } from '#domain/ordering/orders/orders.testing.ts'
import { selectOrderTires } from '#domain/ordering/orders/orders.server.ts'
import { announce, auditOf, dana, orderOf } from '#domain/ordering/orders/staff-acts.testing.ts'
import { signInStaff } from '#domain/kernel/staff/staff.testing.ts'
import { previewAsShopper, takeNextShop } from '#domain/installer-portal/appointments/appointments.server.ts'
import {
  listOpenShopReports,
  selectRefusal,
  selectUndoneJobs,
} from '#domain/installer-portal/work-orders/work-orders.server.ts'
import type { Database } from '#platform/db.ts'
import { newId } from '#platform/ids.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { verify } from '#tests/support/invariants.ts'
import { changeStatus, listAffected } from './shops.server.ts'
import { press, recordOf } from './status.testing.ts'

const [port = 0] = await freePorts(3)
const close = { to: 'closed', reason: 'The building is sold' } as const
const pause = (from: string, through: string | null) => ({
  to: 'paused' as const,
  from: Temporal.PlainDate.from(from),
  through: through === null ? null : Temporal.PlainDate.from(through),
  reason: 'Lift repair',
})
const mailsOf = (db: Database, orderId: number) =>
  db.selectFrom('message').select('kind').where('order_id', '=', orderId).orderBy('kind').execute()

test('closing offers the customer another time or shop with the reason, and hides the shop until it reopens', async () => {
  await using store = await openTestStore(port)
  const { orderId } = await makePlacedOrder(store)
  const { booking, shop } = await orderOf(store, orderId)
  if (!booking || !shop) throw new Error('The order of a test has no appointment.')
  const { code } = await recordOf(store, shop.id)
  expect(must(await press(store, shop.id, close))).toEqual({ affected: 1 })

  expect((await orderOf(store, orderId)).booking?.state).toBe('canceled')
  expect((await selectRefusal(store.db, booking.id))?.reason).toContain('The building is sold')
  expect((await mailsOf(store.db, orderId)).map(({ kind }) => kind)).toContain('job-refused')
  expect((await selectUndoneJobs(store.db, 10)).map((job) => job.orderId)).toContain(orderId)
  const near = () => findShopsNear(store, { near: { zip: '60614' } })
  expect(must(await near()).map(({ id }) => id)).not.toContain(shop.id)
  expect(await findShop(store, { code })).toBeUndefined()
  expect(await offerTimes(store, { ...installation, shopId: shop.id })).toMatchObject({ reason: 'shop-not-found' })
  expect((await listUrbanAreas(store)).length).toBeGreaterThan(0)
  const cartId = await makeCart(store.db)
  const choice = { start: at('2026-11-24T09:30') }
  expect(await holdSlot(store, { ...installation, shopId: shop.id, choice, cartId })).toMatchObject({ ok: false })

  expect(await press(store, shop.id, close)).toMatchObject({ reason: 'no-change' })
  must(await press(store, shop.id, { to: 'open' }))
  expect(await findShop(store, { code })).toBeDefined()
  expect((await recordOf(store, shop.id)).statusReason).toBeNull()
  expect(await verify(store.db, store.clock.now())).toEqual([])
})

test('the store pays a higher price at another shop after it stopped the customer’s, within its limits', async () => {
  await using store = await openTestStore(port)
  const { orderId, totalCents } = await makePlacedOrder(store)
  const { shop } = await orderOf(store, orderId)
  if (!shop) throw new Error('The order of a test has no shop.')
  /** Returns a shop that is a little dearer, and how the difference is settled. */
  const findDearer = async () => {
    const order = await orderOf(store, orderId)
    const tires = await selectOrderTires(store.db, orderId)
    for (const { id } of must(await findShopsNear(store, { near: { zip: '60614' }, tires, limit: 12 }))) {
      const place = { fulfillment: 'shop', shopId: id, carrierLocationId: null } as const
      const preview = id === shop.id ? null : must(await previewAsShopper(store, order, place))
      const cents = preview ? preview.afterCents - preview.beforeCents : 0
      if (preview && cents > 0 && cents <= mostWaivedCents) return { shopId: id, cents, preview }
    }
    throw new Error('No shop is a little dearer.')
  }
  expect((await findDearer()).preview.settledBy).toBe('payment')
  must(await press(store, shop.id, close))
  const { shopId, cents, preview } = await findDearer()
  expect(preview.settledBy).toBe('waiver')
  const start = preview.days.flatMap(({ times }) => times.filter(({ free }) => free))[0]?.start
  if (!start) throw new Error('The shop of a test has no free time.')
  const asked = { orderId, shopId, choice: { start }, key: newId(), agreedPrice: preview.agreedPrice }
  const taken = await Promise.all(Array.from({ length: 5 }, () => takeNextShop(store, asked)))
  expect(taken.filter((answer) => answer.ok && answer.value.isNew)).toHaveLength(1)
  expect(must(await takeNextShop(store, asked)).change).toMatchObject({ state: 'done', settledBy: 'waiver' })
  const after = await orderOf(store, orderId)
  expect(after).toMatchObject({ shop: { id: shopId }, booking: { state: 'confirmed' } })
  expect(after.totalCents).toBe(totalCents + cents)
  expect(after.payment?.amountCents).toBe(totalCents)
  const waived = (await auditOf(store, orderId)).filter(({ act }) => act === 'order.difference-waived')
  expect(waived).toHaveLength(1)
  expect(await verify(store.db, store.clock.now())).toEqual([])
})

test('an order is refunded while its tires are not sent; once they are at the shop, the office moves them', async () => {
  await using store = await openTestStore(port)
  const { orderId } = await makePlacedOrder(store)
  const { shop } = await orderOf(store, orderId)
  if (!shop) throw new Error('The order of a test has no shop.')
  must(await press(store, shop.id, { to: 'suspended', reason: 'Quality' }, 'refund'))
  const canceled = await orderOf(store, orderId)
  expect(canceled).toMatchObject({ state: 'canceled', booking: { state: 'canceled' } })
  expect((await auditOf(store, orderId)).map(({ act }) => act)).toContain('order.canceled')
  must(await press(store, shop.id, { to: 'open' }))

  const sent = await makePlacedOrder(store)
  await announce(store, sent.orderId)
  await moveParcels(store, sent.orderId, 'delivered', store.clock.now())
  const at2 = (await orderOf(store, sent.orderId)).shop?.id ?? 0
  const { appointments } = await listAffected(store, await recordOf(store, at2), close)
  expect(appointments).toMatchObject([{ orderId: sent.orderId, areTiresThere: true, whyNoRefund: expect.any(String) }])
  expect(await press(store, at2, close, 'refund')).toMatchObject({ reason: 'no-refund' })
  expect((await recordOf(store, at2)).status).toBe('open')
  expect((await orderOf(store, sent.orderId)).booking?.state).toBe('confirmed')
  must(await press(store, at2, close))
  expect(await listOpenShopReports(store, 10)).toMatchObject([{ kind: 'stranded', orderId: sent.orderId }])
  expect(await verify(store.db, store.clock.now())).toEqual([])
})

test('a pause retains appointments and blocks new ones only on its days', async () => {
  await using shop = await oneBay({ bays: 2 })
  const { deps, shopId } = shop
  const book = (wall: string) => makeBooking(deps, { ...installation, shopId, choice: { start: at(wall) } })
  const kept = await book('2026-11-25T09:30')
  const held = await shop.hold({ start: at('2026-11-25T12:30') })
  must(await press(deps, shopId, pause('2026-11-25', '2026-11-27'), 'keep'))

  const days = must(await offerTimes(deps, { ...installation, shopId })).days
  const stateOn = (date: string) => days.find((day) => day.date.toString() === date)?.state
  expect(['2026-11-24', '2026-11-25', '2026-11-27', '2026-11-28'].map(stateOn)).toEqual([
    'free',
    'holiday',
    'holiday',
    'free',
  ])
  // A time that was chosen before is lost at the order; the appointment that was kept may get another bay.
  const { cartId } = must(held) as unknown as { cartId: string }
  const orderId = await makeOrder(shop.db, cartId, shopId)
  expect(await confirmHold(deps, { cartId, orderId })).toMatchObject({ ok: false, reason: 'slot-lost' })
  const bays = await shop.db.selectFrom('shop_bay').select('id').where('kind', '=', 'bay').orderBy('id').execute()
  const { bay_id: bayId } = await shop.db
    .selectFrom('booking')
    .select('bay_id')
    .where('id', '=', kept.bookingId)
    .executeTakeFirstOrThrow()
  const other = bays.find(({ id }) => id !== bayId)?.id ?? 0
  const moved = { bookingId: kept.bookingId, bayId: other, actor: 'shop', alongside: async () => {} }
  must(await changeBay(deps, moved))
  expect(await press(deps, shopId, close, 'keep')).toMatchObject({ reason: 'not-kept' })
  expect(await press(deps, shopId, pause('2026-11-10', '2026-11-19'))).toMatchObject({ reason: 'past' })
  must(await press(deps, shopId, { to: 'open' }))
  await book('2026-11-25T11:00')
})

test('a pause without a last day blocks every later day until it is ended', async () => {
  await using shop = await oneBay()
  const { deps, shopId } = shop
  const calendars = createCalendars(shop.db)
  const freeDays = async () =>
    must(await offerTimes(deps, { ...installation, shopId })).days.flatMap(({ date, state }) =>
      state === 'free' ? [date.toString()] : [],
    )
  const nextTimes = async () => {
    const asks = [{ ...installation, shopId, arrivesOn: Temporal.PlainDate.from('2026-11-26') }]
    return (await earliestTimes({ calendars, clock: shop.clock }, { asks })).flat()
  }
  expect(await nextTimes()).not.toEqual([])
  const late = must(await shop.hold({ start: at('2026-12-03T12:30') })) as unknown as { cartId: string }
  const { code } = await recordOf(deps, shopId)

  must(await press(deps, shopId, pause('2026-11-25', null)))
  expect((await recordOf(deps, shopId)).pause).toEqual({ from: '2026-11-25', until: null, reason: 'Lift repair' })
  const { after } = await shop.db
    .selectFrom('audit_entry')
    .select('after')
    .where('subject', '=', code)
    .where('act', '=', 'shop.paused')
    .executeTakeFirstOrThrow()
  expect(after).toMatchObject({ status: 'paused starting 2026-11-25' })
  expect((await freeDays()).at(-1)).toBe('2026-11-24')
  expect(await nextTimes()).toEqual([])
  // A time that was chosen before is lost at the order.
  const orderId = await makeOrder(shop.db, late.cartId, shopId)
  expect(await confirmHold(deps, { cartId: late.cartId, orderId })).toMatchObject({ ok: false, reason: 'slot-lost' })

  must(await press(deps, shopId, { to: 'open' }))
  expect((await recordOf(deps, shopId)).pause).toBeNull()
  expect(await nextTimes()).not.toEqual([])
})

test('an appointment booked after the page loaded is shown before any change', async () => {
  await using shop = await oneBay()
  const { deps, shopId } = shop
  const record = await recordOf(deps, shopId)
  const { seen } = await listAffected(deps, record, close)
  const asked = { code: record.code, version: record.version, seen, input: close }
  await makeBooking(deps, { ...installation, shopId, choice: { start: at('2026-11-24T09:30') } })
  const choices = { byBooking: {}, rest: 'offer' } as const
  expect(await changeStatus(deps, dana, { ...asked, choices })).toMatchObject({ reason: 'changed-meanwhile' })
  expect((await recordOf(deps, shopId)).status).toBe('open')
})

test('a hold calculated before a pause waits for it, and the database rejects it', async () => {
  await using shop = await oneBay({ bays: 2 })
  await using crowd = crowdOf(shop.url, 2)
  const { shopId } = shop
  const tx = await shop.db.startTransaction().execute()
  await lockShopRecord(tx, { id: shopId })
  await updateStatus(tx, shopId, { to: 'paused', from: '2026-11-24', until: '2026-11-25', reason: 'Lift repair' })
  const choice = { start: at('2026-11-24T09:30') }
  const cartId = await makeCart(crowd.db)
  const holding = holdSlot({ db: crowd.db, clock: shop.clock }, { ...installation, shopId, choice, cartId })
  await untilWaiting(shop.db, 1)
  await tx.commit().execute()
  expect(await holding).toMatchObject({ ok: false, reason: 'slot-taken' })
})

test('while a shop is paused, every booking is either shown before or refused', async () => {
  await using shop = await oneBay({ bays: 3 })
  await using crowd = crowdOf(shop.url, 8)
  const { shopId } = shop
  const deps = { db: crowd.db, clock: shop.clock }
  let isPaused = false
  let late = 0
  const begun = Promise.withResolvers<void>()
  const book = async (time: string) => {
    const cartId = await makeCart(crowd.db)
    const wasPaused = isPaused
    const hold = await holdSlot(deps, { ...installation, shopId, choice: { start: at(`2026-11-24T${time}`) }, cartId })
    begun.resolve()
    if (!hold.ok) return
    const orderId = await makeOrder(crowd.db, cartId, shopId)
    const kept = await confirmHold(deps, { cartId, orderId })
    if (kept.ok && wasPaused) late += 1
  }
  /** One customer after another, before, during and after the pause starts. */
  const customers = async (times: string[]) => {
    for (const time of times) await book(time)
  }
  const pauseIt = async () => {
    await begun.promise
    for (let attempts = 0; attempts < 200; attempts += 1) {
      const done = await press(deps, shopId, pause('2026-11-24', '2026-11-24'), 'keep')
      isPaused = done.ok
      if (done.ok) return done.value.affected
      expect(done.reason).toBe('changed-meanwhile')
    }
    throw new Error('The shop was never paused.')
  }
  const [affected] = await Promise.all([
    pauseIt(),
    customers(['08:00', '09:30', '11:00', '12:30', '14:00', '15:30', '08:00', '09:30']),
    customers(['15:30', '14:00', '12:30', '11:00', '09:30', '08:00', '15:30', '14:00']),
  ])
  const { count } = await shop.db
    .selectFrom('booking')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('state', '=', 'confirmed')
    .executeTakeFirstOrThrow()
  expect({ count, late }).toEqual({ count: affected, late: 0 })
})

test('Sales pauses a shop; only managers and owners suspend, close and reopen it', async () => {
  await using shop = await oneBay()
  const { deps, shopId } = shop
  const signIn = (role: 'support' | 'sales' | 'manager') => signInStaff(deps, role)
  const [support, sales, manager] = [await signIn('support'), await signIn('sales'), await signIn('manager')]
  const days = pause('2026-11-25', '2026-11-27')
  expect(await press(deps, shopId, days, 'offer', support)).toMatchObject({ reason: 'not-allowed' })
  must(await press(deps, shopId, days, 'offer', sales))
  expect(await press(deps, shopId, close, 'offer', sales)).toMatchObject({ reason: 'not-allowed' })
  must(await press(deps, shopId, close, 'offer', manager))
  expect(await press(deps, shopId, { to: 'open' }, 'offer', sales)).toMatchObject({ reason: 'not-allowed' })
})
