import { inspect } from 'node:util'
import EasyPostClient from '@easypost/api'
import { expect, test } from 'vitest'
import type { Carrier, CarrierEvent } from '#domain/ordering/orders/carrier.port.ts'
import {
  easyPostTest,
  startReceiver,
  startTestSandbox,
  testSecrets,
  type Received,
  type TestSandbox,
} from '#sandbox/test-sandbox.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { downloadLabel } from './easypost-labels.ts'
import { chooseRate, createEasyPost } from './easypost.ts'

const [port = 0] = await freePorts(3)
const callbackUrl = `http://127.0.0.1:${port + 2}/webhooks/carrier`

const parcel = {
  reference: 'S-1',
  from: { name: 'Prairie Dock', street: '100 Prairie Dock Parkway', city: 'Joliet', state: 'IL', zip: '60436' },
  to: { name: 'Ann Smith', street: '2 Oak Ave', city: 'Evanston', state: 'IL', zip: '60201', phone: '3125550142' },
  weightLb: 102.4,
}

function carrierAt({ origin }: Pick<TestSandbox, 'origin'>, change: Partial<typeof easyPostTest> = {}): Carrier {
  return createEasyPost({ ...easyPostTest, apiOrigin: origin, ...change })
}

async function prepared(carrier: Carrier, change: Partial<typeof parcel> = {}): Promise<string> {
  const answer = await carrier.prepare({ ...parcel, ...change })
  if (!answer.ok) throw new Error(answer.reason, { cause: answer.cause })
  return answer.value.parcelRef
}

async function bought(carrier: Carrier, change: Partial<typeof parcel> = {}) {
  const parcelRef = await prepared(carrier, change)
  const answer = await carrier.buyLabel(parcelRef)
  if (!answer.ok) throw new Error(answer.reason, { cause: answer.cause })
  return { parcelRef, ...answer.value }
}

