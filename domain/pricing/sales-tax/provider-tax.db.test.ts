/**
 * Provider sales tax is requested once per cart content, estimated while the provider is unavailable, and charged as
 * agreed.
 */
import { expect, test } from 'vitest'
import { createStripeTax } from '#adapters/payments/stripe-tax.ts'
import { setQuantity } from '#domain/payments/cart/cart.server.ts'
import { placeOrder, quoteCart, readDetails } from '#domain/ordering/checkout/checkout.server.ts'
import {
  agreeTo,
  cartOf,
  makeReadyCart,
  must,
  openTestStore,
  payByCard,
  type TestStore,
} from '#domain/ordering/checkout/checkout.testing.ts'
import { lockPriceBasis, readPriceBasis } from '#domain/ordering/checkout/price-basis.sql.server.ts'
import { changeAddressAsStaff, readOrder, releaseOrder } from '#domain/ordering/orders/orders.server.ts'
import { refundOrder } from '#domain/ordering/refunds/refunds.server.ts'
import { decideRefund } from '#domain/ordering/refunds/refunds.server.ts'
import { desk } from '#domain/kernel/staff/staff.testing.ts'
import { newId } from '#platform/ids.ts'
import { testSecrets } from '#sandbox/test-sandbox.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { reportOrderTax, selectEstimatedOrders, selectOrderTax, importRates, uploadRates } from './sales-tax.server.ts'
import type { TaxProvider } from './tax-provider.port.ts'

const [port = 0] = await freePorts(3)

type TaxedStore = TestStore & { taxes: TaxProvider }

/** Returns the store with the provider, and its request count. */
function withProvider(store: TestStore): { store: TaxedStore; asked: () => number } {
  let count = 0
  const taxes = createStripeTax({ apiOrigin: store.sandbox.origin, secretKey: testSecrets.stripeSecretKey })
  const calculate: TaxProvider['calculate'] = (question) => {
    count += 1
    return taxes.calculate(question)
  }
  return { store: { ...store, taxes: { ...taxes, calculate } }, asked: () => count }
}

/** Returns the store with an unreachable provider. */
function withoutAnswer(store: TestStore): TaxedStore {
  const apiOrigin = `http://127.0.0.1:${port + 2}`
  return { ...store, taxes: createStripeTax({ apiOrigin, secretKey: testSecrets.stripeSecretKey }) }
}

async function quoteNow(store: TestStore, cartId: string) {
  const quote = await quoteCart(store, await cartOf(store, cartId), (await readDetails(store, cartId)).contact)
  if (!quote.breakdown) throw new Error('The cart of a test has no price.')
  return { ...quote, breakdown: quote.breakdown }
}

async function setLocalRate(store: TestStore, zip: string): Promise<void> {
  const header = 'state,zip,starts,ends,state_percent,county,county_percent,city,city_percent,special_percent,source'
  const text = `${header}\nIL,${zip},2025-01-01,,6.25,Cook County,1.75,Chicago,1.25,1,test`
  must(
    await importRates(
      store,
      desk,
      must(await uploadRates(store, desk, { formKey: newId(), fileName: 'il.csv', text })),
    ),
  )
}

async function oneFewer(store: TestStore, cartId: string): Promise<void> {
  const [line] = (await cartOf(store, cartId)).lines
  if (!line) throw new Error('The cart of a test is empty.')
  must(await setQuantity(store, cartId, { itemId: line.itemId, axle: line.axle, quantity: line.quantity - 1 }))
}

test('queries the provider when the cart changes and caches its response', async () => {
  await using open = await openTestStore(port)
  const { store, asked } = withProvider(open)
  const { id } = await makeReadyCart(store)
  const first = await quoteNow(store, id)
  expect(first.breakdown.tax).toMatchObject({ basis: 'destination', ratePpm: 62_500 })
  expect(first.tax).toMatchObject({ source: 'provider', calculationRef: expect.stringMatching(/^taxcalc_/) })
  const before = asked()
  expect(await quoteNow(store, id)).toEqual(first)
  expect(asked()).toBe(before)
  await oneFewer(store, id)
  const fewer = await quoteNow(store, id)
  expect(asked()).toBe(before + 1)
  expect(fewer.breakdown.totals.taxCents).toBeLessThan(first.breakdown.totals.taxCents)
  store.clock.set(store.clock.now().add({ hours: 25 }))
  await quoteNow(store, id)
  expect(asked()).toBe(before + 2)
})

