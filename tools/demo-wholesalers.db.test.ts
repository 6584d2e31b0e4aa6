/** The demo's wholesalers, from a shopper's order to the stock that it leaves. */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createRateLimits } from '#adapters/limits/rate-limits.ts'
import { createAvailabilityService } from '#adapters/suppliers/availability.ts'
import { createSupplierFiles } from '#adapters/suppliers/supplier-files.ts'
import { createSupplierWire } from '#adapters/suppliers/suppliers.ts'
import { placeOrder, quoteCart } from '#domain/ordering/checkout/checkout.server.ts'
import {
  agreeTo,
  cartOf,
  makeReadyCart,
  must,
  openTestStore,
  payByCard,
} from '#domain/ordering/checkout/checkout.testing.ts'
import { collectSupplierFiles, releaseOrder, sendPurchaseOrder } from '#domain/ordering/orders/orders.server.ts'
import { answerFrom, billed, deliver, jobsOf } from '#domain/ordering/orders/supplier-orders.testing.ts'
import { createSupplierAvailability, findTireStock, listSuppliers } from '#domain/supply/stock/stock.server.ts'
import {
  fetchFeed,
  listFeeds,
  planFetches,
  settleFeedImport,
} from '#domain/catalog/supplier-feeds/supplier-feeds.server.ts'
import { customerRecords } from '#domain/customers/customers/customers.server.ts'
import { workOnImport } from '#domain/catalog/catalog-import/catalog-import.server.ts'
import { demoEdiLogin } from '#sandbox/suppliers/edi.ts'
import { createPool } from '#platform/db.ts'
import { createOutgoing } from '#platform/outgoing-http.ts'
import { startReceiver, testSecrets } from '#sandbox/test-sandbox.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { verify } from '#tests/support/invariants.ts'
import { connectWholesalers } from './demo-wholesalers.ts'

const [port = 0] = await freePorts(4)
const sftpPort = port + 3

/** The demo with its wholesalers connected, and a tire that only one of them has. */
async function openDemo(code = 'BROADMOOR') {
  const store = await openTestStore(port, {
    hasDemoStock: true,
    sftpPort,
    ediPassword: demoEdiLogin.password,
    supplierUrl: `http://127.0.0.1:${port + 2}/webhooks/suppliers`,
  })
  const receiver = await startReceiver(port + 2)
  const secret = 'a secret for tests only'
  const { origin } = store.sandbox
  const network = {
    url: `${origin}/cxml`,
    identity: 'SIDEWALL-TEST',
    secret: testSecrets.supplierSecret,
    callbackSecret: testSecrets.supplierCallbackSecret,
    isTest: true,
  }
  const outgoing = createOutgoing({ trustedOrigin: origin })
  const files = createOutgoing({ trustedOrigin: origin, trustsThisMachine: true })
  const service = createAvailabilityService(files)
  const supplierAvailability = createSupplierAvailability({ ...store, log: { warn: () => {} }, service, secret })
  const deps = {
    ...store,
    receiver,
    outgoing,
    supplierAvailability,
    supplierFiles: createSupplierFiles(files),
    log: { warn: () => {} },
    rateLimits: createRateLimits(store),
    config: { session: { secret }, suppliers: network, sandbox: { origin } },
    suppliers: createSupplierWire(network, {
      store: billed,
      outgoing,
      files,
      clock: store.clock,
      isTest: true,
    }),
  }
  await connectWholesalers(deps)
  const tire = await findSuppliedTire(deps, code)
  return {
    ...deps,
    ...tire,
    /** The units for sale. */
    async units(): Promise<number> {
      const { places = [] } = (await findTireStock(store, tire.itemId)) ?? {}
      return places.reduce((sum, { free }) => sum + free, 0)
    },
    pass: (duration: Temporal.DurationLike) => store.clock.set(store.clock.now().add(duration)),
    async [Symbol.asyncDispose]() {
      await receiver[Symbol.asyncDispose]()
      await store[Symbol.asyncDispose]()
    },
  }
}
type Demo = Awaited<ReturnType<typeof openDemo>>

