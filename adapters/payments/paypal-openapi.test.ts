/**
 * Holds what the store sends to PayPal, and what the sandbox answers, to PayPal's own description of its API. Runs if
 * PAYPAL_OPENAPI names the folder with the files named below: openapi/ of
 * github.com/paypal/paypal-rest-api-specifications, tried at its commit ec4d8f36.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { beforeAll, expect, test } from 'vitest'
import { createPayPalRecords } from './paypal-records.ts'
import { paypalTest, startReceiver, startTestSandbox } from '#sandbox/test-sandbox.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { createPayPalPayments } from './paypal.ts'
import {
  actOnDispute,
  approve,
  capturedCharge,
  disputedCharge,
  paypalEvidence,
  paypalPage,
  recordedAt,
  valueOf,
  type Recorded,
} from './paypal.testing.ts'

const { PAYPAL_OPENAPI: folder = '' } = process.env
const [port = 0] = await freePorts(4)

type Schema = { [name: string]: unknown }
type Media = { content?: { 'application/json'?: { schema: Schema } } }
type Parameter = { name?: string; $ref?: string }
type Operation = { parameters?: Parameter[]; requestBody?: Media; responses: Record<string, Media> }
type Description = {
  paths: Record<string, Record<string, Operation>>
  components: Record<string, Record<string, Schema>>
}

const files = [
  'checkout_orders_v2',
  'payments_payment_v2',
  'customer_disputes_v1',
  'reporting_transactions_v1',
  'notifications_webhooks_v1',
] as const
const descriptions = new Map<string, Description>()
const ajv = new Ajv({ strict: false, allErrors: true, logger: false, unicodeRegExp: false })
addFormats.default(ajv)

beforeAll(async () => {
  for (const name of files) {
    const description = JSON.parse(await readFile(join(folder, `${name}.json`), 'utf8')) as Description
    descriptions.set(name, description)
    ajv.addSchema(description, name)
  }
})

/** The description's file and the parts of the operation that was called. */
function operationOf({ method, path }: Recorded): { name: string; at: string; operation: Operation } {
  for (const [name, { paths }] of descriptions)
    for (const [template, operations] of Object.entries(paths)) {
      const operation = operations[method.toLowerCase()]
      const parts = template.split('/')
      const given = (path.split('?')[0] ?? '').split('/')
      const fits =
        parts.length === given.length && parts.every((part, at) => part.startsWith('{') || part === given[at])
      if (operation && fits)
        return { name, at: `#/paths/${template.replaceAll('/', '~1')}/${method.toLowerCase()}`, operation }
    }
  throw new Error(`PayPal describes no ${method} ${path}`)
}

/** The name of a parameter that a description has in one place for several. */
function parameterAt(file: string, ref = ''): unknown {
  return descriptions.get(file)?.components['parameters']?.[ref.split('/').at(-1) ?? '']?.['name']
}

/** Returns the errors of `value` against a schema, and fields that the schema doesn't have. */
function faultsOf(name: string, at: string, value: unknown): string[] {
  const place = { $ref: `${name}${encodeURI(at)}` }
  const validate = ajv.compile(place)
  const faults = validate(value) ? [] : (validate.errors ?? []).map((fault) => `${fault.instancePath} ${fault.message}`)
  return [...faults, ...unknownNames(name, [place], value, '')]
}

function unknownNames(name: string, schemas: Schema[], value: unknown, path: string): string[] {
  const all = schemas.flatMap((schema) => flat(name, schema))
  if (Array.isArray(value)) {
    const items = all.flatMap((schema) => (schema['items'] ? [schema['items'] as Schema] : []))
    return value.flatMap((one, at) => unknownNames(name, items, one, `${path}/${at}`))
  }
  if (typeof value !== 'object' || value === null || all.some((one) => one['additionalProperties'] === true)) return []
  return Object.entries(value).flatMap(([key, one]) => {
    const known = all.flatMap((schema) => {
      const found = (schema['properties'] as Record<string, Schema> | undefined)?.[key]
      return found ? [found] : []
    })
    return known.length === 0 ? [`${path}/${key} is not described`] : unknownNames(name, known, one, `${path}/${key}`)
  })
}

/** A schema with what it refers to and consists of. */
function flat(name: string, schema: Schema): Schema[] {
  const { $ref: ref } = schema
  const parts = ['allOf', 'anyOf', 'oneOf'].flatMap((word) => (schema[word] as Schema[] | undefined) ?? [])
  const target = typeof ref === 'string' ? [resolve(name, ref)] : []
  return [schema, ...[...target, ...parts].flatMap((part) => flat(name, part))]
}

function resolve(name: string, ref: string): Schema {
  const steps = decodeURI(ref.slice(ref.indexOf('#') + 2)).split('/')
  let found: unknown = descriptions.get(name)
  for (const step of steps) found = (found as Record<string, unknown>)[step.replaceAll('~1', '/')]
  return found as Schema
}

