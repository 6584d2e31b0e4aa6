/**
 * Tests a placed order's trace, from the request with its statements to the queued jobs, their calls to the payment
 * provider, the provider's webhooks, the email, and the webhook to the order's company.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addWebhookEndpoint } from '#domain/channels/webhooks/webhooks.server.ts'
import { systemClock } from '#platform/clock.ts'
import { createOutgoing } from '#platform/outgoing-http.ts'
import { payWithFields } from '#sandbox/test-sandbox.ts'
import { giveCompany, registerVerified } from '#tests/support/company.ts'
import { eventually } from '#tests/support/eventually.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { callApi, fillHomeCart } from '#tests/support/order-by-api.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { startTraceReceiver, type TraceReceiver } from '#tests/support/trace-receiver.ts'
import type { Visitor } from '#tests/support/visitor.ts'

let receiver: TraceReceiver
let store: RunningStore
let metricsPort: number
beforeAll(async () => {
  receiver = await startTraceReceiver()
  ;[metricsPort = 0] = await freePorts(2)
  store = await startStore({
    env: {
      LOG_LEVEL: 'debug',
      METRICS_PORT: String(metricsPort),
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint,
      RELEASE_AFTER_SECONDS: '1',
    },
  })
})
afterAll(async () => {
  await store[Symbol.asyncDispose]()
  await receiver[Symbol.asyncDispose]()
})

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const callerSpan = '00f067aa0ba902b7'
const contact = { firstName: 'Wilhelmina', lastName: 'Traceworth', email: 'wilhelmina@example.com' }
const ofTrace = () => receiver.spans.filter((span) => span.traceId === traceId)
/** Both processes commit, so the worker's spans can arrive first. */
const named = (name: string, service?: string) =>
  eventually(`span ${name}`, () =>
    ofTrace().find((span) => span.name === name && (service === undefined || span.service === service)),
  )

/** Returns a buyer for a company with a webhook endpoint. */
async function companyBuyer(): Promise<Visitor> {
  const { visitor, ...owner } = await registerVerified(store, 'Olga')
  const { db } = store.database
  await giveCompany(db, owner.email, { name: 'Acme Plumbing' })
  const outgoing = createOutgoing({ trustedOrigin: store.sandboxOrigin })
  const url = `${store.sandboxOrigin}/receiver/hooks`
  const endpoint = { owner: 'company', url, types: ['order.placed'] } as const
  expect(await addWebhookEndpoint({ db, clock: systemClock, outgoing }, owner, endpoint)).toMatchObject({ ok: true })
  return visitor
}

/** Places an order paid by card, the last call of it under our trace. */
async function placeOrder(): Promise<Response> {
  const visitor = await companyBuyer()
  const { agreedPrice } = await fillHomeCart(store, visitor, { contact })
  const { body } = await callApi(store, visitor, 'POST', '/cart/payment', { flow: 'fields' })
  const fields = { origin: store.sandboxOrigin, storeOrigin: store.origin }
  await payWithFields(fields, (body as { clientSecret: string }).clientSecret, '4242424242424242')
  return fetch(`${store.origin}/api/orders`, {
    method: 'POST',
    headers: {
      cookie: visitor.cookieFor(store.origin),
      origin: store.origin,
      'content-type': 'application/json',
      'idempotency-key': 'one-order-one-trace',
      traceparent: `00-${traceId}-${callerSpan}-01`,
    },
    body: JSON.stringify({ agreedPrice, termsAccepted: true, conditionsAccepted: true }),
  })
}

