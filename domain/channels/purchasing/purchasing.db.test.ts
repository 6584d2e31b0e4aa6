/** Tests orders from purchasing systems (placing them, refusing them with differences, and notifying their buyer). */
import { expect, test } from 'vitest'
import { findChosenTime } from '#domain/scheduling/booking/booking.server.ts'
import { cancel } from '#domain/ordering/cancellations/cancellations.testing.ts'
import { decideCompany } from '#domain/customers/companies/companies.server.ts'
import { must, pickTire } from '#domain/ordering/checkout/checkout.testing.ts'
import {
  cancelOrder,
  readOrder,
  releaseOrder,
  receiveCarrierEvent,
  shipOrder,
} from '#domain/ordering/orders/orders.server.ts'
import type { PriceBreakdown } from '#domain/pricing/pricing/pricing.ts'
import { desk } from '#domain/kernel/staff/staff.testing.ts'
import { startReceiver } from '#sandbox/test-sandbox.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import {
  acmeTerms,
  givePurchasing,
  installOrderOf,
  openPurchasingStore,
  orderOf,
  type PurchasingStore,
} from './purchasing.testing.ts'
import {
  answerOnce,
  issuePurchasingSecret,
  knowPurchasingSystem,
  listDeadDocuments,
  listDocuments,
  placePurchase,
  sendDocumentAgain,
  sendPurchasingDocument,
  setPurchasingSystem,
  tellPurchasingSystems,
} from './purchasing.server.ts'
import type { OutgoingDocument } from './purchasing-system.port.ts'
import { mostDocumentAttempts } from './purchasing.ts'

const [port = 0] = await freePorts(3)
/** Selects a company's orders by all members. */
async function ordersOf({ db }: PurchasingStore, companyId: string): Promise<number[]> {
  const orders = await db.selectFrom('sales_order').select('id').where('company_id', '=', companyId).execute()
  return orders.map(({ id }) => id)
}

const from = { domain: 'DUNS', identity: '080000001' }

test('a secret is matched by hash with a case-insensitive identity, and the previous one for a week', async () => {
  await using store = await openPurchasingStore(port)
  const { companyId, secret } = await givePurchasing(store)
  const knows = async (given: string) => (await knowPurchasingSystem(store, { ...from, secret: given })) !== undefined
  expect(await knows(secret)).toBe(true)
  expect(await knows('wrong')).toBe(false)
  expect(await knows('')).toBe(false)
  expect(await knowPurchasingSystem(store, { ...from, identity: '1', secret })).toBeUndefined()
  const next = must(await issuePurchasingSecret(store, { companyId, endsOthers: false, by: desk }))
  expect(await knows(secret)).toBe(true)
  expect(await knows(next.secret)).toBe(true)
  store.clock.set(store.clock.now().add({ hours: 24 * 7 + 1 }))
  expect(await knows(secret)).toBe(false)
  expect(await knows(next.secret)).toBe(true)
  must(await issuePurchasingSecret(store, { companyId, endsOthers: true, by: desk }))
  expect(await knows(next.secret)).toBe(false)
  const kept = await store.db.selectFrom('purchasing_secret').select('hash').execute()
  expect(kept.map(({ hash }) => hash.length)).toEqual([32, 32, 32])
})

