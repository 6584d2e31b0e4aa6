import { expect, test } from 'vitest'
import { paypalTest, startReceiver, startTestSandbox, type Received, type TestSandbox } from '#sandbox/test-sandbox.ts'
import type { PagePaymentProvider } from '#domain/payments/payments/payment-provider.port.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { createPayPalPayments } from './paypal.ts'
import { approve, paypalPage, valueOf } from './paypal.testing.ts'

const [port = 0] = await freePorts(3)
const day = { hours: 24 }

function paymentsAt(
  { origin, clock }: Pick<TestSandbox, 'origin' | 'clock'>,
  access = paypalTest,
): PagePaymentProvider {
  return createPayPalPayments({ ...access, apiOrigin: `${origin}/paypal`, clock })
}

/** Creates a charge that the shopper approved with `funding`. */
async function approvedCharge(payments: PagePaymentProvider, funding = 'balance', input = paypalPage) {
  const { hostedRef, url } = valueOf(await payments.openHostedPage(input))
  await approve(url, 'approve', funding)
  return { hostedRef, visit: await payments.readHostedPage(hostedRef) }
}

async function authorizedRef(payments: PagePaymentProvider): Promise<string> {
  const { visit } = await approvedCharge(payments)
  return valueOf(visit).charge?.ref ?? ''
}

test('a shopper approves, the money is set aside, captured in part and given back in parts', async () => {
  await using sandbox = await startTestSandbox(port)
  const payments = paymentsAt(sandbox)
  const { hostedRef, url } = valueOf(await payments.openHostedPage(paypalPage))
  expect(valueOf(await payments.readHostedPage(hostedRef))).toEqual({ completed: false, charge: null })
  expect(await approve(url, 'approve')).toBe(
    `https://store.example/checkout/payments/return?payment=1&token=${hostedRef}&PayerID=QYR5Z8XDVJNXQ`,
  )
  const charge = {
    ref: hostedRef,
    state: 'authorized',
    amountCents: 76_614,
    capturedCents: 0,
    refundedCents: 0,
    clientSecret: null,
    cardFingerprint: 'paypal:QYR5Z8XDVJNXQ',
    failure: null,
    captureBefore: Temporal.Instant.from('2026-07-14T12:00:00Z'),
  }
  expect(valueOf(await payments.readHostedPage(hostedRef))).toEqual({ completed: true, charge })
  // Asked again, it is the same one.
  expect(valueOf(await payments.readHostedPage(hostedRef))).toEqual({ completed: true, charge })
  const ref = hostedRef
  expect(valueOf(await payments.captureCharge({ ref, amountCents: 70_000, key: 'capture:1' }))).toMatchObject({
    state: 'captured',
    capturedCents: 70_000,
  })
  expect(valueOf(await payments.captureCharge({ ref, amountCents: 70_000, key: 'capture:2' }))).toMatchObject({
    capturedCents: 70_000,
  })
  expect(await payments.captureCharge({ ref, amountCents: 6_000, key: 'capture:3' })).toMatchObject({ ok: false })
  const first = valueOf(await payments.refundCharge({ ref, amountCents: 20_000, key: 'refund:1' }))
  expect(valueOf(await payments.refundCharge({ ref, amountCents: 20_000, key: 'refund:1' }))).toEqual(first)
  valueOf(await payments.refundCharge({ ref, amountCents: 50_000, key: 'refund:2' }))
  expect(await payments.refundCharge({ ref, amountCents: 1, key: 'refund:3' })).toMatchObject({
    ok: false,
    reason: 'refused-input',
  })
  expect(valueOf(await payments.readCharge(ref))).toMatchObject({
    state: 'captured',
    capturedCents: 70_000,
    refundedCents: 70_000,
  })
})

test('Venmo uses the same approval flow and recognizes the payer', async () => {
  await using sandbox = await startTestSandbox(port)
  const { visit } = await approvedCharge(paymentsAt(sandbox), 'balance', {
    ...paypalPage,
    method: 'venmo',
    order: null,
  })
  expect(valueOf(visit).charge).toMatchObject({ state: 'authorized', cardFingerprint: 'paypal:KJ4VENM2Z8XQA' })
})

