/** Orders of services without tires, through the cart, price, hold, order, and cancellation of tire orders. */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { addToCart, putService } from '#domain/payments/cart/cart.server.ts'
import { moveBooking } from '#domain/scheduling/booking/booking.server.ts'
import {
  appointmentWork,
  cancelOrder,
  messageValues,
  offerOtherTimes,
  readOrder,
  releaseOrder,
} from '#domain/ordering/orders/orders.server.ts'
import { orderProgress } from '#domain/ordering/orders/orders.ts'
import { violatedConstraint } from '#platform/db.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { verify } from '#tests/support/invariants.ts'
import { chooseFulfillment, placeOrder, quoteCart, readDetails } from './checkout.server.ts'
import { agreeTo, booksOf, cartOf, must, openTestStore, payByCard, pickTire } from './checkout.testing.ts'
import { makeServiceCart, makeServiceOrder } from './service-orders.testing.ts'

const [port = 0] = await freePorts(3)

test('a service is ordered without tires, with its shop, time and price, and without a package', async () => {
  await using store = await openTestStore(port)
  const { orderId, cartId, shop, booking, quote, priceCents, minutes, totalCents, input } =
    await makeServiceOrder(store)
  expect(quote.minutes).toBe(Math.ceil((shop.times.takeInMinutes + minutes) / 5) * 5)
  expect(booking.end.since(booking.start).total('minutes')).toBe(quote.minutes)
  const placed = await sql<object>`
    select fulfillment, shop_id as "shopId", (select count(*)::int from shipment where order_id = sales_order.id) as parcels,
      (select json_agg(json_build_array(kind, service, item_id, net_cents)) from order_line where order_id = sales_order.id) as lines,
      (select state from booking where order_id = sales_order.id) as booked
    from sales_order where id = ${orderId}::bigint`.execute(store.db)
  expect(placed.rows).toEqual([
    {
      fulfillment: 'shop',
      shopId: shop.id,
      parcels: 0,
      lines: [['service', 'rotation', null, priceCents]],
      booked: 'confirmed',
    },
  ])
  expect(await booksOf(store.db, orderId)).toMatchObject({ receivable: totalCents })
  // Submitted again, it is the same order.
  expect(await placeOrder(store, input)).toMatchObject({ ok: true, value: { orderId, isNew: false } })
  expect((await cartOf(store, cartId)).orderId).toBe(orderId)
  expect(await verify(store.db, store.clock.now())).toEqual([])
})

test('each unit is priced, up to the limit of the service', async () => {
  await using store = await openTestStore(port)
  const { cartId, priceCents, shop } = await makeServiceCart(store, { service: 'sensors', units: 4 })
  const { contact } = await readDetails(store, cartId)
  const { breakdown, problems } = await quoteCart(store, await cartOf(store, cartId), contact, {})
  expect(problems).toEqual([])
  expect(breakdown?.lines.map(({ id, netCents }) => [id, netCents])).toEqual([['service:sensors', 4 * priceCents]])
  const more = { id: cartId, accountId: null, zip: '60614', shopId: shop.id, service: 'rotation', units: 2 }
  expect(await putService(store.db, more, store.clock.now())).toBe(true)
  expect((await quoteCart(store, await cartOf(store, cartId), contact, {})).problems).toMatchObject([
    { kind: 'shop-not-capable', faults: ['no-service'] },
  ])
})

test('a service that its shop no longer offers is refused', async () => {
  await using store = await openTestStore(port)
  const { cartId, shop } = await makeServiceCart(store)
  const cart = await cartOf(store, cartId)
  const { totalCents, ...input } = await agreeTo(store, cart)
  await payByCard(store, cartId, totalCents)
  // The held time has its price until it expires.
  store.clock.set(store.clock.now().add({ minutes: 11 }))
  await store.db.deleteFrom('shop_service_price').where('shop_id', '=', shop.id).execute()
  expect(await placeOrder(store, input)).toMatchObject({ ok: false, reason: 'problem' })
})