test('an order is placed on terms under its own numbers, once', async () => {
  await using store = await openPurchasingStore(port)
  const { system, companyId } = await givePurchasing(store)
  const request = await orderOf(store, system)
  const { orderId } = must(await placePurchase(store, system, request))
  const order = await store.db.selectFrom('sales_order').selectAll().where('id', '=', orderId).executeTakeFirstOrThrow()
  expect(order).toMatchObject({ company_id: companyId, buyer_id: null, state: 'confirmed', first_name: 'Dana' })
  expect(order.total_cents).toBe(request.totalCents + (request.taxCents ?? 0))
  expect(order.billing).toMatchObject({ name: 'Acme Plumbing AP', poNumber: 'PO-1001' })
  expect((await readOrder(store.db, orderId))?.invoice).toMatchObject({ netDays: 30 })
  const lines = await store.db.selectFrom('purchasing_order_line').select(['line_number', 'part_id']).execute()
  expect(lines).toHaveLength(request.lines.length)
  const kept = await store.db.selectFrom('purchasing_order').selectAll().executeTakeFirstOrThrow()
  expect(kept).toMatchObject({ cost_center: 'CC-77', buyer_order_id: 'PO-1001', payload_id: 'order-1@acme.example' })
  const again = await placePurchase(store, system, { ...request, payloadId: 'order-2@acme.example' })
  expect(again).toMatchObject({ ok: false, reason: 'known' })
})

test('two concurrent documents with one order number place one order', async () => {
  await using store = await openPurchasingStore(port)
  const { system } = await givePurchasing(store)
  const request = await orderOf(store, system)
  const both = await Promise.all(
    ['a', 'b'].map((id) => placePurchase(store, system, { ...request, payloadId: `${id}@acme.example` })),
  )
  expect(both.map((each) => (each.ok ? 'placed' : each.reason)).toSorted()).toEqual(['known', 'placed'])
  expect(await ordersOf(store, system.companyId)).toHaveLength(1)
})

test.each([
  ['another total', { totalCents: 1 }, /^The Total is \$0\.01, ours is \$/],
  ['another tax', { taxCents: 1 }, /^The Tax is \$0\.01, ours is \$/],
  [
    'an unknown part',
    { lines: [{ lineNumber: 1, partId: 'NO-SUCH', quantity: 4, unit: 'EA', unitCents: 1 }] },
    /NO-SUCH/,
  ],
  ['no tires', { lines: [] }, /no tires/],
  ['no destination', { shipTo: null }, /no shipping or installation address/],
  ['an unknown shop', { installAt: 'nowhere' }, /no shop nowhere/],
])('an order with %s is refused with a message and not placed', async (_, change, words) => {
  await using store = await openPurchasingStore(port)
  const { system } = await givePurchasing(store)
  const refusal = await placePurchase(store, system, await orderOf(store, system, change))
  expect(refusal).toMatchObject({ ok: false, reason: 'invalid', detail: { words: expect.stringMatching(words) } })
  expect(await ordersOf(store, system.companyId)).toEqual([])
})

test('a price of a line that is not ours is named', async () => {
  await using store = await openPurchasingStore(port)
  const { system } = await givePurchasing(store)
  const request = await orderOf(store, system)
  const [first, ...rest] = request.lines
  if (!first) expect.unreachable()
  const cheaper = { ...request, lines: [{ ...first, unitCents: 100 }, ...rest] }
  expect(await placePurchase(store, system, cheaper)).toMatchObject({
    detail: { words: expect.stringContaining(`${first.partId} is 4 at`) },
  })
  expect(await placePurchase(store, system, { ...request, lines: [first] })).toMatchObject({
    detail: { words: expect.stringContaining('is missing') },
  })
})

test('an exchange buys at its own price label, without sales tax, billed to itself', async () => {
  await using store = await openPurchasingStore(port)
  const { system } = await givePurchasing(store, { channel: 'military-exchange', billName: 'Army Exchange' })
  const request = await orderOf(store, system, { customerId: 'CUST-9', billToName: 'Army Exchange' })
  expect(request.taxCents).toBe(0)
  const other = { ...request, billToName: 'Dana Reyes' }
  expect(await placePurchase(store, system, other)).toMatchObject({
    detail: { words: expect.stringMatching(/^The BillTo/) },
  })
  const { orderId } = must(await placePurchase(store, system, request))
  const order = await store.db
    .selectFrom('sales_order')
    .select(['breakdown', 'billing', 'tax_cents'])
    .where('id', '=', orderId)
    .executeTakeFirstOrThrow()
  const breakdown = order.breakdown as unknown as PriceBreakdown
  expect(order.tax_cents).toBe(0)
  expect(breakdown.channel).toBe('military-exchange')
  expect(breakdown.lines[0]?.label).toBe('Military exchange price')
  expect(order.billing).toMatchObject({ name: 'Army Exchange' })
  const kept = await store.db.selectFrom('purchasing_order').selectAll().executeTakeFirstOrThrow()
  expect(kept).toMatchObject({ order_id: orderId, channel: 'military-exchange', customer_id: 'CUST-9' })
})

