/** Business terms that change prices. Placed orders keep their price. */
import { expect, test } from 'vitest'
import { readOrder } from '#domain/ordering/orders/orders.server.ts'
import { readRefundable } from '#domain/ordering/refunds/refunds.server.ts'
import type { PriceBreakdown } from '#domain/pricing/pricing/pricing.ts'
import { businessTerms, type TermName } from '#domain/kernel/settings/settings.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { chooseServices, placeOrder } from './checkout.server.ts'
import {
  agreeTo,
  cartOf,
  changeTerm,
  makeFinancedCart,
  makeReadyCart,
  must,
  openTestStore,
  payByCard,
  type TestStore,
} from './checkout.testing.ts'

const [port = 0] = await freePorts(3)

type Figure = (breakdown: PriceBreakdown) => number | string | undefined

const grossOf = (breakdown: PriceBreakdown, kind: PriceBreakdown['lines'][number]['kind']) =>
  breakdown.lines.filter((line) => line.kind === kind).reduce((sum, line) => sum + line.grossCents, 0)
const shipping: Figure = (breakdown) => grossOf(breakdown, 'shipping')
const roadside: Figure = (breakdown) => grossOf(breakdown, 'roadside')
const installDiscount: Figure = ({ totals }) => totals.installDiscountCents

type Fulfillment = 'shop' | 'home'

async function placeWithServices(store: TestStore, fulfillment: Fulfillment, openingAt: number): Promise<number> {
  const { id } = await makeReadyCart(store, { fulfillment, openingAt })
  await chooseServices(store, await cartOf(store, id), { coverage: true, roadside: true })
  const { totalCents, ...input } = await agreeTo(store, await cartOf(store, id))
  await payByCard(store, id, totalCents)
  return must(await placeOrder(store, input)).orderId
}

async function figuresOf(store: TestStore, orderIds: readonly number[], figure: Figure) {
  const orders = await Promise.all(orderIds.map((orderId) => readOrder(store.db, orderId)))
  return orders.map((order) => figure(order?.breakdown ?? expect.unreachable('no order')))
}

test.for<[term: TermName, value: number, fulfillment: Fulfillment, figure: Figure, before: number, after: number]>([
  ['install-discount-cents', 4_000, 'shop', installDiscount, 2_500, 4_000],
  ['install-discount-tires', 5, 'shop', installDiscount, 2_500, 0],
  ['roadside-cents', 1_000, 'shop', roadside, 2_995, 1_000],
  ['roadside-tires', 5, 'shop', roadside, 2_995, 0],
  ['shipping-conus-tire-cents', 5_000, 'home', shipping, 0, 20_000],
  ['shipping-conus-handling-cents', 1_234, 'home', shipping, 0, 1_234],
])('%s changes the next order, not placed ones', async ([term, value, fulfillment, figure, before, after]) => {
  await using store = await openTestStore(port)
  const first = await placeWithServices(store, fulfillment, 0)
  await changeTerm(store, term, value)
  const second = await placeWithServices(store, fulfillment, 1)
  expect(await figuresOf(store, [first, second], figure)).toEqual([before, after])
})

test('the oversize fee and the weight it starts at change the next order', async () => {
  await using store = await openTestStore(port)
  const first = await placeWithServices(store, 'home', 0)
  await changeTerm(store, 'shipping-conus-oversize-cents', 900)
  // The tire is lighter than the standard weight.
  const second = await placeWithServices(store, 'home', 0)
  await changeTerm(store, 'oversize-above-lb', 20)
  const third = await placeWithServices(store, 'home', 0)
  const orders = [first, second, third]
  expect(await figuresOf(store, orders, shipping)).toEqual([0, 0, 3_600])
  // Refunds return the shipping paid.
  const refunds = await Promise.all(orders.map((orderId) => readRefundable(store.db, orderId)))
  const ship = refunds.map((found) => found?.lines.find(({ kind }) => kind === 'shipping')?.netCents ?? 0)
  expect(ship).toEqual([0, 0, 3_600])
})

test('the coverage price and roadside months change the next order', async () => {
  await using store = await openTestStore(port)
  const figure: Figure = (breakdown) => grossOf(breakdown, 'coverage')
  const months: Figure = ({ explain }) => explain.find(({ key }) => key.startsWith('roadside'))?.detail
  const first = await placeWithServices(store, 'shop', 0)
  await changeTerm(store, 'coverage-ppm', 2 * businessTerms['coverage-ppm'].standard)
  await changeTerm(store, 'roadside-months', 7)
  const second = await placeWithServices(store, 'shop', 1)
  const [before, after] = await figuresOf(store, [first, second], figure)
  expect(Number(after)).toBeGreaterThan(1.8 * Number(before))
  expect(await figuresOf(store, [first, second], months)).toEqual(['12 months', '7 months'])
})

test('the store card discount changes the next order', async () => {
  await using store = await openTestStore(port)
  const place = async (openingAt: number) => {
    const { cartId: cart } = await makeFinancedCart(store, { method: 'store-card', openingAt })
    const { totalCents: _, ...input } = await agreeTo(store, await cartOf(store, cart))
    return must(await placeOrder(store, input)).orderId
  }
  const rate: Figure = ({ tender }) => tender?.ratePpm
  const first = await place(0)
  await changeTerm(store, 'store-card-ppm', 20_000)
  expect(await figuresOf(store, [first, await place(1)], rate)).toEqual([50_000, 20_000])
})
