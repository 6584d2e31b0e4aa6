import { afterEach, beforeEach, expect, test } from 'vitest'
import { cancelBooking } from '#domain/scheduling/booking/booking.server.ts'
import { makePlacedOrder, must, openTestStore, type TestStore } from '#domain/ordering/checkout/checkout.testing.ts'
import { renderMessage } from '#domain/messaging/messages/render.server.ts'
import { orderOf } from '#domain/ordering/orders/staff-acts.testing.ts'
import { readConfig } from '#platform/config.ts'
import { violatedConstraint } from '#platform/db.ts'
import { newId } from '#platform/ids.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { verify } from '#tests/support/invariants.ts'
import {
  offerMessageValues,
  forgetOldWishes,
  readWaiting,
  stopWaiting,
  takeAppointmentTime,
  takeEarlierTime,
  tellOfEarlierTimes,
  waitForEarlierTime,
} from './appointments.server.ts'
import { freeTimesOf, seenOf } from './appointments.testing.ts'
import { dayPartNames, mostOffers, offerMinutes } from './earlier-times.ts'

const [port = 0] = await freePorts(3)
const config = readConfig({ DATABASE_URL: 'postgres://localhost/none' })
if (!config.ok) throw new Error('The configuration of tests is wrong.')
const settings = config.value

let store: TestStore
beforeEach(async () => {
  store = await openTestStore(port)
})
afterEach(() => store[Symbol.asyncDispose]())

type Placed = { orderId: number; bookingId: string; start: Temporal.Instant; day: Temporal.PlainDate }

/** Orders that take the next available times at one shop, earliest first, so earlier times are taken. */
async function placeInTurn(count: number): Promise<Placed[]> {
  const placed: Placed[] = []
  let shopId: number | undefined
  while (placed.length < count) {
    const { orderId } = await makePlacedOrder(store)
    const { booking, shop, timeZone } = await orderOf(store, orderId)
    if (!booking || !shop) throw new Error('The order of a test has no appointment.')
    shopId ??= shop.id
    if (shop.id !== shopId) throw new Error('The shop of a test is full.')
    const { start } = booking
    placed.push({ orderId, bookingId: booking.id, start, day: start.toZonedDateTimeISO(timeZone).toPlainDate() })
  }
  return placed
}

/** The first order, and the orders with a later time. */
async function firstAndLater(count: number): Promise<{ first: Placed; later: Placed[] }> {
  const [first, ...others] = await placeInTurn(count)
  if (!first) throw new Error('A test has no orders.')
  return { first, later: others.filter(({ start }) => Temporal.Instant.compare(first.start, start) < 0) }
}

const join = async ({ orderId, day }: Placed) =>
  waitForEarlierTime(store, {
    orderId,
    seen: await seenOf(store, orderId),
    wish: { from: day.subtract({ days: 30 }), until: day, parts: dayPartNames },
  })
const offerOf = async ({ orderId }: Placed) => (await readWaiting(store, await orderOf(store, orderId)))?.offer ?? null
const take = async (placed: Placed, offerId: string) =>
  takeEarlierTime(store, { orderId: placed.orderId, seen: await seenOf(store, placed.orderId), offerId })
const pass = (minutes: number) => store.clock.set(store.clock.now().add({ minutes }))
/** Moves an appointment to the last time of its shop. */
async function freeTimeOf({ orderId }: Placed): Promise<void> {
  const start = (await freeTimesOf(store, orderId)).at(-1) ?? store.clock.now()
  must(await takeAppointmentTime(store, { orderId, seen: await seenOf(store, orderId), choice: { start } }))
}

const wishOf = ({ bookingId }: Placed) =>
  store.db.selectFrom('earlier_time_wish').select('ended').where('booking_id', '=', bookingId).executeTakeFirst()

