/** Charges at Stripe, in its sandbox. */
import { expect, test } from 'vitest'
import { payWithFields, startReceiver, startTestSandbox, type TestSandbox } from '#sandbox/test-sandbox.ts'
import type { PaymentProvider } from '#domain/payments/payments/payment-provider.port.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { fromStripe } from '../../tests/support/provider-message.ts'
import { paymentsAt, valueOf } from './stripe.testing.ts'

const [port = 0] = await freePorts(3)
const visa = '4242 4242 4242 4242'

/** A charge of $1,000.00 that the shopper has authorized. */
async function authorizedCharge(sandbox: TestSandbox, payments: PaymentProvider, number = visa): Promise<string> {
  const opened = valueOf(
    await payments.openCharge({ amountCents: 100_000, reference: 'payment-1', email: null, key: 'open-1' }),
  )
  expect(await payWithFields(sandbox, opened.clientSecret, number)).toMatchObject({ status: 'authorized' })
  return opened.ref
}

test('a charge is opened, changed, authorized in the fields, and captured in part', async () => {
  await using sandbox = await startTestSandbox(port)
  const payments = paymentsAt(sandbox)
  const { ref, clientSecret } = valueOf(
    await payments.openCharge({ amountCents: 50_000, reference: 'payment-1', email: null, key: 'open-1' }),
  )
  expect(valueOf(await payments.readCharge(ref))).toEqual({
    ref,
    state: 'open',
    amountCents: 50_000,
    capturedCents: 0,
    refundedCents: 0,
    clientSecret,
    failure: null,
    cardFingerprint: null,
    card: null,
  })
  expect(valueOf(await payments.changeAmount({ ref, amountCents: 60_000, key: 'amount-1' }))).toMatchObject({
    amountCents: 60_000,
  })
  expect(await payWithFields(sandbox, clientSecret, visa)).toEqual({ status: 'authorized', error: null })
  expect(valueOf(await payments.readCharge(ref))).toMatchObject({
    state: 'authorized',
    amountCents: 60_000,
    capturedCents: 0,
    // The fingerprint is the same for the same card, regardless of who uses it.
    cardFingerprint: expect.stringMatching(/^\w{8,}$/) as string,
  })
  expect(valueOf(await payments.captureCharge({ ref, amountCents: 45_000, key: 'capture-1' }))).toMatchObject({
    state: 'captured',
    capturedCents: 45_000,
    refundedCents: 0,
  })
})

test('an authorization cannot be raised, nor captured beyond its amount', async () => {
  await using sandbox = await startTestSandbox(port)
  const payments = paymentsAt(sandbox)
  const ref = await authorizedCharge(sandbox, payments)
  expect(await payments.changeAmount({ ref, amountCents: 100_001, key: 'amount-1' })).toMatchObject({
    ok: false,
    reason: 'refused-input',
  })
  expect(await payments.captureCharge({ ref, amountCents: 100_001, key: 'capture-1' })).toMatchObject({
    ok: false,
    reason: 'refused-input',
  })
  expect(valueOf(await payments.readCharge(ref))).toMatchObject({ state: 'authorized' })
})

test('capturing again succeeds, even under a new key, but not for another amount', async () => {
  await using sandbox = await startTestSandbox(port)
  const payments = paymentsAt(sandbox)
  const ref = await authorizedCharge(sandbox, payments)
  valueOf(await payments.captureCharge({ ref, amountCents: 100_000, key: 'capture-1' }))
  expect(await payments.captureCharge({ ref, amountCents: 100_000, key: 'capture-2' })).toMatchObject({
    ok: true,
    value: { capturedCents: 100_000 },
  })
  expect(await payments.captureCharge({ ref, amountCents: 99_000, key: 'capture-3' })).toMatchObject({
    ok: false,
    reason: 'refused-input',
  })
})

test('voiding releases an authorization, once or twice, but never a capture', async () => {
  await using sandbox = await startTestSandbox(port)
  const payments = paymentsAt(sandbox)
  const ref = await authorizedCharge(sandbox, payments)
  expect(await payments.voidCharge({ ref, key: 'void-1' })).toMatchObject({
    ok: true,
    value: { state: 'voided', refundedCents: 0 },
  })
  expect(await payments.voidCharge({ ref, key: 'void-2' })).toMatchObject({ ok: true, value: { state: 'voided' } })

  const other = valueOf(
    await payments.openCharge({ amountCents: 5000, reference: 'payment-2', email: null, key: 'open-2' }),
  )
  await payWithFields(sandbox, other.clientSecret, visa)
  valueOf(await payments.captureCharge({ ref: other.ref, amountCents: 5000, key: 'capture-2' }))
  expect(await payments.voidCharge({ ref: other.ref, key: 'void-3' })).toMatchObject({
    ok: false,
    reason: 'refused-input',
  })
})

