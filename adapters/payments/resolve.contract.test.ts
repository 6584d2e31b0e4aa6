/** Tests holds, captures, credits, refusals, reviews, and lost responses of net terms with the sandbox's Resolve. */
import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { financingFailed } from '#content/messages/financing.ts'
import { resolveTest, startReceiver, startTestSandbox, type Received, type TestSandbox } from '#sandbox/test-sandbox.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { valueOf } from './paypal.testing.ts'
import { createResolve } from './resolve.ts'
import { termsPage } from './resolve.testing.ts'

const [port = 0] = await freePorts(3)

function resolveAt({ origin, clock }: Pick<TestSandbox, 'origin' | 'clock'>, access = resolveTest) {
  return createResolve({ ...access, apiUrl: `${origin}/resolve/api`, clock })
}

type Payments = ReturnType<typeof createResolve>['payments']

async function authorizedRef(payments: Payments, customer = 'GRNTdelivery'): Promise<string> {
  const { hostedRef } = valueOf(await payments.openHostedPage(termsPage(customer)))
  return hostedRef
}

test('an order is held on the line, captured in part, the rest freed, and credited in parts', async () => {
  await using sandbox = await startTestSandbox(port)
  const { payments, netTerms } = resolveAt(sandbox)
  expect(valueOf(await netTerms.readCustomer('GRNTdelivery'))).toEqual({
    status: 'approved',
    availableCents: 2_500_000,
    netDays: 30,
  })
  const { hostedRef: ref, url } = valueOf(await payments.openHostedPage(termsPage('GRNTdelivery')))
  expect(url).toBe('https://store.example/checkout/payments/return?payment=1')
  expect(valueOf(await payments.readHostedPage(ref))).toEqual({
    completed: true,
    charge: {
      ref,
      state: 'authorized',
      amountCents: 76_614,
      capturedCents: 0,
      refundedCents: 0,
      clientSecret: null,
      cardFingerprint: null,
      failure: null,
      captureBefore: Temporal.Instant.from('2026-07-15T12:00:00Z'),
    },
  })
  // Whole dollars, as Resolve counts a line.
  expect(valueOf(await netTerms.readCustomer('GRNTdelivery')).availableCents).toBe(2_423_300)

  const captured = { state: 'captured', capturedCents: 70_000 }
  expect(valueOf(await payments.captureCharge({ ref, amountCents: 70_000, key: 'capture:1' }))).toMatchObject(captured)
  expect(valueOf(await payments.captureCharge({ ref, amountCents: 70_000, key: 'capture:1' }))).toMatchObject(captured)
  expect(valueOf(await netTerms.readCustomer('GRNTdelivery')).availableCents).toBe(2_430_000)
  expect(await payments.captureCharge({ ref, amountCents: 6_000, key: 'capture:2' })).toMatchObject({ ok: false })

  const first = valueOf(await payments.refundCharge({ ref, amountCents: 20_000, key: 'refund:1' }))
  expect(first).toEqual({ refundRef: 'refund-1', isPending: false })
  // A repeated job doesn't create a second credit note.
  expect(valueOf(await payments.refundCharge({ ref, amountCents: 20_000, key: 'refund:1' })).refundRef).toBe('refund-1')
  valueOf(await payments.refundCharge({ ref, amountCents: 50_000, key: 'refund:2' }))
  expect(await payments.refundCharge({ ref, amountCents: 1, key: 'refund:3' })).toMatchObject({
    ok: false,
    reason: 'refused-input',
  })
  expect(valueOf(await payments.readCharge(ref))).toMatchObject({ ...captured, refundedCents: 70_000 })
})

test('a canceled order frees the line, and canceling again is harmless', async () => {
  await using sandbox = await startTestSandbox(port)
  const { payments, netTerms } = resolveAt(sandbox)
  const ref = await authorizedRef(payments)
  for (const key of ['void:1', 'void:1'])
    expect(valueOf(await payments.voidCharge({ ref, key }))).toMatchObject({ state: 'voided' })
  expect(valueOf(await netTerms.readCustomer('GRNTdelivery')).availableCents).toBe(2_500_000)
  expect(await payments.captureCharge({ ref, amountCents: 76_614, key: 'capture:1' })).toMatchObject({ ok: false })
})

test.for([
  { customer: 'HLDhauling', status: 'hold' },
  { customer: 'DCLfreight', status: 'declined' },
  { customer: 'SMLgarage', status: 'approved' },
  { customer: 'nobody', status: 'none' },
])('a company that cannot buy gets a refusal: $customer, $status', async ({ customer, status }) => {
  await using sandbox = await startTestSandbox(port)
  const { payments, netTerms } = resolveAt(sandbox)
  expect(valueOf(await netTerms.readCustomer(customer))).toMatchObject({ status })
  expect(await payments.openHostedPage(termsPage(customer))).toMatchObject({
    ok: false,
    reason: 'declined',
    message: financingFailed,
  })
})

