/** Tests that manifests are created once, without ineligible parcels, and that their labels can't be voided. */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { must, openTestStore, type TestStore } from '#domain/ordering/checkout/checkout.testing.ts'
import { filesInRows } from '#domain/kernel/files/files.testing.ts'
import { signInStaff } from '#domain/kernel/staff/staff.testing.ts'
import type { Carrier } from '#domain/ordering/orders/carrier.port.ts'
import {
  cancelAsStaff,
  cancelParcel,
  readOrder,
  refundLabel,
  selectParcelRef,
} from '#domain/ordering/orders/orders.server.ts'
import { dana, orderOf, pass } from '#domain/ordering/orders/staff-acts.testing.ts'
import { newId } from '#platform/ids.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import {
  buyLabel,
  completeManifest,
  findManifest,
  findParcel,
  listManifests,
  markShipped,
  readManifestFile,
  requestManifests,
  selectManifestOf,
} from './parcels.server.ts'
import { parcelRefusals } from './manifests.ts'
import { makeParcel } from './parcels.testing.ts'

const [port = 0] = await freePorts(3)

type Labeled = { orderId: number; id: string; ref: string; tracking: string; warehouse: string }

/** Makes a parcel with a label; the sandbox behaves by the `name` of its recipient. */
async function makeLabeled(store: TestStore, name?: string): Promise<Labeled> {
  const { orderId, id } = await makeParcel(store)
  const prepare: Carrier['prepare'] = (parcel) =>
    store.carrier.prepare({ ...parcel, to: { ...parcel.to, name: name ?? parcel.to.name } })
  must(await buyLabel(withCarrier(store, { prepare }), dana, id))
  const parcel = await findParcel(store, id)
  const ref = await selectParcelRef(store.db, id)
  return {
    orderId,
    id,
    ref: ref ?? '',
    tracking: parcel?.trackingNumber ?? '',
    warehouse: parcel?.warehouse.code ?? '',
  }
}

const request = (store: TestStore & { carrier: Carrier }, { warehouse }: Labeled, key = newId()) =>
  requestManifests(store, dana, { warehouse, key })

/** Counts the carrier's forms for these parcels. */
async function countForms(store: TestStore, parcels: readonly Labeled[]): Promise<number> {
  const refs = await Promise.all(
    parcels.map(async ({ ref }) => {
      const found = await store.carrier.findManifest(ref)
      return found.ok && found.value ? found.value.manifestRef : null
    }),
  )
  return new Set(refs.filter((ref) => ref !== null)).size
}

