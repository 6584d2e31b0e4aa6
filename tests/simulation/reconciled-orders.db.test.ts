/**
 * Orders paid in every way that the store has, charged, canceled, refunded and disputed, day after day, and reconciled
 * with the provider's own books to the cent. Forty orders; a thousand in `npm run test:long` (`RECONCILED`).
 */
import { env } from 'node:process'
import { expect, test } from 'vitest'
import { renderEvidencePdf } from '#adapters/documents/evidence-pdf.ts'
import { createStripeRecords } from '#adapters/payments/stripe-records.ts'
import { createCardLimits } from '#adapters/limits/card-limits.ts'
import {
  agreeTo,
  makeReadyCart,
  must,
  openTestStore,
  pickTire,
  type TestStore,
} from '#domain/checkout/checkout.testing.ts'
import { payBy, placeOrder } from '#domain/checkout/checkout.server.ts'
import { hearOfDispute, listOpenDisputes, submitEvidence } from '#domain/disputes/disputes.server.ts'
import { cancelOrder, readOrder, releaseOrder } from '#domain/orders/orders.server.ts'
import {
  openCharge,
  openHostedPage,
  receiveProviderEvent,
  refreshPayment,
  voidCharge,
} from '#domain/payments/payments.server.ts'
import {
  walletMethods,
  type ChargedMethod,
  type OrderToPay,
  type PaymentProviderName,
  type WalletMethod,
} from '#domain/payments/payments.ts'
import { listDays, reconcileDay, findDay } from '#domain/reconciliation/reconciliation.server.ts'
import { refundOrder } from '#domain/refunds/refunds.server.ts'
import { adjustStock } from '#domain/stock/stock.server.ts'
import { readConfig } from '#platform/config.ts'
import { newId } from '#platform/ids.ts'
import { payWithFields, payWithWallet, startReceiver, testSecrets, type Received } from '#sandbox/test-sandbox.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { verify } from '#tests/support/invariants.ts'
import { payOutRefunds } from '#tests/support/pay-out.ts'
import { fromStripe } from '#tests/support/provider-message.ts'

const orders = Number(env.RECONCILED ?? 40)
const [port = 0] = await freePorts(3)
const by = { via: 'command line', name: 'tester' } as const
const read = readConfig({ DATABASE_URL: 'postgres://localhost/none' })
if (!read.ok) throw new Error('The configuration of tests is wrong.')
const config = read.value

/** Every way to pay; one of another provider joins here. `pay` leaves the cart with an authorized charge. */
const ways: {
  name: string
  provider: PaymentProviderName
  pay(store: TestStore, charge: { cartId: string; amountCents: number }): Promise<void>
}[] = [
  { name: 'card', provider: 'stripe', pay: (store, charge) => byCard(store, charge, ['4242424242424242']) },
  {
    name: 'card after a declined one',
    provider: 'stripe',
    pay: (store, charge) => byCard(store, charge, ['4000000000009995', '5555555555554444']),
  },
  {
    name: 'card that is disputed',
    provider: 'stripe',
    pay: (store, charge) => byCard(store, charge, ['4000000000000259']),
  },
  ...(['klarna', 'affirm', 'afterpay'] as const).map((method) => ({
    name: method,
    provider: 'stripe' as const,
    pay: (store: TestStore, charge: { cartId: string; amountCents: number }) => onPage(store, charge, method),
  })),
  ...walletMethods.map((method) => ({
    name: method,
    provider: 'stripe' as const,
    pay: (store: TestStore, charge: { cartId: string; amountCents: number }) => byWallet(store, charge, method),
  })),
]

async function byCard(store: TestStore, charge: { cartId: string; amountCents: number }, cards: string[]) {
  const { clientSecret } = must(await openCharge(store, { ...charge, email: null }))
  let status = ''
  for (const card of cards) ({ status } = await payWithFields(store.sandbox, clientSecret, card))
  expect(status).toBe('authorized')
}

