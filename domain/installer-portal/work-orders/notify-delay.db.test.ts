import { expect, test } from 'vitest'
import { renderMessage } from '#domain/messaging/messages/render.server.ts'
import { askForTexts, receiveText } from '#domain/messaging/texts/texts.server.ts'
import { consentWords } from '#domain/messaging/texts/texts.ts'
import { makePlacedOrder, must, openTestStore } from '#domain/ordering/checkout/checkout.testing.ts'
import { orderOf } from '#domain/ordering/orders/staff-acts.testing.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { lateMessageValues, markNoShow, shopLateText, notifyDelay } from './work-orders.server.ts'
import { technicianOf } from './work-orders.testing.ts'

const [port = 0] = await freePorts(3)
const config = {
  session: { secret: 'a secret for tests only' },
  store: { name: 'Sidewall', phone: '(800) 555-0100' },
  web: { origin: 'https://sidewall.example' },
} as never

async function openShop() {
  const store = await openTestStore(port)
  const { orderId } = await makePlacedOrder(store)
  const order = await orderOf(store, orderId)
  const { booking, shop } = order
  if (!booking || !shop) throw new Error('The order of a test has no appointment.')
  store.clock.set(booking.start.subtract({ minutes: 20 }))
  const by = await technicianOf({ ...store, config }, shop.id)
  return { store, order, booking, shop, by, late: (minutes: number) => ({ bookingId: booking.id, minutes }) }
}

test('a delay is sent by email and text, once each, and only longer ones follow it', async () => {
  const { store, order, booking, shop, by, late } = await openShop()
  await using _ = store
  const agreed = { phone: order.phone, networkKey: 'n', words: consentWords('Sidewall') }
  must(await askForTexts(store, { orderId: order.id, ...agreed }))
  await receiveText(store, { ref: 'in-1', from: order.phone, body: 'YES' })

  const told = await Promise.all([1, 2, 3].map(() => notifyDelay(store, by, late(30))))
  expect(told.map((each) => must(each).isNew).filter(Boolean)).toHaveLength(1)
  for (const minutes of [15, 31, 0, -15, 1e9, Number.NaN])
    expect(await notifyDelay(store, by, late(minutes)), String(minutes)).toMatchObject({ reason: 'not-later' })
  must(await notifyDelay(store, by, late(60)))
  expect(await notifyDelay(store, by, late(30))).toMatchObject({ reason: 'not-later' })

  const keys = [`shop-late:${booking.id}:30`, `shop-late:${booking.id}:60`]
  for (const table of ['message', 'text_message'] as const)
    expect(
      await store.db.selectFrom(table).select('key').where('kind', '=', 'shop-late').orderBy('key').execute(),
    ).toEqual(keys.map((key) => ({ key })))
  const [first = '', second = ''] = keys
  const values = await lateMessageValues({ ...store, config }, { orderId: order.id, key: first })
  const { subject, text } = await renderMessage('shop-late', values)
  expect(subject).toBe(`${shop.name} is running about 30 minutes late`)
  expect(text).toContain('See or move your appointment: https://sidewall.example/appointment/')
  // The first delay is outdated.
  const read = (key: string) => shopLateText({ ...store, config }, { orderId: order.id, key })
  expect(await read(first)).toBeNull()
  expect((await read(second))?.body).toContain(`${shop.name} is running about 60 minutes late`)
  store.clock.set(booking.end.add({ minutes: 60 }))
  expect(await read(second)).toBeNull()
})

test('a delay is refused before the day, after the job, and for another shop’s member', async () => {
  const { store, booking, by, late } = await openShop()
  await using _ = store
  expect(await notifyDelay(store, { ...by, shopId: by.shopId + 1 }, late(30))).toMatchObject({ ok: false })
  store.clock.set(booking.start.subtract({ hours: 24 }))
  expect(await notifyDelay(store, by, late(30))).toMatchObject({ reason: 'not-today' })
  store.clock.set(booking.start.add({ minutes: 16 }))
  must(await markNoShow(store, by, { bookingId: booking.id }))
  expect(await notifyDelay(store, by, late(30))).toMatchObject({ reason: 'over' })
  expect(await store.db.selectFrom('message').select('key').where('kind', '=', 'shop-late').execute()).toEqual([])
})
