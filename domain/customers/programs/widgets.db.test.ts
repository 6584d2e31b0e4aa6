/** A partner's widget, from application to an order's commission. */
import { queuedJoinEmails } from '#domain/kernel/staff/joins.testing.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { accountOf } from '#domain/customers/accounts/accounts.testing.ts'
import { readCart } from '#domain/payments/cart/cart.server.ts'
import {
  agreeTo,
  makeReadyCart,
  must,
  openTestStore,
  payByCard,
  type TestStore,
} from '#domain/ordering/checkout/checkout.testing.ts'
import { placeOrder } from '#domain/ordering/checkout/checkout.server.ts'
import { cancelOrder, releaseOrder } from '#domain/ordering/orders/orders.server.ts'
import { moveParcels } from '#domain/ordering/orders/orders.testing.ts'
import { refundOrder } from '#domain/ordering/refunds/refunds.server.ts'
import { desk } from '#domain/kernel/staff/staff.testing.ts'
import { newId } from '#platform/ids.ts'
import { storeDay } from '#platform/store-zone.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import {
  applyAsAffiliate,
  applyAsPartner,
  approvePartner,
  attributeOrder,
  bookCommissions,
  changeOrigins,
  closeWidget,
  countVisit,
  findOwnWidget,
  findWidget,
  listApplications,
  noteWidget,
  readAttributedOrder,
  readWidgetMonths,
  setRate,
} from './programs.server.ts'
import { affiliateForm } from './programs.ts'
import { commissionOf, mostSources } from './widgets.ts'

const [port = 0] = await freePorts(3)
const ownerIn = (store: TestStore) => accountOf(store, 'pat@example.com')

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
  const widget = await findOwnWidget(store, await ownerIn(store))
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

