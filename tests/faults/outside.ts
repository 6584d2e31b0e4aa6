/**
 * Everything outside the store that outlives its processes. This is the sandbox, called over HTTP and SMTP by the
 * product's adapters, and the actions of shoppers, the payment provider, and the carrier.
 */
import Stripe from 'stripe'
import { createEasyPost } from '#adapters/carriers/easypost.ts'
import { createSmtpMailer } from '#adapters/mail/smtp.ts'
import { createFedExPlaces } from '#adapters/places/fedex.ts'
import { createFinancing } from '#adapters/payments/financing.ts'
import { createStripeCards } from '#adapters/payments/stripe-cards.ts'
import { createStripePayments } from '#adapters/payments/stripe.ts'
import { createStripePayouts } from '#adapters/payments/stripe-payouts.ts'
import { routeEveryProvider, setCreditStatus } from '#domain/ordering/checkout/every-provider.testing.ts'
import { answerOnPage, press } from '#domain/ordering/checkout/pages-to-pay.testing.ts'
import type { ChargeView } from '#domain/payments/payments/payment-provider.port.ts'
import type { ChargedMethod, WalletMethod } from '#domain/payments/payments/payments.ts'
import type { fixedClock } from '#platform/clock.testing.ts'
import {
  easyPostTest,
  payWithFields,
  payWithWallet,
  startReceiver,
  startTestSandbox,
  testSecrets,
} from '#sandbox/test-sandbox.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { mailFor } from '#tests/support/mailbox.ts'

export type Outside = Awaited<ReturnType<typeof openOutside>>

/** A webhook message as posted to the store. */
type Posted = { body: string; signature: string }

/** The parts read here. The provider's messages have a type and data, and the carrier's a tracker. */
type Message = {
  type?: string
  data?: { object: { id: string } }
  result?: { tracking_code: string; status: string }
}

