/**
 * Tests the effects of a refused job (other shops are offered before the tires ship, and the office gets a report
 * afterward).
 */
import { expect, test } from 'vitest'
import { makePlacedOrder, must, openTestStore, type TestStore } from '#domain/ordering/checkout/checkout.testing.ts'
import { anotherShop, askedChange } from '#domain/ordering/order-changes/order-changes.testing.ts'
import { changeOrderAsShopper } from '#domain/ordering/order-changes/order-changes.server.ts'
import { moveParcels } from '#domain/ordering/orders/orders.testing.ts'
import { announce, orderOf } from '#domain/ordering/orders/staff-acts.testing.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { verify } from '#tests/support/invariants.ts'
import {
  haveTiresLeft,
  jobMessageValues,
  listOpenShopReports,
  moveJob,
  selectRefusal,
  selectRefusers,
} from './work-orders.server.ts'
import { technicianOf } from './work-orders.testing.ts'

const [port = 0] = await freePorts(3)
const config = {
  session: { secret: 'a secret for tests only' },
  store: { phone: '(800) 555-0100' },
  web: { origin: 'https://sidewall.example' },
} as never

const reason = 'A rim is bent or cracked'

async function refuseJob(store: TestStore, orderId: number) {
  const { booking, shop } = await orderOf(store, orderId)
  if (!booking || !shop) throw new Error('The order of a test has no appointment.')
  const by = await technicianOf({ ...store, config }, shop.id)
  const refusal = { bookingId: booking.id, to: 'refused', reason } as const
  const moved = await Promise.all([1, 2, 3].map(() => moveJob(store, by, refusal)))
  expect(moved.map((each) => must(each).isNew).filter(Boolean)).toHaveLength(1)
  return { id: booking.id, shopId: shop.id }
}

const mailOf = (store: TestStore, orderId: number, bookingId: string) =>
  jobMessageValues({ ...store, config }, { orderId, key: `job-refused:${bookingId}` })

test('before the tires are sent, the mail leads to the next shops, and one of them takes the job', async () => {
  await using store = await openTestStore(port)
  const { orderId } = await makePlacedOrder(store)
  const booking = await refuseJob(store, orderId)
  const mail = await mailOf(store, orderId, booking.id)
  expect(mail?.['chooseUrl']).toMatch(/^https:\/\/sidewall\.example\/appointment\/.+\?show=shops$/)
  expect(mail?.['next']).toContain('on the page with one tap')
  expect(await listOpenShopReports(store, 10)).toEqual([])
  expect(await selectRefusal(store.db, booking.id)).toEqual({ reason })
  expect(await selectRefusers(store.db, orderId)).toEqual([booking.shopId])

  const asked = await askedChange(store, orderId, await anotherShop(store, orderId))
  const { change } = must(await changeOrderAsShopper(store, asked))
  const { booking: next, shop } = await orderOf(store, orderId)
  if (change.state === 'done') {
    expect(next?.state).toBe('confirmed')
    expect(shop?.id).toEqual(asked.shopId)
  } else expect(change.state).toBe('awaiting-payment')
  expect(await verify(store.db, store.clock.now())).toEqual([])
})

test('after the tires ship to a shop, one report requests moving them, and the shopper gets an email', async () => {
  await using store = await openTestStore(port)
  const { orderId } = await makePlacedOrder(store)
  const order = await announce(store, orderId)
  expect(haveTiresLeft(order)).toBe(false)
  await moveParcels(store, orderId, 'delivered', store.clock.now())
  const booking = await refuseJob(store, orderId)
  expect(haveTiresLeft(await orderOf(store, orderId))).toBe(true)
  expect(await listOpenShopReports(store, 10)).toMatchObject([
    { kind: 'stranded', bookingId: booking.id, orderId, pieces: 4, lineNo: null, note: reason, hasPhoto: false },
  ])
  expect((await mailOf(store, orderId, booking.id))?.['next']).toContain('so we need to move them first')
  const asked = await askedChange(store, orderId, await anotherShop(store, orderId))
  expect(await changeOrderAsShopper(store, asked)).toMatchObject({ ok: false, reason: 'not-possible' })
  expect(await verify(store.db, store.clock.now())).toEqual([])
})
