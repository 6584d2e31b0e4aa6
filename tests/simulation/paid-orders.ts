/** Orders with every payment method and outcome, with the sandbox's providers. */
import { createRateLimits } from '#adapters/limits/rate-limits.ts'
import { filesInRows } from '#domain/kernel/files/files.testing.ts'
import { renderEvidencePdf } from '#adapters/documents/evidence-pdf.ts'
import { actOnDispute } from '#adapters/payments/paypal.testing.ts'
import { cancel } from '#domain/ordering/cancellations/cancellations.testing.ts'
import type { Cart } from '#domain/payments/cart/cart.ts'
import { payBy, payOnTerms, placeOrder } from '#domain/ordering/checkout/checkout.server.ts'
import {
  agreeTo,
  asOwner,
  cartOf,
  makeReadyCart,
  must,
  openTestStore,
  pickTire,
  type TestStore,
} from '#domain/ordering/checkout/checkout.testing.ts'
import {
  asResolveCustomer,
  setCreditStatus,
  withEveryProvider,
} from '#domain/ordering/checkout/every-provider.testing.ts'
import { answerOnPage, openPageToPay } from '#domain/ordering/checkout/pages-to-pay.testing.ts'
import { setTerms } from '#domain/customers/companies/companies.server.ts'
import { hearOfDispute } from '#domain/aftercare/disputes/disputes.server.ts'
import { recordInvoicePaid } from '#domain/payments/invoices/invoices.server.ts'
import { cancelOrder, readOrder, releaseOrder, settleFinancedOrder } from '#domain/ordering/orders/orders.server.ts'
import { moveParcels } from '#domain/ordering/orders/orders.testing.ts'
import {
  openCharge,
  receiveProviderEvent,
  refreshPayment,
  voidCharge,
} from '#domain/payments/payments/payments.server.ts'
import { walletMethods, type ChargedMethod, type WalletMethod } from '#domain/payments/payments/payments.ts'
import { refundOrder } from '#domain/ordering/refunds/refunds.server.ts'
import { adjustStock } from '#domain/supply/stock/stock.server.ts'
import { readConfig } from '#platform/config.ts'
import { newId } from '#platform/ids.ts'
import { payWithFields, payWithWallet, type Received } from '#sandbox/test-sandbox.ts'
import { payOutRefunds } from '#tests/support/pay-out.ts'
import { fromStripe } from '#tests/support/provider-message.ts'

export const by = { via: 'command line', name: 'tester' } as const
const read = readConfig({ DATABASE_URL: 'postgres://localhost/none' })
if (!read.ok) throw new Error('The configuration of tests is wrong.')
const config = read.value

type Buyer = 'shopper' | 'on-terms' | 'at-resolve' | 'at-slow-resolve'

/** One way to pay. `pay` leaves the cart ready to be ordered; `isDisputed`: its payer, or their bank, does so. */
export type Way = {
  name: string
  /** Selected before the price is accepted because the store card has its own prices. */
  method?: ChargedMethod
  buyer?: Buyer
  isDisputed?: boolean
  pay(store: TestStore, cart: Cart, totalCents: number): Promise<void>
}

const pageMethods = ['paypal', 'venmo', 'klarna', 'affirm', 'afterpay', 'lease', 'loan', 'store-card'] as const
const byMethod = (method: ChargedMethod): Way => ({
  name: method,
  method,
  pay: (store, cart) => onPage(store, cart, method),
})

/** Every way to pay. */
export const ways: readonly Way[] = [
  { name: 'card', pay: (...charge) => byCard(charge, ['4242424242424242']) },
  { name: 'a card after a declined one', pay: (...charge) => byCard(charge, ['4000000000009995', '5555555555554444']) },
  { name: 'a card that is disputed', isDisputed: true, pay: (...charge) => byCard(charge, ['4000000000000259']) },
  ...pageMethods.map(byMethod),
  { ...byMethod('paypal'), name: 'paypal that is disputed', isDisputed: true },
  ...walletMethods.map((name): Way => ({ name, pay: (...charge) => byWallet(charge, name) })),
  { ...byMethod('resolve'), buyer: 'at-resolve' },
  { ...byMethod('resolve'), name: 'resolve, whose answer is lost', buyer: 'at-slow-resolve' },
  {
    name: 'net-terms',
    buyer: 'on-terms',
    pay: async (store, cart, totalCents) => void must(await payOnTerms(store, { id: cart.id }, totalCents)),
  },
]