test('offers a freed time to the first shopper on the waitlist, then to the next after the offer expires', async () => {
  const { first, later } = await firstAndLater(9)
  const [second, third] = [later[1], later[0]]
  if (!second || !third) throw new Error('A test needs two who wait.')
  // The waitlist is ordered by join time, not by appointment time.
  must(await join(second))
  must(await join(third))
  expect(await tellOfEarlierTimes(store)).toBe(0)

  await freeTimeOf(first)
  await Promise.all([tellOfEarlierTimes(store), tellOfEarlierTimes(store), tellOfEarlierTimes(store)])
  const offer = await offerOf(second)
  expect(offer?.start.equals(first.start)).toBe(true)
  expect(await offerOf(third)).toBeNull()
  const [mail, ...more] = await store.db
    .selectFrom('message')
    .select(['key', 'kind', 'order_id'])
    .where('kind', '=', 'earlier-time-offered')
    .execute()
  expect(more).toEqual([])
  const values = await offerMessageValues({ ...store, config: settings }, { key: mail?.key ?? '' })
  const { text } = await renderMessage('earlier-time-offered', values ?? {})
  expect(text).toContain('?show=offer')

  pass(offerMinutes)
  expect(await tellOfEarlierTimes(store)).toBe(1)
  expect(await take(second, offer?.id ?? '')).toMatchObject({ reason: 'offer-over' })
  const next = await offerOf(third)
  expect(next?.start.equals(first.start)).toBe(true)
  // An offer can only be taken by its own shopper.
  expect(await take(second, next?.id ?? '')).toMatchObject({ reason: 'not-found' })
  const answers = await Promise.all(Array.from({ length: 20 }, () => take(third, next?.id ?? '')))
  expect(answers.filter((each) => each.ok && each.value.isNew)).toHaveLength(1)
  expect(must(await take(third, next?.id ?? '')).isNew).toBe(false)
  expect((await orderOf(store, third.orderId)).booking?.start.equals(first.start)).toBe(true)
  expect(await wishOf(third)).toEqual({ ended: 'taken' })
  // The other shopper stays on the waitlist, and isn't offered the same time again.
  expect(await wishOf(second)).toEqual({ ended: null })
  expect((await verify(store.db, store.clock.now())).filter(({ severity }) => severity === 'error')).toEqual([])
})

test('one of twenty concurrent shoppers gets a freed time, and the others don’t lose theirs', async () => {
  const { first, later } = await firstAndLater(28)
  const waiting = later.slice(0, 20)
  expect(waiting).toHaveLength(20)
  for (const each of waiting) must(await join(each))
  await freeTimeOf(first)
  await tellOfEarlierTimes(store)
  const offers = await store.db.selectFrom('earlier_time_offer').selectAll().execute()
  expect(offers).toHaveLength(1)
  const told = waiting.find(({ bookingId }) => bookingId === offers[0]?.booking_id)
  const others = waiting.filter((each) => each !== told)
  if (!told) throw new Error('A test has nobody who waits.')
  const id = (await offerOf(told))?.id ?? ''
  const choice = { start: first.start }
  const outcomes = await Promise.all([
    ...(
      await Promise.all(others.map(async ({ orderId }) => ({ orderId, seen: await seenOf(store, orderId), choice })))
    ).map((asked) => takeAppointmentTime(store, asked)),
    take(told, id),
  ])
  expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1)
  for (const outcome of outcomes)
    if (!outcome.ok) expect(['slot-taken', 'offer-lost', 'too-soon']).toContain(outcome.reason)
  const now = await Promise.all(waiting.map(async ({ orderId }) => (await orderOf(store, orderId)).booking))
  expect(now.filter((booking) => booking?.start.equals(first.start))).toHaveLength(1)
  expect(now.every((booking) => booking?.state === 'confirmed')).toBe(true)
  expect((await verify(store.db, store.clock.now())).filter(({ severity }) => severity === 'error')).toEqual([])
})