function clickButton(sandbox: TestSandbox, trackingNumber: string, button: 'advance' | 'delay' | 'lose') {
  return fetch(`${sandbox.origin}/carrier/board/${trackingNumber}/${button}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: sandbox.origin },
  })
}

const labelPage = async (url: string) => (await fetch(url)).text()

async function labelsOn({ origin }: TestSandbox): Promise<number> {
  return (await (await fetch(`${origin}/carrier`)).text()).split('/carrier/labels/').length - 1
}

function eventsIn(carrier: Carrier, received: Received[]): CarrierEvent[] {
  return received.flatMap(({ body, headers }) => {
    const read = carrier.readEvent(body, String(headers['x-hmac-signature']))
    return read.ok && read.event ? [read.event] : []
  })
}

test('buys one label per package, even on repeated requests', async () => {
  await using sandbox = await startTestSandbox(port)
  const carrier = carrierAt(sandbox)
  const parcelRef = await prepared(carrier)
  expect(await labelsOn(sandbox)).toBe(0)
  const answers = await Promise.all([
    carrier.buyLabel(parcelRef),
    carrierAt(sandbox).buyLabel(parcelRef),
    carrier.buyLabel(parcelRef),
  ])
  const first = answers[0]
  expect(first).toMatchObject({ ok: true, value: { trackingNumber: expect.stringMatching(/^SW[0-9A-Z]{14}$/) } })
  expect(answers).toEqual([first, first, first])
  expect(await carrier.buyLabel(parcelRef)).toEqual(first)
  expect(await labelsOn(sandbox)).toBe(1)
})

test('buys the cheapest rate of the first allowed carrier that has one, and refuses without one', async () => {
  const rates = [
    { carrier: 'FedExSmartPost', rate: '9.10' },
    { carrier: 'USPS', rate: '12.00' },
    { carrier: 'UPSDAP', rate: '11.00' },
    { carrier: 'UPS', rate: '10.50' },
  ]
  expect(chooseRate(rates, [])).toBe(rates[0])
  expect(chooseRate(rates, ['UPS'])).toBe(rates[3])
  expect(chooseRate(rates, ['USPS', 'OnTrac'])).toBe(rates[1])
  expect(chooseRate(rates, ['USPS', 'UPS'])).toBe(rates[1])
  expect(chooseRate(rates, ['OnTrac'])).toBeUndefined()

  await using sandbox = await startTestSandbox(port)
  const carrier = carrierAt(sandbox)
  const parcelRef = await prepared(carrier)
  expect(await carrier.buyLabel(parcelRef, ['UPS'])).toMatchObject({ ok: false, reason: 'refused-input' })
  expect(await labelsOn(sandbox)).toBe(0)
  const label = await carrier.buyLabel(parcelRef, ['Sandbox Freight'])
  expect(label).toMatchObject({ ok: true })
  // A label that was bought is found, whatever the limits are now.
  expect(await carrier.buyLabel(parcelRef, ['UPS'])).toEqual(label)
})

test('recovers a label after a purchase without a response', async () => {
  await using sandbox = await startTestSandbox(port, { stallSeconds: 30 })
  const carrier = carrierAt(sandbox)
  const parcelRef = await prepared(carrier, { to: { ...parcel.to, name: 'Carrier Slow' } })
  expect(await carrier.buyLabel(parcelRef)).toMatchObject({ ok: false, reason: 'unavailable' })
  expect(await carrier.buyLabel(parcelRef)).toMatchObject({ ok: true })
  expect(await labelsOn(sandbox)).toBe(1)
}, 20_000)

test('the label has both addresses; a street longer than one line continues on the next', async () => {
  await using sandbox = await startTestSandbox(port)
  const street = `${'Old Mill Road '.repeat(7)}100, ${'Building C '.repeat(6)}`.trim()
  const { labelUrl } = await bought(carrierAt(sandbox), { to: { ...parcel.to, street } })
  const text = await labelPage(labelUrl)
  expect(street.length).toBeGreaterThan(100)
  expect(text).toContain('Building C Building C')
  expect(text).toContain('Evanston, IL 60201')
  expect(text).toContain('100 Prairie Dock Parkway')
  expect(text).toContain('102 lb')
})

test('a purchased label includes cost and tracking page and downloads as PDF and ZPL', async () => {
  await using sandbox = await startTestSandbox(port)
  const carrier = carrierAt(sandbox)
  const { parcelRef, trackingNumber, costCents, trackingUrl } = await bought(carrier)
  expect(costCents).toBe(3_840)
  expect(trackingUrl).toMatch(/^http:/)
  const [pdf, zpl] = [await carrier.readLabelFile(parcelRef, 'pdf'), await carrier.readLabelFile(parcelRef, 'zpl')]
  const text = pdf.ok ? Buffer.from(pdf.value).toString('latin1') : ''
  for (const part of ['Ann Smith', '2 Oak Ave', trackingNumber, '102 LB']) expect(text).toContain(part)
  const printed = zpl.ok ? Buffer.from(zpl.value).toString() : ''
  expect(printed).toMatch(/^\^XA[^]+\^XZ$/)
  expect(printed).toContain(trackingNumber)
  expect(await carrier.readLabelFile(parcelRef, 'pdf')).toEqual(pdf)
  expect(await carrier.readLabelFile(await prepared(carrier), 'pdf')).toMatchObject({
    ok: false,
    reason: 'refused-input',
  })
})

test('a label is downloaded only from EasyPost, and only if it is one', async () => {
  const asked = { format: 'pdf', apiOrigin: 'https://api.easypost.com', timeoutMs: 2_000 } as const
  for (const address of [
    'http://easypost-files.s3.amazonaws.com/label.pdf',
    'https://easypost-files.s3.amazonaws.com.evil.test/label.pdf',
    'https://noteasypost.com/label.pdf',
    'http://127.0.0.1/label.pdf',
    'label.pdf',
  ])
    expect(await downloadLabel(address, asked)).toMatchObject({
      reason: 'unavailable',
      cause: { message: 'The label is at an address that is not EasyPost’s.' },
    })
  await using _receiver = await startReceiver(port + 2, [200, 404])
  const here = { ...asked, apiOrigin: `http://127.0.0.1:${port + 2}` }
  for (const message of ['The label is no pdf file.', 'The label answers with status 404.'])
    expect(await downloadLabel('https://elsewhere.test/label.pdf', here)).toMatchObject({ cause: { message } })
})

test('a return label goes the other way, and is bought once with its reference kept before', async () => {
  await using sandbox = await startTestSandbox(port)
  const carrier = carrierAt(sandbox)
  const kept: string[] = []
  const input = { ...parcel, from: parcel.to, to: parcel.from, keep: async (ref: string) => void kept.push(ref) }
  const first = await carrier.buyReturnLabel({ ...input, parcelRef: null })
  expect(await carrier.buyReturnLabel({ ...input, parcelRef: kept[0] ?? '' })).toEqual(first)
  expect(kept).toHaveLength(1)
  const text = await labelPage(first.ok ? first.value.labelUrl : '')
  expect(text.indexOf('Ann Smith')).toBeLessThan(text.indexOf('Prairie Dock'))
  // Cut off between keeping and buying.
  const cutOff = { ...input, keep: () => Promise.reject(new Error('ended')), parcelRef: null }
  await expect(carrier.buyReturnLabel(cutOff)).rejects.toThrow('ended')
  expect(await labelsOn(sandbox)).toBe(1)
})