async function jobsOf({ db }: TestStore): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from graphile_worker.jobs where task_identifier = 'create-manifest'`.execute(db)
  return rows[0]?.count ?? 0
}

async function read(store: TestStore, id: number | undefined) {
  const found = await findManifest(store, id ?? 0)
  if (!found) throw new Error('The manifest of a test is missing.')
  return found
}

const withCarrier = (store: TestStore, change: Partial<Carrier>): TestStore => ({
  ...store,
  carrier: { ...store.carrier, ...change },
})

test('a manifest has the labeled parcels of a warehouse and a PDF, once for any number of tabs and jobs', async () => {
  await using store = await openTestStore(port)
  const [first, second] = [await makeLabeled(store), await makeLabeled(store)]
  const unlabeled = await makeParcel(store)
  const key = newId()
  const results = await Promise.all(Array.from({ length: 3 }, () => request(store, first, key)))
  const [ids = []] = results.map((result) => must(result))
  expect(ids).toHaveLength(1)
  expect(results.map((result) => must(result))).toEqual([ids, ids, ids])
  await Promise.all([completeManifest(store, ids[0] ?? 0), completeManifest(store, ids[0] ?? 0)])
  expect(must(await request(store, first, key))).toEqual(ids)
  expect(await countForms(store, [first, second])).toBe(1)
  const { manifest, parcels } = await read(store, ids[0])
  expect(manifest).toMatchObject({ state: 'created', carrier: 'Sandbox Freight', parcels: 2, requestedBy: 'dana' })
  expect(Object.fromEntries(parcels.map(({ trackingNumber, refusal }) => [trackingNumber, refusal]))).toEqual({
    [first.tracking]: null,
    [second.tracking]: null,
  })
  expect(await selectManifestOf(store.db, unlabeled.id)).toBeNull()
  const pdf = await readManifestFile({ ...store, files: filesInRows }, manifest.id)
  expect(pdf?.toString('latin1')).toContain(first.tracking)
  const acts = await store.db
    .selectFrom('audit_entry')
    .select(['subject', 'after'])
    .where('act', '=', 'manifest.requested')
    .execute()
  expect(acts).toEqual([{ subject: `M-${manifest.id}`, after: { carrier: 'Sandbox Freight', parcels: 2 } }])
  expect(await request(store, first)).toMatchObject({ reason: 'no-parcels', detail: { carriers: [], older: 0 } })
  expect(await listManifests(store, { state: 'created', warehouseId: null, before: null }, 10)).toMatchObject({
    manifests: [{ id: manifest.id }],
    next: null,
  })
})

test('a request that ends before or after the carrier answers is completed by its job, with one form', async () => {
  await using store = await openTestStore(port)
  for (const isAsked of [true, false]) {
    const parcel = await makeLabeled(store)
    const ended = withCarrier(store, {
      async createManifest(refs) {
        if (isAsked) await store.carrier.createManifest(refs)
        throw new Error('ended')
      },
    })
    const jobs = await jobsOf(store)
    await expect(request(ended, parcel)).rejects.toThrow('ended')
    expect(await jobsOf(store)).toBe(jobs + 1)
    const id = (await selectManifestOf(store.db, parcel.id)) ?? 0
    expect((await read(store, id)).manifest).toMatchObject({ state: 'requested', carrierRef: null })
    await completeManifest(store, id)
    expect((await read(store, id)).manifest).toMatchObject({ state: 'created', parcels: 1 })
    expect(await countForms(store, [parcel])).toBe(1)
  }
})

test('two processes that ask at the same time get the same form', async () => {
  await using store = await openTestStore(port)
  const parcel = await makeLabeled(store)
  const away = withCarrier(store, { createManifest: async () => ({ ok: false, reason: 'unavailable' }) })
  const [id = 0] = must(await request(away, parcel))
  // Another tab, with another key.
  expect(must(await request(away, parcel))).toEqual([id])
  // Both look for a form before one creates it, and the creator's response arrives last.
  let looked = 0
  let release = () => {}
  const bothLooked = new Promise<void>((resolve) => (release = resolve))
  let end = () => {}
  const otherEnded = new Promise<void>((resolve) => (end = resolve))
  const slow = withCarrier(store, {
    async findManifest(ref) {
      const found = await store.carrier.findManifest(ref)
      looked += 1
      if (looked === 2) release()
      if (looked <= 2) await bothLooked
      return found
    },
    async createManifest(refs) {
      const made = await store.carrier.createManifest(refs)
      if (made.ok) await otherEnded
      return made
    },
  })
  const both = [completeManifest(slow, id), completeManifest(slow, id)]
  await Promise.race(both)
  end()
  await Promise.all(both)
  expect((await read(store, id)).manifest).toMatchObject({ state: 'created', parcels: 1 })
})

test('a manifest stays requested while the carrier is unavailable or still creating it', async () => {
  await using store = await openTestStore(port)
  const parcel = await makeLabeled(store)
  const away = withCarrier(store, { createManifest: async () => ({ ok: false, reason: 'unavailable' }) })
  const [id = 0] = must(await request(away, parcel))
  await expect(completeManifest(away, id)).rejects.toThrow('not complete')
  // Another press continues it.
  expect(must(await request(store, parcel))).toEqual([id])
  expect((await read(store, id)).manifest.state).toBe('created')

  const slow = await makeLabeled(store, 'Manifest Slow')
  const [second = 0] = must(await request(store, slow))
  expect((await read(store, second)).manifest).toMatchObject({ state: 'requested', carrierRef: expect.any(String) })
  await expect(completeManifest(store, second)).rejects.toThrow('not complete')
  await completeManifest(store, second)
  expect((await read(store, second)).manifest.state).toBe('created')
  expect(
    await request(
      withCarrier(store, { takesManifests: async () => ({ ok: false, reason: 'unavailable' }) }),
      await makeLabeled(store),
    ),
  ).toMatchObject({
    reason: 'carrier-away',
  })
})

test('a failed manifest shows the reason and frees its parcels for another', async () => {
  await using store = await openTestStore(port)
  const failing = await makeLabeled(store, 'Manifest Failed')
  const [id = 0] = must(await request(store, failing))
  const { manifest, parcels } = await read(store, id)
  expect(manifest).toMatchObject({
    state: 'failed',
    parcels: 0,
    failure: 'The carrier could not process the manifest.',
  })
  expect(parcels).toMatchObject([{ refusal: 'The carrier could not process the manifest.' }])
  await completeManifest(store, id)
  const good = withCarrier(store, {
    async createManifest(refs) {
      return {
        ok: true,
        value: {
          manifestRef: 'sf_good',
          state: 'created',
          trackingNumbers: [failing.tracking],
          message: String(refs.length),
        },
      }
    },
    readManifestFile: async () => ({ ok: true, value: Buffer.from('%PDF-1.4') }),
  })
  const [next = 0] = must(await request(good, failing))
  expect(next).not.toBe(id)
  expect((await read(store, next)).manifest).toMatchObject({ state: 'created', parcels: 1 })
})

test('parcels that the carrier refuses, left off, or labeled on an earlier day are listed with the reason', async () => {
  await using store = await openTestStore(port)
  const old = await makeLabeled(store)
  pass(store, { hours: 24 })
  expect(await request(store, old)).toMatchObject({ reason: 'no-parcels', detail: { older: 1 } })
  const [taken, leftOff, good] = [await makeLabeled(store), await makeLabeled(store), await makeLabeled(store)]
  // Already on another manifest's form.
  await store.carrier.createManifest([taken.ref])
  await store.db
    .insertInto('manifest')
    .values({
      warehouse_id: (await findParcel(store, old.id))?.warehouse.id ?? 0,
      carrier: 'Other',
      state: 'created',
      request_key: newId(),
      carrier_ref: await formOf(store, taken),
      requested_at: store.clock.now(),
      requested_by: 'dana',
      ended_at: store.clock.now(),
    })
    .execute()
  const forgetful = withCarrier(store, {
    async createManifest(refs) {
      const made = await store.carrier.createManifest(refs)
      if (!made.ok) return made
      const trackingNumbers = made.value.trackingNumbers.filter((number) => number !== leftOff.tracking)
      return { ok: true, value: { ...made.value, trackingNumbers } }
    },
  })
  const [id = 0] = must(await request(forgetful, good))
  const { manifest, parcels } = await read(store, id)
  expect(manifest).toMatchObject({ state: 'created', parcels: 1 })
  const refusals = Object.fromEntries(parcels.map(({ shipmentId, refusal }) => [shipmentId, refusal]))
  expect(refusals).toEqual({
    [old.id]: parcelRefusals.earlierDay,
    [taken.id]: parcelRefusals.refused,
    [leftOff.id]: parcelRefusals.leftOff,
    [good.id]: null,
  })
})

async function formOf(store: TestStore, { ref }: Labeled): Promise<string> {
  const found = await store.carrier.findManifest(ref)
  return found.ok ? (found.value?.manifestRef ?? '') : ''
}

test('another carrier or a canceled order can’t void a label on a manifest', async () => {
  await using store = await openTestStore(port)
  const parcel = await makeLabeled(store)
  const [id = 0] = must(await request(store, parcel))
  const refunds: string[] = []
  const watched = withCarrier(store, {
    refundLabel(ref) {
      refunds.push(ref)
      return store.carrier.refundLabel(ref)
    },
  })
  const own = { carrier: 'UPS', trackingNumber: '1Z999AA10123456784' }
  expect(await markShipped(store, dana, { id: parcel.id, own })).toMatchObject({
    reason: 'not-possible',
    detail: { why: expect.stringContaining(`M-${id}`) },
  })
  must(await cancelAsStaff(store, dana, { orderId: parcel.orderId, reason: 'Customer called.' }))
  await cancelParcel(watched, { orderId: parcel.orderId, shipmentId: parcel.id, trackingNumber: parcel.tracking })
  await refundLabel(watched, parcel.ref)
  expect(refunds).toEqual([])
  const notes = await store.db.selectFrom('order_event').select('note').where('order_id', '=', parcel.orderId).execute()
  expect(notes.some(({ note }) => note?.includes('Keep the parcel from being picked up'))).toBe(true)
  expect((await read(store, id)).manifest.parcels).toBe(1)
  const voided = sql`update shipment_label set void_requested_at = now(), voided_at = now() where shipment_id = ${parcel.id}`
  await expect(voided.execute(store.db)).rejects.toThrow('on a manifest')
})

test('a label with a requested refund can’t be put on a manifest, even if both requests race', async () => {
  await using store = await openTestStore(port)
  const [voided, other] = [await makeLabeled(store), await makeLabeled(store)]
  // The refund request is waiting for the carrier's response.
  let answer = () => {}
  const asked = new Promise<void>((resolve) => (answer = resolve))
  let begun = () => {}
  const isAsked = new Promise<void>((resolve) => (begun = resolve))
  const slow = withCarrier(store, {
    async refundLabel(ref) {
      begun()
      await asked
      return store.carrier.refundLabel(ref)
    },
  })
  const refund = refundLabel(slow, voided.ref)
  await isAsked
  const [id = 0] = must(await request(store, other))
  answer()
  await refund
  expect((await read(store, id)).parcels.map(({ shipmentId }) => shipmentId)).toEqual([other.id])
  const { manifest } = await read(store, id)
  await expect(
    sql`insert into manifest_parcel values (${manifest.id}, ${voided.id}, ${voided.ref}, ${voided.tracking}, null)`.execute(
      store.db,
    ),
  ).rejects.toThrow('is voided')

  // In each race the label ends up either on the manifest or voided.
  for (let turn = 0; turn < 6; turn += 1) {
    const raced = await makeLabeled(store)
    const [requested] = await Promise.all([request(store, raced), refundLabel(store, raced.ref)])
    const { voided_at } = await store.db
      .selectFrom('shipment_label')
      .select('voided_at')
      .where('shipment_id', '=', raced.id)
      .executeTakeFirstOrThrow()
    const isOn = (await selectManifestOf(store.db, raced.id)) !== null
    expect(isOn).toBe(voided_at === null)
    expect(isOn ? requested.ok : !requested.ok).toBe(true)
  }
})

test('a label is on one manifest', async () => {
  await using store = await openTestStore(port)
  const parcel = await makeLabeled(store)
  must(await request(store, parcel))
  const { rows } = await sql<{ id: number }>`
    insert into manifest (warehouse_id, carrier, request_key, requested_at, requested_by)
    select warehouse_id, carrier, ${newId()}::uuid, requested_at, requested_by from manifest returning id::int`.execute(
    store.db,
  )
  await expect(
    sql`insert into manifest_parcel values (${rows[0]?.id}, ${parcel.id}, ${parcel.ref}, ${parcel.tracking}, null)`.execute(
      store.db,
    ),
  ).rejects.toThrow('manifest_parcel_once')
})

test('a shipped parcel, a carrier without manifests, another role, and an unknown warehouse are refused', async () => {
  await using store = await openTestStore(port)
  const parcel = await makeLabeled(store)
  const support = await signInStaff(store, 'support')
  const input = { warehouse: parcel.warehouse, key: newId() }
  expect(await requestManifests(store, support, input)).toMatchObject({ reason: 'not-allowed' })
  expect(await requestManifests(store, dana, { ...input, warehouse: 'NONE' })).toMatchObject({
    reason: 'warehouse-not-found',
  })
  const without = withCarrier(store, { takesManifests: async () => ({ ok: true, value: false }) })
  expect(await request(without, parcel)).toMatchObject({
    reason: 'no-parcels',
    detail: { carriers: ['Sandbox Freight'] },
  })
  must(await markShipped(store, dana, { id: parcel.id, own: null }))
  expect(await request(store, parcel)).toMatchObject({ reason: 'no-parcels', detail: { carriers: [] } })
  expect(await readOrder(store.db, parcel.orderId)).toBeDefined()
  expect((await orderOf(store, parcel.orderId)).shipments[0]?.state).toBe('in-transit')
})
