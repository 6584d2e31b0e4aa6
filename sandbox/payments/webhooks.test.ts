import Stripe from 'stripe'
import { expect, test } from 'vitest'
import { freePorts } from '#tests/support/free-ports.ts'
import { startReceiver, startTestSandbox, testSecrets, type Received, type TestSandbox } from '../test-sandbox.ts'

const [port = 0] = await freePorts(3)
const webhookUrl = `http://127.0.0.1:${port + 2}/webhooks/payments`

async function pay(sandbox: TestSandbox, paymentMethod: string): Promise<Stripe.PaymentIntent> {
  const stripe = new Stripe(testSecrets.stripeSecretKey, { host: '127.0.0.1', port, protocol: 'http' })
  return stripe.paymentIntents.create({
    amount: 5000,
    currency: 'usd',
    capture_method: 'manual',
    confirm: true,
    payment_method: paymentMethod,
  })
}

function typesOf(received: Received[]): string[] {
  return received.map(({ body }) => (JSON.parse(body) as { type: string }).type)
}

test('the SDK accepts the signature of a webhook', async () => {
  await using receiver = await startReceiver(port + 2)
  await using sandbox = await startTestSandbox(port, { webhookUrl })
  const intent = await pay(sandbox, 'pm_card_visa')
  await sandbox.catchUp()
  expect(typesOf(receiver.received)).toEqual([
    'payment_intent.created',
    'charge.succeeded',
    'payment_intent.amount_capturable_updated',
  ])
  const { body = '', headers = {} } = receiver.received[2] ?? {}
  const receivedAt = sandbox.clock.now().epochMilliseconds
  const event = Stripe.webhooks.constructEvent(
    body,
    String(headers['stripe-signature']),
    testSecrets.webhookSecret,
    300,
    undefined,
    receivedAt,
  )
  expect(event).toMatchObject({
    type: 'payment_intent.amount_capturable_updated',
    data: { object: { id: intent.id, amount_capturable: 5000 } },
  })
  expect(() =>
    Stripe.webhooks.constructEvent(
      body,
      String(headers['stripe-signature']),
      'whsec_other',
      300,
      undefined,
      receivedAt,
    ),
  ).toThrow('signature')
})

test('a webhook the store rejects is sent again, with growing delays, until it is accepted', async () => {
  await using receiver = await startReceiver(port + 2, [500, 404])
  await using sandbox = await startTestSandbox(port, { webhookUrl })
  const stripe = new Stripe(testSecrets.stripeSecretKey, { host: '127.0.0.1', port, protocol: 'http' })
  await stripe.paymentIntents.create({ amount: 5000, currency: 'usd' })
  await sandbox.catchUp()
  expect(receiver.received).toHaveLength(1)
  await sandbox.pass({ seconds: 1 })
  expect(receiver.received).toHaveLength(2)
  await sandbox.pass({ seconds: 1 })
  expect(receiver.received).toHaveLength(2)
  await sandbox.pass({ seconds: 1 })
  expect(receiver.received).toHaveLength(3)
  await sandbox.pass({ hours: 1 })
  expect(receiver.received).toHaveLength(3)
  expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1)
})

test('a webhook that is never accepted is given up after twelve attempts', async () => {
  await using receiver = await startReceiver(port + 2, Array<number>(20).fill(500))
  await using sandbox = await startTestSandbox(port, { webhookUrl })
  const stripe = new Stripe(testSecrets.stripeSecretKey, { host: '127.0.0.1', port, protocol: 'http' })
  await stripe.paymentIntents.create({ amount: 5000, currency: 'usd' })
  for (let hour = 0; hour < 20; hour += 1) await sandbox.pass({ hours: 1 })
  expect(receiver.received).toHaveLength(12)
})

test('one card has its webhooks sent twice and out of order', async () => {
  await using receiver = await startReceiver(port + 2)
  await using sandbox = await startTestSandbox(port, { webhookUrl })
  await pay(sandbox, 'pm_card_repeatsWebhooks')
  await sandbox.catchUp()
  expect(typesOf(receiver.received)).toEqual([
    'payment_intent.created',
    'payment_intent.amount_capturable_updated',
    'charge.succeeded',
  ])
  await sandbox.pass({ seconds: 2 })
  expect(typesOf(receiver.received).slice(3)).toEqual(['charge.succeeded', 'payment_intent.amount_capturable_updated'])
  expect(receiver.received[1]?.body).toBe(receiver.received[4]?.body)
})
