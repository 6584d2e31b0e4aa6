/** A shop's calendar feed is created by its owner, read with the secret, and ended by a new one. */
import { expect, test } from 'vitest'
import { cancelBooking } from '#domain/scheduling/booking/booking.server.ts'
import { makePlacedOrder, must, openTestStore } from '#domain/ordering/checkout/checkout.testing.ts'
import { takeAppointmentTime } from '#domain/installer-portal/appointments/appointments.server.ts'
import { freeTimesOf, seenOf } from '#domain/installer-portal/appointments/appointments.testing.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { orderOf } from '#domain/ordering/orders/staff-acts.testing.ts'
import { readConfig } from '#platform/config.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { endFeed, findPortalSession, makeFeed, openFeed, openPortal, readFeed, seenFeed } from './portal.server.ts'

const [port = 0] = await freePorts(3)
const config = readConfig({ DATABASE_URL: 'postgres://localhost/none' })
if (!config.ok) throw new Error('The configuration of tests is wrong.')
const { value: settings } = config

async function openStore(role: 'owner' | 'technician' = 'owner') {
  const store = { ...(await openTestStore(port)), config: settings }
  const { orderId } = await makePlacedOrder(store)
  const { shop } = await orderOf(store, orderId)
  const now = store.clock.now()
  const member = { id: crypto.randomUUID(), shop_id: shop?.id ?? 0, email: 'ona@example.com', name: 'Ona', role }
  await store.db
    .insertInto('shop_member')
    .values({ ...member, added_at: now, added_by: 'test' })
    .execute()
  const person = { subject: 'ona', email: member.email, isEmailVerified: true, name: 'Ona' }
  const opened = await openPortal(store, {
    issuer: 'https://id.example',
    person,
    idToken: null,
    authenticatedAt: now,
    session: undefined,
  })
  const session = await findPortalSession(store, must(opened).cookie)
  const actor = { sessionId: session?.sessionId ?? '', shopId: member.shop_id }
  return { store, orderId, actor }
}

test('of twenty presses one makes the address; a new one ends the old, and ending it ends all', async () => {
  const { store, orderId, actor } = await openStore()
  await using _store = store
  const made = await Promise.all(Array.from({ length: 20 }, () => makeFeed(store, actor, { seen: '' })))
  const [first] = made.flatMap((each) => (each.ok ? [each.value.secret] : []))
  expect(made.filter(({ ok }) => ok)).toHaveLength(1)
  // 256 bits.
  expect(Buffer.from(first ?? '', 'base64url')).toHaveLength(32)
  const { rows } = { rows: await store.db.selectFrom('shop_feed').selectAll().execute() }
  expect(JSON.stringify(rows)).not.toContain(first)
  const file = (await openFeed(store, first ?? '')) ?? ''
  expect(file).toContain('SUMMARY:Dana\\, 2021 RAV4')
  expect(file).toContain(orderNumber(orderId))
  for (const secret of ['Reyes', '@example.com', '555', 'Halsted St']) expect(file).not.toContain(secret)

  const seen = seenFeed(await readFeed(store, actor.shopId))
  const second = must(await makeFeed(store, actor, { seen })).secret
  expect(await openFeed(store, first ?? '')).toBeUndefined()
  expect(await openFeed(store, second)).toBe(file)
  expect(await makeFeed(store, actor, { seen: '2020-01-01T00:00:00Z' })).toMatchObject({ reason: 'stale' })
  expect(await endFeed(store, actor)).toMatchObject({ ok: true })
  expect(await endFeed(store, actor)).toMatchObject({ ok: true })
  for (const secret of [second, '', 'x'.repeat(1_000)]) expect(await openFeed(store, secret)).toBeUndefined()
})

test('a job has a constant UID and a SEQUENCE that rises with each change, and shows as canceled for a month', async () => {
  const { store, orderId, actor } = await openStore()
  await using _store = store
  const { secret } = must(await makeFeed(store, actor, { seen: '' }))
  const { booking } = await orderOf(store, orderId)
  const eventOf = async () => {
    const events = ((await openFeed(store, secret)) ?? '').split('BEGIN:VEVENT').slice(1)
    return events.find((event) => event.includes(`UID:${booking?.id}`))
  }
  expect(await eventOf()).toContain('SEQUENCE:0')
  store.clock.set(store.clock.now().add({ minutes: 5 }))
  const start = (await freeTimesOf(store, orderId)).at(-1) ?? store.clock.now()
  must(await takeAppointmentTime(store, { orderId, seen: await seenOf(store, orderId), choice: { start } }))
  const moved = (await eventOf()) ?? ''
  expect(moved).toContain('SEQUENCE:1')
  expect(moved).toContain('STATUS:CONFIRMED')
  store.clock.set(store.clock.now().add({ minutes: 5 }))
  await cancelBooking(store, { orderId, actor: 'shop' })
  const canceled = (await eventOf()) ?? ''
  expect(canceled).toContain('SEQUENCE:2')
  expect(canceled).toContain('STATUS:CANCELLED')
  store.clock.set(store.clock.now().add({ hours: 24 * 29 }))
  expect(await eventOf()).toContain('STATUS:CANCELLED')
  store.clock.set(store.clock.now().add({ hours: 24 * 3 }))
  expect(await eventOf()).toBeUndefined()
})

test('a technician makes and ends no address', async () => {
  const { store, actor } = await openStore('technician')
  await using _store = store
  expect(await makeFeed(store, actor, { seen: '' })).toMatchObject({ reason: 'not-allowed' })
  expect(await endFeed(store, actor)).toMatchObject({ reason: 'not-allowed' })
  expect(await readFeed(store, actor.shopId)).toBeUndefined()
})
