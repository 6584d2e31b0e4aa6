/** What paying in a certain way takes off an order, with the race for a first purchase. */
import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { readCart } from '#domain/payments/cart/cart.server.ts'
import {
  agreeTo,
  asAccount,
  makePlacedOrder,
  makeReadyCart,
  must,
  openTestStore,
  type TestStore,
} from '#domain/ordering/checkout/checkout.testing.ts'
import { payBy, placeOrder, quoteCart, readDetails } from '#domain/ordering/checkout/checkout.server.ts'
import { lockPriceBasis, readPriceBasis } from '#domain/ordering/checkout/price-basis.sql.server.ts'
import { cancelOrder } from '#domain/ordering/orders/orders.server.ts'
import type { ChargedMethod } from '#domain/payments/payments/payments.ts'
import { openHostedPage } from '#domain/payments/payments/payments.server.ts'
import { desk } from '#domain/kernel/staff/staff.testing.ts'
import { violatedConstraint } from '#platform/db.ts'
import { newId } from '#platform/ids.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { claimStoreCardOffer, endPayLater, listPayLaterOffers, schedulePayLater } from './payment-offers.server.ts'
import { payLaterForm, type PayLaterDraft } from './payment-offers.ts'

let port = 0
beforeAll(async () => {
  ;[port = 0] = await freePorts(3)
})

async function openStore(): Promise<TestStore> {
  const store = await openTestStore(port)
  await store.db.deleteFrom('promotion').execute()
  return store
}

async function cartPaidWith(store: TestStore, method: ChargedMethod, email = 'dana@example.com'): Promise<string> {
  const { id } = await makeReadyCart(store, { fulfillment: 'home', email })
  await payBy(store, { id }, method)
  return id
}

async function priced(store: TestStore, cartId: string) {
  const cart = await readCart(store, cartId)
  if (!cart) return expect.unreachable('no cart')
  return quoteCart(store, cart, (await readDetails(store, cartId)).contact, { method: cart.paymentMethod })
}

/** The order form of a cart, authorized at the lender's page; the sandbox's page takes a card. */
async function readyToPlace(store: TestStore, cartId: string, method: ChargedMethod) {
  const cart = await readCart(store, cartId)
  if (!cart) return expect.unreachable('no cart')
  const { totalCents, ...input } = await agreeTo(store, cart)
  const payments: TestStore['payments'] = {
    ...store.payments,
    openHostedPage: (page) => store.payments.openHostedPage({ ...page, method: 'card' }),
  }
  const { url } = must(
    await openHostedPage(
      { ...store, payments },
      {
        cartId,
        amountCents: totalCents,
        email: null,
        description: '4 tires',
        method,
        returnUrl: 'http://127.0.0.1/back?payment={payment}',
        cancelUrl: 'http://127.0.0.1/back',
      },
    ),
  )
  const form = { number: '4242424242424242', expiry: '12/30', cvc: '123', name: 'Dana Ruiz', zip: '60601' }
  const paid = await fetch(url, { method: 'POST', redirect: 'manual', body: new URLSearchParams(form) })
  expect(paid.status).toBe(303)
  return input
}

test('the first order with the store card costs 5% less of everything sold, and the agreed price covers it', async () => {
  await using store = await openStore()
  const cartId = await cartPaidWith(store, 'card')
  const byCard = await priced(store, cartId)
  await payBy(store, { id: cartId }, 'store-card')
  const byStoreCard = await priced(store, cartId)
  expect(byCard.breakdown?.tender).toBeNull()
  expect(byStoreCard.breakdown?.tender).toEqual({ kind: 'store-card', ratePpm: 50_000, fundedBy: 'store' })
  const sold = byCard.breakdown?.totals.netCents ?? 0
  expect(byStoreCard.breakdown?.totals.tenderCents).toBe(Math.round((sold * 5) / 100))
  const { orderId } = must(await placeOrder(store, await readyToPlace(store, cartId, 'store-card')))
  // The same mailbox's second order doesn't get this offer until the first is canceled.
  const again = await cartPaidWith(store, 'store-card', 'Dana+second@example.com')
  expect((await priced(store, again)).breakdown?.tender).toBeNull()
  must(await cancelOrder(store, { orderId, actor: 'a test' }))
  expect((await priced(store, again)).breakdown?.tender).not.toBeNull()
})

test('of two concurrent first orders from one mailbox, one gets the discount', async () => {
  await using store = await openStore()
  const inputs = []
  for (const email of ['dana@example.com', 'dana+tires@example.com'])
    inputs.push(await readyToPlace(store, await cartPaidWith(store, 'store-card', email), 'store-card'))
  const placed = await Promise.all(inputs.map((input) => placeOrder(store, input)))
  expect(placed.filter(({ ok }) => ok)).toHaveLength(1)
  expect(placed.find(({ ok }) => !ok)).toMatchObject({ reason: 'price-changed' })
})

test('of two transactions claiming the discount, one gets it', async () => {
  await using store = await openStore()
  const orders = []
  for (const email of ['dana@example.com', 'dana+tires@example.com'])
    orders.push((await makePlacedOrder(store, { fulfillment: 'home', email })).orderId)
  const claimed = await Promise.all(
    orders.map((orderId) =>
      store.db
        .transaction()
        .execute((tx) => claimStoreCardOffer({ db: tx, clock: store.clock }, { orderId, accountId: null })),
    ),
  )
  expect(claimed.filter(Boolean)).toHaveLength(1)
})

