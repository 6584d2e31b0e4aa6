/**
 * Orders on net terms create an invoice instead of a charge, within the company's limit, even when placed
 * simultaneously.
 */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { desk } from '#domain/kernel/staff/staff.testing.ts'
import { setTerms } from '#domain/customers/companies/companies.server.ts'
import {
  findCreditLine,
  invoiceMessageValues,
  listInvoices,
  recordInvoicePaid,
  remindOfInvoices,
} from '#domain/payments/invoices/invoices.server.ts'
import { cancelOrder, readOrder, receiptOf, releaseOrder, shipOrder } from '#domain/ordering/orders/orders.server.ts'
import { messageValues } from '#domain/ordering/orders/order-messages.server.ts'
import { formatCents } from '#platform/money.ts'
import { readConfig } from '#platform/config.ts'
import type { Database } from '#platform/db.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { verify } from '#tests/support/invariants.ts'
import {
  asAccount,
  agreeTo,
  asOwner,
  booksOf,
  makeReadyCart,
  must,
  openTestStore,
  payByCard as authorizeCard,
  pickTire,
  stockOf,
  untilWaiting,
  type TestStore,
} from './checkout.testing.ts'
import { payBy, payOnTerms, placeOrder, type PlaceOrderInput } from './checkout.server.ts'
import { firstPlacedOrder } from '#tests/support/database.ts'

const [port = 0] = await freePorts(3)

type Owner = Awaited<ReturnType<typeof asOwner<TestStore>>>

/** Returns the owner at a company with net 30 terms up to `limitCents`. */
async function onTerms(open: TestStore, limitCents = 1_000_000): Promise<Owner> {
  const store = await asOwner(open)
  must(await setTerms(store, { by: desk, id: store.companyId, terms: { netDays: 30, creditLimitCents: limitCents } }))
  return store
}

/** A cart on net terms with an agreed price. */
async function makeTermsCart(store: Owner): Promise<PlaceOrderInput & { totalCents: number }> {
  const cart = await makeReadyCart(store, { fulfillment: 'home' })
  const agreed = await agreeTo(store, cart)
  must(await payOnTerms(store, cart, agreed.totalCents))
  return agreed
}

async function placeOnTerms(store: Owner) {
  const { totalCents, ...input } = await makeTermsCart(store)
  return { orderId: must(await placeOrder(store, input)).orderId, totalCents }
}

/** The store as the same visitor's next request sees it. */
function nextRequest(store: Owner): Owner {
  return asAccount(store, store.accountId)
}

const insertInvoice = (db: Database, orderId: number, cents: number) =>
  sql`
  insert into invoice (order_id, amount_cents, net_days, issued_on, due_on) values (${orderId}::bigint, ${cents}::int, 30, '2026-11-20', '2026-12-20')`.execute(
    db,
  )

const errors = async ({ db, clock }: TestStore) =>
  (await verify(db, clock.now())).filter(({ severity }) => severity === 'error')

test('an order on net terms gets an invoice, ships after the cancellation window, and is booked as receivable', async () => {
  await using open = await openTestStore(port)
  const store = await onTerms(open)
  const { orderId, totalCents } = await placeOnTerms(store)
  const order = await readOrder(store.db, orderId)
  expect(order).toMatchObject({
    payment: null,
    invoice: { amountCents: totalCents, netDays: 30, dueOn: '2026-12-20', state: 'open' },
  })
  expect(await booksOf(store.db, orderId)).toMatchObject({ receivable: totalCents })
  expect(await findCreditLine(store, store.companyId)).toEqual({
    netDays: 30,
    limitCents: 1_000_000,
    openCents: totalCents,
    overdueCents: 0,
  })
  store.clock.set(store.clock.now().add({ minutes: 31 }))
  await releaseOrder(store, orderId)
  for (const { id } of order?.shipments ?? []) await shipOrder(store, { orderId, shipmentId: id })
  const shipped = await readOrder(store.db, orderId)
  expect(shipped?.shipments.map(({ state }) => state)).toEqual(shipped?.shipments.map(() => 'pending-pickup'))
  expect(await store.db.selectFrom('payment').select('id').where('order_id', '=', orderId).execute()).toEqual([])
  expect(await errors(store)).toEqual([])

  expect(await recordInvoicePaid(store, { orderId, by: desk, reference: 'ACH-77201' })).toEqual({
    ok: true,
    value: { amountCents: totalCents, leftCents: 0 },
  })
  expect(await recordInvoicePaid(store, { orderId, by: desk, reference: 'ACH-77201' })).toMatchObject({
    reason: 'not-open',
  })
  expect(await booksOf(store.db, orderId)).toMatchObject({ cash: totalCents })
  expect(await booksOf(store.db, orderId)).not.toHaveProperty('receivable')
  expect((await findCreditLine(store, store.companyId))?.openCents).toBe(0)
  expect(await errors(store)).toEqual([])
})

