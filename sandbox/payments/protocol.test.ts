import { expect, test } from 'vitest'
import { freePorts } from '#tests/support/free-ports.ts'
import { startTestSandbox, testSecrets, type TestSandbox } from '../test-sandbox.ts'

const [port = 0] = await freePorts(3)

type Answer = {
  status: number
  headers: Headers
  body: Record<string, unknown> & { id: string; error?: Record<string, unknown> }
}

async function call(
  sandbox: TestSandbox,
  method: 'GET' | 'POST',
  path: string,
  form = '',
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await fetch(`${sandbox.origin}/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${testSecrets.stripeSecretKey}`,
      'content-type': 'application/x-www-form-urlencoded',
      ...headers,
    },
    ...(method === 'POST' && { body: form }),
  })
  return { status: response.status, headers: response.headers, body: (await response.json()) as Answer['body'] }
}

const newIntent = 'amount=5000&currency=usd&capture_method=manual'

test('only the secret key opens the API, as a bearer token or as a basic user name', async () => {
  await using sandbox = await startTestSandbox(port)
  const basic = `Basic ${Buffer.from(`${testSecrets.stripeSecretKey}:`).toString('base64')}`
  expect((await call(sandbox, 'POST', '/payment_intents', newIntent)).status).toBe(200)
  expect((await call(sandbox, 'POST', '/payment_intents', newIntent, { authorization: basic })).status).toBe(200)
  for (const authorization of ['', 'Bearer sk_other', 'Bearer', 'Basic !!!']) {
    const refused = await call(sandbox, 'POST', '/payment_intents', newIntent, { authorization })
    expect(refused.status).toBe(401)
    expect(refused.body.error).toMatchObject({ type: 'invalid_request_error' })
  }
})

test('each answer names its request and echoes the version', async () => {
  await using sandbox = await startTestSandbox(port)
  const { headers } = await call(sandbox, 'POST', '/payment_intents', newIntent, {
    'stripe-version': '2026-10-28.endive',
  })
  expect(headers.get('request-id')).toMatch(/^req_\w{14}$/)
  expect(headers.get('stripe-version')).toBe('2026-10-28.endive')
})

test('a repeated key replays the response with a marker and no further effect', async () => {
  await using sandbox = await startTestSandbox(port)
  const key = { 'idempotency-key': 'key-1' }
  const first = await call(sandbox, 'POST', '/payment_intents', newIntent, key)
  const second = await call(sandbox, 'POST', '/payment_intents', newIntent, key)
  expect(second.body).toEqual(first.body)
  expect(first.headers.get('idempotent-replayed')).toBeNull()
  expect(second.headers.get('idempotent-replayed')).toBe('true')
  expect(second.headers.get('original-request')).toBe(first.headers.get('request-id'))
  expect((await call(sandbox, 'GET', '/events?type=payment_intent.created')).body.data).toHaveLength(1)
})

test('a decline is replayed like any response', async () => {
  await using sandbox = await startTestSandbox(port)
  const form = `${newIntent}&confirm=true&payment_method=pm_card_visa_chargeDeclined`
  const first = await call(sandbox, 'POST', '/payment_intents', form, { 'idempotency-key': 'key-1' })
  expect(first.status).toBe(402)
  expect(first.body.error).toMatchObject({
    type: 'card_error',
    code: 'card_declined',
    decline_code: 'generic_decline',
    payment_intent: { status: 'requires_payment_method' },
  })
  expect((await call(sandbox, 'POST', '/payment_intents', form, { 'idempotency-key': 'key-1' })).body).toEqual(
    first.body,
  )
})

test('a key is bound to its request, and invalid parameters don’t use it', async () => {
  await using sandbox = await startTestSandbox(port)
  const key = { 'idempotency-key': 'key-1' }
  expect((await call(sandbox, 'POST', '/payment_intents', 'amount=x&currency=usd', key)).status).toBe(400)
  expect((await call(sandbox, 'POST', '/payment_intents', newIntent, key)).status).toBe(200)
  for (const [path, form] of [
    ['/payment_intents', `${newIntent}&description=x`],
    ['/refunds', newIntent],
  ] as const) {
    const refused = await call(sandbox, 'POST', path, form, key)
    expect(refused.status).toBe(400)
    expect(refused.body.error).toMatchObject({ type: 'idempotency_error' })
  }
})