test('a closed company is no longer recognized', async () => {
  await using store = await openPurchasingStore(port)
  const { secret, companyId } = await givePurchasing(store)
  must(await setPurchasingSystem(store, { companyId, terms: acmeTerms, by: desk }))
  must(await decideCompany(store, { id: companyId, decision: 'close', by: desk }))
  expect(await knowPurchasingSystem(store, { ...from, secret })).toBeUndefined()
})

/** A fake purchasing system that records documents and returns a configured response. */
function listener() {
  const taken: OutgoingDocument[] = []
  let isAway = false
  return {
    taken,
    goAway: (away: boolean) => void (isAway = away),
    purchasingSystems: {
      send: async (document: OutgoingDocument) => {
        if (isAway) return { ok: false as const, words: 'It answered HTTP 503.' }
        taken.push(document)
        return { ok: true as const }
      },
    },
  }
}

async function sendAll(store: Awaited<ReturnType<typeof openPurchasingStore>>, away: ReturnType<typeof listener>) {
  await tellPurchasingSystems(store)
  const waiting = await store.db.selectFrom('purchasing_document').select('id').where('state', '=', 'waiting').execute()
  for (const { id } of waiting) await sendPurchasingDocument({ ...store, ...away }, id)
}

test('the buyer is notified once each of confirmation, packages, and invoice', async () => {
  await using receiver = await startReceiver(port + 2)
  await using store = await openPurchasingStore(port, { carrierCallbackUrl: `http://127.0.0.1:${port + 2}/carrier` })
  const terms = { url: 'https://buyer.example/cxml', secret: 'their-secret' }
  const { system } = await givePurchasing(store, terms)
  const request = await orderOf(store, system)
  const { orderId } = must(await placePurchase(store, system, request))
  const buyer = listener()
  await sendAll(store, buyer)
  await sendAll(store, buyer)
  expect(buyer.taken.map(({ kind }) => kind)).toEqual(['confirmation'])
  expect(buyer.taken[0]).toMatchObject({ secret: 'their-secret', facts: { buyerOrderId: 'PO-1001' } })
  await ship(store, orderId)
  const { received } = receiver
  for (const { body, headers } of received)
    must(await receiveCarrierEvent(store, body, String(headers['x-hmac-signature'])))
  await sendAll(store, buyer)
  await sendAll(store, buyer)
  expect(buyer.taken.map(({ kind }) => kind)).toEqual(['confirmation', 'invoice', 'ship-notice'])
  const notice = buyer.taken.find(({ facts }) => facts.kind === 'ship-notice')
  expect(notice?.facts).toMatchObject({ lines: [{ lineNumber: 10, quantity: 4 }], trackingNumber: expect.any(String) })
  const invoice = buyer.taken.find(({ facts }) => facts.kind === 'invoice')
  expect(invoice?.facts).toMatchObject({
    netDays: 30,
    loweredCents: 0,
    dueCents: request.totalCents + (request.taxCents ?? 0),
  })
})

/** Ships all an order's parcels, as reported by the carrier. */
async function ship(store: PurchasingStore, orderId: number): Promise<void> {
  store.clock.set(store.clock.now().add({ minutes: 31 }))
  await releaseOrder(store, orderId)
  const parcels = await store.db.selectFrom('shipment').select('id').where('order_id', '=', orderId).execute()
  for (const { id: shipmentId } of parcels) {
    await shipOrder(store, { orderId, shipmentId })
    const sent = await store.db
      .selectFrom('shipment')
      .select('tracking_number')
      .where('id', '=', shipmentId)
      .executeTakeFirst()
    await fetch(`${store.sandbox.origin}/carrier/board/${sent?.tracking_number}/advance`, {
      method: 'POST',
      redirect: 'manual',
      headers: { origin: store.sandbox.origin },
    })
  }
}

