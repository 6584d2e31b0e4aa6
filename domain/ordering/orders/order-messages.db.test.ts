/** The contents of order mails, and the time zone they use. */
import { expect, test } from 'vitest'
import { makePlacedOrder, openTestStore } from '#domain/ordering/checkout/checkout.testing.ts'
import { renderMessage } from '#domain/messaging/messages/render.server.ts'
import { readConfig } from '#platform/config.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { calendarAttachments, messageValues } from './order-messages.server.ts'
import { cancelOrder, readOrder, receiptOf } from './orders.server.ts'

const [port = 0] = await freePorts(3)
const config = readConfig({ DATABASE_URL: 'postgres://localhost/none' })
if (!config.ok) throw new Error('The configuration of tests is wrong.')
const { value: settings } = config

test("the email of a home delivery uses its ZIP's time zone and does not mention an appointment", async () => {
  await using store = await openTestStore(port)
  const { orderId } = await makePlacedOrder(store, { fulfillment: 'home' })
  const order = await readOrder(store.db, orderId)
  if (!order) throw new Error('The order of a test is gone.')
  expect(order.timeZone).toBe('America/Chicago')
  const mailOf = async (kind: 'order-received' | 'order-delivered') => {
    const { values } = await messageValues({ ...store, config: settings }, { kind, orderId, key: `${kind}:${orderId}` })
    return (await renderMessage(kind, values)).text
  }
  const received = await mailOf('order-received')
  expect(received).toMatch(/cancel it yourself until \w{3}, \w{3} \d+, \d+:\d\d [AP]M C[SD]T\./)
  expect(received).toContain('They come to your address, without installation.')
  const delivered = await mailOf('order-delivered')
  expect(delivered).toContain('Your tires have arrived.')
  expect(delivered).toContain('Installation isn’t included. Any shop can install them.')
  expect(delivered).not.toMatch(/book|come to/i)
})

test("email and receipt of an order to a shop use the shop's time zone", async () => {
  await using store = await openTestStore(port)
  const { orderId } = await makePlacedOrder(store)
  const order = await readOrder(store.db, orderId)
  if (!order) throw new Error('The order of a test is gone.')
  expect(order.timeZone).toBe(order.shop?.timeZone)
  const { values } = await messageValues(
    { ...store, config: settings },
    { kind: 'order-received', orderId, key: `order-received:${orderId}` },
  )
  expect(values['appointment']).toMatch(
    /^To be installed at .+: \w{3}, \w{3} \d+, \d+:\d\d [AP]M C[SD]T, wait at the shop\.$/,
  )
  expect(receiptOf(order, settings).installation.join(' ')).toMatch(/\d:\d\d [AP]M C[SD]T/)
})

test("an email about a change removes the order's own canceled appointment, and never another order's", async () => {
  await using store = await openTestStore(port)
  const first = await makePlacedOrder(store)
  const second = await makePlacedOrder(store, { openingAt: 1 })
  const bookingId = (await readOrder(store.db, first.orderId))?.booking?.id ?? ''
  const filesOf = async ({ orderId }: { orderId: number }) => {
    const files = await calendarAttachments({ ...store, config: settings }, { kind: 'order-changed', orderId })
    return files?.map(({ name, content }) => [name, String(content).includes(`UID:${bookingId}`)])
  }
  expect(await filesOf(first)).toEqual([['installation.ics', true]])
  expect(await cancelOrder(store, { orderId: first.orderId, actor: 'customer' })).toMatchObject({ ok: true })
  expect(await filesOf(first)).toEqual([['canceled.ics', true]])
  expect(await filesOf(second)).toEqual([['installation.ics', false]])
})
