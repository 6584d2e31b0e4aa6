/** A partner's widget from the application to the commission of an order. */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { readCart } from '#domain/cart/cart.server.ts'
import {
  agreeTo,
  makeReadyCart,
  must,
  openTestStore,
  payByCard,
  type TestStore,
} from '#domain/checkout/checkout.testing.ts'
import { placeOrder } from '#domain/checkout/checkout.server.ts'
import { cancelOrder } from '#domain/orders/orders.server.ts'
import { moveParcels } from '#domain/orders/orders.testing.ts'
import { desk } from '#domain/staff/staff.testing.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import {
  applyAsPartner,
  approvePartner,
  attributeOrder,
  changeOrigins,
  closeWidget,
  countVisit,
  findOwnWidget,
  findWidget,
  listApplications,
  noteWidget,
  readWidgetMonths,
} from './programs.server.ts'
import { commissionOf, mostSources } from './widgets.ts'

const [port = 0] = await freePorts(3)
const owner = { email: 'Pat@example.com', isEmailVerified: true }

async function makePartner(store: TestStore) {
  const asked = {
    business: 'Lakeview Riders',
    name: 'Pat Lee',
    email: 'pat@example.com',
    phone: '3125550100',
    people: 40,
    site: 'https://riders.example',
    message: '',
    networkKey: 'n',
  }
  must(await applyAsPartner(store, asked))
  const [application] = await listApplications(store)
  must(await approvePartner(store, { id: application?.id ?? 0, by: desk }))
  const widget = await findOwnWidget(store, owner)
  if (!widget) throw new Error('The approved partner has no widget.')
  return widget
}

async function orderFrom(store: TestStore, widgetId: string): Promise<number> {
  const { id } = await makeReadyCart(store, { fulfillment: 'home' })
  await noteWidget(store, id, { widgetId, source: 'winter', shopId: null })
  const cart = await readCart(store, id)
  if (!cart) throw new Error('The cart of a test is gone.')
  const { totalCents, ...input } = await agreeTo(store, cart)
  await payByCard(store, id, totalCents)
  return must(await placeOrder(store, input)).orderId
}

test('an order from a widget is attributed once, earned after the return window, and taken back by canceling', async () => {
  await using store = await openTestStore(port)
  const widget = await makePartner(store)
  expect(widget).toMatchObject({ name: 'Lakeview Riders', origins: ['https://riders.example'], commissionBp: 300 })
  await countVisit(store, { widgetId: widget.id, source: 'winter' })
  await countVisit(store, { widgetId: widget.id, source: null })
  const orderId = await orderFrom(store, widget.id)
  await store.db.transaction().execute((tx) => attributeOrder({ db: tx, clock: store.clock }, orderId))
  const attributed = await store.db.selectFrom('order_attribution').selectAll().execute()
  expect(attributed).toMatchObject([{ order_id: orderId, widget_id: widget.id, source: 'winter', commission_bp: 300 }])

  const { rows } = await sql<{ cents: number }>`
    select sum(net_cents)::int as cents from order_line where order_id = ${orderId}::bigint and kind = 'tire'`.execute(
    store.db,
  )
  const tireCents = rows[0]?.cents ?? 0
  const commissionCents = commissionOf(tireCents, 300)
  expect(commissionCents).toBeGreaterThan(0)
  const month = { visits: 2, orders: 1, tireCents, commissionCents, earnedCents: 0 }
  expect(await readWidgetMonths(store, widget.id)).toMatchObject([month])
  await moveParcels(store, orderId, 'delivered', store.clock.now())
  expect(await readWidgetMonths(store, widget.id)).toMatchObject([month])
  const later = { db: store.db, clock: { now: () => store.clock.now().add({ hours: 24 * 31 }) } }
  expect(await readWidgetMonths(later, widget.id)).toMatchObject([{ ...month, earnedCents: commissionCents }])

  const canceled = await orderFrom(store, widget.id)
  expect(await readWidgetMonths(store, widget.id)).toMatchObject([{ orders: 2 }])
  must(await cancelOrder(store, { orderId: canceled, actor: 'shopper' }))
  expect(await readWidgetMonths(store, widget.id)).toMatchObject([month])
  const pages = await readWidgetMonths(store, widget.id, { bySource: true })
  expect(pages.map(({ source, visits, orders }) => [source, visits, orders])).toEqual([
    [null, 1, 0],
    ['winter', 1, 1],
  ])
})

test('a flood of sources is counted, but not apart', async () => {
  await using store = await openTestStore(port)
  const { id: widgetId } = await makePartner(store)
  for (let index = 0; index < mostSources + 5; index += 1)
    await countVisit(store, { widgetId, source: `page-${index}` })
  await countVisit(store, { widgetId, source: 'page-0' })
  const pages = await readWidgetMonths(store, widgetId, { bySource: true })
  expect(pages).toHaveLength(mostSources + 1)
  expect(pages.find(({ source }) => source === 'page-0')).toMatchObject({ visits: 2 })
  expect(pages.find(({ source }) => source === null)).toMatchObject({ visits: 5 })
})

test('a partner sets its own sites, and a closed widget earns nothing more', async () => {
  await using store = await openTestStore(port)
  const { id } = await makePartner(store)
  const stranger = { email: 'dana@example.com', isEmailVerified: true }
  expect(await changeOrigins(store, stranger, 'https://x.example')).toMatchObject({ reason: 'no-widget' })
  expect(await findOwnWidget(store, { ...owner, isEmailVerified: false })).toBeUndefined()
  expect(await changeOrigins(store, owner, 'https://x.example\nhttp://y.example')).toMatchObject({
    reason: 'not-an-origin',
    detail: { line: 'http://y.example' },
  })
  must(await changeOrigins(store, owner, 'https://x.example\nz.example/tires'))
  expect((await findWidget(store, id))?.origins).toEqual(['https://x.example', 'https://z.example'])
  must(await closeWidget(store, { id, by: desk }))
  expect(await closeWidget(store, { id, by: desk })).toMatchObject({ reason: 'not-known' })
  expect(await findWidget(store, id)).toBeUndefined()
  await orderFrom(store, id)
  expect(await store.db.selectFrom('order_attribution').selectAll().execute()).toEqual([])
})
