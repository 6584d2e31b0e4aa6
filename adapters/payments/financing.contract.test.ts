/** Tests the lender's adapter and sandbox against the published description of the protocol. */
import { readFileSync } from 'node:fs'
import { afterEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import type { Financing } from '#domain/payments/payments/financing.port.ts'
import type { OrderToPay, ProviderAnswer } from '#domain/payments/payments/payment-provider.port.ts'
import { startReceiver, startTestSandbox, testSecrets, type TestSandbox } from '#sandbox/test-sandbox.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { createFinancing } from './financing.ts'
import { createLenderRecords } from './lender-records.ts'
import { createLenderPayments } from './lender.ts'

const [port = 0] = await freePorts(3)

type Schema = { $ref?: string; [name: string]: unknown }
type Operation = {
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>
}
const description = JSON.parse(
  readFileSync(new URL('../../docs/protocols/financing.openapi.json', import.meta.url), 'utf8'),
) as { paths: Record<string, Record<string, Operation>>; components: { schemas: Record<string, Schema> } }

/** Every reference replaced by what it refers to. */
function resolved(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(resolved)
  if (typeof schema !== 'object' || schema === null) return schema
  if ('$ref' in schema && typeof schema.$ref === 'string')
    return resolved(description.components.schemas[schema.$ref.split('/').at(-1) ?? ''])
  return Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, resolved(value)]))
}

function must(schema: Schema | undefined, body: unknown, what: string): void {
  if (!schema) throw new Error(`${what} is not described.`)
  const parsed = z.fromJSONSchema(resolved(schema) as Parameters<typeof z.fromJSONSchema>[0]).safeParse(body)
  if (!parsed.success) throw new Error(`${what}: ${parsed.error.message}`)
}

let checked = new Set<string>()

/** Holds every call and answer to the description. */
function holdToDescription(): void {
  checked = new Set()
  const { fetch } = globalThis
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input)
    const path = url.pathname.replace(/(?<=\/applications\/)[^/]+/, '{id}')
    const method = (init?.method ?? 'GET').toLowerCase()
    const response = await fetch(input, init)
    const operation = description.paths[path]?.[method]
    if (!url.pathname.startsWith('/financing/')) return response
    const what = `${method} ${path}`
    const asked = operation?.requestBody?.content['application/json']?.schema
    if (asked) must(asked, JSON.parse(typeof init?.body === 'string' ? init.body : ''), what)
    const answered = operation?.responses[String(response.status)]?.content?.['application/json']?.schema
    must(answered, await response.clone().json(), `${what} ${response.status}`)
    checked.add(`${what} ${response.status}`)
    return response
  })
}
afterEach(() => {
  vi.restoreAllMocks()
})

function financingAt({ origin, clock }: Pick<TestSandbox, 'origin' | 'clock'>, secret?: string): Financing {
  return createFinancing({
    apiOrigin: origin,
    clientId: testSecrets.financingClientId,
    clientSecret: secret ?? testSecrets.financingClientSecret,
    webhookSecret: testSecrets.financingWebhookSecret,
    clock,
  })
}

function valueOf<Value>(answer: ProviderAnswer<Value>): Value {
  if (!answer.ok) throw new Error(`${answer.reason}: ${answer.message}`)
  return answer.value
}

const address = {
  name: 'Dana Reyes',
  address1: '1430 N Halsted St',
  address2: null,
  city: 'Chicago',
  state: 'IL',
  zip: '60614',
}
const order: OrderToPay = {
  lines: [
    { sku: 'tire:1', name: 'Treadwell', unitCents: 20_000, quantity: 4, kind: 'tire' },
    { sku: 'installation', name: 'Installation', unitCents: 2_000, quantity: 4, kind: 'service' },
  ],
  taxCents: 6_000,
  taxText: 'Sales tax',
  shippingCents: 0,
  discountCents: 4_000,
  shipTo: address,
  billTo: address,
  phone: '3125550188',
  isBusiness: false,
}
const amountCents = 90_000

async function open(financing: Financing, key = 'open-1'): Promise<string> {
  const opened = await financing.open({
    key,
    reference: 'payment-1',
    product: 'lease',
    amountCents,
    order,
    email: 'dana@example.com',
    returnUrl: 'http://store.example/back',
    cancelUrl: 'http://store.example/canceled',
  })
  return valueOf(opened).ref
}

/** Presses a button of the lender's page. */
async function press(sandbox: TestSandbox, ref: string, fields: Record<string, string>): Promise<Response> {
  return fetch(`${sandbox.origin}/apply/${ref}`, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: { origin: sandbox.origin },
    redirect: 'manual',
  })
}

async function applyAs(sandbox: TestSandbox, ref: string, person: string): Promise<void> {
  await press(sandbox, ref, { act: 'apply', person })
}