test('partial refunds never exceed the captured amount', async () => {
  await using sandbox = await startTestSandbox(port)
  const payments = paymentsAt(sandbox)
  const ref = await authorizedCharge(sandbox, payments)
  valueOf(await payments.captureCharge({ ref, amountCents: 80_000, key: 'capture-1' }))
  const first = valueOf(await payments.refundCharge({ ref, amountCents: 30_000, key: 'refund-1' }))
  const second = valueOf(await payments.refundCharge({ ref, amountCents: 20_000, key: 'refund-2' }))
  expect(first.refundRef).not.toBe(second.refundRef)
  expect(valueOf(await payments.readCharge(ref))).toMatchObject({
    state: 'captured',
    capturedCents: 80_000,
    refundedCents: 50_000,
  })
  expect(await payments.refundCharge({ ref, amountCents: 30_001, key: 'refund-3' })).toMatchObject({
    ok: false,
    reason: 'refused-input',
  })
  valueOf(await payments.refundCharge({ ref, amountCents: 30_000, key: 'refund-4' }))
  expect(await payments.refundCharge({ ref, amountCents: 1, key: 'refund-5' })).toMatchObject({
    ok: false,
    reason: 'refused-input',
  })
  expect(valueOf(await payments.readCharge(ref))).toMatchObject({ refundedCents: 80_000 })
})

test('the same key repeats the response, not the action; with another request it is refused', async () => {
  await using sandbox = await startTestSandbox(port)
  const payments = paymentsAt(sandbox)
  const ref = await authorizedCharge(sandbox, payments)
  valueOf(await payments.captureCharge({ ref, amountCents: 100_000, key: 'capture-1' }))
  const refund = { ref, amountCents: 1000, key: 'refund-1' }
  expect(await payments.refundCharge(refund)).toEqual(await payments.refundCharge(refund))
  expect(valueOf(await payments.readCharge(ref))).toMatchObject({ refundedCents: 1000 })
  expect(await payments.refundCharge({ ...refund, amountCents: 2000 })).toMatchObject({
    ok: false,
    reason: 'refused-input',
  })
  expect(valueOf(await payments.readCharge(ref))).toMatchObject({ refundedCents: 1000 })
})

test('a declined card fails the charge with the bank’s message, and another card can pay it', async () => {
  await using sandbox = await startTestSandbox(port)
  const payments = paymentsAt(sandbox)
  const { ref, clientSecret } = valueOf(
    await payments.openCharge({ amountCents: 5000, reference: 'payment-1', email: null, key: 'open-1' }),
  )
  const declined = await payWithFields(sandbox, clientSecret, '4000 0000 0000 9995')
  expect(declined).toEqual({ status: 'failed', error: 'This card does not have enough funds. Try another card.' })
  expect(valueOf(await payments.readCharge(ref))).toMatchObject({ state: 'failed', failure: declined.error })
  expect(await payWithFields(sandbox, clientSecret, visa)).toMatchObject({ status: 'authorized' })
  expect(valueOf(await payments.readCharge(ref))).toMatchObject({ state: 'authorized', failure: null })
})

test('a broken connection hides an authorization from the browser, not from the store', async () => {
  await using sandbox = await startTestSandbox(port)
  const payments = paymentsAt(sandbox)
  const { ref, clientSecret } = valueOf(
    await payments.openCharge({ amountCents: 5000, reference: 'payment-1', email: null, key: 'open-1' }),
  )
  await expect(payWithFields(sandbox, clientSecret, '4000 0000 0000 9003')).rejects.toThrow()
  expect(valueOf(await payments.readCharge(ref))).toMatchObject({ state: 'authorized' })
  // The shopper submits again.
  expect(await payWithFields(sandbox, clientSecret, visa)).toMatchObject({ status: 'authorized' })
})