test('buttons move a shipment, and each movement sends a signed webhook that the SDK accepts, too', async () => {
  await using receiver = await startReceiver(port + 2)
  await using sandbox = await startTestSandbox(port, { carrierCallbackUrl: callbackUrl })
  const carrier = carrierAt(sandbox)
  // A weight in whole ounces, which the SDK reads only with a decimal point.
  const { trackingNumber } = await bought(carrier, { weightLb: 100 })
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
    expectedOn: '2026-06-16',
  })
  expect(new Set(events.map(({ id }) => id)).size).toBe(3)
  const { Utils } = new EasyPostClient(testSecrets.easyPostKey)
  for (const { body, headers } of receiver.received)
    expect(Utils.validateWebhook(Buffer.from(body), headers, testSecrets.carrierSecret)).toMatchObject({
      description: 'tracker.updated',
    })
})

test('a webhook is read only with the right signature and unchanged', async () => {
  await using receiver = await startReceiver(port + 2)
  await using sandbox = await startTestSandbox(port, { carrierCallbackUrl: callbackUrl })
  const carrier = carrierAt(sandbox)
  await bought(carrier)
  await sandbox.catchUp()
  const { body = '', headers = {} } = receiver.received[0] ?? {}
  const signature = String(headers['x-hmac-signature'])
  expect(carrier.readEvent(body, signature)).toMatchObject({ ok: true })
  const changed = signature.replace(/.$/, (last) => (last === '0' ? '1' : '0'))
  for (const [text, name] of [
    [`${body} `, signature],
    [body, changed],
    [body, ''],
    [body, signature.replace('hmac-sha256-hex=', '')],
    [body, `${signature}00`],
  ] as const)
    expect(carrier.readEvent(text, name)).toEqual({ ok: false, reason: 'bad-signature' })
  const other = carrierAt(sandbox, { webhookSecret: 'another' })
  expect(other.readEvent(body, signature)).toEqual({ ok: false, reason: 'bad-signature' })
})

test('a webhook the store rejects is sent again', async () => {
  await using receiver = await startReceiver(port + 2, [503])
  await using sandbox = await startTestSandbox(port, { carrierCallbackUrl: callbackUrl })
  const carrier = carrierAt(sandbox)
  await bought(carrier)
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
  await bought(carrier)
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
  const { trackingNumber } = await bought(carrier, { to: { ...parcel.to, zip } })
  for (let step = 0; step < 4; step += 1) await clickButton(sandbox, trackingNumber, 'advance')
  await sandbox.catchUp()
  expect(eventsIn(carrier, receiver.received).map(({ state }) => state)).toEqual(states)
})

test('a shipment can be delayed or lost manually, but not after delivery', async () => {
  await using receiver = await startReceiver(port + 2)
  await using sandbox = await startTestSandbox(port, { carrierCallbackUrl: callbackUrl })
  const carrier = carrierAt(sandbox)
  const lost = await bought(carrier)
  const late = await bought(carrier)
  for (const button of ['lose', 'advance'] as const) await clickButton(sandbox, lost.trackingNumber, button)
  for (const button of ['delay', 'delay', 'advance', 'lose'] as const)
    await clickButton(sandbox, late.trackingNumber, button)
  await sandbox.catchUp()
  const said = (number: string) =>
    eventsIn(carrier, receiver.received).flatMap(({ trackingNumber, state, expectedOn }) =>
      trackingNumber === number ? [[state, expectedOn]] : [],
    )
  expect(said(lost.trackingNumber).map(([state]) => state)).toEqual(['pending-pickup', 'lost'])
  expect(said(late.trackingNumber)).toEqual([
    ['pending-pickup', '2026-06-16'],
    ['in-transit', '2026-06-24'],
    ['in-transit', '2026-07-03'],
    ['delivered', '2026-07-03'],
  ])
})

test('an unused label is given back before pickup, repeatedly, but not after', async () => {
  await using sandbox = await startTestSandbox(port)
  const carrier = carrierAt(sandbox)
  const early = await bought(carrier)
  expect(await carrier.refundLabel(early.parcelRef)).toEqual({ ok: true, value: null })
  expect(await carrier.refundLabel(early.parcelRef)).toEqual({ ok: true, value: null })
  const late = await bought(carrier)
  await clickButton(sandbox, late.trackingNumber, 'advance')
  expect(await carrier.refundLabel(late.parcelRef)).toMatchObject({
    ok: false,
    reason: 'refused-input',
    cause: { code: 'SHIPMENT.REFUND.UNAVAILABLE' },
  })
  expect(await carrier.refundLabel('shp_nothing')).toMatchObject({
    ok: false,
    reason: 'refused-input',
    cause: { statusCode: 404 },
  })
})