test('during an outage the last response for the ZIP applies, then the table, and never zero', async () => {
  await using open = await openTestStore(port)
  const { store } = withProvider(open)
  const away = withoutAnswer(open)
  const { id } = await makeReadyCart(open)
  const byTable = await quoteNow(away, id)
  expect(byTable.tax).toEqual({ source: 'table', calculationRef: null })
  expect(byTable.breakdown.tax.estimatedBy).toBe('table')
  expect(byTable.breakdown.totals.taxCents).toBeGreaterThan(0)
  // Left alone for a minute.
  expect((await quoteNow(store, id)).tax?.source).toBe('table')
  store.clock.set(store.clock.now().add({ seconds: 61 }))
  expect((await quoteNow(store, id)).tax?.source).toBe('provider')
  await oneFewer(open, id)
  const byAnswer = await quoteNow(away, id)
  expect(byAnswer.tax?.source).toBe('last-answer')
  expect(byAnswer.breakdown.tax).toMatchObject({ estimatedBy: 'last-answer', ratePpm: 62_500, basis: 'destination' })
  expect(byAnswer.breakdown.explain.find(({ key }) => key === 'sales-tax')?.label).toBe('Estimated sales tax, 6.25%')
})

test('an accepted estimate is charged, whatever the provider returns later, and the order is listed', async () => {
  await using open = await openTestStore(port)
  const { store } = withProvider(open)
  const away = withoutAnswer(open)
  const cart = await makeReadyCart(open)
  await setLocalRate(open, (await quoteNow(open, cart.id)).shop?.zip ?? '')
  const { totalCents, ...input } = await agreeTo(away, cart)
  await payByCard(open, cart.id, totalCents)
  store.clock.set(store.clock.now().add({ minutes: 5 }))
  const { orderId } = must(await placeOrder(store, input))
  const order = await readOrder(open.db, orderId)
  expect(order?.totalCents).toBe(totalCents)
  expect(order?.breakdown.tax).toMatchObject({ estimatedBy: 'table', ratePpm: 102_500 })
  expect(await selectEstimatedOrders(open.db, null, 10)).toMatchObject([{ orderId, source: 'table' }])
  await reportOrderTax(store, orderId)
  expect((await selectOrderTax(open.db, orderId))?.transactionRef).toBeNull()
})

test('the answer is part of what the price rests on, locked as read', async () => {
  await using open = await openTestStore(port)
  const { store } = withProvider(open)
  const { id } = await makeReadyCart(store)
  const priced = { cartId: id, accountId: null }
  await quoteNow(store, id)
  const before = await readPriceBasis(store.db, priced)
  expect(before).toContain('cart_sales_tax ')
  store.clock.set(store.clock.now().add({ hours: 25 }))
  await quoteNow(store, id)
  const after = await store.db.transaction().execute((tx) => lockPriceBasis(tx, priced))
  expect(after).not.toBe(before)
  expect(await readPriceBasis(store.db, priced)).toBe(after)
})

async function makeCharged(store: TaxedStore): Promise<number> {
  const cart = await makeReadyCart(store, { hasCoverage: true })
  const { totalCents, ...input } = await agreeTo(store, cart)
  await payByCard(store, cart.id, totalCents)
  const { orderId } = must(await placeOrder(store, input))
  store.clock.set(store.clock.now().add({ minutes: 31 }))
  await releaseOrder(store, orderId)
  return orderId
}

const asked = {
  ...({
    reason: 'late',
    bearer: 'carrier',
    note: null,
    lowerReason: null,
    hasHandlingFee: false,
  } as const),
  amountCents: null,
  agreedCents: null,
  isFresh: true,
}

