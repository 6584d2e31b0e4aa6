import { expect, test } from 'vitest'
import { readCart } from '#domain/payments/cart/cart.server.ts'
import { listTires } from '#domain/catalog/catalog/catalog.server.ts'
import { plainQuery, unitsOf } from '#domain/catalog/catalog/catalog.ts'
import { readOrder, receiptOf } from '#domain/ordering/orders/orders.server.ts'
import { retailBuyer, type AccountType, type Buyer } from '#domain/pricing/price-tiers/price-tiers.ts'
import { buyerAt, buyerBy } from '#domain/pricing/price-tiers/price-tiers.testing.ts'
import { readRefundable } from '#domain/ordering/refunds/refunds.server.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import {
  agreeTo,
  changeTerm,
  makeReadyCart,
  must,
  openTestStore,
  payByCard,
  type TestStore,
} from './checkout.testing.ts'
import { placeOrder, quoteCart, readCartNews, readDetails } from './checkout.server.ts'

const [port = 0] = await freePorts(3)

const tiresRow = { label: '4 tires at $60.00', detail: expect.stringMatching(/, Fleet price$/) as string }

async function breakdownFor(store: TestStore, buyer: Buyer, cartId: string) {
  const cart = await readCart({ ...store, buyer }, cartId)
  if (!cart) throw new Error('The cart is gone.')
  return (await quoteCart(store, cart, (await readDetails(store, cartId)).contact)).breakdown
}

test("places an order at the account's price and stores it with its label", async () => {
  await using opened = await openTestStore(port)
  const store = { ...opened, buyer: buyerAt('Fleet', 6_000) }
  const cart = await makeReadyCart(store)
  const agreed = await agreeTo(store, cart)
  await payByCard(store, cart.id, agreed.totalCents)
  const { orderId } = must(await placeOrder(store, agreed))
  const order = await store.db
    .selectFrom('sales_order')
    .select(['breakdown', 'total_cents'])
    .where('id', '=', orderId)
    .executeTakeFirstOrThrow()
  expect(order.total_cents).toBe(agreed.totalCents)
  expect(order.breakdown).toMatchObject({
    accountType: 'Fleet',
    explain: expect.arrayContaining([expect.objectContaining(tiresRow)]),
  })
})

test('an account price excludes promotions, and coverage is priced from the price paid', async () => {
  await using store = await openTestStore(port)
  const cart = await makeReadyCart(store)
  await store.db.updateTable('cart_line').set({ coverage: true }).where('cart_id', '=', cart.id).execute()
  const own = await breakdownFor(store, buyerAt('EPP', 6_000), cart.id)
  expect(own?.totals).toMatchObject({ itemPromotionCents: 0 })
  expect(own?.explain.map(({ key, label, detail }) => [key, label, detail])).toContainEqual([
    'coverage',
    'Replacement coverage',
    '4 at $5.99',
  ])
  expect(own?.explain.find(({ key }) => key.startsWith('tire:'))).toMatchObject({
    label: '4 tires at $60.00',
    detail: expect.stringMatching(/, Employee price$/) as string,
  })
})

test('an account price that is not lower is charged as retail, without a label', async () => {
  await using store = await openTestStore(port)
  await store.db.deleteFrom('promotion').execute()
  const cart = await makeReadyCart(store)
  const [own, retail] = [
    await breakdownFor(store, buyerAt('Fleet', 900_000), cart.id),
    await breakdownFor(store, retailBuyer, cart.id),
  ]
  expect(own?.totals).toEqual(retail?.totals)
  expect(own?.lines.some(({ atAccountPrice }) => atAccountPrice)).toBe(false)
})

/** Well stocked, with a deal of at least `percent` off. */
async function tireOnDeal({ catalog, clock }: TestStore, percent: number) {
  const inSize = { sizes: [{ front: '225-65r17', rear: '225-65r17' }] }
  const found = await listTires(catalog, { scope: inSize, query: { ...plainQuery, pageSize: 96 } })
  const offers = found.ok ? found.value.offers : []
  const offer = offers.find(
    ({ items: [item], prices: [{ unitCents, wasCents }] }) =>
      (wasCents ?? 0) * (100 - percent) >= unitCents * 100 && unitsOf(item) >= 40,
  )
  const endsAt = offer?.prices[0].promotion?.endsAt
  if (!offer || !endsAt) throw new Error(`No tire in stock has ${percent} percent off on ${clock.now().toString()}.`)
  return { itemId: offer.items[0].id, endsAt }
}

const retailLess = (type: AccountType, percent: number) =>
  buyerBy(type, [[{ kind: 'every-tire' }, { kind: 'percent-off', ratePpm: percent * 10_000 }]])

test('no signed-in customer pays more than a guest for the same cart', async () => {
  await using store = await openTestStore(port)
  const { itemId } = await tireOnDeal(store, 8)
  for (const itemIds of [itemId, undefined]) {
    const cart = await makeReadyCart(store, itemIds === undefined ? {} : { itemId: itemIds })
    const guest = (await breakdownFor(store, retailBuyer, cart.id))?.totals.totalCents ?? 0
    expect(guest).toBeGreaterThan(0)
    for (const type of ['EPP', 'Fleet', 'Partner Program', 'Retail Member', 'Sales Tool', 'WholeSale'] as const) {
      for (const percent of [1, 3, 7, 15]) {
        const own = await breakdownFor(store, retailLess(type, percent), cart.id)
        expect(own?.totals.totalCents ?? Infinity, `${type} ${percent}`).toBeLessThanOrEqual(guest)
      }
    }
    // Special pricing without a quote is the retail price.
    expect((await breakdownFor(store, buyerBy('Special Order', []), cart.id))?.totals.totalCents).toBe(guest)
  }
})

