import { expect, test } from 'vitest'
import { cancelBooking } from '#domain/scheduling/booking/booking.server.ts'
import { makePlacedOrder, openTestStore, type TestStore } from '#domain/ordering/checkout/checkout.testing.ts'
import { renderMessage } from '#domain/messaging/messages/render.server.ts'
import { listShopJobs, readOrder } from '#domain/ordering/orders/orders.server.ts'
import { orderOf } from '#domain/ordering/orders/staff-acts.testing.ts'
import { markNoShow } from '#domain/installer-portal/work-orders/work-orders.server.ts'
import { technicianOf } from '#domain/installer-portal/work-orders/work-orders.testing.ts'
import { readConfig } from '#platform/config.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { verify } from '#tests/support/invariants.ts'
import { mostReplies } from './appointments.ts'
import { appointmentMessageValues, readStage, replyToAppointment, takeAppointmentTime } from './appointments.server.ts'
import { beforeAppointment, freeTimesOf, seenOf } from './appointments.testing.ts'

const [port = 0] = await freePorts(3)
const config = readConfig({ DATABASE_URL: 'postgres://localhost/none' })
if (!config.ok) throw new Error('The configuration of tests is wrong.')
const { value: settings } = config
const check = async (store: TestStore) =>
  // Other orders of the demo are late by then.
  expect((await verify(store.db, store.clock.now())).filter(({ severity }) => severity === 'error')).toEqual([])
const mailsOf = async (store: TestStore, orderId: number, kind: string) =>
  store.db.selectFrom('message').selectAll().where('order_id', '=', orderId).where('kind', '=', kind).execute()
const isNew = (answers: { ok: boolean; value?: { isNew: boolean } }[]) =>
  answers.filter((answer) => answer.ok && answer.value?.isNew)

test('a shopper confirms once, even on repeated clicks, and gets a new request after a reschedule', async () => {
  await using store = await openTestStore(port)
  const { orderId } = await makePlacedOrder(store)
  const seen = await seenOf(store, orderId)
  const say = () => replyToAppointment(store, { orderId, seen, reply: { kind: 'coming' } })
  const answers = await Promise.all(Array.from({ length: 20 }, say))
  expect(answers.every(({ ok }) => ok)).toBe(true)
  expect(isNew(answers)).toHaveLength(1)
  expect(await readStage(store, await orderOf(store, orderId))).toMatchObject({
    stage: 'settled',
    reply: { kind: 'coming' },
  })
  const start = (await freeTimesOf(store, orderId)).at(-1) ?? store.clock.now()
  expect(await takeAppointmentTime(store, { orderId, seen, choice: { start } })).toMatchObject({ ok: true })
  expect((await readStage(store, await orderOf(store, orderId))).reply).toBeNull()
  expect(await say()).toMatchObject({ ok: false, reason: 'stale' })
  await check(store)
})

test('running late reaches the shop’s schedule and the owner’s mailbox', async () => {
  await using store = await openTestStore(port)
  const { orderId } = await makePlacedOrder(store)
  const { shop } = await orderOf(store, orderId)
  const at = store.clock.now()
  const member = {
    id: crypto.randomUUID(),
    shop_id: shop?.id ?? 0,
    email: 'owner@example.com',
    name: 'Ona',
    role: 'owner',
  }
  await store.db
    .insertInto('shop_member')
    .values({ ...member, added_at: at, added_by: 'test' })
    .execute()
  const early = await replyToAppointment(store, {
    orderId,
    seen: await seenOf(store, orderId),
    reply: { kind: 'late', minutesLate: 20 },
  })
  expect(early).toMatchObject({ ok: false, reason: 'not-now' })
  const start = await beforeAppointment(store, orderId, 30)
  const seen = await seenOf(store, orderId)
  const late = { orderId, seen, reply: { kind: 'late', minutesLate: 20 } } as const
  const answers = await Promise.all(Array.from({ length: 20 }, () => replyToAppointment(store, late)))
  expect(isNew(answers)).toHaveLength(1)
  const [mail, ...others] = await mailsOf(store, orderId, 'shop-appointment-news')
  expect(mail?.to_address).toBe('owner@example.com')
  expect(others).toEqual([])
  const values = await appointmentMessageValues({ ...store, config: settings }, { orderId })
  const { subject, text } = await renderMessage('shop-appointment-news', values ?? {})
  expect(subject).toContain('Dana R. will be about 20 minutes late')
  for (const secret of ['Reyes', '@example.com', '312', '$']) expect(text).not.toContain(secret)
  const jobsOf = async () => {
    const jobs = await listShopJobs(store.db, { shopId: shop?.id ?? 0, from: start, to: start.add({ minutes: 1 }) })
    return jobs.find((job) => job.orderId === orderId)
  }
  expect(await jobsOf()).toMatchObject({ reply: 'late', minutesLate: 20 })
  // On time after all. The shop gets that reply too.
  expect(await replyToAppointment(store, { orderId, seen, reply: { kind: 'coming' } })).toMatchObject({ ok: true })
  expect(await jobsOf()).toMatchObject({ reply: 'coming', minutesLate: null })
  expect(await mailsOf(store, orderId, 'shop-appointment-news')).toHaveLength(2)
  await check(store)
})

