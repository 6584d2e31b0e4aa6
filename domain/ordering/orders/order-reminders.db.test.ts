/** Scheduled order emails, each sent at the right local time and at most once. */
import { expect, test } from 'vitest'
import { adviseRotations } from '#domain/aftercare/tire-log/tire-log.server.ts'
import { makePlacedOrder, openTestStore, type TestStore } from '#domain/ordering/checkout/checkout.testing.ts'
import { renderMessage } from '#domain/messaging/messages/render.server.ts'
import { readMailPreferences, saveMailPreferences } from '#domain/messaging/messages/messages.server.ts'
import { inviteReviews } from '#domain/aftercare/reviews/reviews.server.ts'
import { readConfig } from '#platform/config.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { messageValues } from './order-messages.server.ts'
import { reminderKey } from './order-reminders.server.ts'
import {
  appointmentToken,
  cancelOrder,
  isReminderOver,
  opensOrder,
  orderKey,
  orderTextContent,
  readAppointmentToken,
  readOrder,
  remindOfAppointments,
} from './orders.server.ts'

const [port = 0] = await freePorts(3)
const config = readConfig({ DATABASE_URL: 'postgres://localhost/none' })
if (!config.ok) throw new Error('The configuration of tests is wrong.')
const { value: settings } = config

const keysOf = async ({ db }: TestStore, kind: string) =>
  (await db.selectFrom('message').select(['key', 'order_id']).where('kind', '=', kind).orderBy('key').execute()).map(
    ({ key, order_id }) => ({ key, orderId: order_id }),
  )

async function bookedOrder(store: TestStore) {
  const { orderId } = await makePlacedOrder(store)
  const order = await readOrder(store.db, orderId)
  if (!order?.booking) throw new Error('The order of a test has no appointment.')
  const { start } = order.booking
  const at = (days: number, time: string) =>
    start
      .toZonedDateTimeISO(order.timeZone)
      .toPlainDate()
      .add({ days })
      .toZonedDateTime({ timeZone: order.timeZone, plainTime: time })
      .toInstant()
  return { orderId, order, at }
}

test('an appointment has one reminder with a calendar file, after nine the day before in the shop’s time zone', async () => {
  await using store = await openTestStore(port)
  const { orderId, order, at } = await bookedOrder(store)
  const mine = async () => (await keysOf(store, 'appointment-reminder')).filter((each) => each.orderId === orderId)
  store.clock.set(at(-1, '08:59:59'))
  await remindOfAppointments(store)
  expect(await mine()).toEqual([])
  store.clock.set(at(-1, '09:00'))
  await Promise.all([remindOfAppointments(store), remindOfAppointments(store)])
  await remindOfAppointments(store)
  const [reminder] = await mine()
  expect(await mine()).toHaveLength(1)
  const key = reminder?.key ?? ''
  const { values, attachments } = await messageValues(
    { ...store, config: settings },
    { kind: 'appointment-reminder', orderId, key },
  )
  const mail = await renderMessage('appointment-reminder', values)
  expect(mail.subject).toMatch(/^Tomorrow: your installation, \d+:\d\d [AP]M C[SD]T$/)
  expect(mail.text).toContain(order.shop?.name)
  expect(attachments.map(({ name }) => name)).toEqual(['installation.ics'])
  expect(await isReminderOver(store, { key, orderId })).toBe(false)
  expect(await isReminderOver(store, { key: `${key}1`, orderId })).toBe(true)
})

