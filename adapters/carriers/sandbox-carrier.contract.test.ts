import { expect, test } from 'vitest'
import type { Carrier, CarrierEvent } from '#domain/orders/carrier.port.ts'
import { startReceiver, startTestSandbox, testSecrets, type Received, type TestSandbox } from '#sandbox/test-sandbox.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { createSandboxCarrier } from './sandbox-carrier.ts'

const [port = 0] = await freePorts(3)
const callbackUrl = `http://127.0.0.1:${port + 2}/webhooks/carrier`

const shipment = {
  key: 'ship-1',
  reference: 'shipment-1',
  from: { name: 'Warehouse Chicago', city: 'Chicago', state: 'IL', zip: '60608' },
  to: { name: 'Ann Smith', street: '2 Oak Ave', city: 'Evanston', state: 'IL', zip: '60201' },
  pieces: 4,
  weightLb: 102.4,
}

function carrierAt({ origin, clock }: Pick<TestSandbox, 'origin' | 'clock'>): Carrier {
  return createSandboxCarrier({ apiOrigin: origin, secret: testSecrets.carrierSecret, clock })
}

async function announced(carrier: Carrier, change: Partial<typeof shipment> = {}): Promise<string> {
  const answer = await carrier.announce({ ...shipment, ...change })
  if (!answer.ok) throw new Error(answer.reason, { cause: answer.cause })
  return answer.value.trackingNumber
}