test('a word cannot be changed without end', async () => {
  await using store = await openTestStore(port)
  const { orderId } = await makePlacedOrder(store)
  await beforeAppointment(store, orderId, 90)
  const seen = await seenOf(store, orderId)
  for (let no = 0; no < mostReplies; no += 1)
    expect(
      await replyToAppointment(store, {
        orderId,
        seen,
        reply: no % 2 === 0 ? { kind: 'coming' } : { kind: 'late', minutesLate: 10 },
      }),
    ).toMatchObject({ ok: true })
  expect(await replyToAppointment(store, { orderId, seen, reply: { kind: 'coming' } })).toMatchObject({
    reason: 'not-now',
  })
})

test('of concurrent reschedules one succeeds and the other is shown the change; a repeated form moves once', async () => {
  await using store = await openTestStore(port)
  const { orderId } = await makePlacedOrder(store)
  const before = await orderOf(store, orderId)
  const seen = await seenOf(store, orderId)
  const [one, other] = (await freeTimesOf(store, orderId))
    .filter((start) => !start.equals(before.booking?.start ?? start))
    .slice(-2)
  if (!one || !other) throw new Error('The shop of a test has too few times.')
  const take = (start: Temporal.Instant) => takeAppointmentTime(store, { orderId, seen, choice: { start } })
  const tabs = await Promise.all([take(one), take(other)])
  expect(tabs.filter(({ ok }) => ok)).toHaveLength(1)
  expect(tabs.find(({ ok }) => !ok)).toMatchObject({ reason: 'stale' })
  const after = await orderOf(store, orderId)
  const kept = after.booking?.start
  expect([one, other].some((start) => kept?.equals(start))).toBe(true)
  expect(after.booking).toMatchObject({
    id: before.booking?.id,
    state: 'confirmed',
    changes: (before.booking?.changes ?? 0) + 1,
  })
  expect(after.totalCents).toBe(before.totalCents)
  const again = await Promise.all(Array.from({ length: 20 }, () => take(kept ?? one)))
  expect(isNew(again)).toEqual([])
  expect(again.every(({ ok }) => ok)).toBe(true)
  expect(await mailsOf(store, orderId, 'order-rescheduled')).toHaveLength(1)
  await check(store)
})

test('twenty presses of one free time move once and mail once', async () => {
  await using store = await openTestStore(port)
  const { orderId } = await makePlacedOrder(store)
  const seen = await seenOf(store, orderId)
  const start = (await freeTimesOf(store, orderId)).at(-1) ?? store.clock.now()
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => takeAppointmentTime(store, { orderId, seen, choice: { start } })),
  )
  expect(answers.every(({ ok }) => ok)).toBe(true)
  expect(isNew(answers)).toHaveLength(1)
  expect(await mailsOf(store, orderId, 'order-rescheduled')).toHaveLength(1)
  await check(store)
})

test('a time before the tires are there, in the past or outside of hours is refused, and so is one within the hour', async () => {
  await using store = await openTestStore(port)
  const { orderId } = await makePlacedOrder(store)
  const seen = await seenOf(store, orderId)
  const take = (start: Temporal.Instant) => takeAppointmentTime(store, { orderId, seen, choice: { start } })
  const { booking, shipments, timeZone } = await orderOf(store, orderId)
  const promised = Temporal.PlainDate.from(shipments[0]?.promisedOn ?? '')
  const tooSoon = promised.toZonedDateTime({ timeZone, plainTime: '09:00' }).toInstant()
  for (const start of [tooSoon, store.clock.now().subtract({ hours: 1 }), booking?.start.add({ minutes: 7 })])
    expect((await take(start ?? tooSoon)).ok).toBe(false)
  await beforeAppointment(store, orderId, 59)
  expect(await take((booking?.start ?? tooSoon).add({ hours: 48 }))).toMatchObject({ reason: 'not-now' })
  expect((await orderOf(store, orderId)).booking?.start).toEqual(booking?.start)
})