test.for([
  { funding: 'declined', words: /Continue to PayPal and choose something else/ },
  { funding: 'restricted', words: /We're sorry, the payment was not able to be processed/ },
])('an approval that cannot be used fails in words for the shopper: $funding', async ({ funding, words }) => {
  await using sandbox = await startTestSandbox(port)
  const { visit } = await approvedCharge(paymentsAt(sandbox), funding)
  expect(valueOf(visit)).toMatchObject({
    completed: false,
    charge: { state: 'failed', failure: expect.stringMatching(words) as string },
  })
})

test('a canceled visit returns to the store without an authorization', async () => {
  await using sandbox = await startTestSandbox(port)
  const payments = paymentsAt(sandbox)
  const { hostedRef, url } = valueOf(await payments.openHostedPage(paypalPage))
  expect(await approve(url, 'cancel')).toBe(`${paypalPage.cancelUrl}&token=${hostedRef}`)
  expect(valueOf(await payments.readHostedPage(hostedRef))).toEqual({ completed: false, charge: null })
  expect(valueOf(await payments.closeHostedPage({ hostedRef, key: 'close:1' }))).toEqual({
    completed: false,
    charge: null,
  })
})

test('an authorization under review is processing, then authorized', async () => {
  await using sandbox = await startTestSandbox(port)
  const payments = paymentsAt(sandbox)
  const { hostedRef, visit } = await approvedCharge(payments, 'pending')
  expect(valueOf(visit).charge).toMatchObject({ state: 'processing' })
  await sandbox.pass({ seconds: 6 })
  expect(valueOf(await payments.readHostedPage(hostedRef)).charge).toMatchObject({ state: 'authorized' })
})

test('retries a lost response with the same idempotency key', async () => {
  await using sandbox = await startTestSandbox(port)
  const payments = paymentsAt(sandbox)
  const { visit } = await approvedCharge(payments, 'drops')
  expect(valueOf(visit).charge).toMatchObject({ state: 'authorized' })
})

test('an unused approval expires after three hours and cancels its charge', async () => {
  await using sandbox = await startTestSandbox(port)
  const payments = paymentsAt(sandbox)
  const { hostedRef, url } = valueOf(await payments.openHostedPage(paypalPage))
  await approve(url, 'vanish')
  await sandbox.pass({ hours: 4 })
  expect(valueOf(await payments.readHostedPage(hostedRef)).charge).toMatchObject({ state: 'voided' })
})

test('an authorization can be voided repeatedly and not captured afterward', async () => {
  await using sandbox = await startTestSandbox(port)
  const payments = paymentsAt(sandbox)
  const ref = await authorizedRef(payments)
  expect(valueOf(await payments.voidCharge({ ref, key: 'void:1' }))).toMatchObject({ state: 'voided' })
  expect(valueOf(await payments.voidCharge({ ref, key: 'void:2' }))).toMatchObject({ state: 'voided' })
  expect(await payments.captureCharge({ ref, amountCents: 76_614, key: 'capture:1' })).toMatchObject({ ok: false })
})

test.for([
  { days: 2, renewals: 1 },
  { days: 3, renewals: 2 },
  { days: 4, renewals: 2 },
  { days: 28, renewals: 2 },
])('a capture after $days days leaves $renewals authorization(s)', async ({ days, renewals }) => {
  await using sandbox = await startTestSandbox(port)
  const payments = paymentsAt(sandbox)
  const ref = await authorizedRef(payments)
  await sandbox.pass({ hours: days * day.hours })
  expect(valueOf(await payments.captureCharge({ ref, amountCents: 76_614, key: 'capture:1' }))).toMatchObject({
    ref,
    state: 'captured',
    capturedCents: 76_614,
  })
  // The reference still finds the capture of the renewal.
  valueOf(await payments.refundCharge({ ref, amountCents: 76_614, key: 'refund:1' }))
  expect(valueOf(await payments.readCharge(ref))).toMatchObject({ refundedCents: 76_614 })
  const board = await (await fetch(`${sandbox.origin}/paypal/orders/${ref}`)).text()
  expect(board.match(/<dt>Authorization/g)).toHaveLength(renewals)
})

test('an authorization can’t be captured after 29 days', async () => {
  await using sandbox = await startTestSandbox(port)
  const payments = paymentsAt(sandbox)
  const ref = await authorizedRef(payments)
  await sandbox.pass({ hours: 29 * day.hours })
  expect(valueOf(await payments.readCharge(ref))).toMatchObject({ state: 'voided' })
  expect(await payments.captureCharge({ ref, amountCents: 76_614, key: 'capture:1' })).toMatchObject({ ok: false })
})

test('sums that do not add up, an invoice paid twice and wrong access are refused', async () => {
  await using sandbox = await startTestSandbox(port)
  const payments = paymentsAt(sandbox)
  expect(await payments.openHostedPage({ ...paypalPage, amountCents: 76_615 })).toMatchObject({
    ok: false,
    reason: 'refused-input',
    message: expect.stringContaining('AMOUNT_MISMATCH') as string,
  })
  await authorizedRef(payments)
  const { visit } = await approvedCharge(payments, 'balance', { ...paypalPage, key: 'hosted:2' })
  expect(visit).toMatchObject({ ok: false, message: expect.stringContaining('DUPLICATE_INVOICE_ID') as string })
  const stranger = paymentsAt(sandbox, { ...paypalTest, clientSecret: 'another' })
  expect(await stranger.openHostedPage(paypalPage)).toMatchObject({ ok: false, reason: 'refused-input' })
})

test('while one secret replaces another PayPal takes both', async () => {
  await using sandbox = await startTestSandbox(port, { paypalClientSecret: ['the old one', 'the next one'] })
  const opens = async (clientSecret: string) =>
    (await paymentsAt(sandbox, { ...paypalTest, clientSecret }).openHostedPage(paypalPage)).ok
  expect(await opens('the old one')).toBe(true)
  expect(await opens('the next one')).toBe(true)
  expect(await opens('another')).toBe(false)
})

test('a token is kept until it ends, and a provider that is away is away', async () => {
  await using sandbox = await startTestSandbox(port)
  const payments = paymentsAt(sandbox)
  const ref = await authorizedRef(payments)
  await sandbox.pass({ hours: 10 })
  valueOf(await payments.readCharge(ref))
  const away = createPayPalPayments({ ...paypalTest, apiOrigin: `http://127.0.0.1:${port + 2}`, clock: sandbox.clock })
  expect(await away.readCharge(ref)).toMatchObject({ ok: false, reason: 'unavailable' })
})

/** What the store got, as the adapter reads it. */
function readIn(payments: PagePaymentProvider, { body, headers }: Received, changed: Record<string, string> = {}) {
  const all = { ...headers, ...changed }
  return payments.readEvent({ provider: 'paypal', body, header: (name) => [all[name] ?? ''].flat().join('') })
}

test('webhooks are signed by the certificate, arrive twice and out of order, and name their charge', async () => {
  await using receiver = await startReceiver(port + 2)
  await using sandbox = await startTestSandbox(port, {
    paypalWebhookUrl: `http://127.0.0.1:${port + 2}/webhooks/payments/paypal`,
  })
  const payments = paymentsAt(sandbox)
  const { hostedRef: ref } = await approvedCharge(payments, 'twice')
  valueOf(await payments.captureCharge({ ref, amountCents: 76_614, key: 'capture:1' }))
  await sandbox.pass({ seconds: 30 })
  const kinds = receiver.received.map(({ body }) => (JSON.parse(body) as { event_type: string }).event_type)
  expect(kinds).toEqual([
    'PAYMENT.CAPTURE.COMPLETED',
    'PAYMENT.AUTHORIZATION.CREATED',
    'PAYMENT.CAPTURE.COMPLETED',
    'CHECKOUT.ORDER.APPROVED',
    'PAYMENT.AUTHORIZATION.CREATED',
    'CHECKOUT.ORDER.APPROVED',
  ])
  const [captured, , , approved] = receiver.received
  if (!captured || !approved) throw new Error('Nothing was received.')
  expect(await readIn(payments, captured)).toMatchObject({
    ok: true,
    event: { kind: 'PAYMENT.CAPTURE.COMPLETED', charge: { ref, state: 'captured' }, hostedRef: ref },
  })
  // An approval without authorization isn't a charge yet.
  expect(await readIn(payments, approved)).toMatchObject({ ok: true, event: { charge: null, hostedRef: null } })
  const bad = { ok: false, reason: 'bad-signature' }
  expect(await readIn(payments, { ...captured, body: `${captured.body} ` })).toEqual(bad)
  expect(await readIn(payments, captured, { 'paypal-transmission-time': '2026-06-15T12:00:09Z' })).toEqual(bad)
  expect(await readIn(payments, captured, { 'paypal-auth-algo': 'none' })).toEqual(bad)
  const elsewhere = `${sandbox.storeOrigin}/v1/notifications/certs/CERT-1`
  expect(await readIn(payments, captured, { 'paypal-cert-url': elsewhere })).toEqual(bad)
  expect(await readIn(payments, captured, { 'paypal-cert-url': `${sandbox.origin}/sandbox.css` })).toEqual(bad)
  const receivedAt = sandbox.clock.now()
  for (const minutes of [6, -6]) {
    sandbox.clock.set(receivedAt.add({ minutes }))
    expect(await readIn(payments, captured), `${minutes}`).toEqual(bad)
  }
  sandbox.clock.set(receivedAt)
  const other = paymentsAt(sandbox, { ...paypalTest, webhookId: 'ANOTHER1WEBHOOK' })
  expect(await readIn(other, captured)).toEqual(bad)
  expect(receiver.received.map(({ path }) => path)).not.toContain('/v1/notifications/certs/CERT-1')
})