test('a key is forgotten after 24 hours', async () => {
  await using sandbox = await startTestSandbox(port)
  const first = await call(sandbox, 'POST', '/payment_intents', newIntent, { 'idempotency-key': 'key-1' })
  await sandbox.pass({ hours: 23 })
  expect((await call(sandbox, 'POST', '/payment_intents', newIntent, { 'idempotency-key': 'key-1' })).body.id).toBe(
    first.body.id,
  )
  await sandbox.pass({ hours: 1 })
  expect((await call(sandbox, 'POST', '/payment_intents', newIntent, { 'idempotency-key': 'key-1' })).body.id).not.toBe(
    first.body.id,
  )
})

test('a key is in use while the stalling card is processing', async () => {
  await using sandbox = await startTestSandbox(port)
  const form = `${newIntent}&confirm=true&payment_method=pm_card_stalls`
  const slow = call(sandbox, 'POST', '/payment_intents', form, { 'idempotency-key': 'key-1' })
  await expect
    .poll(async () => (await call(sandbox, 'GET', '/events?type=payment_intent.processing')).body.data)
    .toHaveLength(1)
  expect((await call(sandbox, 'POST', '/payment_intents', form, { 'idempotency-key': 'key-1' })).status).toBe(409)
  await sandbox.pass({ seconds: 20 })
  expect((await slow).body).toMatchObject({ status: 'requires_capture' })
})

test.each([
  ['amount=5000', 'currency', 'parameter_missing'],
  ['amount=12.5&currency=usd', 'amount', 'parameter_invalid'],
  ['amount=49&currency=usd', 'amount', 'amount_too_small'],
  ['amount=100000000&currency=usd', 'amount', 'amount_too_large'],
  ['amount=-5000&currency=usd', 'amount', 'amount_too_small'],
  ['amount=5000&currency=eur', 'currency', 'parameter_invalid'],
  ['amount=5000&currency=usd&capture=manual', 'capture', 'parameter_unknown'],
  ['amount=5000&currency=usd&metadata[a][b]=c', 'metadata[a]', 'parameter_invalid'],
  [
    'amount=5000&currency=usd&payment_method_data[card][number]=4242424242424242',
    'payment_method_data',
    'parameter_unknown',
  ],
  ['amount[=', '', 'parameter_invalid'],
])('the parameters %j are refused by name', async (form, param, code) => {
  await using sandbox = await startTestSandbox(port)
  const { status, body } = await call(sandbox, 'POST', '/payment_intents', form)
  expect(status).toBe(400)
  expect(body.error).toMatchObject({ type: 'invalid_request_error', param, code })
})

test.each(['/payment_intents', '/payment_intents/pi_1', '/payment_intents/pi_1/confirm', '/checkout/sessions'])(
  'payment method types are refused at %s, as by Stripe since 2026-09-30.endive',
  async (path) => {
    await using sandbox = await startTestSandbox(port)
    const { status, body } = await call(sandbox, 'POST', path, `${newIntent}&payment_method_types[]=card`)
    expect(status).toBe(400)
    expect(body.error).toMatchObject({
      type: 'invalid_request_error',
      param: 'payment_method_types',
      code: 'payment_method_types_no_longer_supported',
    })
  },
)

test.each([
  ['pm_card_visa_chargeDeclined', 'card_declined', 'generic_decline'],
  ['pm_card_visa_chargeDeclinedInsufficientFunds', 'card_declined', 'insufficient_funds'],
  ['pm_card_chargeDeclinedExpiredCard', 'expired_card', 'expired_card'],
  ['pm_card_chargeDeclinedProcessingError', 'processing_error', 'processing_error'],
])('the card %s is declined as %s, %s', async (paymentMethod, code, declineCode) => {
  await using sandbox = await startTestSandbox(port)
  const { body: intent } = await call(sandbox, 'POST', '/payment_intents', newIntent)
  const { status, body } = await call(
    sandbox,
    'POST',
    `/payment_intents/${intent.id}/confirm`,
    `payment_method=${paymentMethod}`,
  )
  expect(status).toBe(402)
  expect(body.error).toMatchObject({ type: 'card_error', code, decline_code: declineCode })
})

test('ids are expanded on request, and expanding anything else is refused', async () => {
  await using sandbox = await startTestSandbox(port)
  const paid = `${newIntent}&confirm=true&payment_method=pm_card_mastercard&expand[]=latest_charge`
  const { body: intent } = await call(sandbox, 'POST', '/payment_intents', paid)
  expect(intent.latest_charge).toMatchObject({
    object: 'charge',
    payment_method_details: { card: { brand: 'mastercard', last4: '4444' } },
  })
  expect((await call(sandbox, 'GET', `/payment_intents/${intent.id}?expand[]=amount`)).status).toBe(400)
  expect((await call(sandbox, 'GET', `/payment_intents/${intent.id}?expand[]=nothing.deep`)).status).toBe(400)
})