test('a cart has tires or a service, and a service stays at its shop', async () => {
  await using store = await openTestStore(port)
  const { cartId, shop } = await makeServiceCart(store)
  const tire = { itemId: await pickTire(store), axle: 'all' as const, quantity: 4 }
  const added = must(await addToCart(store, { cartId, lines: [tire], zip: '60614', vehicle: null }))
  expect(added.cartId).not.toBe(cartId)
  expect((await cartOf(store, cartId)).services).toEqual([{ service: 'rotation', units: 1 }])
  const other = { id: added.cartId, accountId: null, zip: '60614', shopId: shop.id, service: 'rotation', units: 1 }
  expect(await putService(store.db, other, store.clock.now())).toBe(false)
  const mixed = sql`insert into cart_line (cart_id, item_id, axle, quantity, seen_unit_cents, added_at) values (${cartId}::uuid, ${tire.itemId}, 'all', 4, 1, now())`
  expect(await mixed.execute(store.db).then(() => null, violatedConstraint)).toBe('cart_of_service_has_no_tires')
  expect(await chooseFulfillment(store, await cartOf(store, cartId), { fulfillment: 'home' })).toMatchObject({
    ok: false,
  })
  const { orderId } = await makeServiceOrder(store)
  const line = sql`
    insert into order_line (order_id, line_no, kind, service, description, quantity, unit_cents, gross_cents, discount_cents, net_cents, tax_cents, fet_cents, tire_fee_cents, unit_freight_cents)
    select order_id, line_no + 1, kind, service, description, quantity, unit_cents, gross_cents, discount_cents, net_cents, tax_cents, fet_cents, tire_fee_cents, unit_freight_cents
    from order_line where order_id = ${orderId}::bigint`
  expect(await line.execute(store.db).then(() => null, violatedConstraint)).toBe('order_of_service_is_only_that')
})

test('a charged service is canceled with a refund until the notice before its time, and not after', async () => {
  await using store = await openTestStore(port)
  const { orderId, booking, totalCents } = await makeServiceOrder(store)
  const late = await makeServiceOrder(store)
  store.clock.set(store.clock.now().add({ minutes: 31 }))
  for (const id of [orderId, late.orderId]) await releaseOrder(store, id)
  const charged = await readOrder(store.db, orderId)
  expect(charged?.payment).toMatchObject({ state: 'captured', capturedCents: totalCents })
  expect(charged && orderProgress(charged)).toBe('booked')
  store.clock.set(booking.start.subtract({ minutes: booking.noticeMinutes }))
  expect(await cancelOrder(store, { orderId, actor: 'shopper' })).toEqual({ ok: true, value: { isNew: true } })
  expect(await cancelOrder(store, { orderId, actor: 'shopper' })).toEqual({ ok: true, value: { isNew: false } })
  const canceled = await readOrder(store.db, orderId)
  expect(canceled).toMatchObject({ state: 'canceled', booking: { state: 'canceled' } })
  const refund = await store.db
    .selectFrom('charge_refund')
    .innerJoin('payment', 'payment.id', 'charge_refund.payment_id')
    .select('charge_refund.amount_cents')
    .where('payment.order_id', '=', orderId)
    .execute()
  expect(refund).toEqual([{ amount_cents: totalCents }])
  store.clock.set(late.booking.start.subtract({ minutes: late.booking.noticeMinutes }).add({ seconds: 1 }))
  expect(await cancelOrder(store, { orderId: late.orderId, actor: 'shopper' })).toMatchObject({
    ok: false,
    reason: 'too-late',
  })
})

test('a service moves to another time, and its emails name it and no tires', async () => {
  await using store = await openTestStore(port)
  const { orderId, quote } = await makeServiceOrder(store)
  const order = await readOrder(store.db, orderId)
  if (!order?.booking) throw new Error('The order has no time.')
  const days = await offerOtherTimes(store, order)
  const start = days
    .slice(4)
    .flatMap(({ times }) => times)
    .find(({ free }) => free)?.start
  const work = await appointmentWork(store, order)
  if (!start || !work) throw new Error('There is no other time.')
  const moved = must(await moveBooking(store, { ...work, bookingId: order.booking.id, choice: { start } }))
  expect(moved.end.since(moved.start).total('minutes')).toBe(quote.minutes)
  const config = {
    web: { origin: 'https://store.example' },
    session: { secret: 'x' },
    store: { name: 'Sidewall', email: 'store@example.com', phone: '1' },
  }
  const { values, attachments } = await messageValues(
    { ...store, config: config as never },
    { kind: 'order-received', orderId, key: `order-received:${orderId}` },
  )
  expect(values['items']).toEqual({ tires: [{ name: 'Rotation and balance', quantity: 1, pictureUrl: null }] })
  expect(values['appointment']).toMatch(/^Your appointment is at /)
  expect(values['afterCancel']).toMatch(/^You get a full refund/)
  expect(String(attachments?.[0]?.content)).toContain('SUMMARY:Rotation and balance at ')
})