export async function openOutside(clock: ReturnType<typeof fixedClock>) {
  const [http = 0, smtp = 0, store = 0] = await freePorts(3)
  const storeOrigin = `http://127.0.0.1:${store}`
  const receiver = await startReceiver(store)
  const sandbox = await startTestSandbox(
    { http, smtp, store },
    { clock, webhookUrl: `${storeOrigin}/webhooks/payments`, carrierCallbackUrl: `${storeOrigin}/webhooks/carrier` },
  )
  const stripe = new Stripe(testSecrets.stripeSecretKey, {
    host: '127.0.0.1',
    port: http,
    protocol: 'http',
    telemetry: false,
  })
  const connectPayments = () => {
    const cards = createStripePayments({
      apiOrigin: sandbox.origin,
      secretKey: testSecrets.stripeSecretKey,
      webhookSecret: testSecrets.webhookSecret,
      clock,
    })
    const financing = createFinancing({
      apiOrigin: sandbox.origin,
      clientId: testSecrets.financingClientId,
      clientSecret: testSecrets.financingClientSecret,
      webhookSecret: testSecrets.financingWebhookSecret,
      clock,
    })
    return routeEveryProvider(cards, { sandbox, clock, financing }).payments
  }
  const payments = connectPayments()
  const voided = new Map<string, ChargeView>()

  async function readCharge(ref: string): Promise<ChargeView> {
    const charge = await payments.readCharge(ref)
    if (!charge.ok) throw new Error(charge.message, { cause: charge.cause })
    return charge.value
  }

  async function posted(path: string, isIt: (message: Message) => boolean): Promise<Posted | undefined> {
    await sandbox.catchUp()
    const message = receiver.received.find(
      (candidate) => candidate.path === path && isIt(JSON.parse(candidate.body) as Message),
    )
    return (
      message && {
        body: message.body,
        signature: String(message.headers['stripe-signature'] ?? message.headers['x-hmac-signature']),
      }
    )
  }

  return {
    /** Creates the product's adapters, as each process does. */
    connect: () => ({
      payments: connectPayments(),
      cardVault: createStripeCards({ apiOrigin: sandbox.origin, secretKey: testSecrets.stripeSecretKey }),
      pickupPlaces: createFedExPlaces({
        apiOrigin: sandbox.origin,
        apiKey: testSecrets.fedExKey,
        secretKey: testSecrets.fedExSecret,
        now: () => clock.now(),
      }),
      payouts: createStripePayouts({
        apiOrigin: sandbox.origin,
        secretKey: testSecrets.stripeSecretKey,
        webhookSecrets: [testSecrets.webhookSecret],
        clock,
      }),
      carrier: createEasyPost({ ...easyPostTest, apiOrigin: sandbox.origin }),
      mailer: createSmtpMailer({ smtpUrl: sandbox.smtpUrl, from: 'Sidewall <orders@sidewall.example>' }),
    }),
    /** The shopper enters a valid card in the fields. */
    async authorize({ clientSecret }: { clientSecret: string }): Promise<void> {
      const answer = await payWithFields(sandbox, clientSecret, goodCard.number)
      if (answer.status !== 'authorized') throw new Error(answer.error)
    },
    /** The shopper approves in the sheet of a wallet. */
    async approveInSheet(clientSecret: string, amount: number, method: WalletMethod): Promise<void> {
      const wallet = method === 'apple-pay' ? 'apple_pay' : 'google_pay'
      const answer = await payWithWallet(sandbox, { clientSecret, amount, wallet, person: 'dana' })
      if ('error' in answer) throw new Error(answer.error.message)
    },
    /** The shopper pays on the provider's own page, if it is open. */
    payOnPage: (url: string, method: ChargedMethod = 'card'): Promise<void> =>
      method === 'card' ? press(sandbox, url, goodCard) : answerOnPage({ sandbox }, { method, url }, 'yes'),
    /** Gives a company Resolve terms with a very high credit line. */
    openLine: (customerId: string): Promise<void> =>
      setCreditStatus({ sandbox }, customerId, { status: 'approved', line: '9000000' }),
    readCharge,
    /**
     * Returns the current state of every authorized charge by its provider ID: all card charges from the provider, and
     * the `recorded` ones of other methods, which can't be approved without the store's record.
     */
    async charges(recorded: readonly string[]): Promise<ReadonlyMap<string, ChargeView>> {
      const known = new Map<string, ChargeView>()
      for (const ref of recorded.filter((one) => one.includes(':'))) {
        const charge = await readCharge(ref)
        if (charge.state !== 'open' && charge.state !== 'failed') known.set(ref, charge)
      }
      for await (const { data } of stripe.events.list({ type: authorized, limit: 100 })) {
        const ref = 'id' in data.object ? data.object.id : ''
        if (known.has(ref)) continue
        // A voided charge never changes.
        const charge = voided.get(ref) ?? (await readCharge(ref))
        if (charge.state === 'voided') voided.set(ref, charge)
        known.set(ref, charge)
      }
      return known
    },
    /** The provider's message that this charge was authorized. */
    async authorization(ref: string): Promise<Posted> {
      const message = await posted(
        '/webhooks/payments',
        ({ type, data }) => type === authorized && data?.object.id === ref,
      )
      if (!message) throw new Error(`The provider says nothing of ${ref}.`)
      return message
    },
    /** The tracking numbers announced for an order. */
    async trackingNumbers(orderId: number): Promise<string[]> {
      const board = await (await fetch(`${sandbox.origin}/carrier`)).text()
      return [...board.matchAll(/<code>(SW\w+)<\/code><\/a\s*><br \/>(S-\d+)/g)]
        .filter(([, , reference]) => reference === `S-${orderId}`)
        .map(([, number = '']) => number)
    },
    /** The carrier delivers this parcel; returns its message. */
    async deliver(trackingNumber: string): Promise<Posted> {
      for (let presses = 0; presses < 4; presses++) {
        const message = await posted(
          '/webhooks/carrier',
          ({ result }) => result?.tracking_code === trackingNumber && result.status === 'delivered',
        )
        if (message) return message
        await fetch(`${sandbox.origin}/carrier/board/${trackingNumber}/advance`, {
          method: 'POST',
          redirect: 'manual',
          headers: { origin: sandbox.origin },
        })
      }
      throw new Error(`${trackingNumber} was not delivered.`)
    },
    /** The keys of the mails received by this address. */
    async mailKeys(email: string): Promise<string[]> {
      return (await mailFor({ sandboxOrigin: sandbox.origin }, email)).map(
        ({ headers }) => headers['x-message-key'] ?? '',
      )
    },
    async [Symbol.asyncDispose]() {
      await sandbox[Symbol.asyncDispose]()
      await receiver[Symbol.asyncDispose]()
    },
  }
}

const authorized = 'payment_intent.amount_capturable_updated'
const goodCard = { email: 'dana@example.com', number: '4242424242424242', expiry: '12/39', cvc: '123', zip: '60601' }