test('an application goes from opening to money, and both sides keep to the description', async () => {
  await using sandbox = await startTestSandbox(port)
  holdToDescription()
  const financing = financingAt(sandbox)
  const ref = await open(financing)
  // The same key opens no second one.
  expect(await open(financing)).toBe(ref)
  expect(valueOf(await financing.read(ref))).toMatchObject({ state: 'opened', amountCents, signedCents: null })
  await applyAs(sandbox, ref, 'approve')
  expect(valueOf(await financing.read(ref))).toMatchObject({ state: 'approved', signedCents: null })
  const signed = await press(sandbox, ref, { act: 'sign' })
  expect(signed.headers.get('location')).toBe('http://store.example/back')
  expect(valueOf(await financing.read(ref))).toMatchObject({ state: 'signed', signedCents: amountCents })
  for (const key of ['confirm-1', 'confirm-2'])
    expect(valueOf(await financing.confirm({ ref, orderId: 7, key })).state).toBe('confirmed')

  const at = sandbox.clock.now()
  const half = { ref, lines: [{ sku: 'tire:1', quantity: 2 }], at, key: 'deliver-1' }
  const first = valueOf(await financing.deliver(half))
  expect(first).toMatchObject({ state: 'confirmed', deliveredCents: 40_909 })
  // A repeat with the same key doesn't deliver again.
  expect(valueOf(await financing.deliver(half))).toEqual(first)
  const canceled = { ref, lines: [{ sku: 'tire:1', quantity: 1 }], cents: 21_000, key: 'cancel-1' }
  expect(valueOf(await financing.cancelLines(canceled))).toMatchObject({ canceledCents: 21_000 })
  expect(await financing.cancel({ ref, key: 'cancel-2' })).toMatchObject({ ok: false, reason: 'refused-input' })
  const rest = [
    { sku: 'tire:1', quantity: 1 },
    { sku: 'installation', quantity: 4 },
  ]
  expect(valueOf(await financing.deliver({ ref, lines: rest, at, key: 'deliver-2' }))).toMatchObject({
    state: 'delivered',
    deliveredCents: 69_000,
    canceledCents: 21_000,
  })
  expect(await financing.giveBack({ ref, cents: 69_001, key: 'back-1' })).toMatchObject({ reason: 'refused-input' })
  const back = { ref, cents: 9_000, key: 'back-2' }
  expect(valueOf(await financing.giveBack(back))).toEqual(valueOf(await financing.giveBack(back)))
  expect(valueOf(await financing.read(ref)).givenBackCents).toBe(9_000)
  await sandbox.pass({ hours: 24 })
  expect(valueOf(await financing.read(ref)).state).toBe('funded')
  expect(valueOf(await financing.offers(amountCents)).map(({ product }) => product)).toEqual([
    'lease',
    'loan',
    'store-card',
  ])
  const moved = valueOf(
    await createLenderRecords(financing).listMovements({ from: at, until: sandbox.clock.now(), after: null }),
  )
  expect(moved).toMatchObject({
    movements: [
      { kind: 'charge', amountCents: 40_909, chargeRef: `lender:${ref}`, refundRef: null },
      { kind: 'charge', amountCents: 28_091, chargeRef: `lender:${ref}` },
      { kind: 'refund', amountCents: -9_000, refundRef: expect.stringMatching(/^frf_/) as string },
    ],
    next: null,
  })
  expect([...checked].filter((what) => /20[01]$/.test(what))).toHaveLength(9)
})

test('lists balance transactions by page, with their payouts', async () => {
  await using sandbox = await startTestSandbox(port)
  holdToDescription()
  const financing = financingAt(sandbox)
  const ref = await open(financing)
  await applyAs(sandbox, ref, 'approve')
  await press(sandbox, ref, { act: 'sign' })
  valueOf(await financing.confirm({ ref, orderId: 7, key: 'confirm' }))
  const at = sandbox.clock.now()
  const lines = order.lines.map(({ sku, quantity }) => ({ sku, quantity }))
  valueOf(await financing.deliver({ ref, lines, at, key: 'deliver' }))
  for (let nth = 0; nth < 110; nth += 1) valueOf(await financing.giveBack({ ref, cents: 1 + nth, key: `back-${nth}` }))
  await sandbox.pass({ hours: 25 })
  const { listMovements } = createLenderRecords(financing)
  const until = sandbox.clock.now().add({ seconds: 1 })
  const first = valueOf(await listMovements({ from: at, until, after: null }))
  const second = valueOf(await listMovements({ from: at, until, after: first.next }))
  expect(first.movements).toHaveLength(100)
  expect(second.movements).toHaveLength(12)
  expect(second.next).toBeNull()
  const all = [...first.movements, ...second.movements]
  expect(all.map(({ amountCents }) => amountCents)).toEqual([
    amountCents,
    ...Array.from({ length: 110 }, (_, nth) => -1 - nth),
    -(amountCents - 6_105),
  ])
  expect(all.at(-1)?.kind).toBe('payout')
  expect(valueOf(await listMovements({ from: at, until: at, after: null })).movements).toEqual([])
})