/** A tire that is out of stock in the store, and in stock at one wholesaler only. */
async function findSuppliedTire({ db }: Awaited<ReturnType<typeof openTestStore>>, code: string) {
  const { rows } = await sql<{ itemId: number; mpn: string }>`
    select item.id as "itemId", item.mpn from item join stock on stock.item_id = item.id
      join warehouse on warehouse.id = stock.warehouse_id join supplier on supplier.id = warehouse.supplier_id
    where item.active and supplier.code = ${code} and stock.on_hand >= 8
      and not exists (select from stock as other where other.item_id = item.id and other.on_hand > 0 and other.warehouse_id <> warehouse.id)
    order by item.id limit 1`.execute(db)
  return rows[0] ?? expect.unreachable()
}

async function place(demo: Demo): Promise<number> {
  const cart = await makeReadyCart(demo, { itemId: demo.itemId, fulfillment: 'home' })
  const { totalCents, ...input } = await agreeTo(demo, cart)
  await payByCard(demo, cart.id, totalCents)
  return must(await placeOrder(demo, input)).orderId
}

/** Charges an order and sends it to the wholesaler. Returns the purchase order's id. */
async function order(demo: Demo, orderId: number): Promise<number> {
  demo.pass({ minutes: 31 })
  await releaseOrder(demo, orderId)
  const { id } = await demo.db
    .selectFrom('purchase_order')
    .select('id')
    .where('order_id', '=', orderId)
    .executeTakeFirstOrThrow()
  await sendPurchaseOrder(demo, id)
  return id
}

/** Delivers the wholesaler's answer. Returns the state of the purchase order. */
async function answerOf(demo: Demo, id: number): Promise<string> {
  await answerFrom(demo)
  await deliver(demo)
  const { state } = await demo.db
    .selectFrom('purchase_order')
    .select('state')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return state
}

/** Sets the units on the sandbox's page. */
async function setUnits({ sandbox, mpn }: Demo, quantity: number): Promise<void> {
  const part = { supplier: 'broadmoor', partNumber: mpn, brand: '', cost: '80', branch: '7' }
  const body = new URLSearchParams({ ...part, quantity: String(quantity) })
  const response = await fetch(`${sandbox.origin}/wholesale/parts`, { method: 'POST', body, redirect: 'manual' })
  expect(response.status).toBe(303)
}

async function problemsOf(demo: Demo): Promise<string[]> {
  const cart = await makeReadyCart(demo, { itemId: demo.itemId, fulfillment: 'home' })
  const { problems } = await quoteCart(demo, await cartOf(demo, cart.id), null)
  return problems.map(({ kind }) => kind)
}

test('a tire that only a wholesaler has is bought, its stock falls there, and a truck refills it', async () => {
  await using demo = await openDemo()
  const before = await demo.units()
  expect(before).toBeGreaterThanOrEqual(8)
  const id = await order(demo, await place(demo))
  expect(await answerOf(demo, id)).toBe('accepted')
  demo.pass({ seconds: 61 })
  await demo.supplierAvailability.refresh([demo.itemId])
  expect(await demo.units()).toBe(before - 4)
  const page = await (await fetch(`${demo.sandbox.origin}/wholesale`)).text()
  expect(page).toContain(demo.mpn.replaceAll('-', ''))
  expect(page).toContain(`7: ${before - 4}`)

  demo.clock.set(demo.clock.now().round({ smallestUnit: 'hour', roundingMode: 'ceil' }))
  await demo.supplierAvailability.refresh([demo.itemId])
  expect(await demo.units()).toBe(before)
  demo.pass({ hours: 3 })
  await demo.supplierAvailability.refresh([demo.itemId])
  expect(await demo.units()).toBe(before)
  expect(await verify(demo.db, demo.clock.now())).toEqual([])
})

test('a wholesaler that ran out makes the tire unavailable, and rejects an order that it received', async () => {
  await using demo = await openDemo()
  expect(await problemsOf(demo)).toEqual([])
  const id = await order(demo, await place(demo))
  await setUnits(demo, 3)
  expect(await answerOf(demo, id)).toBe('rejected')
  expect(await jobsOf(demo, 're-source-order')).toMatchObject([{ purchaseOrderId: id }])
  demo.pass({ seconds: 61 })
  expect(await problemsOf(demo)).toEqual(['out-of-stock'])
})