test('a stalling card is processing until it answers', async () => {
  await using sandbox = await startTestSandbox(port)
  const payments = paymentsAt(sandbox)
  const { ref, clientSecret } = valueOf(
    await payments.openCharge({ amountCents: 5000, reference: 'payment-1', email: null, key: 'open-1' }),
  )
  const paying = payWithFields(sandbox, clientSecret, '4000 0000 0002 0000')
  await expect.poll(async () => valueOf(await payments.readCharge(ref)).state).toBe('processing')
  await sandbox.pass({ seconds: 20 })
  expect(await paying).toMatchObject({ status: 'authorized' })
  expect(valueOf(await payments.readCharge(ref))).toMatchObject({ state: 'authorized' })
})

test('an uncaptured authorization is released after seven days', async () => {
  await using sandbox = await startTestSandbox(port)
  const payments = paymentsAt(sandbox)
  const ref = await authorizedCharge(sandbox, payments)
  await sandbox.pass({ hours: 167 })
  expect(valueOf(await payments.readCharge(ref))).toMatchObject({ state: 'authorized' })
  await sandbox.pass({ hours: 1 })
  expect(valueOf(await payments.readCharge(ref))).toMatchObject({ state: 'voided' })
})

test('the hosted page takes payment by a plain form and redirects the shopper back', async () => {
  await using sandbox = await startTestSandbox(port)
  const payments = paymentsAt(sandbox)
  const { hostedRef, url } = valueOf(
    await payments.openHostedPage({ ...page, returnUrl: `${sandbox.storeOrigin}/return/1` }),
  )
  expect(valueOf(await payments.readHostedPage(hostedRef))).toEqual({ completed: false, charge: null })
  const declined = await postCard(url, '4000 0000 0000 0002')
  expect(declined.status).toBe(402)
  expect(valueOf(await payments.readHostedPage(hostedRef))).toMatchObject({
    completed: false,
    charge: { state: 'failed' },
  })
  const paid = await postCard(url, visa)
  expect(paid.status).toBe(303)
  expect(paid.headers.get('location')).toBe(`${sandbox.storeOrigin}/return/1`)
  const visit = valueOf(await payments.readHostedPage(hostedRef))
  expect(visit).toMatchObject({ completed: true, charge: { state: 'authorized', amountCents: 64_200 } })
  expect(
    await payments.captureCharge({ ref: visit.charge?.ref ?? '', amountCents: 64_200, key: 'capture-1' }),
  ).toMatchObject({ ok: true })
})

test('a closed page accepts no payment, and a completed one stays completed', async () => {
  await using sandbox = await startTestSandbox(port)
  const payments = paymentsAt(sandbox)
  const { hostedRef, url } = valueOf(await payments.openHostedPage(page))
  await postCard(url, '4000 0000 0000 0002')
  const { charge } = valueOf(await payments.readHostedPage(hostedRef))
  expect(await payments.closeHostedPage({ hostedRef, key: 'close-1' })).toMatchObject({
    ok: true,
    value: { completed: false, charge: { state: 'voided' } },
  })
  expect(await payments.closeHostedPage({ hostedRef, key: 'close-2' })).toMatchObject({ ok: true })
  await postCard(url, visa)
  expect(valueOf(await payments.readCharge(charge?.ref ?? ''))).toMatchObject({ state: 'voided' })

  const other = valueOf(await payments.openHostedPage({ ...page, key: 'hosted-2' }))
  await postCard(other.url, visa)
  expect(await payments.closeHostedPage({ hostedRef: other.hostedRef, key: 'close-3' })).toMatchObject({
    ok: true,
    value: { completed: true },
  })
})

test('voiding a charge started on a page closes the page', async () => {
  await using sandbox = await startTestSandbox(port)
  const payments = paymentsAt(sandbox)
  const { hostedRef, url } = valueOf(await payments.openHostedPage(page))
  await postCard(url, '4000 0000 0000 0002')
  const { charge } = valueOf(await payments.readHostedPage(hostedRef))
  expect(await payments.voidCharge({ ref: charge?.ref ?? '', key: 'void-1' })).toMatchObject({
    ok: true,
    value: { state: 'voided' },
  })
  await postCard(url, visa)
  expect(valueOf(await payments.readHostedPage(hostedRef))).toMatchObject({ completed: false })
})

