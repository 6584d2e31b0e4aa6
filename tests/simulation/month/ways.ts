/** Every way to pay, as a program pays over the API and the provider's own page. */
import { answerOnPage } from '#domain/ordering/checkout/pages-to-pay.testing.ts'
import type { ChargedMethod } from '#domain/payments/payments/payments.ts'
import { payWithFields, payWithWallet } from '#sandbox/test-sandbox.ts'
import { succeed } from '#tests/support/order-by-api.ts'
import type { RunningStore } from '#tests/support/store.ts'
import type { Visitor } from '#tests/support/visitor.ts'

/** The signed-in buyer, who is a guest or a company's buyer. */
export type Buyer = 'guest' | 'on-terms' | 'at-resolve'

export type Way = {
  name: string
  /** Of how many orders, in all ways' shares together. */
  share: number
  buyer: Buyer
  /** Leaves the cart paid. */
  pay(store: RunningStore, visitor: Visitor): Promise<void>
}

type Opened = { amountCents: number; clientSecret: string | null; url: string | null }

const open = (store: RunningStore, visitor: Visitor, body: Record<string, string>) =>
  succeed(store, visitor, 'POST', '/cart/payment', body) as Promise<Opened>

const byCards =
  (...cards: string[]): Way['pay'] =>
  async (store, visitor) => {
    const { clientSecret } = await open(store, visitor, { flow: 'fields' })
    const at = { origin: store.sandboxOrigin, storeOrigin: store.origin }
    let status = ''
    for (const card of cards) ({ status } = await payWithFields(at, clientSecret ?? '', card))
    if (status !== 'authorized') throw new Error(`The card is ${status}.`)
  }

const onPage =
  (method: ChargedMethod): Way['pay'] =>
  async (store, visitor) => {
    const { url } = await open(store, visitor, { flow: 'hosted', method })
    if (url === null) throw new Error(`There is no page of ${method}.`)
    await answerOnPage({ sandbox: { origin: store.sandboxOrigin } }, { method, url }, 'yes')
    await comeBack(store, visitor)
  }

async function comeBack(store: RunningStore, visitor: Visitor): Promise<void> {
  const payment = (await succeed(store, visitor, 'GET', '/cart/payment')) as { state: string } | null
  if (payment?.state !== 'authorized') throw new Error(`The payment is ${payment?.state}.`)
}

/** In the sheet of a wallet, which the checkout's page opens. */
const inSheet =
  (method: 'apple-pay' | 'google-pay'): Way['pay'] =>
  async (store, visitor) => {
    const { dueCents } = (await succeed(store, visitor, 'GET', '/cart/price')) as { dueCents: number }
    const page = `${store.origin}/checkout/payments/${method}`
    const owner = { name: 'Robin Hale', phone: '', line1: '9 Oak Ave', line2: '', city: 'Peoria', state: 'IL' }
    const form = { intent: 'open', amount: String(dueCents), ...owner, postalCode: '61602', country: 'US' }
    const opened = await (await visitor.ask(`${page}.data`, { form })).text()
    const clientSecret = /pi_\w+_secret_\w+/.exec(opened)?.[0] ?? ''
    const wallet = method === 'apple-pay' ? 'apple_pay' : 'google_pay'
    await payWithWallet({ origin: store.sandboxOrigin }, { clientSecret, amount: dueCents, wallet, person: 'dana' })
    await comeBack(store, visitor)
  }

const guest = (name: ChargedMethod, share: number): Way => ({ name, share, buyer: 'guest', pay: onPage(name) })

export const ways: readonly Way[] = [
  { name: 'card', share: 500, buyer: 'guest', pay: byCards('4242424242424242') },
  {
    name: 'card after a declined one',
    share: 40,
    buyer: 'guest',
    pay: byCards('4000000000009995', '5555555555554444'),
  },
  guest('paypal', 90),
  guest('venmo', 40),
  guest('klarna', 40),
  guest('affirm', 30),
  guest('afterpay', 30),
  guest('lease', 15),
  guest('loan', 15),
  guest('store-card', 20),
  { name: 'apple-pay', share: 60, buyer: 'guest', pay: inSheet('apple-pay') },
  { name: 'google-pay', share: 40, buyer: 'guest', pay: inSheet('google-pay') },
  { name: 'resolve', share: 40, buyer: 'at-resolve', pay: onPage('resolve') },
  {
    name: 'net-terms',
    share: 40,
    buyer: 'on-terms',
    pay: async (store, visitor) => void (await open(store, visitor, { flow: 'net-terms' })),
  },
]