test('a released or declined time is replaced immediately, and only once', async () => {
  await using store = await openTestStore(port)
  const { orderId } = await makePlacedOrder(store)
  const before = await orderOf(store, orderId)
  await beforeAppointment(store, orderId, 120)
  await cancelBooking(store, { orderId, actor: 'shop', note: 'The lift is broken.' })
  expect((await readStage(store, await orderOf(store, orderId))).stage).toBe('lost')
  const takeFirst = async () => {
    const [start = store.clock.now()] = await freeTimesOf(store, orderId)
    const seen = await seenOf(store, orderId)
    return Promise.all(
      Array.from({ length: 20 }, () => takeAppointmentTime(store, { orderId, seen, choice: { start } })),
    )
  }
  expect(isNew(await takeFirst())).toHaveLength(1)
  const booked = await orderOf(store, orderId)
  expect(booked.booking?.state).toBe('confirmed')
  expect(booked.booking?.id).not.toBe(before.booking?.id)
  await check(store)

  store.clock.set((booked.booking?.start ?? store.clock.now()).add({ minutes: 10 }))
  const seen = await seenOf(store, orderId)
  expect(await replyToAppointment(store, { orderId, seen, reply: { kind: 'not-coming' } })).toMatchObject({ ok: true })
  expect((await readStage(store, await orderOf(store, orderId))).stage).toBe('skipped')
  expect(isNew(await takeFirst())).toHaveLength(1)
  const last = await orderOf(store, orderId)
  expect(last.booking).toMatchObject({ state: 'confirmed' })
  expect(last.booking?.id).not.toBe(booked.booking?.id)
  expect(last.totalCents).toBe(before.totalCents)
  await check(store)
})

test('a no-show can rebook without violating any invariant', async () => {
  await using store = await openTestStore(port)
  const { orderId } = await makePlacedOrder(store)
  await beforeAppointment(store, orderId, 60)
  const { booking: missed, shop } = await orderOf(store, orderId)
  if (!missed || !shop) throw new Error('The order has no appointment.')
  store.clock.set(missed.end.add({ minutes: 15 }))
  const technician = await technicianOf({ ...store, config: settings }, shop.id)
  expect(await markNoShow(store, technician, { bookingId: missed.id })).toMatchObject({
    ok: true,
  })
  expect((await readStage(store, await orderOf(store, orderId))).stage).toBe('missed')
  await check(store)
  const [start = store.clock.now()] = await freeTimesOf(store, orderId)
  const seen = await seenOf(store, orderId)
  expect(await takeAppointmentTime(store, { orderId, seen, choice: { start } })).toMatchObject({ ok: true })
  expect((await orderOf(store, orderId)).booking).toMatchObject({ state: 'confirmed', start })
  await check(store)
})

test('a time that another order takes first is refused, and the one they have stays', async () => {
  await using store = await openTestStore(port)
  const { orderId } = await makePlacedOrder(store)
  const rival = await makePlacedOrder(store, { openingAt: 1 })
  const mine = await orderOf(store, orderId)
  const theirs = await orderOf(store, rival.orderId)
  expect(theirs.shop?.id).toBe(mine.shop?.id)
  const isFreeToMe = async () =>
    (await freeTimesOf(store, orderId)).filter(
      (start) => Temporal.Instant.compare(start, mine.booking?.start ?? start) > 0,
    )
  // Fill every bay at one time by moving other appointments, until it is unavailable.
  const [wanted] = (await isFreeToMe()).slice(-1)
  if (!wanted) throw new Error('The shop of a test has no times.')
  const seen = await seenOf(store, orderId)
  const answers = await Promise.all([
    takeAppointmentTime(store, { orderId, seen, choice: { start: wanted } }),
    takeAppointmentTime(store, {
      orderId: rival.orderId,
      seen: await seenOf(store, rival.orderId),
      choice: { start: wanted },
    }),
  ])
  for (const answer of answers) expect(answer.ok || answer.reason).toBeOneOf([true, 'slot-taken'])
  for (const id of [orderId, rival.orderId]) expect((await readOrder(store.db, id))?.booking?.state).toBe('confirmed')
  await check(store)
})

test('an order that is canceled, or never had an appointment, takes no time and no word', async () => {
  await using store = await openTestStore(port)
  const home = await makePlacedOrder(store, { fulfillment: 'home' })
  const start = store.clock.now().add({ hours: 72 })
  const ask = { orderId: home.orderId, seen: 'x.0' }
  expect(await takeAppointmentTime(store, { ...ask, choice: { start } })).toMatchObject({ reason: 'not-found' })
  expect(await replyToAppointment(store, { ...ask, reply: { kind: 'coming' } })).toMatchObject({ reason: 'not-found' })
  expect(await replyToAppointment(store, { ...ask, orderId: 999_999_999, reply: { kind: 'coming' } })).toMatchObject({
    reason: 'not-found',
  })
})