test('receipt and email state the terms and due date', async () => {
  await using open = await openTestStore(port)
  const store = await onTerms(open)
  const { orderId, totalCents } = await placeOnTerms(store)
  const config = readConfig({ DATABASE_URL: 'postgres://nobody@localhost/none' })
  const order = await readOrder(store.db, orderId)
  if (!config.ok || !order) throw new Error('The order of a test is gone.')
  const words = `Net 30, ${formatCents(totalCents)} due Dec 20, 2026`
  expect(receiptOf(order, config.value).paidWith).toBe(words)
  const mail = (kind: 'order-received' | 'order-canceled') =>
    messageValues({ ...store, config: config.value }, { kind, orderId, key: `${kind}:${orderId}` })
  expect((await mail('order-received')).values['payment']).toBe(
    `It’s billed on your company's terms: ${words}. PO number PO-7.`,
  )
  must(await cancelOrder(store, { orderId, actor: 'shopper' }))
  expect((await mail('order-canceled')).values['payment']).toBe('Your company won’t be billed.')
})

test('a canceled order clears its invoice and frees its credit once', async () => {
  await using open = await openTestStore(port)
  const store = await onTerms(open)
  const { orderId } = await placeOnTerms(store)
  await Promise.all([
    cancelOrder(store, { orderId, actor: 'shopper' }),
    cancelOrder(store, { orderId, actor: 'shopper' }),
  ])
  expect((await readOrder(store.db, orderId))?.invoice).toMatchObject({ state: 'canceled' })
  expect(await booksOf(store.db, orderId)).toEqual({})
  expect((await findCreditLine(store, store.companyId))?.openCents).toBe(0)
  expect(await recordInvoicePaid(store, { orderId, by: desk, reference: 'ACH-1' })).toMatchObject({
    reason: 'not-open',
  })
  store.clock.set(store.clock.now().add({ minutes: 31 }))
  await releaseOrder(store, orderId)
  expect((await readOrder(store.db, orderId))?.shipments.every(({ state }) => state === 'canceled')).toBe(true)
  expect(await errors(store)).toEqual([])
})

test('of two concurrent orders near the credit limit, one is placed and the other is rejected without taking stock', async () => {
  await using open = await openTestStore(port)
  const store = await onTerms(open)
  const carts = [await makeTermsCart(store), await makeTermsCart(store)]
  const totalCents = carts[0]?.totalCents ?? 0
  const limitCents = Math.round(totalCents * 1.5)
  must(await setTerms(store, { by: desk, id: store.companyId, terms: { netDays: 30, creditLimitCents: limitCents } }))
  const before = await stockOf(store, await pickTire(store))
  const placed = await Promise.all(carts.map((cart) => placeOrder(store, cart)))
  expect(placed.filter(({ ok }) => ok)).toHaveLength(1)
  expect(placed.find(({ ok }) => !ok)).toMatchObject({
    reason: 'net-terms-refused',
    detail: { why: 'over-limit', leftCents: limitCents - totalCents },
  })
  expect(before - (await stockOf(store, await pickTire(store)))).toBe(4)
  expect(await errors(store)).toEqual([])
})