test('a week, a day and two hours before on the shop’s clock, across both clock changes, each once', async () => {
  await using store = await openTestStore(port)
  const { orderId, order } = await bookedOrder(store)
  const kinds = ['appointment-next-week', 'appointment-reminder', 'appointment-soon']
  const sent = async () => {
    const counts = kinds.map(
      async (kind) => (await keysOf(store, kind)).filter((each) => each.orderId === orderId).length,
    )
    return (await Promise.all(counts)).join(' ')
  }
  const zone = 'America/Chicago'
  expect(order.timeZone).toBe(zone)
  const instant = (text: string) => Temporal.ZonedDateTime.from(`${text}[${zone}]`).toInstant()
  // The clocks go forward on Mar 14, 2027, and back on Nov 7, 2027: in the week, the day and the hours before.
  const years = [
    { start: '2027-03-14T09:30', week: '2027-03-07T09:00', day: '2027-03-13T09:00', soon: '2027-03-14T07:30' },
    { start: '2027-11-07T02:30', week: '2027-10-31T09:00', day: '2027-11-06T09:00', soon: '2027-11-07T00:30' },
  ]
  // Both are Sundays, one of them at night.
  const { shop_id: shopId } = await store.db
    .selectFrom('booking')
    .select('shop_id')
    .where('order_id', '=', orderId)
    .executeTakeFirstOrThrow()
  await store.db.deleteFrom('shop_hours').where('shop_id', '=', shopId).where('weekday', '=', 7).execute()
  const sunday = { shop_id: shopId, weekday: 7, opens: '00:00', closes: '24:00' }
  await store.db.insertInto('shop_hours').values(sunday).execute()
  let before = [0, 0, 0]
  for (const { start, week, day, soon } of years) {
    const begins = instant(start)
    // The demo has no appointment that far ahead, so this one is moved.
    await store.db
      .updateTable('booking')
      .set({ during: `[${begins.toString()},${begins.add({ hours: 1 }).toString()})` })
      .where('order_id', '=', orderId)
      .execute()
    const dues = [
      instant(week),
      instant(day),
      soon.startsWith('2027-11') ? begins.subtract({ hours: 2 }) : instant(soon),
    ]
    expect(dues[2]).toEqual(begins.subtract({ hours: 2 }))
    for (const [index, due] of dues.entries()) {
      store.clock.set(due.subtract({ seconds: 1 }))
      await remindOfAppointments(store)
      expect(await sent(), `${start} ${index}`).toBe(before.join(' '))
      store.clock.set(due)
      await Promise.all([remindOfAppointments(store), remindOfAppointments(store)])
      before = before.map((count, place) => (place === index ? count + 1 : count))
      expect(await sent(), `${start} ${index}`).toBe(before.join(' '))
      const [latest] = (await keysOf(store, kinds[index] ?? '')).filter((each) => each.orderId === orderId).slice(-1)
      expect(latest?.key).toContain(String(begins.epochMilliseconds / 1000))
      expect(await isReminderOver(store, { key: latest?.key ?? '', orderId })).toBe(false)
    }
    store.clock.set(begins)
    for (const kind of kinds)
      for (const { key } of (await keysOf(store, kind)).filter((each) => each.orderId === orderId))
        expect(await isReminderOver(store, { key, orderId })).toBe(true)
  }
})

test('every reminder leads to the appointment, and a text before it names shop and phone', async () => {
  await using store = await openTestStore(port)
  const { orderId, order } = await bookedOrder(store)
  for (const kind of ['appointment-next-week', 'appointment-reminder', 'appointment-soon'] as const) {
    const key = reminderKey(order.booking?.id ?? '', order.booking?.start ?? store.clock.now(), kind)
    const { values } = await messageValues({ ...store, config: settings }, { kind, orderId, key })
    const mail = await renderMessage(kind, values)
    const token = /\/appointment\/([^\s?]+)/.exec(mail.text)?.[1] ?? ''
    const opened = readAppointmentToken(settings.session.secret, decodeURIComponent(token), store.clock.now())
    expect(opened?.orderId, kind).toEqual(orderId)
  }
  const key = reminderKey(order.booking?.id ?? '', order.booking?.start ?? store.clock.now(), 'appointment-soon')
  const text = await orderTextContent({ ...store, config: settings }, { kind: 'appointment-soon', key, orderId })
  expect(text?.body).toContain(`today at ${order.shop?.name}`)
  const moved = `${key}1`
  expect(
    await orderTextContent({ ...store, config: settings }, { kind: 'appointment-soon', key: moved, orderId }),
  ).toBeNull()
})