test('an order to install takes the time that its visit held, and is confirmed and invoiced with its installation', async () => {
  await using receiver = await startReceiver(port + 2)
  await using store = await openPurchasingStore(port, { carrierCallbackUrl: `http://127.0.0.1:${port + 2}/carrier` })
  const { system } = await givePurchasing(store, { url: 'https://buyer.example/cxml', secret: 'their-secret' })
  const { request, cartId } = await installOrderOf(store, system)
  const untimed = await placePurchase(store, system, { ...request, appointmentAt: null })
  expect(untimed).toMatchObject({ detail: { words: expect.stringMatching(/AppointmentAt/) } })
  const { orderId } = must(await placePurchase(store, system, request))
  const order = await readOrder(store.db, orderId)
  expect(order).toMatchObject({
    fulfillment: 'shop',
    shop: { code: request.installAt },
    booking: { state: 'confirmed', start: request.appointmentAt },
  })
  expect(await findChosenTime(store, cartId)).toBeUndefined()
  const buyer = listener()
  await sendAll(store, buyer)
  const numbers = request.lines.map(({ lineNumber }) => ({ lineNumber }))
  expect(buyer.taken[0]?.facts).toMatchObject({ kind: 'confirmation', lines: numbers })
  await ship(store, orderId)
  for (const { body, headers } of receiver.received)
    must(await receiveCarrierEvent(store, body, String(headers['x-hmac-signature'])))
  await sendAll(store, buyer)
  expect(buyer.taken.find(({ kind }) => kind === 'invoice')?.facts).toMatchObject({
    lines: expect.arrayContaining([expect.objectContaining({ partId: 'INSTALLATION' })]),
    dueCents: order?.totalCents,
  })
})

test('an order at a time that another has is refused with the next ones', async () => {
  await using store = await openPurchasingStore(port)
  const { system } = await givePurchasing(store)
  const { request } = await installOrderOf(store, system)
  const gone = store.clock.now().subtract({ hours: 24 })
  expect(await placePurchase(store, system, { ...request, appointmentAt: gone })).toMatchObject({
    detail: { words: expect.stringMatching(/^The shop has no free time at AppointmentAt\. Next free: \d{4}-/) },
  })
  expect(await ordersOf(store, system.companyId)).toEqual([])
})

test('a canceled package doesn’t affect the buyer’s delivery date', async () => {
  await using store = await openPurchasingStore(port)
  const { system } = await givePurchasing(store, { url: 'https://buyer.example/cxml', secret: 'their-secret' })
  const itemId = await pickTire(store)
  // Two come from the west, two from the first warehouse, which is next to Chicago.
  const warehouses = await store.db
    .selectFrom('stock')
    .innerJoin('warehouse', 'warehouse.id', 'stock.warehouse_id')
    .select(['warehouse.id', 'longitude'])
    .where('item_id', '=', itemId)
    .orderBy('longitude')
    .execute()
  for (const [index, { id }] of warehouses.entries())
    await store.db
      .updateTable('stock')
      .set({ on_hand: index === 0 || id === 1 ? 2 : 0 })
      .where('item_id', '=', itemId)
      .where('warehouse_id', '=', id)
      .execute()
  const { orderId } = must(await placePurchase(store, system, await orderOf(store, system, {}, itemId)))
  store.clock.set(store.clock.now().add({ minutes: 31 }))
  await releaseOrder(store, orderId)
  must(await cancel(store, orderId, [{ lineNo: 1, units: 2 }]))
  const parcels = await store.db
    .selectFrom('shipment')
    .select(['state', 'promised_on'])
    .where('order_id', '=', orderId)
    .orderBy('state')
    .execute()
  const [canceled, left] = parcels
  expect(canceled?.state).toBe('canceled')
  expect(left?.state).toBe('processed')
  expect(String(canceled?.promised_on) > String(left?.promised_on)).toBe(true)
  const buyer = listener()
  await sendAll(store, buyer)
  expect(buyer.taken.map(({ facts }) => facts)).toMatchObject([
    { kind: 'confirmation', deliveryOn: String(left?.promised_on) },
  ])
})