async function byCard([store, { id: cartId }, amountCents]: Parameters<Way['pay']>, cards: string[]) {
  const { clientSecret } = must(await openCharge(store, { cartId, amountCents, email: null }))
  let status = ''
  for (const card of cards) ({ status } = await payWithFields(store.sandbox, clientSecret, card))
  if (status !== 'authorized') throw new Error(`The card is ${status}.`)
}

/** On the provider's page, as a shopper who comes back. */
async function onPage(store: TestStore, cart: Cart, method: ChargedMethod) {
  const opened = await openPageToPay(store, cart, method)
  if (opened.ok) await answerOnPage(store, { method, url: opened.value.url }, 'yes')
  await comeBack(store, cart)
}

async function byWallet([store, cart, amountCents]: Parameters<Way['pay']>, method: WalletMethod) {
  await payBy(store, { id: cart.id }, method)
  const { clientSecret } = must(await openCharge(store, { cartId: cart.id, amountCents, email: null, method }))
  const wallet = method === 'apple-pay' ? 'apple_pay' : 'google_pay'
  await payWithWallet(store.sandbox, { clientSecret, amount: amountCents, person: 'dana', wallet })
  await comeBack(store, cart)
}

async function comeBack(store: TestStore, { id: cartId }: Cart) {
  const { payment } = must(await refreshPayment(store, { cartId })) ?? {}
  if (payment?.state !== 'authorized') throw new Error(`The payment is ${payment?.state}.`)
}

/** A store with every provider, and the buyers that ways to pay need; cards' provider and PayPal tell `toldAt`. */
export async function openPaidStore(port: number, toldAt: string) {
  const opened = await openTestStore(port, { webhookUrl: `${toldAt}/stripe`, paypalWebhookUrl: `${toldAt}/paypal` })
  const store = {
    ...withEveryProvider(opened),
    limitFactor: 1_000,
    config,
    files: filesInRows,
    evidencePdf: renderEvidencePdf,
  }
  return { ...store, buyers: await openBuyers(store), itemId: await stockUp(store) }
}
export type PaidStore = Awaited<ReturnType<typeof openPaidStore>>

async function openBuyers<Store extends TestStore>(store: Store): Promise<Record<Buyer, Store>> {
  const atResolve = async (customerId: string) => {
    await setCreditStatus(store, customerId, { status: 'approved', line: '9000000' })
    return asResolveCustomer(store, customerId)
  }
  const onTerms = await asOwner(store)
  const terms = { netDays: 30, creditLimitCents: 1_000_000_00 }
  must(await setTerms(store, { by, id: onTerms.companyId, terms }))
  return {
    shopper: store,
    'on-terms': onTerms,
    'at-resolve': await atResolve('TWCvans'),
    'at-slow-resolve': await atResolve('DRPlogistics'),
  }
}

async function stockUp(store: TestStore): Promise<number> {
  const itemId = await pickTire(store)
  const places = await store.db.selectFrom('stock').select('warehouse_id').where('item_id', '=', itemId).execute()
  for (const { warehouse_id: warehouseId } of places) {
    const count = { itemId, warehouseId, reason: 'count', units: 9_000, note: null } as const
    // Suppliers' stock comes only from their feeds.
    const adjusted = await adjustStock(store, { ...count, key: newId(), by })
    if (!adjusted.ok && adjusted.reason !== 'held-by-supplier') throw new Error(adjusted.reason)
  }
  return itemId
}

/** An order's outcome. */
export type Fate = 'kept' | 'canceled' | 'refunded in part' | 'refunded whole'