test('an order from a widget is attributed once, and pending until it is canceled', async () => {
  await using store = await openTestStore(port)
  const widget = await makePartner(store)
  expect(widget).toMatchObject({ name: 'Lakeview Riders', origins: ['https://riders.example'] })
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
  const month = { visits: 2, orders: 1, tireCents, pendingCents: commissionCents, bookedCents: 0, reversedCents: 0 }
  expect(await readWidgetMonths(store, widget.id)).toMatchObject([month])

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

async function tireCentsOf(store: TestStore, orderId: number): Promise<{ lineNo: number; cents: number }> {
  const { rows } = await sql<{ lineNo: number; cents: number }>`
    select line_no as "lineNo", net_cents::int as cents from order_line where order_id = ${orderId}::bigint and kind = 'tire'`.execute(
    store.db,
  )
  if (!rows[0]) throw new Error('The order of a test has no tires.')
  return rows[0]
}

test('commission is earned once after the return window, and a refund reverses its part in a separate row', async () => {
  await using store = await openTestStore(port)
  const { id: widgetId } = await makePartner(store)
  const orderId = await orderFrom(store, widgetId)
  const placedIn = storeDay(store.clock.now()).toString().slice(0, 7)
  const { lineNo, cents } = await tireCentsOf(store, orderId)
  const booked = commissionOf(cents, 300)
  store.clock.set(store.clock.now().add({ minutes: 31 }))
  await releaseOrder(store, orderId)
  await moveParcels(store, orderId, 'delivered', store.clock.now())
  store.clock.set(store.clock.now().add({ hours: 24 * 30 }))
  expect(await bookCommissions(store)).toEqual({ booked: 0, reversed: 0 })
  store.clock.set(store.clock.now().add({ hours: 1 }))
  expect(await bookCommissions(store)).toEqual({ booked: 1, reversed: 0 })
  expect(await Promise.all([bookCommissions(store), bookCommissions(store)])).toEqual([
    { booked: 0, reversed: 0 },
    { booked: 0, reversed: 0 },
  ])
  const months = await readWidgetMonths(store, widgetId)
  expect(months.find(({ month }) => month === placedIn)).toMatchObject({ orders: 1, pendingCents: 0 })
  expect(months[0]).toMatchObject({ month: storeDay(store.clock.now()).toString().slice(0, 7), bookedCents: booked })

  const why = { reason: 'defect', bearer: 'maker', note: null, lowerReason: null, hasHandlingFee: false } as const
  must(
    await refundOrder(store, {
      ...why,
      lines: [{ lineNo, units: 1 }],
      amountCents: null,
      agreedCents: null,
      isFresh: true,
      orderId,
      actor: desk,
      key: newId(),
    }),
  )
  // The partner is notified after the reversal; booked commission stays booked.
  expect(await readAttributedOrder(store, { widgetId, orderId })).toMatchObject({ commissionCents: booked })
  expect(await bookCommissions(store)).toEqual({ booked: 0, reversed: 1 })
  const rest = commissionOf((cents / 4) * 3, 300)
  expect(await bookCommissions(store)).toEqual({ booked: 0, reversed: 0 })
  const rows = await store.db.selectFrom('partner_commission').select(['kind', 'cents']).orderBy('id').execute()
  expect(rows).toEqual([
    { kind: 'booked', cents: booked },
    { kind: 'reversed', cents: rest - booked },
  ])
  expect((await readWidgetMonths(store, widgetId))[0]).toMatchObject({
    bookedCents: booked,
    reversedCents: booked - rest,
  })
  expect(await readAttributedOrder(store, { widgetId, orderId })).toMatchObject({ commissionCents: rest })

  const entry = { order_id: orderId, kind: 'reversed', cents: -rest - 1, booked_at: store.clock.now() }
  await expect(store.db.insertInto('partner_commission').values(entry).execute()).rejects.toThrow('More commission')
  await expect(store.db.updateTable('partner_commission').set({ cents: 1 }).execute()).rejects.toThrow('only added to')
  await expect(store.db.deleteFrom('partner_commission').execute()).rejects.toThrow('only added to')
  await expect(store.db.updateTable('order_attribution').set({ commission_bp: 1 }).execute()).rejects.toThrow(
    'only added',
  )
})

test('an order earns by the rate in force on the day it was placed', async () => {
  await using store = await openTestStore(port)
  const { id: widgetId } = await makePartner(store)
  const today = storeDay(store.clock.now())
  const set = (commissionBp: number, days: number) =>
    setRate(store, { widgetId, fromDay: today.add({ days }), commissionBp, by: desk })
  expect(await set(500, 0)).toMatchObject({ reason: 'not-ahead' })
  must(await set(500, 2))
  must(await set(450, 2))
  must(await set(0, 9))
  const before = await orderFrom(store, widgetId)
  store.clock.set(store.clock.now().add({ hours: 49 }))
  const after = await orderFrom(store, widgetId)
  const rates = await store.db
    .selectFrom('order_attribution')
    .select(['order_id', 'commission_bp'])
    .orderBy('order_id')
    .execute()
  expect(rates).toEqual([
    { order_id: before, commission_bp: 300 },
    { order_id: after, commission_bp: 450 },
  ])
  const said = await store.db.selectFrom('audit_entry').select('act').where('subject', '=', widgetId).execute()
  expect(said.filter(({ act }) => act === 'partner.rate-set')).toHaveLength(3)
  await expect(store.db.deleteFrom('widget_rate').execute()).rejects.toThrow('only added to')
  const past = { widget_id: widgetId, from_day: today.toString(), commission_bp: 1, set_by: 'x', is_first: false }
  await expect(
    store.db
      .insertInto('widget_rate')
      .values({ ...past, set_at: store.clock.now() })
      .execute(),
  ).rejects.toThrow('widget_rate_ahead')
  must(await closeWidget(store, { id: widgetId, by: desk }))
  expect(await set(100, 20)).toMatchObject({ reason: 'not-known' })
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

test('a partner sets its own sites, and a closed widget earns no commission', async () => {
  await using store = await openTestStore(port)
  const { id } = await makePartner(store)
  const owner = await ownerIn(store)
  const stranger = await accountOf(store, 'dana@example.com')
  expect(await changeOrigins(store, stranger, 'https://x.example')).toMatchObject({ reason: 'no-widget' })
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

test('a verified email opens a widget once, for the same account', async () => {
  await using store = await openTestStore(port)
  const { id } = await makePartner(store)
  const first = await ownerIn(store)
  const second = { ...(await accountOf(store, 'dana@example.com')), email: first.email }
  expect(await findOwnWidget(store, second)).toBeUndefined()
  expect(
    await findOwnWidget(store, { ...first, email: 'pat@elsewhere.example', isEmailVerified: false }),
  ).toMatchObject({ id })
  const audit = await store.db
    .selectFrom('audit_entry')
    .select(['act', 'via', 'subject'])
    .where('act', '=', 'partner.joined')
    .execute()
  expect(audit).toEqual([{ act: 'partner.joined', via: 'sign-in', subject: first.email }])
  expect((await queuedJoinEmails(store.db)).map(({ to }) => to)).toEqual([first.email])
})

test('an unverified email opens no widget', async () => {
  await using store = await openTestStore(port)
  await makePartner(store)
  await store.db.updateTable('partner_widget').set({ owner_account_id: null }).execute()
  expect(await findOwnWidget(store, { ...(await ownerIn(store)), isEmailVerified: false })).toBeUndefined()
})

test('an affiliate applies apart from partners, and gets a widget and no code', async () => {
  await using store = await openTestStore(port)
  const typed = {
    business: 'Towing Weekly',
    channel: 'towing.example/weekly',
    name: 'Ana Diaz',
    email: 'ana@example.com',
    phone: '3125550100',
    people: '12000000',
    message: 'Trailers.',
  }
  const asked = { ...affiliateForm.parse(typed), networkKey: 'n' }
  expect(asked).toMatchObject({ channel: 'https://towing.example/weekly', site: 'https://towing.example' })
  must(await applyAsAffiliate(store, asked))
  must(await applyAsAffiliate(store, asked))
  // The same people may ask for both.
  const { channel: _, ...asPartner } = asked
  must(await applyAsPartner(store, { ...asPartner, site: null }))
  const waiting = await listApplications(store)
  expect(waiting.map(({ kind, channel }) => [kind, channel])).toEqual([
    ['affiliate', 'https://towing.example/weekly'],
    ['partner', null],
  ])
  expect(must(await approvePartner(store, { id: waiting[0]?.id ?? 0, by: desk }))).toEqual({ code: null })
  const widget = await findOwnWidget(store, await accountOf(store, 'ana@example.com'))
  expect(widget).toMatchObject({ name: 'Towing Weekly', origins: ['https://towing.example'] })
  const mails = await store.db
    .selectFrom('message')
    .select('kind')
    .where('to_address', '=', 'ana@example.com')
    .orderBy('kind')
    .execute()
  expect(mails.map(({ kind }) => kind)).toEqual(['affiliate-applied', 'affiliate-approved', 'partner-applied'])
})
