/** Klarna, Affirm and Afterpay at Stripe, in its sandbox. */
import { expect, test } from 'vitest'
import { startTestSandbox, type TestSandbox } from '#sandbox/test-sandbox.ts'
import type { OrderToPay, PaymentProvider } from '#domain/payments/payments/payment-provider.port.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { paymentsAt, valueOf } from './stripe.testing.ts'

const [port = 0] = await freePorts(3)
const payLater = ['klarna', 'affirm', 'afterpay'] as const
const order: OrderToPay = {
  lines: [{ sku: 'tire-1', name: 'Kestrel Alltide AS2', unitCents: 19_000, quantity: 4, kind: 'tire' }],
  taxCents: 0,
  taxText: 'Sales tax',
  shippingCents: 0,
  discountCents: 0,
  shipTo: { name: 'Dana Ruiz', address1: '1 Elm St', address2: null, city: 'Chicago', state: 'IL', zip: '60614' },
  billTo: { name: 'Dana Ruiz', address1: '1 Elm St', address2: null, city: 'Chicago', state: 'IL', zip: '60614' },
  phone: '3125550100',
  isBusiness: false,
}

function lenderPageOf(payments: PaymentProvider, method: (typeof payLater)[number], amountCents = 76_000) {
  return payments.openHostedPage({
    method,
    order,
    amountCents,
    reference: 'payment-1',
    email: 'dana@example.com',
    description: '4 tires',
    returnUrl: 'http://127.0.0.1/back',
    cancelUrl: 'http://127.0.0.1/canceled',
    key: `open-${method}`,
  })
}

function answerOn({ origin }: TestSandbox, url: string, answer: string): Promise<Response> {
  return fetch(url, { method: 'POST', redirect: 'manual', headers: { origin }, body: new URLSearchParams({ answer }) })
}

test.for(payLater)('%s is approved on its page, captured once, and gives money back later', async (method) => {
  await using sandbox = await startTestSandbox(port)
  const payments = paymentsAt(sandbox)
  const { hostedRef, url } = valueOf(await lenderPageOf(payments, method))
  expect(await answerOn(sandbox, url, 'declines')).toMatchObject({ status: 402 })
  expect(valueOf(await payments.readHostedPage(hostedRef))).toMatchObject({ charge: { state: 'failed' } })
  expect((await answerOn(sandbox, url, 'approves')).headers.get('location')).toBe('http://127.0.0.1/back')
  const { completed, charge } = valueOf(await payments.readHostedPage(hostedRef))
  expect({ completed, charge }).toMatchObject({ completed: true, charge: { state: 'authorized', amountCents: 76_000 } })
  // Only a card's authorization names its end.
  expect(charge).not.toHaveProperty('captureBefore')
  const ref = charge?.ref ?? ''
  expect(valueOf(await payments.captureCharge({ ref, amountCents: 50_000, key: 'capture-1' }))).toMatchObject({
    state: 'captured',
    capturedCents: 50_000,
  })
  expect(await payments.captureCharge({ ref, amountCents: 26_000, key: 'capture-2' })).toMatchObject({ ok: false })
  expect(await payments.refundCharge({ ref, amountCents: 10_000, key: 'refund-1' })).toMatchObject({ ok: true })
})

test('a lender that answers later is processing until its answer comes', async () => {
  await using sandbox = await startTestSandbox(port)
  const payments = paymentsAt(sandbox)
  const { hostedRef, url } = valueOf(await lenderPageOf(payments, 'klarna'))
  expect((await answerOn(sandbox, url, 'stalls')).headers.get('location')).toBe('http://127.0.0.1/back')
  expect(valueOf(await payments.readHostedPage(hostedRef))).toMatchObject({ charge: { state: 'processing' } })
  await sandbox.pass({ minutes: 10 })
  expect(valueOf(await payments.readHostedPage(hostedRef))).toMatchObject({ charge: { state: 'authorized' } })
})

test('a lender’s page that expires takes no payment', async () => {
  await using sandbox = await startTestSandbox(port)
  const payments = paymentsAt(sandbox)
  const { hostedRef, url } = valueOf(await lenderPageOf(payments, 'affirm'))
  expect((await answerOn(sandbox, url, 'expires')).headers.get('location')).toBe('http://127.0.0.1/canceled')
  expect(valueOf(await payments.readHostedPage(hostedRef))).toEqual({ completed: false, charge: null })
})

test('a method that Stripe drops for the amount is not opened', async () => {
  await using sandbox = await startTestSandbox(port)
  expect(await lenderPageOf(paymentsAt(sandbox), 'afterpay', 400_001)).toMatchObject({ ok: false, reason: 'declined' })
})