test('orders from a company under review are decided later, automatically or manually', async () => {
  await using sandbox = await startTestSandbox(port)
  const { payments } = resolveAt(sandbox)
  const decide = (ref: string, answer: string) =>
    fetch(`${sandbox.origin}/resolve/orders/${ref}`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ answer }),
    })
  const first = await authorizedRef(payments, 'PNDcouriers')
  expect(valueOf(await payments.readCharge(first))).toMatchObject({ state: 'processing', failure: null })
  const second = valueOf(await payments.openHostedPage(termsPage('PNDcouriers', 'another'))).hostedRef
  expect((await decide(second, 'declined')).status).toBe(303)
  expect(valueOf(await payments.readCharge(second))).toMatchObject({ state: 'failed', failure: financingFailed })
  await sandbox.pass({ seconds: 6 })
  expect(valueOf(await payments.readCharge(first))).toMatchObject({ state: 'authorized' })
  // Authorizations expire after 30 days.
  await sandbox.pass({ hours: 31 * 24 })
  expect(valueOf(await payments.readCharge(first))).toMatchObject({ state: 'voided' })
})

test('an answer that was lost is found by our number, and canceled by it', async () => {
  await using sandbox = await startTestSandbox(port)
  const { payments } = resolveAt(sandbox)
  const page = termsPage('DRPlogistics')
  expect(await payments.openHostedPage(page)).toMatchObject({ ok: false, reason: 'unavailable' })
  const ref = payments.refBefore?.(page) ?? ''
  expect(valueOf(await payments.readHostedPage(ref))).toMatchObject({
    completed: true,
    charge: { ref, state: 'authorized', amountCents: 76_614 },
  })
  expect(valueOf(await payments.voidCharge({ ref, key: 'void:1' }))).toMatchObject({ ref, state: 'voided' })
  // Without an order, there is no charge.
  expect(valueOf(await payments.readHostedPage('number:unknown'))).toEqual({
    completed: false,
    charge: null,
  })
  expect(valueOf(await payments.voidCharge({ ref: 'number:unknown', key: 'void:2' }))).toMatchObject({
    state: 'voided',
  })
})

test('webhooks name the order only, are signed, and come twice where they do', async () => {
  await using receiver = await startReceiver(port + 2)
  await using sandbox = await startTestSandbox(port, { resolveUrl: `http://127.0.0.1:${port + 2}/` })
  const { payments } = resolveAt(sandbox)
  const ref = await authorizedRef(payments, 'TWCvans')
  await sandbox.pass({ seconds: 6 })
  expect(receiver.received).toHaveLength(2)
  const [told] = receiver.received as [Received]
  expect(JSON.parse(told.body)).toMatchObject({ object: 'order', type: 'order.created', data: { id: ref } })
  const message = (body: string, signature: string) => ({
    provider: 'resolve' as const,
    body,
    header: (name: string) => (name === 'x-webhook-signature' ? signature : ''),
  })
  const signature = String(told.headers['x-webhook-signature'])
  expect(await payments.readEvent(message(told.body, signature))).toMatchObject({
    ok: true,
    event: { kind: 'order.created', hostedRef: ref, charge: { ref } },
  })
  // The signature is of the rewritten body, so spaces do not matter; anything else does.
  expect(await payments.readEvent(message(told.body.replace(':', ': '), signature))).toMatchObject({ ok: true })
  for (const [body, signed] of [
    [told.body.replace('created', 'updated'), signature],
    [told.body, signature.replace(/.$/, (last) => (last === '0' ? '1' : '0'))],
    [told.body, ''],
    ['{', signature],
  ] as const)
    expect(await payments.readEvent(message(body, signed))).toEqual({ ok: false, reason: 'bad-signature' })
  const unknown = '{"hello":1}'
  const signed = createHmac('sha256', resolveTest.webhookSecret).update(unknown).digest('hex')
  expect(await payments.readEvent(message(unknown, signed))).toMatchObject({ ok: false, reason: 'unreadable' })
})

test('reports an unknown order status without a response or with a wrong key', async () => {
  await using sandbox = await startTestSandbox(port)
  const { clock } = sandbox
  const away = resolveAt({ origin: `http://127.0.0.1:${port + 2}`, clock })
  expect(await away.netTerms.readCustomer('GRNTdelivery')).toMatchObject({ ok: false, reason: 'unavailable' })
  expect(await away.payments.openHostedPage(termsPage('GRNTdelivery'))).toMatchObject({ reason: 'unavailable' })
  expect(await away.payments.readCharge('ORD1')).toMatchObject({ ok: false, reason: 'unavailable' })
  const stranger = resolveAt(sandbox, { ...resolveTest, secretKey: 'not-it-at-all' })
  expect(await stranger.payments.openHostedPage(termsPage('GRNTdelivery'))).toMatchObject({
    ok: false,
    reason: 'refused-input',
  })
})
