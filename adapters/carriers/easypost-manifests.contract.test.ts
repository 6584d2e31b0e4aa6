/** Manifests by the adapter, through EasyPost's SDK, against the sandbox. */
import { expect, test } from 'vitest'
import type { Carrier } from '#domain/ordering/orders/carrier.port.ts'
import { easyPostTest, startReceiver, startTestSandbox } from '#sandbox/test-sandbox.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { createEasyPost } from './easypost.ts'

const [port = 0] = await freePorts(3)

const parcel = {
  reference: 'S-1',
  from: { name: 'Prairie Dock', street: '100 Prairie Dock Parkway', city: 'Joliet', state: 'IL', zip: '60436' },
  to: { name: 'Ann Smith', street: '2 Oak Ave', city: 'Evanston', state: 'IL', zip: '60201', phone: '3125550142' },
  weightLb: 100,
}
const carrierAt = (origin: string) => createEasyPost({ ...easyPostTest, apiOrigin: origin })

async function bought(carrier: Carrier, change: Partial<typeof parcel> = {}) {
  const prepared = await carrier.prepare({ ...parcel, ...change })
  const parcelRef = prepared.ok ? prepared.value.parcelRef : ''
  // The first response can be lost, depending on the recipient.
  await carrier.buyLabel(parcelRef)
  const label = await carrier.buyLabel(parcelRef)
  if (!label.ok) throw new Error(label.reason, { cause: label.cause })
  return { parcelRef, trackingNumber: label.value.trackingNumber }
}

test('a manifest has every tracking number and a PDF, and is found by each of its parcels', async () => {
  await using sandbox = await startTestSandbox(port)
  const carrier = carrierAt(sandbox.origin)
  const [first, second] = [await bought(carrier), await bought(carrier)]
  expect(await carrier.findManifest(first.parcelRef)).toEqual({ ok: true, value: null })
  const made = await carrier.createManifest([first.parcelRef, second.parcelRef])
  expect(made).toMatchObject({
    ok: true,
    value: {
      manifestRef: expect.stringMatching(/^sf_/),
      state: 'created',
      trackingNumbers: [first.trackingNumber, second.trackingNumber],
      message: null,
    },
  })
  for (const { parcelRef } of [first, second]) expect(await carrier.findManifest(parcelRef)).toEqual(made)
  const manifestRef = made.ok ? made.value.manifestRef : ''
  expect(await carrier.readManifest(manifestRef)).toEqual(made)
  const file = await carrier.readManifestFile(manifestRef)
  const text = file.ok ? Buffer.from(file.value).toString('latin1') : ''
  for (const part of ['%PDF-', '2 PARCELS', first.trackingNumber, second.trackingNumber]) expect(text).toContain(part)
})

test('parcels on another manifest, with a refunded label, or without one are named, and the rest can be manifested', async () => {
  await using sandbox = await startTestSandbox(port)
  const carrier = carrierAt(sandbox.origin)
  const [taken, refunded, good] = [await bought(carrier), await bought(carrier), await bought(carrier)]
  expect(await carrier.createManifest([taken.parcelRef])).toMatchObject({ ok: true })
  expect(await carrier.refundLabel(refunded.parcelRef)).toMatchObject({ ok: true })
  const prepared = await carrier.prepare(parcel)
  const unbought = prepared.ok ? prepared.value.parcelRef : ''
  for (const { parcelRef } of [taken, refunded, { parcelRef: unbought }])
    expect(await carrier.createManifest([good.parcelRef, parcelRef])).toMatchObject({
      ok: false,
      reason: 'refused-parcels',
      parcelRefs: [parcelRef],
      cause: { code: 'SCAN_FORM.CREATE.FAILURE' },
    })
  expect(await carrier.createManifest([good.parcelRef])).toMatchObject({ ok: true })
})

test('a label of an earlier day, and parcels from two warehouses, are refused', async () => {
  await using sandbox = await startTestSandbox(port)
  const carrier = carrierAt(sandbox.origin)
  const old = await bought(carrier)
  await sandbox.pass({ hours: 25 })
  const today = await bought(carrier)
  expect(await carrier.createManifest([old.parcelRef, today.parcelRef])).toMatchObject({
    reason: 'refused-parcels',
    parcelRefs: [old.parcelRef],
  })
  const elsewhere = await bought(carrier, { from: { ...parcel.from, street: '1 Harbor Road', zip: '07114' } })
  expect(await carrier.createManifest([today.parcelRef, elsewhere.parcelRef])).toMatchObject({
    ok: false,
    reason: 'refused-input',
  })
})

test('a failed manifest leaves its parcels free, and a slow one is created later', async () => {
  await using sandbox = await startTestSandbox(port)
  const carrier = carrierAt(sandbox.origin)
  const failing = await bought(carrier, { to: { ...parcel.to, name: 'Manifest Failed' } })
  const failed = await carrier.createManifest([failing.parcelRef])
  expect(failed).toMatchObject({ ok: true, value: { state: 'failed', message: expect.stringMatching(/manifest/) } })
  expect(await carrier.findManifest(failing.parcelRef)).toEqual({ ok: true, value: null })

  const slow = await bought(carrier, { to: { ...parcel.to, name: 'Manifest Slow' } })
  const made = await carrier.createManifest([slow.parcelRef])
  expect(made).toMatchObject({ ok: true, value: { state: 'creating' } })
  const manifestRef = made.ok ? made.value.manifestRef : ''
  expect(await carrier.readManifestFile(manifestRef)).toMatchObject({ ok: false, reason: 'unavailable' })
  expect(await carrier.readManifest(manifestRef)).toMatchObject({ ok: true, value: { state: 'created' } })
})

test('a manifest whose response was lost is found', async () => {
  await using sandbox = await startTestSandbox(port, { stallSeconds: 30 })
  const carrier = carrierAt(sandbox.origin)
  const { parcelRef, trackingNumber } = await bought(carrier, { to: { ...parcel.to, name: 'Carrier Slow' } })
  expect(await carrier.createManifest([parcelRef])).toMatchObject({ ok: false, reason: 'unavailable' })
  expect(await carrier.findManifest(parcelRef)).toMatchObject({
    ok: true,
    value: { state: 'created', trackingNumbers: [trackingNumber] },
  })
}, 30_000)

test('carriers declare whether they take manifests, and an unknown carrier does not', async () => {
  await using sandbox = await startTestSandbox(port)
  const carrier = carrierAt(sandbox.origin)
  expect(await carrier.takesManifests('Sandbox Freight')).toEqual({ ok: true, value: true })
  expect(await carrier.takesManifests('Windy City Couriers')).toEqual({ ok: true, value: false })
  await using _receiver = await startReceiver(port + 2, [503])
  expect(await carrierAt(`http://127.0.0.1:${port + 2}`).takesManifests('USPS')).toMatchObject({
    ok: false,
    reason: 'unavailable',
  })
})