test('an account is one customer, regardless of its orders’ emails', async () => {
  await using opened = await openStore()
  const accountId = newId()
  await opened.db.insertInto('account').values({ id: accountId, created_at: opened.clock.now() }).execute()
  const store = asAccount(opened, accountId)
  const first = await cartPaidWith(store, 'store-card', 'one@example.com')
  const other = await cartPaidWith(store, 'store-card', 'two@example.com')
  must(await placeOrder(store, await readyToPlace(store, first, 'store-card')))
  expect((await priced(store, other)).breakdown?.tender).toBeNull()
  expect((await priced(opened, other)).breakdown?.tender).not.toBeNull()
})

const draft = (store: TestStore, change: Record<string, string> = {}): PayLaterDraft => {
  const at = (hours: number) =>
    store.clock.now().add({ hours }).toZonedDateTimeISO('America/New_York').toPlainDateTime()
  return payLaterForm.parse({
    formKey: randomUUID(),
    method: 'klarna',
    percent: '8',
    fundedBy: 'lender',
    startsAt: at(0).toString({ smallestUnit: 'minute' }),
    endsAt: at(48).toString({ smallestUnit: 'minute' }),
    ...change,
  })
}

test('a lender’s offer lowers what its shoppers pay while it runs, and leaves the tax base where the lender pays', async () => {
  await using store = await openStore()
  const cartId = await cartPaidWith(store, 'klarna')
  const before = await priced(store, cartId)
  const basis = () => readPriceBasis(store.db, { cartId, accountId: null })
  const rested = await basis()
  const { id } = scheduled(await schedulePayLater(store, desk, draft(store)))
  const running = await priced(store, cartId)
  expect(running.breakdown?.tender).toEqual({ kind: 'pay-later', ratePpm: 80_000, fundedBy: 'lender' })
  const [without, withIt] = [before.breakdown?.totals, running.breakdown?.totals]
  expect(withIt?.tenderCents).toBe(Math.round(((without?.netCents ?? 0) * 8) / 100))
  expect(withIt?.taxBaseCents).toBe(without?.taxBaseCents)
  expect(await basis()).not.toBe(rested)
  const locked = await store.db.transaction().execute((tx) => lockPriceBasis(tx, { cartId, accountId: null }))
  expect(locked).toContain(`pay_later_offer ${id}`)
  // Other payment methods are unaffected.
  await payBy(store, { id: cartId }, 'affirm')
  expect((await priced(store, cartId)).breakdown?.tender).toBeNull()
  await payBy(store, { id: cartId }, 'klarna')
  const agreed = await readyToPlace(store, cartId, 'klarna')
  store.clock.set(store.clock.now().add({ minutes: 5 }))
  must(await endPayLater(store, desk, { id, reason: 'Over budget' }))
  expect(await placeOrder(store, agreed)).toMatchObject({ reason: 'price-changed' })
  expect(await endPayLater(store, desk, { id, reason: 'Again' })).toMatchObject({ reason: 'other-state' })
})

test('of one way to pay one offer runs at a time; a form makes one, and no offer is edited', async () => {
  await using store = await openStore()
  const same = draft(store)
  const { id } = scheduled(await schedulePayLater(store, desk, same))
  expect(await schedulePayLater(store, desk, same)).toEqual({ ok: true, value: { state: 'scheduled', id } })
  expect(await schedulePayLater(store, desk, draft(store))).toMatchObject({ reason: 'taken' })
  must(await schedulePayLater(store, desk, draft(store, { method: 'affirm', fundedBy: 'store' })))
  expect(await schedulePayLater(store, desk, draft(store, { startsAt: '2020-01-01T00:00' }))).toMatchObject({
    reason: 'starts-in-past',
  })
  expect(
    await schedulePayLater(
      store,
      desk,
      draft(store, {
        endsAt: same.startsAt
          .toZonedDateTimeISO('America/New_York')
          .toPlainDateTime()
          .toString({ smallestUnit: 'minute' }),
      }),
    ),
  ).toMatchObject({
    reason: 'ends-before-start',
  })
  expect((await listPayLaterOffers(store)).map(({ method, percent }) => [method, percent])).toEqual(
    expect.arrayContaining([
      ['klarna', 8],
      ['affirm', 8],
    ]),
  )
  const edited = await store.db
    .updateTable('pay_later_offer')
    .set({ percent: 50 })
    .where('id', '=', id)
    .execute()
    .then(
      () => undefined,
      (error: unknown) => violatedConstraint(error),
    )
  expect(edited).toBe('pay_later_offer_never_edited')
  expect(await endPayLater(store, desk, { id: 999_999, reason: 'Nothing' })).toMatchObject({ reason: 'gone' })
})

/** Returns the offer scheduled without approval. */
function scheduled(outcome: Awaited<ReturnType<typeof schedulePayLater>>): { id: number } {
  const value = must(outcome)
  return value.state === 'scheduled' ? value : expect.unreachable('The offer needs approval.')
}