test('an appointment link opens only its appointment until it ends', async () => {
  const secret = 'a secret of the store'
  const now = Temporal.Instant.from('2026-11-20T15:00:00Z')
  const token = appointmentToken(secret, 104_001, now)
  expect(readAppointmentToken(secret, token, now)).toMatchObject({ orderId: 104_001 })
  expect(opensOrder(secret, token, 104_001, now)).toBe(false)
  expect(readAppointmentToken(secret, orderKey(secret, 104_001, now), now)).toBeUndefined()
  const forged = [token.replace('104001', '104002'), `${token}x`, '', '.', 'x'.repeat(5_000), token.slice(0, -1)]
  for (const text of forged) expect(readAppointmentToken(secret, text, now)).toBeUndefined()
  expect(readAppointmentToken(secret, token, now.add({ hours: 24 * 60 }))).toBeUndefined()
})

test('a canceled appointment, a late worker and an appointment made that day get no reminder', async () => {
  await using store = await openTestStore(port)
  const { orderId, at } = await bookedOrder(store)
  store.clock.set(at(-1, '20:00'))
  await remindOfAppointments(store)
  expect((await keysOf(store, 'appointment-reminder')).filter((each) => each.orderId === orderId)).toEqual([])
  store.clock.set(at(-1, '09:00'))
  await remindOfAppointments(store)
  const [reminder] = (await keysOf(store, 'appointment-reminder')).filter((each) => each.orderId === orderId)
  expect(reminder).toBeDefined()
  await store.db
    .updateTable('sales_order')
    .set({ cancel_until: at(0, '23:00') })
    .where('id', '=', orderId)
    .execute()
  expect(await cancelOrder(store, { orderId, actor: 'customer' })).toMatchObject({ ok: true })
  expect(await isReminderOver(store, { key: reminder?.key ?? '', orderId })).toBe(true)
})

test('after three weeks an invitation to review, after six and twelve months advice to rotate, each once', async () => {
  await using store = await openTestStore(port)
  const delivered = await store.db
    .selectFrom('shipment')
    .innerJoin('sales_order', 'sales_order.id', 'shipment.order_id')
    .innerJoin('cart', 'cart.id', 'sales_order.cart_id')
    .select(['shipment.order_id', 'delivered_at', 'sales_order.email'])
    .where('shipment.state', '=', 'delivered')
    .where('sales_order.state', '=', 'confirmed')
    // The garage of an account would remind its owner.
    .where('cart.account_id', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('review').select('id').whereRef('verified_order_id', '=', 'sales_order.id'))),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('shipment as other')
            .select('other.id')
            .whereRef('other.order_id', '=', 'sales_order.id')
            .whereRef('other.id', '!=', 'shipment.id'),
        ),
      ),
    )
    .executeTakeFirstOrThrow()
  const { order_id: orderId, delivered_at: at, email } = delivered
  if (!at) throw new Error('A delivered parcel has no time.')
  const mine = async (kind: string) => (await keysOf(store, kind)).filter((each) => each.orderId === orderId)
  store.clock.set(at.add({ hours: 24 * 21 - 1 }))
  await inviteReviews(store)
  expect(await mine('review-invitation')).toEqual([])
  for (const hours of [24 * 21 + 1, 24 * 22]) {
    store.clock.set(at.add({ hours }))
    await inviteReviews(store)
  }
  expect(await mine('review-invitation')).toHaveLength(1)
  const after = (months: number) => at.toZonedDateTimeISO('America/New_York').add({ months, days: 1 }).toInstant()
  store.clock.set(after(6))
  await adviseRotations(store)
  await adviseRotations(store)
  expect(await mine('rotation-advice')).toHaveLength(1)

  // A customer who opted out of rotation reminders doesn't get any, under any spelling of the email.
  const spelled = email.replace('@', '+tires@')
  await saveMailPreferences(store, { email: spelled, wanted: ['referral-invite'] })
  expect(await readMailPreferences(store, email)).toContainEqual({ kind: 'rotation-due', isWanted: false })
  store.clock.set(after(12))
  await adviseRotations(store)
  expect(await mine('rotation-advice')).toHaveLength(1)
  await saveMailPreferences(store, { email, wanted: ['rotation-due'] })
  await adviseRotations(store)
  expect(await mine('rotation-advice')).toHaveLength(2)
})