test('a wholesaler that staff disconnected stays so, and one whose sandbox moved is reconnected', async () => {
  await using demo = await openDemo()
  const read = async () =>
    (await listSuppliers(demo)).map(({ code, availabilityUrl, version }) => ({ code, availabilityUrl, version }))
  const path = '/search/by-part-numbers'
  const connected = [
    { code: 'BROADMOOR', availabilityUrl: `${demo.sandbox.origin}/wholesale/broadmoor${path}`, version: 2 },
    { code: 'GREATLAKES', availabilityUrl: `${demo.sandbox.origin}/wholesale/greatlakes${path}`, version: 2 },
  ]
  await connectWholesalers(demo)
  expect(await read()).toEqual(connected)
  await demo.db
    .updateTable('supplier')
    .set({ availability_url: null, availability_key: null })
    .where('code', '=', 'BROADMOOR')
    .execute()
  const moved = { ...demo, config: { ...demo.config, sandbox: { origin: 'http://localhost:1' } } }
  const supplierAvailability = { refuse: () => null, refreshAll: async () => {} }
  await connectWholesalers({ ...moved, supplierAvailability })
  expect((await read()).map(({ availabilityUrl }) => availabilityUrl)).toEqual([
    null,
    `http://localhost:1/wholesale/greatlakes${path}`,
  ])
})

/** Fetches the stock files that are due, and publishes them like the worker. */
async function importStock(demo: Demo): Promise<void> {
  const pool = createPool(demo.databaseUrl, { size: 2, application: 'sidewall-test' })
  await planFetches(demo)
  const due = await demo.db.selectFrom('supplier_feed_fetch').select('id').where('state', '=', 'due').execute()
  for (const { id } of due) await fetchFeed(demo, id)
  const runs = await demo.db.selectFrom('import_run').select('id').where('kind', '=', 'stock').orderBy('id').execute()
  for (const { id } of runs)
    for (const _step of ['read', 'publish']) {
      await workOnImport({ ...demo, pool, customerRecords }, id)
      await settleFeedImport(demo, id)
    }
  await pool.end()
}

test('a wholesaler on EDI accepts and ships an order in files, and its stock file moves the stock', async () => {
  await using demo = await openDemo('GREATLAKES')
  const before = await demo.units()
  const id = await order(demo, await place(demo))
  await answerFrom(demo)
  await collectSupplierFiles(demo)
  const path = `/suppliers/advance/${encodeURIComponent(`x12 GREATLAKES PO-${id}`)}`
  await fetch(demo.sandbox.origin + path, { method: 'POST', redirect: 'manual' })
  await collectSupplierFiles(demo)
  expect(
    await demo.db
      .selectFrom('purchase_order')
      .select(['state', 'supplier_reference', 'ship_notice'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow(),
  ).toEqual({
    state: 'accepted',
    supplier_reference: `C-PO-${id}`,
    ship_notice: expect.stringContaining('Sample Freight SF'),
  })
  expect(demo.receiver.received).toEqual([])
  expect(await demo.units()).toBe(before - 4)

  // A truck arrives at the half hour, and the file is fetched a quarter of an hour later.
  demo.clock.set(demo.clock.now().round({ smallestUnit: 'hour', roundingMode: 'ceil' }).add({ minutes: 46 }))
  await importStock(demo)
  expect((await listFeeds(demo)).map(({ last }) => [last?.state, last?.held])).toEqual([['imported', null]])
  expect(await demo.units()).toBe(before)
  demo.pass({ hours: 1 })
  await importStock(demo)
  expect((await listFeeds(demo)).map(({ last }) => last?.state)).toEqual(['unchanged'])
  await connectWholesalers(demo)
  expect(await listFeeds(demo)).toHaveLength(1)
  expect(await verify(demo.db, demo.clock.now())).toEqual([])
})