async function refund(store: TaxedStore, orderId: number, lines: { lineNo: number; units: number }[]): Promise<void> {
  const made = must(await refundOrder(store, { ...asked, orderId, lines, actor: desk, key: newId() }))
  if (made.state === 'draft') {
    const actor = { via: 'command line', name: 'second' } as const
    must(await decideRefund(store, { refundId: made.refundId, decision: 'approved', actor }))
  }
}

test('a charge is recorded once, and refunds in any order take back exactly its tax', async () => {
  await using open = await openTestStore(port)
  const { store } = withProvider(open)
  const orderId = await makeCharged(store)
  const order = await readOrder(store.db, orderId)
  const lines = order?.breakdown.lines ?? []
  const [tireNo, otherNos] = [
    lines.findIndex(({ kind }) => kind === 'tire') + 1,
    lines.flatMap(({ kind }, index) => (kind === 'tire' || kind === 'shipping' ? [] : [index + 1])),
  ]
  // The refund precedes the report to the provider.
  await refund(store, orderId, [{ lineNo: tireNo, units: 1 }])
  await reportOrderTax(store, orderId)
  await reportOrderTax(store, orderId)
  const tax = await selectOrderTax(store.db, orderId)
  expect(tax).toMatchObject({ source: 'provider', problem: null, transactionRef: expect.stringMatching(/^tax_/) })
  for (const lineNo of otherNos) await refund(store, orderId, [{ lineNo, units: lines[lineNo - 1]?.quantity ?? 0 }])
  await refund(store, orderId, [{ lineNo: tireNo, units: 2 }])
  await refund(store, orderId, [{ lineNo: tireNo, units: 1 }])
  await reportOrderTax(store, orderId)
  const reversals = await store.db
    .selectFrom('order_sales_tax_reversal')
    .select(['lines', 'ref'])
    .where('order_id', '=', orderId)
    .execute()
  expect(reversals.every(({ ref }) => ref !== null)).toBe(true)
  expect((await selectOrderTax(store.db, orderId))?.problem).toBeNull()
  const taken = reversals.flatMap((each) => each.lines as { lineId: string; taxCents: number; amountCents: number }[])
  expect(taken.reduce((sum, { taxCents }) => sum + taxCents, 0)).toBe(order?.breakdown.totals.taxCents)
  const tires = lines[tireNo - 1]
  expect(
    taken.filter(({ lineId }) => lineId === tires?.id).reduce((sum, { amountCents }) => sum + amountCents, 0),
  ).toBe(tires?.taxableCents)
  expect(await selectEstimatedOrders(store.db, null, 10)).toEqual([])
})

test('the job retries recording a charge during a provider outage', async () => {
  await using open = await openTestStore(port)
  const { store } = withProvider(open)
  const orderId = await makeCharged(store)
  await expect(reportOrderTax({ ...withoutAnswer(open) }, orderId)).rejects.toThrow('The tax provider is away.')
  await reportOrderTax(store, orderId)
  expect((await selectOrderTax(store.db, orderId))?.transactionRef).toMatch(/^tax_/)
})

test('an order moved to another location isn’t recorded, but listed', async () => {
  await using open = await openTestStore(port)
  const { store } = withProvider(open)
  const cart = await makeReadyCart(store, { fulfillment: 'home' })
  const { totalCents, ...input } = await agreeTo(store, cart)
  await payByCard(store, cart.id, totalCents)
  const { orderId } = must(await placeOrder(store, input))
  const address = { address1: '1 SW Oak St', address2: '', city: 'Portland', state: 'OR', zip: '97201' }
  must(await changeAddressAsStaff(store, desk, { orderId, address, reason: 'moved' }))
  store.clock.set(store.clock.now().add({ minutes: 31 }))
  await releaseOrder(store, orderId)
  await reportOrderTax(store, orderId)
  expect(await selectOrderTax(store.db, orderId)).toMatchObject({ transactionRef: null, problem: null })
  expect(await selectEstimatedOrders(store.db, null, 10)).toMatchObject([{ orderId, source: 'provider' }])
})