/** One order from its payment to its end; `nth` numbers it. */
export async function liveOrder(
  store: PaidStore,
  { nth, way, fate }: { nth: number; way: Way; fate: Fate },
): Promise<number> {
  const buyer = store.buyers[way.buyer ?? 'shopper']
  const street = `${100 + nth} N Halsted St`
  const { id: cartId } = await makeReadyCart(buyer, { itemId: store.itemId, fulfillment: 'home', street })
  if (way.method) await payBy(buyer, { id: cartId }, way.method)
  const cart = await cartOf(buyer, cartId)
  const { totalCents, ...input } = await agreeTo(buyer, cart)
  await way.pay(buyer, cart, totalCents)
  const { orderId } = must(await placeOrder(buyer, input))
  await settleFinancedOrder(store, orderId)
  const payment = (await readOrder(store.db, orderId))?.payment
  if (fate === 'canceled') {
    must(await cancelOrder(store, { orderId, actor: 'shopper' }))
    if (payment) must(await voidCharge(store, payment.id, 'store'))
    return orderId
  }
  // Webhook signatures expire after five minutes, so the sandbox sends them before the window ends.
  store.clock.set(store.clock.now().add({ minutes: 31 }))
  await releaseOrder(store, orderId)
  const isFinanced = payment?.method === 'lease' || payment?.method === 'loan' || payment?.method === 'store-card'
  if (isFinanced) await deliverFinanced(store, { orderId, isLess: fate === 'refunded in part' && nth % 2 === 0 })
  if (way.isDisputed) await dispute(store, orderId, nth)
  else if (fate !== 'kept') await refund(store, { orderId, units: fate === 'refunded whole' ? 4 : 1 })
  if (way.buyer === 'on-terms' && fate !== 'refunded whole')
    must(await recordInvoicePaid(store, { orderId, reference: `ACH-${nth}`, by }))
  return orderId
}

/** A lender pays on delivery, minus lines canceled earlier. */
async function deliverFinanced(store: PaidStore, { orderId, isLess }: { orderId: number; isLess: boolean }) {
  if (isLess) must(await cancel(store, orderId, [{ lineNo: 1, units: 2 }]))
  await settleFinancedOrder(store, orderId)
  await moveParcels(store, orderId, 'delivered', store.clock.now())
  await settleFinancedOrder(store, orderId)
}

/** A card disputes itself; a PayPal payer disputes, or their bank does. */
async function dispute(store: PaidStore, orderId: number, nth: number) {
  const { ref } = await store.db
    .selectFrom('payment')
    .select('provider_ref as ref')
    .where('order_id', '=', orderId)
    .executeTakeFirstOrThrow()
  if (!ref?.startsWith('paypal:')) return
  const act = nth % 2 === 0 ? 'chargeback' : 'dispute'
  await actOnDispute(store.sandbox.origin, ref.replace('paypal:', ''), { act, reason: 'UNAUTHORISED' })
}

async function refund(store: PaidStore, { orderId, units }: { orderId: number; units: number }) {
  const why = { reason: 'late', bearer: 'carrier', note: null, lowerReason: null, hasHandlingFee: false } as const
  const asked = { lines: [{ lineNo: 1, units }], amountCents: null, agreedCents: null, isFresh: true }
  must(await refundOrder(store, { ...why, ...asked, orderId, actor: by, key: newId() }))
  await payOutRefunds(store)
}

/** Delivers the sandbox's webhooks at their signature time. */
export async function hear(store: PaidStore, received: Received[]): Promise<void> {
  await store.sandbox.catchUp()
  const now = store.clock.now()
  const deps = {
    ...store,
    rateLimits: createRateLimits({ db: store.db, networkFactor: 1_000 }),
    onDispute: hearOfDispute.bind(null, store),
  }
  for (const { path, body, headers } of received.splice(0)) {
    const header = (name: string) => String(headers[name] ?? '')
    const signature = header('stripe-signature')
    const isStripe = path.endsWith('/stripe')
    store.clock.set(
      isStripe
        ? Temporal.Instant.fromEpochMilliseconds(Number(/t=(\d+)/.exec(signature)?.[1]) * 1000)
        : Temporal.Instant.from(header('paypal-transmission-time')),
    )
    const message = isStripe ? fromStripe(body, signature) : { provider: 'paypal' as const, body, header }
    must(await receiveProviderEvent(deps, message))
  }
  store.clock.set(now)
}