function faultsIn(call: Recorded): string[] {
  const { name, at, operation } = operationOf(call)
  const json = 'content/application~1json/schema'
  const asked = operation.requestBody?.content?.['application/json']
    ? faultsOf(name, `${at}/requestBody/${json}`, call.request ?? {}).map((fault) => `request ${fault}`)
    : []
  const response = operation.responses[call.status]
  if (!response) return [...asked, `status ${call.status} is not described`]
  if (call.status >= 400) return [...asked, ...faultsOfRefusal(name, call)]
  const answered = response.content
    ? faultsOf(name, `${at}/responses/${call.status}/${json}`, call.response).map((fault) => `response ${fault}`)
    : []
  return [...asked, ...answered]
}

/**
 * Validates an error response. Its issue must exist in the description, for any operation, because the lists per
 * operation are incomplete.
 */
function faultsOfRefusal(name: string, { status, response }: Recorded): string[] {
  const known = JSON.stringify([...descriptions.values()])
  const { details } = response as { details: { issue: string }[] }
  return [
    ...faultsOf(name, `#/components/schemas/error_${status}`, response),
    ...details.filter(({ issue }) => !known.includes(`"${issue}"`)).map(({ issue }) => `${issue} is not described`),
  ]
}

test('PayPal describes every request of the store and every answer of the sandbox', async () => {
  await using sandbox = await startTestSandbox(port)
  await using wire = await recordedAt(port + 3, `${sandbox.origin}/paypal`)
  const { clock } = sandbox
  const payments = createPayPalPayments({ ...paypalTest, apiOrigin: wire.origin, clock })
  const opened = async (at: number, method: 'paypal' | 'venmo' = 'paypal') =>
    valueOf(await payments.openHostedPage({ ...paypalPage, method, reference: `invoice-${at}`, key: `hosted:${at}` }))
  for (const [at, funding] of ['balance', 'declined', 'restricted', 'pending'].entries()) {
    const { hostedRef, url } = await opened(at, at === 1 ? 'venmo' : 'paypal')
    await payments.readHostedPage(hostedRef)
    await approve(url, 'approve', funding)
    await payments.readHostedPage(hostedRef)
    await sandbox.pass({ seconds: 6 })
  }
  const [ref = ''] = wire.calls.flatMap(
    ({ path }) => /^\/v2\/checkout\/orders\/(\w+)\/authorize$/.exec(path)?.[1] ?? [],
  )
  await sandbox.pass({ hours: 96 })
  valueOf(await payments.captureCharge({ ref, amountCents: 70_000, key: 'capture:1' }))
  await payments.captureCharge({ ref, amountCents: 6_000, key: 'capture:2' })
  valueOf(await payments.refundCharge({ ref, amountCents: 20_000, key: 'refund:1' }))
  await payments.refundCharge({ ref, amountCents: 60_000, key: 'refund:2' })
  const { hostedRef, url } = await opened(9)
  await approve(url, 'approve')
  await payments.readHostedPage(hostedRef)
  await payments.voidCharge({ ref: hostedRef, key: 'void:1' })
  await payments.readCharge('NO1SUCH2ORDER3456')
  await payments.openHostedPage({ ...paypalPage, amountCents: 1, key: 'hosted:10' })

  const calls = wire.calls.filter(({ path }) => path !== '/v1/oauth2/token')
  const seen = new Set(
    calls.map(({ method, path, status }) => `${method} ${path.replaceAll(/\/[A-Z0-9]{17}/g, '/:id')} ${status}`),
  )
  expect([...seen].toSorted()).toEqual(expectedCalls)
  for (const call of calls) expect({ call, faults: faultsIn(call) }).toEqual({ call, faults: [] })
})

const expectedCalls = [
  'GET /v2/checkout/orders/:id 200',
  'GET /v2/checkout/orders/:id 404',
  'POST /v2/checkout/orders 200',
  'POST /v2/checkout/orders 422',
  'POST /v2/checkout/orders/:id/authorize 201',
  'POST /v2/checkout/orders/:id/authorize 422',
  'POST /v2/payments/authorizations/:id/capture 201',
  'POST /v2/payments/authorizations/:id/capture 422',
  'POST /v2/payments/authorizations/:id/reauthorize 201',
  'POST /v2/payments/authorizations/:id/void 200',
  'POST /v2/payments/captures/:id/refund 201',
  'POST /v2/payments/captures/:id/refund 422',
]