function clickButton(sandbox: TestSandbox, trackingNumber: string, button: 'advance' | 'lose'): Promise<Response> {
  return fetch(`${sandbox.origin}/carrier/board/${trackingNumber}/${button}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: sandbox.origin },
  })
}

function eventsIn(carrier: Carrier, received: Received[]): CarrierEvent[] {
  return received.flatMap(({ body, headers }) => {
    const read = carrier.readEvent(body, String(headers['sidewall-carrier-signature']))
    return read.ok ? [read.event] : []
  })
}

test('a shipment is announced once per key', async () => {
  await using sandbox = await startTestSandbox(port)
  const carrier = carrierAt(sandbox)
  const first = await announced(carrier)
  expect(first).toMatch(/^SW[0-9A-Z]{14}$/)
  expect(await announced(carrier)).toBe(first)
  expect(await announced(carrier, { key: 'ship-2' })).not.toBe(first)
  expect(await carrier.announce({ ...shipment, pieces: 5 })).toMatchObject({ ok: false, reason: 'refused-input' })
  expect(await (await fetch(`${sandbox.origin}/carrier/labels/${first}`)).text()).toContain('Evanston, IL 60201')
})

test('a street longer than one label line continues on the next', async () => {
  await using sandbox = await startTestSandbox(port)
  const street = `${'Old Mill Road '.repeat(7)}100, ${'Building C '.repeat(6)}`.trim()
  const trackingNumber = await announced(carrierAt(sandbox), { to: { ...shipment.to, street } })
  const text = await (await fetch(`${sandbox.origin}/carrier/labels/${trackingNumber}`)).text()
  expect(street.length).toBeGreaterThan(100)
  expect(text).toContain('Building C Building C')
})

test('buttons move a shipment, and each movement sends a signed callback', async () => {
  await using receiver = await startReceiver(port + 2)
  await using sandbox = await startTestSandbox(port, { carrierCallbackUrl: callbackUrl })
  const carrier = carrierAt(sandbox)
  const trackingNumber = await announced(carrier)
  expect((await clickButton(sandbox, trackingNumber, 'advance')).headers.get('location')).toBe('/carrier')
  await clickButton(sandbox, trackingNumber, 'advance')
  await clickButton(sandbox, trackingNumber, 'advance')
  await sandbox.catchUp()
  const events = eventsIn(carrier, receiver.received)
  expect(events.map(({ state }) => state)).toEqual(['pending-pickup', 'in-transit', 'delivered'])
  expect(events[0]).toMatchObject({
    trackingNumber,
    at: '2026-06-15T12:00:00Z',
    note: 'Label made, waiting for pickup',
  })
  expect(new Set(events.map(({ id }) => id)).size).toBe(3)
})

test('a callback is read only with the right signature, in time and unchanged', async () => {
  await using receiver = await startReceiver(port + 2)
  await using sandbox = await startTestSandbox(port, { carrierCallbackUrl: callbackUrl })
  const carrier = carrierAt(sandbox)
  await announced(carrier)
  await sandbox.catchUp()
  const { body = '', headers = {} } = receiver.received[0] ?? {}
  const signature = String(headers['sidewall-carrier-signature'])
  expect(carrier.readEvent(body, signature)).toMatchObject({ ok: true })
  expect(carrier.readEvent(`${body} `, signature)).toEqual({ ok: false, reason: 'bad-signature' })
  expect(
    carrier.readEvent(
      body,
      signature.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
    ),
  ).toEqual({ ok: false, reason: 'bad-signature' })
  expect(carrier.readEvent(body, '')).toEqual({ ok: false, reason: 'bad-signature' })
  const other = createSandboxCarrier({ apiOrigin: sandbox.origin, secret: 'another', clock: sandbox.clock })
  expect(other.readEvent(body, signature)).toEqual({ ok: false, reason: 'bad-signature' })
  sandbox.clock.set(sandbox.clock.now().add({ minutes: 6 }))
  expect(carrier.readEvent(body, signature)).toEqual({ ok: false, reason: 'bad-signature' })
})

test('a callback the store rejects is sent again', async () => {
  await using receiver = await startReceiver(port + 2, [503])
  await using sandbox = await startTestSandbox(port, { carrierCallbackUrl: callbackUrl })
  const carrier = carrierAt(sandbox)
  await announced(carrier)
  await sandbox.catchUp()
  await sandbox.pass({ seconds: 1 })
  const [first, second, ...more] = eventsIn(carrier, receiver.received)
  expect(second).toEqual(first)
  expect(more).toEqual([])
})

test('shipments move automatically at the configured pace', async () => {
  await using receiver = await startReceiver(port + 2)
  await using sandbox = await startTestSandbox(port, { carrierCallbackUrl: callbackUrl, carrierPaceSeconds: 20 })
  const carrier = carrierAt(sandbox)
  await announced(carrier)
  await sandbox.pass({ seconds: 19 })
  expect(eventsIn(carrier, receiver.received)).toHaveLength(1)
  await sandbox.pass({ seconds: 1 })
  await sandbox.pass({ seconds: 20 })
  await sandbox.pass({ minutes: 4 })
  expect(eventsIn(carrier, receiver.received).at(-1)).toMatchObject({ state: 'delivered' })
  expect(receiver.received).toHaveLength(3)
})

test.each([
  ['99950', ['pending-pickup', 'in-transit', 'lost']],
  ['00544', ['pending-pickup', 'in-transit', 'returned']],
  ['00501-0001', ['pending-pickup', 'in-transit', 'in-transit', 'delivered']],
])('a shipment to ZIP %s goes through %j', async (zip, states) => {
  await using receiver = await startReceiver(port + 2)
  await using sandbox = await startTestSandbox(port, { carrierCallbackUrl: callbackUrl })
  const carrier = carrierAt(sandbox)
  const trackingNumber = await announced(carrier, { to: { ...shipment.to, zip } })
  for (let step = 0; step < 4; step += 1) await clickButton(sandbox, trackingNumber, 'advance')
  await sandbox.catchUp()
  expect(eventsIn(carrier, receiver.received).map(({ state }) => state)).toEqual(states)
})

test('a shipment can be lost manually, but not after delivery', async () => {
  await using receiver = await startReceiver(port + 2)
  await using sandbox = await startTestSandbox(port, { carrierCallbackUrl: callbackUrl })
  const carrier = carrierAt(sandbox)
  const lost = await announced(carrier)
  const arrived = await announced(carrier, { key: 'ship-2' })
  for (const button of ['lose', 'advance'] as const) await clickButton(sandbox, lost, button)
  for (const button of ['advance', 'advance', 'lose'] as const) await clickButton(sandbox, arrived, button)
  await sandbox.catchUp()
  const statesOf = (number: string) =>
    eventsIn(carrier, receiver.received).flatMap(({ trackingNumber, state }) =>
      trackingNumber === number ? [state] : [],
    )
  expect(statesOf(lost)).toEqual(['pending-pickup', 'lost'])
  expect(statesOf(arrived)).toEqual(['pending-pickup', 'in-transit', 'delivered'])
})

test('a shipment can be canceled before pickup, repeatedly, but not after', async () => {
  await using sandbox = await startTestSandbox(port)
  const carrier = carrierAt(sandbox)
  const early = await announced(carrier)
  expect(await carrier.cancel(early)).toEqual({ ok: true, value: null })
  expect(await carrier.cancel(early)).toEqual({ ok: true, value: null })
  const late = await announced(carrier, { key: 'ship-2' })
  await clickButton(sandbox, late, 'advance')
  expect(await carrier.cancel(late)).toMatchObject({
    ok: false,
    reason: 'refused-input',
    cause: { type: 'urn:sidewall-sandbox:already-picked-up' },
  })
  expect(await carrier.cancel('SWNOTHING')).toMatchObject({
    ok: false,
    reason: 'refused-input',
    cause: { status: 404 },
  })
})

test('an unserved address is refused, a failing carrier is unavailable, and an unknown caller gets nothing', async () => {
  await using sandbox = await startTestSandbox(port)
  const carrier = carrierAt(sandbox)
  expect(await carrier.announce({ ...shipment, to: { ...shipment.to, zip: '96799' } })).toMatchObject({
    ok: false,
    reason: 'refused-input',
  })
  expect(await carrier.announce({ ...shipment, weightLb: -1 })).toMatchObject({ ok: false, reason: 'refused-input' })
  expect(await carrier.announce({ ...shipment, to: { ...shipment.to, name: 'Carrier Down' } })).toMatchObject({
    ok: false,
    reason: 'unavailable',
  })
  expect(
    await carrierAt({ origin: `http://127.0.0.1:${port + 9}`, clock: sandbox.clock }).announce(shipment),
  ).toMatchObject({
    ok: false,
    reason: 'unavailable',
  })
  const stranger = createSandboxCarrier({ apiOrigin: sandbox.origin, secret: 'another', clock: sandbox.clock })
  expect(await stranger.announce(shipment)).toMatchObject({
    ok: false,
    reason: 'refused-input',
    cause: { status: 401 },
  })
})

test('a malformed response means unavailable, not a shipment', async () => {
  await using _receiver = await startReceiver(port + 2)
  const { clock, ...sandbox } = await startTestSandbox(port)
  await sandbox.stop()
  expect(await carrierAt({ origin: `http://127.0.0.1:${port + 2}`, clock }).announce(shipment)).toMatchObject({
    ok: false,
    reason: 'unavailable',
  })
})
