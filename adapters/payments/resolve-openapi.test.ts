/**
 * Holds what the store sends to Resolve, and what the sandbox answers, to Resolve's own description of its Merchant API.
 * Runs if RESOLVE_OPENAPI names that description as JSON: docs.resolvepay.com offers it for V5.
 */
import { readFile } from 'node:fs/promises'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { beforeAll, expect, test } from 'vitest'
import { resolveTest, startReceiver, startTestSandbox } from '#sandbox/test-sandbox.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { recordedAt, valueOf, type Recorded } from './paypal.testing.ts'
import { createResolveRecords } from './resolve-movements.ts'
import { createResolve } from './resolve.ts'
import { termsPage } from './resolve.testing.ts'

const { RESOLVE_OPENAPI: file = '' } = process.env
const [port = 0] = await freePorts(4)

type Schema = { $ref?: string; properties?: Record<string, Schema>; items?: Schema; additionalProperties?: unknown }
type Media = { $ref?: string; content?: { 'application/json'?: { schema: Schema } } }
type Operation = { requestBody?: Media; responses: Record<string, Media> }
type Description = { paths: Record<string, Record<string, Operation>> }

let description: Description
const ajv = new Ajv({ strict: false, allErrors: true, logger: false, unicodeRegExp: false })
addFormats.default(ajv)

beforeAll(async () => {
  description = JSON.parse(await readFile(file, 'utf8')) as Description
  ajv.addSchema(description, 'resolve')
})

/** What a reference of the description leads to. */
function found<Part extends { $ref?: string }>(part: Part): Part {
  if (part.$ref === undefined) return part
  let place: unknown = description
  for (const step of part.$ref.slice(2).split('/')) place = (place as Record<string, unknown>)[step]
  return found(place as Part)
}

function schemaOf(media: Media | undefined): Schema | undefined {
  return media && found(media).content?.['application/json']?.schema
}

function operationOf({ method, path }: Recorded): Operation {
  const given = (path.split('?')[0] ?? '').split('/')
  for (const [template, operations] of Object.entries(description.paths)) {
    const parts = template.split('/')
    const fits = parts.length === given.length && parts.every((part, at) => part.startsWith('{') || part === given[at])
    const operation = operations[method.toLowerCase()]
    if (fits && operation) return operation
  }
  throw new Error(`Resolve describes no ${method} ${path}`)
}

/** Returns the errors of `value` against a schema, and fields that the schema doesn't have. */
function faultsOf(schema: Schema | undefined, value: unknown): string[] {
  if (!schema) return []
  const isLocal = JSON.stringify(schema).replaceAll('"#/', '"resolve#/')
  const validate = ajv.compile(JSON.parse(isLocal) as object)
  const faults = validate(value) ? [] : (validate.errors ?? []).map((fault) => `${fault.instancePath} ${fault.message}`)
  return [...faults, ...unknownNames(schema, value)]
}

function unknownNames(schema: Schema, value: unknown): string[] {
  const { properties, items, additionalProperties } = found(schema)
  if (Array.isArray(value)) return items ? value.flatMap((each) => unknownNames(items, each)) : []
  if (typeof value !== 'object' || value === null || !properties) return []
  return Object.entries(value).flatMap(([name, inner]) => {
    const known = properties[name]
    return known ? unknownNames(known, inner) : additionalProperties ? [] : [`${name} is not described`]
  })
}

function faultsIn(call: Recorded): string[] {
  const operation = operationOf(call)
  const asked = call.request === null ? [] : faultsOf(schemaOf(operation.requestBody), call.request)
  const response = operation.responses[call.status]
  if (!response) return [...asked, `status ${call.status} is not described`]
  return [...asked, ...faultsOf(schemaOf(response), call.response)]
}

test('Resolve describes every request of the store and every answer of the sandbox', async () => {
  await using sandbox = await startTestSandbox(port)
  await using wire = await recordedAt(port + 3, `${sandbox.origin}/resolve/api`)
  const { payments, netTerms } = createResolve({ ...resolveTest, apiUrl: wire.origin, clock: sandbox.clock })
  const opened = async (customer: string, reference: string) =>
    valueOf(await payments.openHostedPage(termsPage(customer, reference))).hostedRef
  await netTerms.readCustomer('nobody')
  const ref = await opened('GRNTdelivery', 'first')
  valueOf(await payments.captureCharge({ ref, amountCents: 70_000, key: 'capture:1' }))
  await payments.captureCharge({ ref, amountCents: 6_000, key: 'capture:2' })
  valueOf(await payments.refundCharge({ ref, amountCents: 20_000, key: 'refund:1' }))
  valueOf(await payments.readCharge(ref))
  valueOf(await payments.voidCharge({ ref: await opened('PNDcouriers', 'second'), key: 'void:1' }))
  valueOf(await payments.readCharge('number:first'))
  await payments.readCharge('nothing')
  const { listMovements } = createResolveRecords({ ...resolveTest, apiUrl: wire.origin, clock: sandbox.clock })
  const span = { from: sandbox.clock.now().subtract({ hours: 1 }), until: sandbox.clock.now().add({ hours: 1 }) }
  valueOf(await listMovements({ ...span, after: null }))
  expect(valueOf(await listMovements({ ...span, after: 'notes:1' })).movements).toHaveLength(1)

  const plain = (path: string) => (path.split('?')[0] ?? '').replaceAll(/\/(ORD\w+|IN\w+|[A-Z]{3,4}\w+|no\w+)/g, '/:id')
  const seen = new Set(wire.calls.map(({ method, path, status }) => `${method} ${plain(path)} ${status}`))
  expect([...seen].toSorted()).toEqual([
    'GET /credit-notes 200',
    'GET /customers/:id 200',
    'GET /customers/:id 404',
    'GET /invoices/:id 200',
    'GET /orders 200',
    'GET /orders/:id 200',
    'GET /orders/:id 404',
    'POST /credit-notes 200',
    'POST /orders 200',
    'POST /orders/:id/cancel 200',
    'POST /orders/:id/capture 200',
    'POST /orders/:id/capture 400',
  ])
  for (const call of wire.calls) expect({ call, faults: faultsIn(call) }).toEqual({ call, faults: [] })
})

test('webhooks have the form of an event', async () => {
  await using receiver = await startReceiver(port + 2)
  await using sandbox = await startTestSandbox(port, { resolveUrl: `http://127.0.0.1:${port + 2}/` })
  const apiUrl = `${sandbox.origin}/resolve/api`
  const { payments } = createResolve({ ...resolveTest, apiUrl, clock: sandbox.clock })
  valueOf(await payments.openHostedPage(termsPage('GRNTdelivery')))
  await sandbox.pass({ seconds: 1 })
  expect(receiver.received).toHaveLength(1)
  const event = { $ref: '#/components/schemas/WebhookEvent' }
  for (const { body } of receiver.received) {
    // Its description requires `created_at`, and describes it as `occurred_at`.
    const faults = faultsOf(event, JSON.parse(body)).filter((fault) => !fault.includes("'created_at'"))
    expect(faults).toEqual([])
  }
})