test('open offers of a shop never overlap', async () => {
  const { later } = await firstAndLater(9)
  const [one, other] = later
  if (!one || !other) throw new Error('A test needs two who wait.')
  must(await join(one))
  must(await join(other))
  const { shop } = await orderOf(store, one.orderId)
  const offer = (bookingId: string, minutes: number) =>
    store.db
      .insertInto('earlier_time_offer')
      .values({
        id: newId(),
        booking_id: bookingId,
        shop_id: shop?.id ?? 0,
        kind: 'wait',
        during: `[${one.start.add({ minutes })},${one.start.add({ minutes: minutes + 60 })})`,
        drop_off_window: null,
        offered_at: store.clock.now(),
        expires_at: store.clock.now().add({ minutes: 1 }),
      })
      .execute()
  await offer(one.bookingId, 0)
  const constraint = await offer(other.bookingId, 30).then(() => null, violatedConstraint)
  expect(constraint).toBe('earlier_time_offered_once')
  await offer(other.bookingId, 60)
})

test('a waitlist entry ends at the appointment’s notice period, and can be left and deleted', async () => {
  const { later } = await firstAndLater(9)
  const [one, other] = later
  if (!one || !other) throw new Error('A test needs two who wait.')
  must(await join(one))
  must(await join(other))
  must(await stopWaiting(store, { orderId: other.orderId }))
  must(await stopWaiting(store, { orderId: other.orderId }))
  expect(await wishOf(other)).toEqual({ ended: 'left' })
  // One row each; joining again reopens the entry.
  must(await join(other))
  expect(await wishOf(other)).toEqual({ ended: null })
  must(await cancelBooking(store, { bookingId: other.bookingId }))
  store.clock.set(one.start.subtract({ minutes: 61 }))
  await tellOfEarlierTimes(store)
  expect(await wishOf(one)).toEqual({ ended: null })
  expect(await wishOf(other)).toEqual({ ended: 'over' })
  pass(1)
  await tellOfEarlierTimes(store)
  expect(await wishOf(one)).toEqual({ ended: 'over' })
  expect(await forgetOldWishes(store.db, store.clock.now())).toBe(1)
  expect(await forgetOldWishes(store.db, store.clock.now().add({ seconds: 1 }))).toBe(1)
})

test('rejects waitlist entries for available times, empty days, changed appointments, or late requests; sends no offers at night', async () => {
  const { first, later } = await firstAndLater(9)
  const [one] = later
  if (!one) throw new Error('A test needs one who waits.')
  const { orderId } = one
  const seen = await seenOf(store, orderId)
  const wish = { from: one.day.subtract({ days: 3 }), until: one.day, parts: dayPartNames }
  const ask = (change: Partial<Parameters<typeof waitForEarlierTime>[1]>) =>
    waitForEarlierTime(store, { orderId, seen, wish, ...change })
  expect(await ask({ seen: 'x.0' })).toMatchObject({ reason: 'stale' })
  expect(await ask({ orderId: 1 })).toMatchObject({ reason: 'not-found' })
  expect(await ask({ wish: { ...wish, parts: [] } })).toMatchObject({ reason: 'no-parts' })
  const yesterday = store.clock.now().toZonedDateTimeISO('UTC').toPlainDate().subtract({ days: 2 })
  expect(await ask({ wish: { ...wish, until: yesterday } })).toMatchObject({ reason: 'no-days' })
  must(await ask({}))
  await freeTimeOf(first)
  const free = later[1]
  if (!free) throw new Error('A test needs two who wait.')
  expect(await join(free)).toMatchObject({ reason: 'free-now' })

  // Notifications are held at night and sent in the morning.
  const day = store.clock.now()
  store.clock.set(Temporal.Instant.from('2026-11-21T05:00:00Z'))
  expect(await tellOfEarlierTimes(store)).toBe(0)
  store.clock.set(Temporal.Instant.from('2026-11-21T15:00:00Z'))
  expect(Temporal.Instant.compare(day, store.clock.now())).toBe(-1)
  expect(await tellOfEarlierTimes(store)).toBe(1)
  // A time in an open offer isn't available to the waitlist.
  expect(await join(free)).toMatchObject({ ok: true })
  expect(mostOffers).toBeGreaterThan(1)
})