test('refunds may be delayed or fail, and a failed one restores its amount', async () => {
  await using sandbox = await startTestSandbox(port)
  const pay = async (paymentMethod: string) =>
    (
      await call(
        sandbox,
        'POST',
        '/payment_intents',
        `amount=5000&currency=usd&confirm=true&payment_method=${paymentMethod}`,
      )
    ).body.id
  const slow = await call(
    sandbox,
    'POST',
    '/refunds',
    `payment_intent=${await pay('pm_card_pendingRefund')}&amount=2000`,
  )
  const failing = await call(sandbox, 'POST', '/refunds', `payment_intent=${await pay('pm_card_refundFail')}`)
  expect(slow.body.status).toBe('pending')
  expect(failing.body.status).toBe('succeeded')
  await sandbox.pass({ seconds: 5 })
  expect((await call(sandbox, 'GET', `/refunds/${slow.body.id}`)).body).toMatchObject({
    status: 'succeeded',
    amount: 2000,
  })
  expect((await call(sandbox, 'GET', `/refunds/${failing.body.id}?expand[]=charge`)).body).toMatchObject({
    status: 'failed',
    charge: { amount_refunded: 0, refunded: false },
  })
})

test('events are listed newest first, in pages', async () => {
  await using sandbox = await startTestSandbox(port)
  for (let count = 0; count < 3; count += 1) await call(sandbox, 'POST', '/payment_intents', newIntent)
  const first = await call(sandbox, 'GET', '/events?limit=2')
  const [newest, older] = first.body.data as { id: string }[]
  expect(first.body.has_more).toBe(true)
  const rest = await call(sandbox, 'GET', `/events?limit=2&starting_after=${older?.id}`)
  expect(rest.body).toMatchObject({ has_more: false, data: [{ object: 'event' }] })
  expect((await call(sandbox, 'GET', `/events?ending_before=${older?.id}`)).body.data).toMatchObject([
    { id: newest?.id },
  ])
  expect((await call(sandbox, 'GET', `/events/${newest?.id}`)).body).toMatchObject({
    type: 'payment_intent.created',
    request: { idempotency_key: null },
  })
})

test('unknown objects and unsimulated paths get a 404 with a Stripe error', async () => {
  await using sandbox = await startTestSandbox(port)
  for (const path of [
    '/payment_intents/pi_nothing',
    '/refunds/re_nothing',
    '/checkout/sessions/cs_nothing',
    '/events/evt_nothing',
    '/customers',
    '/%00',
    "/payment_intents/'--",
  ]) {
    const { status, body } = await call(sandbox, 'GET', path)
    expect(status, path).toBe(404)
    expect(body.error, path).toMatchObject({ type: 'invalid_request_error' })
  }
  expect((await call(sandbox, 'POST', '/payment_intents', `description=${'x'.repeat(300_000)}`)).status).toBe(413)
})

test('creates demo charges from references, and refunds, captures, and lists them like others', async () => {
  await using sandbox = await startTestSandbox(port)
  const captured = 'pi_sample_captured_76614_103001'
  const refund = await call(sandbox, 'POST', '/refunds', `payment_intent=${captured}&amount=1000`)
  expect(refund.body).toMatchObject({ status: 'succeeded', amount: 1000, payment_intent: captured })
  const listed = await call(sandbox, 'GET', '/balance_transactions?limit=10')
  expect(listed.body['data']).toMatchObject([{ type: 'refund', amount: -1000, source: refund.body.id }])
  expect(
    (await call(sandbox, 'GET', `/payment_intents/${captured}?expand[]=latest_charge`)).body['latest_charge'],
  ).toMatchObject({ amount_captured: 76_614, amount_refunded: 1000 })
  const authorized = 'pi_sample_authorized_5000_103002'
  expect((await call(sandbox, 'POST', `/payment_intents/${authorized}/capture`)).body).toMatchObject({
    status: 'succeeded',
    amount_received: 5000,
  })
  const refunded = await call(sandbox, 'POST', '/refunds', 'payment_intent=pi_sample_refunded_5000_103003')
  expect(refunded.body.error).toMatchObject({ code: 'charge_already_refunded' })
  expect((await call(sandbox, 'GET', '/payment_intents/pi_sample_voided_5000_103004')).body).toMatchObject({
    status: 'canceled',
  })
  for (const unknown of ['pi_sample_103001', 'pi_sample_captured_0_1', 'pi_sample_captured_5000_'])
    expect((await call(sandbox, 'GET', `/payment_intents/${unknown}`)).status).toBe(404)
})