test('of two invoices for the same credit, the second is rejected', async () => {
  await using open = await openTestStore(port)
  const store = await onTerms(open)
  const orders = [await placeOnTerms(store), await placeOnTerms(store)]
  await store.db.deleteFrom('invoice_payment').execute()
  await store.db.deleteFrom('invoice').execute()
  const amountCents = orders[0]?.totalCents ?? 0
  must(
    await setTerms(store, {
      by: desk,
      id: store.companyId,
      terms: { netDays: 30, creditLimitCents: Math.round(amountCents * 1.5) },
    }),
  )
  const [issued, committing] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const first = store.db.transaction().execute(async (tx) => {
    await insertInvoice(tx, orders[0]?.orderId ?? 0, amountCents)
    issued.resolve()
    await committing.promise
  })
  await issued.promise
  const second = insertInvoice(store.db, orders[1]?.orderId ?? 0, amountCents).then(
    () => 'issued',
    (error: unknown) => String(error),
  )
  await Promise.race([untilWaiting(store.db, 1), second])
  committing.resolve()
  await first
  expect(await second).toContain('has no credit')
})

test('twenty submissions make one order and one invoice', async () => {
  await using open = await openTestStore(port)
  const store = await onTerms(open)
  const { totalCents, ...input } = await makeTermsCart(store)
  const placed = await Promise.all(Array.from({ length: 20 }, () => placeOrder(store, input)))
  expect(new Set(placed.map((each) => must(each).orderId)).size).toBe(1)
  expect((await findCreditLine(store, store.companyId))?.openCents).toBe(totalCents)
})

test.for<[string, (store: Owner) => Promise<unknown>, object]>([
  [
    'terms that were taken back',
    (store) => setTerms(store, { by: desk, id: store.companyId, terms: null }),
    { why: 'no-terms' },
  ],
  [
    'a company that was closed',
    ({ db, companyId }) => db.updateTable('company').set({ state: 'closed' }).where('id', '=', companyId).execute(),
    { why: 'no-terms' },
  ],
  [
    'a lower limit',
    (store) => setTerms(store, { by: desk, id: store.companyId, terms: { netDays: 30, creditLimitCents: 100 } }),
    { why: 'over-limit', leftCents: 100 },
  ],
])('%s between review and submission blocks the order', async ([, change, detail]) => {
  await using open = await openTestStore(port)
  const store = await onTerms(open)
  const { totalCents: _, ...input } = await makeTermsCart(store)
  await change(store)
  // A request reads its visitor's terms once.
  expect(await placeOrder(nextRequest(store), input)).toMatchObject({ reason: 'net-terms-refused', detail })
  expect(
    await store.db.selectFrom('invoice').select('order_id').where('order_id', '>=', firstPlacedOrder).execute(),
  ).toEqual([])
})

test('an overdue invoice blocks net terms but not cards', async () => {
  await using open = await openTestStore(port)
  const store = await onTerms(open)
  const first = await placeOnTerms(store)
  const input = await makeTermsCart(store)
  await sql`update invoice set issued_on = issued_on - 31, due_on = due_on - 31`.execute(store.db)
  expect(await placeOrder(store, input)).toMatchObject({
    reason: 'net-terms-refused',
    detail: { why: 'overdue', overdueCents: first.totalCents },
  })
  expect((await listInvoices(store, store.companyId)).invoices).toMatchObject([
    { orderId: first.orderId, isOverdue: true, poNumber: 'PO-7' },
  ])
  await payBy(store, { id: input.cartId }, 'card')
  await authorizeCard(store, input.cartId, input.totalCents)
  expect(must(await placeOrder(store, input)).isNew).toBe(true)
  expect(await errors(store)).toEqual([])
})

