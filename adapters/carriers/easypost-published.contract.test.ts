/**
 * Tests the sandbox and the adapter against EasyPost's published data: recorded responses of the real API
 * (easypost-node and easypost-python, cassettes of their tests), the signed webhook example (EasyPost/examples), and the
 * SDK's status types. The repositories are under the MIT license, copyright EasyPost (Simpler Postage, Inc).
 */
import { createHmac } from 'node:crypto'
import type { ITrackerStatus } from '@easypost/api'
import { expect, test } from 'vitest'
import type { CarrierEvent } from '#domain/ordering/orders/carrier.port.ts'
import { easyPostTest, startReceiver, startTestSandbox, testSecrets } from '#sandbox/test-sandbox.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import recorded from './fixtures/easypost-answers.json' with { type: 'json' }
import published from './fixtures/easypost-webhook.json' with { type: 'json' }
import { createEasyPost } from './easypost.ts'
import { readTrackerEvent, statesOfStatuses } from './easypost-events.ts'

const [port = 0] = await freePorts(3)

type Recorded = keyof typeof recorded

/**
 * Returns the fields of a response that are absent in the recording or have a different type. Null and empty lists
 * match everything. Only the first entry of a recorded list is compared.
 */
function differences(answer: unknown, record: unknown, path = ''): string[] {
  if (answer === null || record === null) return []
  if (Array.isArray(answer) || Array.isArray(record)) {
    if (!Array.isArray(answer) || !Array.isArray(record)) return [`${path}: list or not`]
    return record.length === 0 ? [] : answer.flatMap((item) => differences(item, record[0], `${path}[]`))
  }
  if (typeof answer !== typeof record) return [`${path}: ${typeof answer} for ${typeof record}`]
  if (typeof answer !== 'object' || typeof record !== 'object') return []
  const known = new Map(Object.entries(record))
  return Object.entries(answer).flatMap(([name, value]) =>
    known.has(name) ? differences(value, known.get(name), `${path}.${name}`) : [`${path}.${name}: unknown`],
  )
}

const address = { name: 'Ann Smith', street1: '2 Oak Ave', city: 'Evanston', state: 'IL', zip: '60201', country: 'US' }
const dock = { ...address, name: 'Prairie Dock', street1: '100 Prairie Parkway' }