test('an order that costs less without its label is charged so; order and receipt show the label used', async () => {
  await using opened = await openTestStore(port)
  const { itemId } = await tireOnDeal(opened, 8)
  const store = { ...opened, buyer: retailLess('Fleet', 3) }
  const cart = await makeReadyCart(store, { itemId })
  const agreed = await agreeTo(store, cart)
  expect(await agreeTo(opened, cart)).toEqual(agreed)
  await payByCard(store, cart.id, agreed.totalCents)
  const { orderId } = must(await placeOrder(store, agreed))
  const order = await readOrder(store.db, orderId)
  if (!order) throw new Error('The order is gone.')
  expect(order.breakdown).toMatchObject({
    accountType: 'Retail',
    passedOver: 'Fleet',
    totals: { totalCents: agreed.totalCents },
  })
  const config = { store: { name: 'Sidewall', phone: '', email: '', address: '' }, demo: true }
  expect(receiptOf(order, config).rows[0]).toMatchObject({
    detail: expect.stringMatching(/^[^,]+ 225\/65R17 [^,]+, Public deal, lower than your fleet price$/),
  })
})

test('a deal that ends before the order is placed changes the label, which is a price change', async () => {
  await using opened = await openTestStore(port)
  const { itemId, endsAt } = await tireOnDeal(opened, 8)
  const store = { ...opened, buyer: retailLess('Fleet', 3) }
  const cart = await makeReadyCart(store, { itemId, fulfillment: 'home' })
  const agreed = await agreeTo(store, cart)
  await readCartNews(store, cart, await mustHave(breakdownFor(store, store.buyer, cart.id)))
  await payByCard(store, cart.id, agreed.totalCents)
  store.clock.set(endsAt)
  expect(await placeOrder(store, agreed)).toMatchObject({ ok: false, reason: 'price-changed' })
  const now = await mustHave(breakdownFor(store, store.buyer, cart.id))
  expect(now.accountType).toBe('Fleet')
  expect(now.passedOver).toBeNull()
  const { moves } = await readCartNews(store, cart, now)
  expect(moves.map(({ text }) => text)).toContainEqual(
    expect.stringMatching(/^4 tires at \$[\d.]+, \$[\d.]+: now 4 tires at /),
  )
})

test('a deal that no longer comes off the member price changes the next order, not placed ones', async () => {
  await using opened = await openTestStore(port)
  const { itemId } = await tireOnDeal(opened, 8)
  const store = { ...opened, buyer: retailLess('Retail Member', 3) }
  const place = async (openingAt: number) => {
    const cart = await makeReadyCart(store, { itemId, openingAt })
    const { totalCents, ...input } = await agreeTo(store, cart)
    await payByCard(store, cart.id, totalCents)
    return must(await placeOrder(store, input)).orderId
  }
  const orders = [await place(0)]
  await changeTerm(store, 'member-deals', 0)
  orders.push(await place(1))
  const config = { store: { name: 'Sidewall', phone: '', email: '', address: '' }, demo: true }
  const found = await Promise.all(
    orders.map(async (orderId) => {
      const order = (await readOrder(store.db, orderId)) ?? expect.unreachable('no order')
      const { accountType, passedOver, lines } = order.breakdown
      const paid = lines.find(({ kind }) => kind === 'tire')?.netCents ?? 0
      const refundable = (await readRefundable(store.db, orderId))?.lines.find(({ kind }) => kind === 'tire')?.netCents
      return { accountType, passedOver, label: receiptOf(order, config).rows[0]?.detail, paid, refundable }
    }),
  )
  expect(found).toMatchObject([
    {
      accountType: 'Retail Member',
      passedOver: null,
      label: expect.stringContaining('Loyalty member price') as string,
    },
    {
      accountType: 'Retail',
      passedOver: 'Retail Member',
      label: expect.stringContaining('Public deal, lower than your loyalty member price') as string,
    },
  ])
  const [before, after] = found
  expect(before?.refundable).toBe(before?.paid)
  expect(after?.refundable).toBe(after?.paid)
  // Before: the member price less the deal. After: the deal only.
  expect(before?.paid).toBeLessThan(after?.paid ?? 0)
})

async function mustHave<Value>(value: Promise<Value | null>): Promise<Value> {
  const found = await value
  if (found === null) throw new Error('There is no price.')
  return found
}

test('an account type that expires after review is a price change and blocks the order', async () => {
  await using opened = await openTestStore(port)
  const fleet = { ...opened, buyer: buyerAt('Fleet', 6_000) }
  const cart = await makeReadyCart(fleet)
  const agreed = await agreeTo(fleet, cart)
  await payByCard(fleet, cart.id, agreed.totalCents)
  expect(await placeOrder({ ...fleet, buyer: retailBuyer }, agreed)).toMatchObject({
    ok: false,
    reason: 'price-changed',
  })
  expect(await opened.db.selectFrom('sales_order').select('id').where('cart_id', '=', cart.id).execute()).toEqual([])
})