/** On the lender's page, as a shopper who comes back. */
async function onPage(store: TestStore, charge: { cartId: string; amountCents: number }, method: ChargedMethod) {
  await payBy(store, { id: charge.cartId }, method)
  const { url } = must(
    await openHostedPage(store, {
      ...charge,
      email: null,
      description: '4 tires',
      returnUrl: 'http://127.0.0.1/back?payment={payment}',
      cancelUrl: 'http://127.0.0.1/back',
      method,
      order: shippedHome,
    }),
  )
  await fetch(url, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: store.sandbox.origin },
    body: new URLSearchParams({ answer: 'approves' }),
  })
  expect(must(await refreshPayment(store, { cartId: charge.cartId }))).toMatchObject({
    payment: { state: 'authorized' },
  })
}

async function byWallet(store: TestStore, charge: { cartId: string; amountCents: number }, method: WalletMethod) {
  await payBy(store, { id: charge.cartId }, method)
  const { clientSecret } = must(await openCharge(store, { ...charge, email: null, method }))
  const wallet = method === 'apple-pay' ? 'apple_pay' : 'google_pay'
  await payWithWallet(store.sandbox, { clientSecret, amount: charge.amountCents, person: 'dana', wallet })
  expect(must(await refreshPayment(store, { cartId: charge.cartId }))).toMatchObject({
    payment: { state: 'authorized' },
  })
}

const home = { name: 'Dana Ruiz', address1: '1 Elm St', address2: null, city: 'Chicago', state: 'IL', zip: '60614' }
const shippedHome: OrderToPay = {
  lines: [],
  taxCents: 0,
  shippingCents: 0,
  discountCents: 0,
  shipTo: home,
  billTo: home,
  phone: '3125550100',
  isBusiness: false,
}

/** What becomes of an order: each n-th one. */
const fates = ['kept', 'kept', 'canceled', 'refunded in part', 'refunded whole', 'kept'] as const

test(
  `${orders} orders are reconciled with the provider to the cent`,
  { timeout: 120_000 + orders * 2_000 },
  async () => {
    await using receiver = await startReceiver(port + 2)
    await using opened = await openTestStore(port, { webhookUrl: `http://127.0.0.1:${port + 2}/webhooks` })
    const paymentRecords = {
      stripe: createStripeRecords({ apiOrigin: opened.sandbox.origin, secretKey: testSecrets.stripeSecretKey }),
    }
    const store = { ...opened, limitFactor: 1_000, config, paymentRecords, evidencePdf: renderEvidencePdf }
    const itemId = await stockUp(store)
    // From the day on which the demo's own orders were captured: their charges are samples, and no differences.
    const first = store.clock.now().toZonedDateTimeISO('UTC').toPlainDate()
    let charged = 0
    for (let nth = 0; nth < orders; nth += 1) {
      const way = ways[nth % ways.length]
      const fate = fates[nth % fates.length] ?? 'kept'
      if (!way) throw new Error('There is no way to pay.')
      charged += (await liveOrder(store, { nth, itemId, way, fate })).chargedCents
      await hear(store, receiver.received)
      // Some days have no order, and some orders come around midnight.
      store.clock.set(store.clock.now().add({ minutes: (nth * 47) % 190 }))
    }
    for (const [index, { id, kind }] of (await listOpenDisputes(store, 1_000)).entries())
      if (kind === 'dispute' && index % 2 === 0)
        must(await submitEvidence(store, { id, by, notes: index % 4 === 0 ? 'winning_evidence' : 'losing_evidence' }))
    await hear(store, receiver.received)

    const last = store.clock.now().toZonedDateTimeISO('UTC').toPlainDate()
    const days = first.until(last).days + 1
    store.clock.set(store.clock.now().add({ hours: 30 }))
    for (let day = first; Temporal.PlainDate.compare(day, last) <= 0; day = day.add({ days: 1 }))
      for (const provider of new Set(ways.map((way) => way.provider))) await reconcileDay(store, { provider, day })

    const listed = (await listDays(store, null)).days
    const differences = await Promise.all(listed.map(async (day) => (await findDay(store, day))?.differences))
    expect(differences.flat()).toEqual([])
    expect(listed.map(({ state }) => state)).toEqual(listed.map(() => 'balanced'))
    expect(listed.length).toBe(Math.min(31, days))
    if (days <= 31) expect(listed.reduce((sum, day) => sum + day.chargedCents, 0)).toBe(charged)
    expect(charged).toBeGreaterThan(0)

    // A day that is reconciled again changes nothing.
    const before = JSON.stringify(listed)
    store.clock.set(store.clock.now().add({ hours: 1 }))
    await reconcileDay(store, { provider: 'stripe', day: first })
    expect(JSON.stringify((await listDays(store, null)).days)).toBe(before)
    const broken = (await verify(store.db, store.clock.now())).filter(({ severity }) => severity === 'error')
    expect(broken).toEqual([])
  },
)