test('a canceled order is reported as rejected', async () => {
  await using store = await openPurchasingStore(port)
  const { system } = await givePurchasing(store, { url: 'https://buyer.example/cxml', secret: 'their-secret' })
  const { orderId } = must(await placePurchase(store, system, await orderOf(store, system)))
  must(await cancelOrder(store, { orderId, actor: 'staff' }))
  const buyer = listener()
  await sendAll(store, buyer)
  expect(buyer.taken.map(({ kind }) => kind)).toEqual(['rejection'])
})

test('an undeliverable document goes to staff after ten attempts, and they can resend it', async () => {
  await using store = await openPurchasingStore(port)
  const { system, companyId } = await givePurchasing(store, {
    url: 'https://buyer.example/cxml',
    secret: 'their-secret',
  })
  must(await placePurchase(store, system, await orderOf(store, system)))
  const buyer = listener()
  buyer.goAway(true)
  for (let attempt = 0; attempt < mostDocumentAttempts; attempt += 1) {
    expect(await listDeadDocuments(store, 10)).toEqual([])
    await sendAll(store, buyer)
  }
  const [dead] = await listDeadDocuments(store, 10)
  expect(dead).toMatchObject({
    attempts: mostDocumentAttempts,
    lastError: 'It answered HTTP 503.',
    kind: 'confirmation',
  })
  const again = { documentId: dead?.id ?? '', companyId, by: desk }
  must(await sendDocumentAgain(store, again))
  expect(await sendDocumentAgain(store, again)).toMatchObject({ reason: 'not-dead' })
  buyer.goAway(false)
  await sendAll(store, buyer)
  expect((await listDocuments(store, companyId, 10)).map(({ state }) => state)).toEqual(['sent'])
  expect(buyer.taken.map(({ payloadId }) => payloadId)).toEqual([`${dead?.id}@sidewall`])
})

test('the same payload id gets the same answer without being worked on again', async () => {
  await using store = await openPurchasingStore(port)
  const { companyId } = await givePurchasing(store)
  const message = { companyId, payloadId: 'one', kind: 'OrderRequest' }
  let worked = 0
  const work = async () => ({ code: 200, words: 'OK', body: `answer ${(worked += 1)}` })
  const first = await answerOnce(store, message, work)
  expect(await answerOnce(store, message, work)).toEqual(first)
  expect(worked).toBe(1)
  const kept = await store.db.selectFrom('purchasing_message').select('answer').executeTakeFirstOrThrow()
  expect(Buffer.from(kept.answer ?? []).toString()).not.toContain('answer 1')
  // Temporary failures are processed again.
  const later = { ...message, payloadId: 'two' }
  await answerOnce(store, later, async () => ({ code: 560, words: 'Later', body: 'later' }))
  expect(await answerOnce(store, later, work)).toMatchObject({ body: 'answer 2' })
  const gate = Promise.withResolvers<void>()
  const third = { ...message, payloadId: 'three' }
  const begun = Promise.withResolvers<void>()
  const slow = answerOnce(store, third, async () => {
    begun.resolve()
    await gate.promise
    return { code: 200, words: 'OK', body: 'slow' }
  })
  await begun.promise
  expect(await answerOnce(store, third, work)).toBe('busy')
  gate.resolve()
  expect(await slow).toMatchObject({ body: 'slow' })
})