test('verifies addresses with the carrier’s spelling and reports problems in invalid ones', async () => {
  await using sandbox = await startTestSandbox(port)
  const carrier = carrierAt(sandbox)
  expect(await carrier.verifyAddress(parcel.to)).toMatchObject({
    ok: true,
    value: { isDeliverable: true, isResidential: true, address: { street: '2 OAK AVE', city: 'EVANSTON' } },
  })
  expect(await carrier.verifyAddress({ ...parcel.to, street: 'Oak Ave' })).toEqual({
    ok: true,
    value: { isDeliverable: false, suggestions: ['House number is missing'] },
  })
})

test('a pickup is scheduled for a bought label, and canceled', async () => {
  await using sandbox = await startTestSandbox(port)
  const carrier = carrierAt(sandbox)
  const { parcelRef } = await bought(carrier)
  const from = sandbox.clock.now().add({ hours: 20 })
  const times = { from, to: from.add({ hours: 4 }) }
  const scheduled = await carrier.schedulePickup({ parcelRef, at: parcel.from, ...times })
  expect(scheduled).toMatchObject({ ok: true, value: { confirmation: expect.stringMatching(/^SWP/) } })
  const pickupRef = scheduled.ok ? scheduled.value.pickupRef : ''
  expect(await carrier.cancelPickup(pickupRef)).toEqual({ ok: true, value: null })
  expect(await carrier.cancelPickup(pickupRef)).toMatchObject({ ok: false, reason: 'refused-input' })
  const nothing = await carrier.schedulePickup({ parcelRef: 'shp_nothing', at: parcel.from, ...times })
  expect(nothing).toMatchObject({ ok: false, reason: 'refused-input' })
})

test('rejects an unserved address, reports a failing carrier as unavailable, and retries after a wrong key is fixed', async () => {
  await using sandbox = await startTestSandbox(port)
  const carrier = carrierAt(sandbox)
  expect(await carrier.prepare({ ...parcel, to: { ...parcel.to, zip: '96799' } })).toMatchObject({
    ok: false,
    reason: 'refused-input',
    cause: [{ message: 'The carrier does not deliver to 96799.' }],
  })
  expect(await carrier.prepare({ ...parcel, weightLb: -1 })).toMatchObject({ ok: false, reason: 'refused-input' })
  expect(await carrier.prepare({ ...parcel, to: { ...parcel.to, name: 'Carrier Down' } })).toMatchObject({
    ok: false,
    reason: 'unavailable',
  })
  const nowhere = carrierAt({ origin: `http://127.0.0.1:${port + 9}` })
  expect(await nowhere.prepare(parcel)).toMatchObject({ ok: false, reason: 'unavailable' })
  const stranger = await carrierAt(sandbox, { apiKey: 'EZTK_another' }).prepare(parcel)
  expect(stranger).toMatchObject({ ok: false, reason: 'unavailable', cause: { statusCode: 401 } })
})

test('no failure carries the API key', async () => {
  await using _receiver = await startReceiver(port + 2, [500, 302, 401])
  await using sandbox = await startTestSandbox(port)
  const failures = [
    await carrierAt(sandbox).prepare({ ...parcel, weightLb: -1 }),
    await carrierAt({ origin: `http://127.0.0.1:${port + 9}` }).prepare(parcel),
    ...(await Promise.all(
      [1, 2, 3, 4].map(() => carrierAt({ origin: `http://127.0.0.1:${port + 2}` }).prepare(parcel)),
    )),
  ]
  for (const failure of failures) {
    expect(failure.ok).toBe(false)
    const text = inspect(failure, { depth: 20, showHidden: true })
    expect(text).not.toContain(testSecrets.easyPostKey)
    expect(text).not.toContain(Buffer.from(`${testSecrets.easyPostKey}:`).toString('base64'))
  }
})

test('a malformed response means unavailable, not a shipment', async () => {
  await using _receiver = await startReceiver(port + 2)
  expect(await carrierAt({ origin: `http://127.0.0.1:${port + 2}` }).prepare(parcel)).toMatchObject({
    ok: false,
    reason: 'unavailable',
  })
})