test('owners are reminded of an invoice three days before it is due and when it is overdue, once each, at its current amount', async () => {
  await using open = await openTestStore(port)
  const store = await onTerms(open)
  const { orderId, totalCents } = await placeOnTerms(store)
  await placeOnTerms(store)
  const owner = 'olga@acme.example'
  const sent = async () =>
    (
      await store.db
        .selectFrom('message')
        .select(['key', 'to_address as to'])
        .where('kind', '=', 'invoice-due')
        .where('to_address', '=', owner)
        .orderBy('created_at')
        .execute()
    ).map(({ key, to }) => [key.split(':').slice(1, 3).join(' '), to])
  for (const [day, mails] of [
    ['2026-12-16', 0],
    ['2026-12-17', 2],
    ['2026-12-20', 2],
    ['2026-12-21', 3],
    ['2026-12-22', 3],
  ] as const) {
    if (day === '2026-12-20') must(await recordInvoicePaid(store, { orderId, by: desk, reference: 'ACH-1' }))
    store.clock.set(`${day}T15:00:00Z`)
    await remindOfInvoices(store)
    expect((await sent()).length, day).toBe(mails)
  }
  expect(await sent()).toEqual([
    [`${orderId} soon`, owner],
    [`${orderId + 1} soon`, owner],
    [`${orderId + 1} overdue`, owner],
  ])
  const config = readConfig({ DATABASE_URL: 'postgres://nobody@localhost/none' })
  if (!config.ok) throw new Error('The configuration of tests is wrong.')
  const mail = (key: string) => invoiceMessageValues({ ...store, config: config.value }, { key })
  expect(await mail(`invoice-due:${orderId + 1}:overdue:x`)).toMatchObject({
    status: 'was due on Dec 20, 2026',
    terms: `Net 30, ${formatCents(totalCents)} due Dec 20, 2026`,
    consequence: 'Until it is paid, new orders of your company are paid by card.',
  })
  expect(await mail(`invoice-due:${orderId}:soon:x`)).toMatchObject({ status: 'is paid', consequence: '' })
})

test('a card authorized before choosing net terms is not charged', async () => {
  await using open = await openTestStore(port)
  const store = await onTerms(open)
  const cart = await makeReadyCart(store, { fulfillment: 'home' })
  const { totalCents, ...input } = await agreeTo(store, cart)
  await authorizeCard(store, cart.id, totalCents)
  must(await payOnTerms(store, cart, totalCents))
  const { orderId } = must(await placeOrder(store, input))
  expect(
    await store.db.selectFrom('payment').select(['state', 'order_id']).where('cart_id', '=', cart.id).execute(),
  ).toEqual([{ state: 'voided', order_id: null }])
  expect((await readOrder(store.db, orderId))?.invoice?.amountCents).toBe(totalCents)
})

test('the schema rejects an invoice over the limit, without a company, or alongside a charge', async () => {
  await using open = await openTestStore(port)
  const store = await onTerms(open, 1_000_000)
  const { orderId } = await placeOnTerms(store)
  const raise = (cents: number, of: number) =>
    sql`
    insert into invoice (order_id, amount_cents, net_days, issued_on, due_on) values (${of}::bigint, ${cents}::int, 30, '2026-11-20', '2026-12-20')`.execute(
      store.db,
    )
  const paidByCard = await store.db
    .selectFrom('payment')
    .select('order_id')
    .where('order_id', 'is not', null)
    .orderBy('order_id')
    .limit(1)
    .executeTakeFirstOrThrow()
  await expect(raise(1, paidByCard.order_id ?? 0)).rejects.toThrow(/has no credit|has a charge/)
  await store.db
    .updateTable('sales_order')
    .set({ company_id: store.companyId })
    .where('id', '=', paidByCard.order_id)
    .execute()
  await expect(raise(1, paidByCard.order_id ?? 0)).rejects.toThrow('has a charge')
  await store.db.deleteFrom('invoice').where('order_id', '=', orderId).execute()
  await expect(raise(1_000_001, orderId)).rejects.toThrow('has no credit')
  await raise(1_000_000, orderId)
})