test('webhooks have the form of an event, and the check of their signature is described', async () => {
  await using receiver = await startReceiver(port + 2)
  await using sandbox = await startTestSandbox(port, { paypalWebhookUrl: `http://127.0.0.1:${port + 2}/` })
  await using wire = await recordedAt(port + 3, `${sandbox.origin}/paypal`)
  const payments = createPayPalPayments({ ...paypalTest, apiOrigin: wire.origin, clock: sandbox.clock })
  const { hostedRef, url } = valueOf(await payments.openHostedPage(paypalPage))
  await approve(url, 'approve')
  await payments.readHostedPage(hostedRef)
  await payments.voidCharge({ ref: hostedRef, key: 'void:1' })
  await sandbox.pass({ seconds: 1 })
  expect(receiver.received).toHaveLength(3)
  for (const { body } of receiver.received)
    expect(faultsOf('notifications_webhooks_v1', '#/components/schemas/event', JSON.parse(body))).toEqual([])
  const [first] = receiver.received
  if (!first) throw new Error('No webhook came.')
  const { headers, body } = first
  const { access_token: token } = (wire.calls[0]?.response ?? {}) as { access_token?: string }
  const checked = await fetch(`${wire.origin}/v1/notifications/verify-webhook-signature`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      auth_algo: headers['paypal-auth-algo'],
      cert_url: headers['paypal-cert-url'],
      transmission_id: headers['paypal-transmission-id'],
      transmission_sig: headers['paypal-transmission-sig'],
      transmission_time: headers['paypal-transmission-time'],
      webhook_id: paypalTest.webhookId,
      webhook_event: JSON.parse(body) as unknown,
    }),
  })
  expect(await checked.json()).toEqual({ verification_status: 'SUCCESS' })
  const call = wire.calls.at(-1)
  expect(call && faultsIn(call)).toEqual([])
})

test('dispute requests and sandbox responses match PayPal’s OpenAPI description', async () => {
  await using sandbox = await startTestSandbox(port)
  await using wire = await recordedAt(port + 3, `${sandbox.origin}/paypal`)
  const access = { ...paypalTest, apiOrigin: wire.origin, clock: sandbox.clock }
  const payments = createPayPalPayments(access)
  const records = createPayPalRecords(access)
  for (const [at, reason] of ['MERCHANDISE_OR_SERVICE_NOT_RECEIVED', 'UNAUTHORISED'].entries()) {
    const ref = await disputedCharge(sandbox, payments, { at, reason, act: at === 0 ? 'dispute' : 'chargeback' })
    const dispute = `PP-D-${100_000 + at}`
    valueOf(await records.readDispute(dispute))
    const text = 'x'.repeat(2_500)
    const evidence = { ...paypalEvidence, shippingCarrier: at === 0 ? 'UPS' : 'Roadrunner', text }
    if (at === 0) valueOf(await records.answerDispute({ ref: dispute, evidence, files: [], key: 'answer' }))
    else valueOf(await records.acceptDispute({ ref: dispute, key: 'accept' }))
    expect(valueOf(await records.readDispute(dispute)).chargeRef).toBe(`paypal:${ref}`)
  }
  const calls = wire.calls.filter(({ path }) => path.startsWith('/v1/customer'))
  for (const call of calls) expect({ call, faults: faultsIn(call) }).toEqual({ call, faults: [] })
  // The uploaded evidence is part of the dispute's response.
  const kept = calls.map(({ response }) => response as { evidences?: object[] })
  const evidences = kept.findLast((one) => one.evidences !== undefined)?.evidences ?? []
  expect(evidences.length).toBe(3)
  for (const one of evidences)
    expect(faultsOf('customer_disputes_v1', '#/components/schemas/evidence', one)).toEqual([])
})

test('balance requests and sandbox responses match PayPal’s OpenAPI description', async () => {
  await using sandbox = await startTestSandbox(port)
  await using wire = await recordedAt(port + 3, `${sandbox.origin}/paypal`)
  const access = { ...paypalTest, apiOrigin: wire.origin, clock: sandbox.clock }
  const payments = createPayPalPayments(access)
  const { listMovements } = createPayPalRecords(access)
  const from = sandbox.clock.now()
  const order = await disputedCharge(sandbox, payments, { act: 'chargeback' })
  await actOnDispute(sandbox.origin, order, { act: 'won' })
  const ref = await capturedCharge(payments, { reference: 'refunded' })
  valueOf(await payments.refundCharge({ ref, amountCents: 1_230, key: 'refund:1' }))
  await sandbox.pass({ hours: 4 })
  expect(valueOf(await listMovements({ from, until: sandbox.clock.now(), after: null })).movements).toHaveLength(6)
  expect(valueOf(await listMovements({ from, until: from, after: null })).next).toBe(null)
  const calls = wire.calls.filter(({ method, path }) => method === 'GET' && /reporting|disputes\?|captures/.test(path))
  expect(new Set(calls.map(({ path }) => path.replaceAll(/\/[A-Z0-9]{17}|\?.*/g, '')))).toEqual(
    new Set(['/v1/reporting/transactions', '/v2/payments/captures', '/v1/customer/disputes']),
  )
  for (const call of calls) {
    expect({ call, faults: faultsIn(call) }).toEqual({ call, faults: [] })
    const { name: file, operation } = operationOf(call)
    const names = (operation.parameters ?? []).map((one) => one.name ?? parameterAt(file, one.$ref))
    const asked = [...new URL(call.path, wire.origin).searchParams.keys()]
    expect(asked.filter((name) => !names.includes(name))).toEqual([])
  }
})