type Simulated = TestStore & {
  limitFactor: number
  config: typeof config
  paymentRecords: Parameters<typeof reconcileDay>[0]['paymentRecords']
  evidencePdf: typeof renderEvidencePdf
}

async function liveOrder(
  store: Simulated,
  { nth, itemId, way, fate }: { nth: number; itemId: number; way: (typeof ways)[number]; fate: (typeof fates)[number] },
): Promise<{ chargedCents: number }> {
  const cart = await makeReadyCart(store, { itemId, fulfillment: 'home', street: `${100 + nth} N Halsted St` })
  const { totalCents, ...input } = await agreeTo(store, cart)
  await way.pay(store, { cartId: cart.id, amountCents: totalCents })
  const { orderId } = must(await placeOrder(store, input))
  if (fate === 'canceled') {
    must(await cancelOrder(store, { orderId, actor: 'shopper' }))
    const { payment } = (await readOrder(store.db, orderId)) ?? {}
    if (payment) must(await voidCharge(store, payment.id, 'store'))
    return { chargedCents: 0 }
  }
  // Messages are signed for five minutes: the sandbox tells before the window is over.
  store.clock.set(store.clock.now().add({ minutes: 31 }))
  await releaseOrder(store, orderId)
  const isDisputed = way.name === 'card that is disputed'
  if (fate !== 'kept' && !isDisputed) {
    const units = fate === 'refunded whole' ? 4 : 1
    const lines = [{ lineNo: 1, units }]
    const why = { reason: 'late', bearer: 'carrier', note: null, lowerReason: null, hasHandlingFee: false } as const
    must(
      await refundOrder(store, {
        ...why,
        lines,
        amountCents: null,
        agreedCents: null,
        isFresh: true,
        orderId,
        actor: by,
        key: newId(),
      }),
    )
    await payOutRefunds(store)
  }
  return { chargedCents: totalCents }
}

async function stockUp(store: TestStore): Promise<number> {
  const itemId = await pickTire(store)
  const places = await store.db.selectFrom('stock').select('warehouse_id').where('item_id', '=', itemId).execute()
  for (const { warehouse_id: warehouseId } of places) {
    const count = { itemId, warehouseId, reason: 'count', units: 9_000, note: null } as const
    // What a supplier has, only its feed says.
    const adjusted = await adjustStock(store, { ...count, key: newId(), by })
    if (!adjusted.ok) expect(adjusted.reason).toBe('held-by-supplier')
  }
  return itemId
}

/** Delivers what the sandbox tells. */
async function hear(store: Simulated, received: Received[]) {
  await store.sandbox.catchUp()
  const now = store.clock.now()
  const deps = {
    ...store,
    cardLimits: createCardLimits({ db: store.db, networkFactor: 1_000 }),
    onDispute: hearOfDispute.bind(null, store),
  }
  for (const { body, headers } of received.splice(0)) {
    const signature = String(headers['stripe-signature'])
    store.clock.set(Temporal.Instant.fromEpochMilliseconds(Number(/t=(\d+)/.exec(signature)?.[1]) * 1000))
    must(await receiveProviderEvent(deps, fromStripe(body, signature)))
  }
  store.clock.set(now)
}