test('every answer of the sandbox has the form that EasyPost has been recorded to answer with', async () => {
  await using sandbox = await startTestSandbox(port)
  const found: Record<string, string[]> = {}
  async function call(as: Recorded, method: string, path: string, body?: object): Promise<Record<string, unknown>> {
    const answer = await fetch(`${sandbox.origin}/v2/${path}`, {
      method,
      headers: {
        authorization: `Basic ${Buffer.from(`${testSecrets.easyPostKey}:`).toString('base64')}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    const json = (await answer.json()) as Record<string, unknown>
    found[as] = differences(json, recorded[as].body)
    if (answer.status !== recorded[as].status) found[as].push(`status ${answer.status}`)
    return json
  }
  await call('verified address', 'POST', 'addresses/create_and_verify', { address })
  const nowhere = { ...address, state: 'ZZ' }
  await call('address that cannot be verified', 'POST', 'addresses/create_and_verify', { address: nowhere })
  await call('missing parameter', 'POST', 'shipments', {})
  await call('not found', 'GET', 'shipments/shp_nothing')
  const shipment = { reference: 'S-1', to_address: address, from_address: dock, parcel: { weight: 1600 } }
  const { id, rates } = await call('shipment', 'POST', 'shipments', { shipment })
  const [rate] = rates as { id: string }[]
  const bought = await call('bought shipment', 'POST', `shipments/${String(id)}/buy`, { rate })
  await call('retrieved shipment', 'GET', `shipments/${String(id)}`)
  await call('converted label', 'GET', `shipments/${String(id)}/label?file_format=ZPL`)
  await call('converted label', 'GET', `shipments/${String(id)}/label?file_format=PDF`)
  const tracking_code = String(bought['tracking_code'])
  await call('tracker', 'POST', 'trackers', { tracker: { tracking_code } })
  const times = { min_datetime: '2026-06-16', max_datetime: '2026-06-16' }
  const asked = { pickup: { address: dock, shipment: { id }, ...times } }
  const pickup = await call('pickup', 'POST', 'pickups', asked)
  const [pickupRate] = pickup['pickup_rates'] as { carrier: string; service: string }[]
  await call('bought pickup', 'POST', `pickups/${String(pickup['id'])}/buy`, pickupRate)
  await call('canceled pickup', 'POST', `pickups/${String(pickup['id'])}/cancel`)
  const { id: other } = await call('shipment', 'POST', 'shipments', { shipment })
  await call('bought shipment', 'POST', `shipments/${String(other)}/buy`, { rate })
  const form = await call('scan form', 'POST', 'scan_forms', { scan_form: { shipments: [{ id: other }] } })
  await call('scan form', 'GET', `scan_forms/${String(form['id'])}`)
  await call('retrieved shipment', 'GET', `shipments/${String(other)}`)
  await call('carrier metadata', 'GET', 'metadata/carriers?carriers=sandboxfreight&types=supported_features')
  await call('refunded shipment', 'POST', `shipments/${String(id)}/refund`)
  await call('refund', 'POST', 'refunds', { refund: { carrier: 'USPS', tracking_codes: [tracking_code] } })
  expect(found).toEqual(Object.fromEntries(Object.keys(found).map((name) => [name, []])))
  expect(Object.keys(recorded).filter((name) => !(name in found))).toEqual(['event'])
})

test('the adapter reads the webhook that EasyPost published, with its signature', () => {
  const body = JSON.stringify(published.event)
  expect(readTrackerEvent(body, published.signature, published.secret)).toEqual({
    ok: true,
    event: {
      id: 'evt_1',
      trackingNumber: '1',
      state: 'in-transit',
      at: '2024-08-02T19:26:51Z',
      note: 'Arrived at FedEx location',
      expectedOn: '2024-08-05',
    },
  })
  expect(readTrackerEvent(body, published.signature, 'secret')).toEqual({ ok: false, reason: 'bad-signature' })
})

test('the webhook of the sandbox has the form of the published one', async () => {
  await using receiver = await startReceiver(port + 2)
  await using sandbox = await startTestSandbox(port, { carrierCallbackUrl: `http://127.0.0.1:${port + 2}/webhooks` })
  const carrier = createEasyPost({ ...easyPostTest, apiOrigin: sandbox.origin })
  const place = { name: 'Ann Smith', street: '2 Oak Ave', city: 'Evanston', state: 'IL', zip: '60201' }
  const prepared = await carrier.prepare({ reference: 'S-1', from: place, to: place, weightLb: 100 })
  if (prepared.ok) await carrier.buyLabel(prepared.value.parcelRef)
  await sandbox.catchUp()
  expect(receiver.received.map(({ body }) => differences(JSON.parse(body), published.event))).toEqual([[]])
})

const signed = (event: object) => {
  const body = JSON.stringify(event)
  return [body, `hmac-sha256-hex=${createHmac('sha256', 'secret').update(body).digest('hex')}`, 'secret'] as const
}

const states = [
  ['unknown', 'unknown'],
  ['pre_transit', 'pending-pickup'],
  ['in_transit', 'in-transit'],
  ['out_for_delivery', 'in-transit'],
  ['available_for_pickup', 'held'],
  ['delivered', 'delivered'],
  ['return_to_sender', 'returned'],
  ['failure', 'lost'],
  ['cancelled', 'trouble'],
  ['error', 'trouble'],
] as const satisfies readonly (readonly [ITrackerStatus, CarrierEvent['state']])[]

test('every status in the types of the SDK is known', () => {
  const unknown: Exclude<ITrackerStatus, (typeof statesOfStatuses)[number][0]>[] = []
  expect(statesOfStatuses.map(([status]) => status)).toEqual(states.map(([status]) => status))
  expect(unknown satisfies never[]).toEqual([])
})

test.for(states)('a tracker that is %s means %s', ([status, state]) => {
  const event = { ...published.event, result: { ...published.event.result, status } }
  expect(readTrackerEvent(...signed(event))).toMatchObject({ ok: true, event: { state } })
})

test('signed messages about something else are passed over, and unreadable ones are refused', () => {
  expect(readTrackerEvent(...signed({ ...published.event, description: 'batch.updated' }))).toEqual({
    ok: true,
    event: null,
  })
  const { result } = published.event
  for (const event of [
    {},
    [],
    { ...published.event, result: null },
    { ...published.event, result: { ...result, status: 'eaten' } },
    { ...published.event, result: { ...result, tracking_code: '\0' } },
    { ...published.event, result: { ...result, tracking_code: 'x'.repeat(101) } },
    { ...published.event, result: { ...result, updated_at: 'yesterday' } },
    { ...published.event, id: '\ud800' },
  ])
    expect(readTrackerEvent(...signed(event))).toMatchObject({ ok: false, reason: 'unreadable' })
})