test.each([
  ['decline', 'declined', { state: 'failed', failure: 'Your credit application was not accepted' }],
  ['expire', 'expired', { state: 'failed', failure: expect.stringMatching(/^We're sorry, the payment/) as string }],
  ['review', 'in-review', { state: 'processing', failure: null }],
  ['approve', 'approved', { state: 'open', failure: null }],
])('%s: the application is %s', async (person, state, charge) => {
  await using sandbox = await startTestSandbox(port)
  holdToDescription()
  const financing = financingAt(sandbox)
  const ref = await open(financing)
  await applyAs(sandbox, ref, person)
  expect(valueOf(await financing.read(ref)).state).toBe(state)
  expect(valueOf(await createLenderPayments(financing).readCharge(ref))).toMatchObject(charge)
})

test('a partial signature isn’t a payment, and a cancellation isn’t an error', async () => {
  await using sandbox = await startTestSandbox(port)
  const financing = financingAt(sandbox)
  const payments = createLenderPayments(financing)
  const low = await open(financing, 'open-low')
  await applyAs(sandbox, low, 'low')
  await press(sandbox, low, { act: 'sign' })
  expect(valueOf(await financing.read(low)).signedCents).toBe(45_000)
  expect(valueOf(await payments.readCharge(low)).state).toBe('failed')
  const left = await open(financing, 'open-left')
  const back = await press(sandbox, left, { act: 'cancel' })
  expect(back.headers.get('location')).toBe('http://store.example/canceled')
  expect(valueOf(await payments.readHostedPage(left)).charge).toMatchObject({ state: 'voided', failure: null })
  // Money comes by delivery only.
  expect(await payments.captureCharge({ ref: low, amountCents: 1, key: 'capture' })).toMatchObject({ ok: false })
})

test('an application expires with time, and a review is answered by webhook', async () => {
  await using receiver = await startReceiver(port + 2)
  await using sandbox = await startTestSandbox(port, { financingUrl: `http://127.0.0.1:${port + 2}/lender` })
  const financing = financingAt(sandbox)
  const idle = await open(financing, 'open-idle')
  const ref = await open(financing, 'open-review')
  await applyAs(sandbox, ref, 'review')
  await sandbox.pass({ hours: 73 })
  expect(valueOf(await financing.read(idle)).state).toBe('expired')
  await fetch(`${sandbox.origin}/lender/${ref}/review`, {
    method: 'POST',
    body: new URLSearchParams({ answer: 'approve' }),
    headers: { origin: sandbox.origin },
  })
  await sandbox.catchUp()
  const last = receiver.received.at(-1)
  const header = (name: string) => String(last?.headers[name] ?? '')
  const message = { provider: 'lender' as const, body: last?.body ?? '', header }
  must(description.components.schemas['Event'], JSON.parse(message.body), 'the webhook')
  expect(await financing.readEvent(message)).toMatchObject({
    ok: true,
    event: { kind: 'application.signed', view: { ref, state: 'signed', signedCents: amountCents } },
  })
  expect(await financing.readEvent({ ...message, body: `${message.body} ` })).toEqual({
    ok: false,
    reason: 'bad-signature',
  })
  // Neither is one that is older than five minutes.
  sandbox.clock.set(sandbox.clock.now().add({ seconds: 301 }))
  expect(await financing.readEvent(message)).toEqual({ ok: false, reason: 'bad-signature' })
})

test('on demand every webhook comes twice, and an older one after a newer', async () => {
  await using receiver = await startReceiver(port + 2)
  await using sandbox = await startTestSandbox(port, { financingUrl: `http://127.0.0.1:${port + 2}/lender` })
  const financing = financingAt(sandbox)
  const ref = await open(financing)
  await applyAs(sandbox, ref, 'twice')
  await press(sandbox, ref, { act: 'sign' })
  await sandbox.pass({ seconds: 5 })
  const types = receiver.received.map(({ body }) => (JSON.parse(body) as { type: string }).type)
  expect(types.filter((type) => type === 'application.signed')).toHaveLength(2)
  expect(types.lastIndexOf('application.approved')).toBeGreaterThan(types.indexOf('application.signed'))
})

test('distinguishes a wrong secret, an unavailable lender, and an unknown application', async () => {
  await using sandbox = await startTestSandbox(port)
  holdToDescription()
  expect(await financingAt(sandbox, 'wrong').read('fin_1')).toMatchObject({ reason: 'refused-input' })
  expect(await financingAt(sandbox).read('fin_1')).toMatchObject({ ok: false, reason: 'refused-input' })
  expect(await financingAt({ ...sandbox, origin: `http://127.0.0.1:${port + 2}` }).read('fin_1')).toMatchObject({
    ok: false,
    reason: 'unavailable',
  })
})

test('while one secret replaces another the lender takes both', async () => {
  await using sandbox = await startTestSandbox(port, { financingClientSecret: ['the old one', 'the next one'] })
  const knows = async (clientSecret: string) => (await financingAt(sandbox, clientSecret).offers(80_000)).ok
  expect(await knows('the old one')).toBe(true)
  expect(await knows('the next one')).toBe(true)
  expect(await knows('another')).toBe(false)
})

test('a token that has ended is renewed', async () => {
  await using sandbox = await startTestSandbox(port)
  const financing = financingAt(sandbox)
  const ref = await open(financing)
  sandbox.clock.set(sandbox.clock.now().add({ hours: 2 }))
  expect(valueOf(await financing.read(ref)).state).toBe('opened')
})