test('webhooks are accepted only with a valid signature, in time and unchanged', async () => {
  await using receiver = await startReceiver(port + 2)
  await using sandbox = await startTestSandbox(port, { webhookUrl: `http://127.0.0.1:${port + 2}/webhooks/payments` })
  const payments = paymentsAt(sandbox)
  const ref = await authorizedCharge(sandbox, payments)
  await sandbox.catchUp()
  const message = receiver.received.find(({ body }) => body.includes('amount_capturable_updated'))
  const body = message?.body ?? ''
  const signature = String(message?.headers['stripe-signature'])
  expect(await payments.readEvent(fromStripe(body, signature))).toMatchObject({
    ok: true,
    event: {
      kind: 'payment_intent.amount_capturable_updated',
      hostedRef: null,
      charge: { ref, state: 'authorized', amountCents: 100_000 },
    },
  })
  expect(await payments.readEvent(fromStripe(`${body} `, signature))).toEqual({ ok: false, reason: 'bad-signature' })
  expect(await payments.readEvent(fromStripe(body, signature.replace('v1=', 'v1=0')))).toEqual({
    ok: false,
    reason: 'bad-signature',
  })
  expect(await payments.readEvent(fromStripe(body, ''))).toEqual({ ok: false, reason: 'bad-signature' })
  const sentAt = sandbox.clock.now()
  for (const minutes of [6, -6, -60]) {
    sandbox.clock.set(sentAt.add({ minutes }))
    expect(await payments.readEvent(fromStripe(body, signature)), `${minutes}`).toEqual({
      ok: false,
      reason: 'bad-signature',
    })
  }
})

test('a page’s webhook names page and charge; a refund’s names its charge', async () => {
  await using receiver = await startReceiver(port + 2)
  await using sandbox = await startTestSandbox(port, { webhookUrl: `http://127.0.0.1:${port + 2}/webhooks/payments` })
  const payments = paymentsAt(sandbox)
  const { hostedRef, url } = valueOf(await payments.openHostedPage(page))
  await postCard(url, visa)
  const ref = valueOf(await payments.readHostedPage(hostedRef)).charge?.ref ?? ''
  valueOf(await payments.captureCharge({ ref, amountCents: 64_200, key: 'capture-1' }))
  valueOf(await payments.refundCharge({ ref, amountCents: 200, key: 'refund-1' }))
  await sandbox.catchUp()
  const read = await Promise.all(
    receiver.received.map(({ body, headers }) =>
      payments.readEvent(fromStripe(body, String(headers['stripe-signature']))),
    ),
  )
  const events = new Map(read.flatMap((result) => (result.ok ? [[result.event.kind, result.event]] : [])))
  expect(events.get('checkout.session.completed')).toMatchObject({
    hostedRef,
    charge: { ref, state: 'authorized', amountCents: 64_200 },
  })
  expect(events.get('charge.refunded')).toMatchObject({
    charge: { ref, state: 'captured', capturedCents: 64_200, refundedCents: 200 },
  })
  expect(events.get('refund.created')).toMatchObject({ charge: null })
})

test('a provider that is down is unavailable, a wrong key is our own error, and the cause is kept', async () => {
  await using sandbox = await startTestSandbox(port)
  const wrong = await paymentsAt(sandbox, 'sk_test_wrong').readCharge('pi_1')
  expect(wrong).toMatchObject({ ok: false, reason: 'refused-input', cause: { type: 'StripeAuthenticationError' } })
  const away = await paymentsAt({ origin: `http://127.0.0.1:${port + 9}`, clock: sandbox.clock }).readCharge('pi_1')
  expect(away).toMatchObject({ ok: false, reason: 'unavailable', cause: { type: 'StripeConnectionError' } })
  expect(await paymentsAt(sandbox).readCharge('pi_nothing')).toMatchObject({ ok: false, reason: 'refused-input' })
})

const page = {
  method: 'card' as const,
  order: null,
  amountCents: 64_200,
  reference: 'payment-1',
  email: 'ann@example.com',
  description: 'Order of 4 tires',
  returnUrl: 'http://127.0.0.1:1/return',
  cancelUrl: 'http://127.0.0.1:1/cancel',
  key: 'hosted-1',
}

function postCard(url: string, number: string): Promise<Response> {
  const body = new URLSearchParams({ email: 'ann@example.com', number, expiry: '12/30', cvc: '123', zip: '60601' })
  return fetch(url, { method: 'POST', body, redirect: 'manual', headers: { origin: new URL(url).origin } })
}