test('an order’s request, queries, jobs, calls, webhooks, and emails share one trace', async () => {
  const placed = await placeOrder()
  expect(placed.status).toBe(201)

  const request = await named('POST /api/orders')
  expect(request).toMatchObject({ service: 'sidewall-web', parentSpanId: callerSpan })
  expect(placed.headers.get('server-timing')).toBe(`traceparent;desc="00-${traceId}-${request.spanId}-01"`)
  for (const statement of ['insert customer', 'commit']) await named(statement, 'sidewall-web')

  const message = await named('job send-message')
  expect(message).toMatchObject({ service: 'sidewall-worker', parentSpanId: request.spanId })
  expect(await named('mail')).toMatchObject({ service: 'sidewall-worker' })

  const released = await named('job release-order')
  const capture = await named('POST localhost /v1/payment_intents/…/capture')
  expect(capture).toMatchObject({ service: 'sidewall-worker', parentSpanId: released.spanId })
  expect(await named('POST /webhooks/payments')).toMatchObject({
    service: 'sidewall-web',
    parentSpanId: capture.spanId,
  })

  // Written down by a trigger in the transaction of the order.
  const told = await named('webhook order.placed', 'sidewall-worker')
  const statements = ofTrace().filter((span) => span.parentSpanId === request.spanId)
  expect([request.spanId, ...statements.map((span) => span.spanId)]).toContain(told.parentSpanId)
  expect(ofTrace().filter((span) => span.parentSpanId === told.spanId)).toContainEqual(
    expect.objectContaining({ name: expect.stringMatching(/^POST localhost/) as string }),
  )
})

test('spans contain no names, addresses, query strings, or values', () => {
  expect(receiver.spans.length).toBeGreaterThan(50)
  // Without random and time values, which can contain any five digits.
  const all = receiver.raw.join('\n').replaceAll(/"(?:\w*[sS]panId|traceId|\w*UnixNano)":"?\w*/g, '')
  for (const text of [...Object.values(contact), 'Halsted', '60614', '?', '$1', 'whsec', 'sk_test'])
    expect(all).not.toContain(text)
  const keys = new Set(receiver.spans.flatMap(({ attributes }) => Object.keys(attributes)))
  expect([...keys].toSorted()).toEqual(
    [
      'attempt',
      'db.statement.name',
      'db.system.name',
      'error.type',
      'http.request.method',
      'http.response.status_code',
      'http.route',
      'server.address',
      'sidewall.request_id',
    ].filter((key) => key !== 'error.type' || keys.has(key)),
  )
})

type Line = { msg: string; trace_id?: string; job?: string; outcome?: string; route?: string }
const lines = (process: 'web' | 'worker') =>
  store
    .output(process)
    .split('\n')
    .flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as Line] : []))
    .filter((line) => line.trace_id === traceId)

test('log lines of both processes name the trace', async () => {
  const line = (process: 'web' | 'worker', found: Partial<Line>) =>
    eventually(`line of ${process}`, () =>
      lines(process).find((each) => Object.entries(found).every(([key, value]) => each[key as keyof Line] === value)),
    )
  await line('web', { msg: 'request', route: '/api/orders' })
  await line('web', { msg: 'request', route: '/webhooks/payments' })
  await line('worker', { msg: 'job', job: 'send-message', outcome: 'done' })
  await line('worker', { msg: 'job', job: 'release-order', outcome: 'done' })
})

test('metrics give the trace as an example of how long it took', async () => {
  const read = async (port: number) => {
    const answer = await fetch(`http://127.0.0.1:${port}/metrics`)
    return { type: answer.headers.get('content-type'), text: await answer.text() }
  }
  const web = await read(metricsPort)
  expect(web.type).toMatch(/^application\/openmetrics-text/)
  expect(web.text).toMatch(
    new RegExp(`^http_request_duration_ms_bucket\\{.*route="/api/orders".*\\} \\d+ # \\{trace_id="${traceId}"\\}`, 'm'),
  )
  expect(web.text.endsWith('# EOF\n')).toBe(true)
  expect((await read(metricsPort + 1)).text).toMatch(/^job_duration_ms_bucket\{.*\} \d+ # \{trace_id="[\da-f]{32}"\}/m)
})

test('traceparents of strangers are read only if well-formed, and answered either way', async () => {
  for (const traceparent of ['nonsense', `00-${'0'.repeat(32)}-${callerSpan}-01`, `00-${traceId}`, 'x'.repeat(4_000)]) {
    const answer = await fetch(`${store.origin}/healthz`, { headers: { traceparent } })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('server-timing')?.includes(traceId) ?? false).toBe(false)
  }
})
