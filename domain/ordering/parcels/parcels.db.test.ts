/**
 * Labels are bought once, voided and refused; parcels are marked as shipped and delivered; and the list of parcels to
 * pack.
 */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { must, openTestStore, type TestStore } from '#domain/ordering/checkout/checkout.testing.ts'
import { changeWarehouse, findWarehouse, listWarehouses } from '#domain/supply/delivery/delivery.server.ts'
import { filesInRows } from '#domain/kernel/files/files.testing.ts'
import type { Carrier } from '#domain/ordering/orders/carrier.port.ts'
import {
  cancelAsStaff,
  cancelParcel,
  eraseOrderPeople,
  keepLabelFiles,
  receiveCarrierEvent,
  refundLabel,
  selectLabels,
  shipOrder,
} from '#domain/ordering/orders/orders.server.ts'
import { auditOf, dana, orderOf, pass } from '#domain/ordering/orders/staff-acts.testing.ts'
import { signInStaff } from '#domain/kernel/staff/staff.testing.ts'
import { scanBy } from '#domain/ordering/returns/returns.testing.ts'
import { changeBin } from '#domain/supply/stock/stock.server.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import {
  buyLabel,
  findParcel,
  listParcelsToPack,
  markDelivered,
  markShipped,
  quoteLabel,
  readLabel,
} from './parcels.server.ts'
import { makeParcel } from './parcels.testing.ts'

const [port = 0] = await freePorts(3)
const ups = { carrier: 'UPS', trackingNumber: '1Z999AA10123456784' }

async function labelsAt({ sandbox }: TestStore): Promise<number> {
  const board = await (await fetch(`${sandbox.origin}/carrier`)).text()
  return (board.match(/<a href="\/carrier\/labels\//g) ?? []).length
}

async function mailsOf({ db }: TestStore, orderId: number): Promise<string[]> {
  const rows = await db.selectFrom('message').select('kind').where('order_id', '=', orderId).orderBy('kind').execute()
  return rows.map(({ kind }) => kind)
}

async function jobsOf({ db }: TestStore, name: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from graphile_worker.jobs where task_identifier = ${name}`.execute(db)
  return rows[0]?.count ?? 0
}

test('a label is bought once by any number of clicks and jobs, with its cost, address and files', async () => {
  await using store = await openTestStore(port)
  const { orderId, id } = await makeParcel(store)
  const results = await Promise.all([
    buyLabel(store, dana, id),
    buyLabel(store, dana, id),
    shipOrder(store, { orderId, shipmentId: id }),
    buyLabel(store, dana, id),
  ])
  for (const result of results) if (result) must(result)
  must(await buyLabel(store, dana, id))
  expect(await labelsAt(store)).toBe(1)
  const [label] = await selectLabels(store.db, orderId)
  expect(label).toMatchObject({ shipmentId: id, carrier: 'Sandbox Freight', costCents: 3_840, voidedAt: null })
  const order = await orderOf(store, orderId)
  expect(order.shipments[0]).toMatchObject({
    state: 'pending-pickup',
    trackingNumber: label?.trackingNumber,
    trackingUrl: expect.stringMatching(/^http/),
  })
  const { ship_to } = await store.db.selectFrom('shipment_label').select('ship_to').executeTakeFirstOrThrow()
  expect(ship_to).toEqual(order.shipTo)

  const deps = { ...store, files: filesInRows }
  await Promise.all([keepLabelFiles(store, id), keepLabelFiles(store, id)])
  const pdf = await readLabel(deps, { shipmentId: id, format: 'pdf' })
  expect(pdf?.subarray(0, 5).toString()).toBe('%PDF-')
  const zpl = (await readLabel(deps, { shipmentId: id, format: 'zpl' }))?.toString() ?? ''
  expect(zpl).toContain(order.shipTo.street)
  expect(zpl).toContain(label?.trackingNumber)
  expect(await store.db.selectFrom('shipment_label_file').select('format').execute()).toHaveLength(2)
  // A customer who is erased takes the files with them.
  await store.db.transaction().execute((tx) => eraseOrderPeople(tx, [orderId]))
  expect(await readLabel(deps, { shipmentId: id, format: 'pdf' })).toBeUndefined()
  expect(await store.db.selectFrom('stored_file').select('key').execute()).toEqual([])
})

test('a quote buys nothing, and a label that costs more than agreed isn’t bought', async () => {
  await using store = await openTestStore(port)
  const { orderId, id } = await makeParcel(store)
  const jobs = await jobsOf(store, 'ship-order')
  const support = await signInStaff(store, 'support')
  expect(await quoteLabel(store, support, id)).toMatchObject({ reason: 'not-allowed' })
  expect(must(await quoteLabel(store, dana, id))).toEqual({ carrier: 'Sandbox Freight', costCents: 3_840 })
  expect(await labelsAt(store)).toBe(0)
  // The parcel can still move to another warehouse.
  const { carrier_ref } = await store.db
    .selectFrom('shipment')
    .select('carrier_ref')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  expect(carrier_ref).toBeNull()
  expect(await buyLabel(store, support, id, { maxCents: 3_840 })).toMatchObject({ reason: 'not-allowed' })
  expect(await buyLabel(store, dana, id, { maxCents: 3_839 })).toMatchObject({ reason: 'costs-more', detail: 3_840 })
  expect(await labelsAt(store)).toBe(0)
  expect(await jobsOf(store, 'ship-order')).toBe(jobs)
  const both = await Promise.all([1, 2].map(() => buyLabel(store, dana, id, { maxCents: 3_840 })))
  expect(both.filter((bought) => must(bought).isNew)).toHaveLength(1)
  expect(await labelsAt(store)).toBe(1)
  expect(await quoteLabel(store, dana, id)).toMatchObject({ reason: 'has-label' })
  expect(must(await buyLabel(store, dana, id, { maxCents: 0 }))).toEqual({ isNew: false })
  expect(await selectLabels(store.db, orderId)).toHaveLength(1)
})

test('a process that ends after buying leaves a label that is found, not a second one', async () => {
  await using store = await openTestStore(port)
  const { orderId, id } = await makeParcel(store)
  const ended: Carrier = {
    ...store.carrier,
    async buyLabel(parcelRef) {
      await store.carrier.buyLabel(parcelRef)
      throw new Error('ended')
    },
  }
  const jobs = await jobsOf(store, 'ship-order')
  await expect(buyLabel({ ...store, carrier: ended }, dana, id)).rejects.toThrow('ended')
  expect(await selectLabels(store.db, orderId)).toEqual([])
  // The job that completes it was queued before.
  expect(jobs).toBe(1)
  await shipOrder(store, { orderId, shipmentId: id })
  expect(await selectLabels(store.db, orderId)).toHaveLength(1)
  expect(await labelsAt(store)).toBe(1)
})

test('a label is voided when its parcel is canceled, also one that a process that ended had just bought', async () => {
  await using store = await openTestStore(port)
  const { orderId, id } = await makeParcel(store)
  must(await buyLabel(store, dana, id))
  const [label] = await selectLabels(store.db, orderId)
  must(await cancelAsStaff(store, dana, { orderId, reason: 'Customer called.' }))
  await cancelParcel(store, { orderId, shipmentId: id, trackingNumber: label?.trackingNumber ?? '' })
  expect((await selectLabels(store.db, orderId))[0]?.voidedAt).not.toBeNull()
  expect(await buyLabel(store, dana, id)).toMatchObject({ reason: 'not-possible' })
  expect(await markShipped(store, dana, { id, own: null })).toMatchObject({ reason: 'not-possible' })

  const other = await makeParcel(store)
  const refunds: string[] = []
  const carrier: Carrier = {
    ...store.carrier,
    async buyLabel(parcelRef) {
      await store.carrier.buyLabel(parcelRef)
      must(await cancelAsStaff(store, dana, { orderId: other.orderId, reason: 'Customer called.' }))
      throw new Error('ended')
    },
    refundLabel(parcelRef) {
      refunds.push(parcelRef)
      return store.carrier.refundLabel(parcelRef)
    },
  }
  await expect(buyLabel({ ...store, carrier }, dana, other.id)).rejects.toThrow('ended')
  await shipOrder({ ...store, carrier }, { orderId: other.orderId, shipmentId: other.id })
  expect(refunds).toHaveLength(1)
})

test('a parcel is marked shipped once in two tabs, and its customer is emailed once', async () => {
  await using store = await openTestStore(port)
  const { orderId, id } = await makeParcel(store)
  expect(await markShipped(store, dana, { id, own: null })).toMatchObject({ reason: 'no-label' })
  must(await buyLabel(store, dana, id))
  const both = await Promise.all([1, 2].map(() => markShipped(store, dana, { id, own: null })))
  expect(both.filter((result) => must(result).isNew)).toHaveLength(1)
  const [parcel] = (await orderOf(store, orderId)).shipments
  expect(parcel?.state).toBe('in-transit')
  // The carrier's own event no longer has an effect.
  const scanned = scanBy(store, { id: 'e1', trackingNumber: parcel?.trackingNumber ?? '', state: 'in-transit' })
  must(await receiveCarrierEvent(scanned, '', ''))
  expect(await mailsOf(store, orderId)).toEqual(['order-received', 'order-shipped'])
  expect((await auditOf(store, orderId)).map(({ act }) => act)).toEqual(['parcel.label-bought', 'parcel.shipped'])
  expect(await markShipped(store, dana, { id, own: ups })).toMatchObject({
    reason: 'not-possible',
    detail: { why: expect.stringContaining('shipped with tracking number') },
  })
  expect(await markDelivered(store, dana, id)).toMatchObject({ reason: 'not-possible' })
})

test('of two tabs with different numbers one ships, and the other sees an error', async () => {
  await using store = await openTestStore(port)
  const { id } = await makeParcel(store)
  const results = await Promise.all(
    ['AAA1', 'BBB2'].map((trackingNumber) => markShipped(store, dana, { id, own: { carrier: 'UPS', trackingNumber } })),
  )
  expect(results.map((result) => (result.ok ? 'ok' : result.reason)).toSorted()).toEqual(['not-possible', 'ok'])
})

test('an own tracking number replaces a bought label, which is refunded', async () => {
  await using store = await openTestStore(port)
  const { orderId, id } = await makeParcel(store)
  must(await buyLabel(store, dana, id))
  const [label] = await selectLabels(store.db, orderId)
  must(await markShipped(store, dana, { id, own: ups }))
  expect((await orderOf(store, orderId)).shipments[0]).toMatchObject({
    state: 'in-transit',
    ...ups,
    trackingUrl: 'https://www.ups.com/track?tracknum=1Z999AA10123456784',
  })
  const { carrier_ref } = await store.db
    .selectFrom('shipment')
    .select('carrier_ref')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  expect(await jobsOf(store, 'refund-label')).toBe(1)
  await refundLabel(store, carrier_ref ?? '')
  expect((await selectLabels(store.db, orderId))[0]?.voidedAt).not.toBeNull()
  // Events for the replaced tracking number match no parcel.
  const scanned = scanBy(store, { id: 'e2', trackingNumber: label?.trackingNumber ?? '', state: 'lost' })
  expect(await receiveCarrierEvent(scanned, '', '')).toMatchObject({ ok: true })
  expect((await orderOf(store, orderId)).shipments[0]?.state).toBe('in-transit')

  must(await markDelivered(store, dana, id))
  must(await markDelivered(store, dana, id))
  expect((await orderOf(store, orderId)).shipments[0]?.state).toBe('delivered')
  expect(await mailsOf(store, orderId)).toEqual(['order-delivered', 'order-received', 'order-shipped'])

  const next = await makeParcel(store)
  expect(await markShipped(store, dana, { id: next.id, own: ups })).toMatchObject({ reason: 'tracking-taken' })
})

test('a label bought while the parcel ships by hand is refunded', async () => {
  await using store = await openTestStore(port)
  const { orderId, id } = await makeParcel(store)
  const refunds: string[] = []
  const carrier: Carrier = {
    ...store.carrier,
    async buyLabel(parcelRef) {
      const answer = await store.carrier.buyLabel(parcelRef)
      must(await markShipped(store, dana, { id, own: ups }))
      return answer
    },
    refundLabel(parcelRef) {
      refunds.push(parcelRef)
      return store.carrier.refundLabel(parcelRef)
    },
  }
  expect(await buyLabel({ ...store, carrier }, dana, id)).toMatchObject({ reason: 'label-unused' })
  expect(refunds).toHaveLength(1)
  expect(await selectLabels(store.db, orderId)).toEqual([])
})

test('a warehouse that ships by hand buys no label, and its parcels are shipped with a typed number', async () => {
  await using store = await openTestStore(port)
  const { orderId, id } = await makeParcel(store)
  const parcel = await findParcel(store, id)
  const warehouse = await findWarehouse(store, parcel?.warehouse.id ?? 0)
  if (!warehouse) throw new Error('The warehouse of a test is missing.')
  must(await changeWarehouse(store, dana, warehouse.id, { ...warehouse, pool: 'local', shipsByHand: true }))
  await shipOrder(store, { orderId, shipmentId: id })
  expect(await labelsAt(store)).toBe(0)
  expect(await buyLabel(store, dana, id)).toMatchObject({
    reason: 'not-possible',
    detail: { why: expect.stringContaining('by hand') },
  })
  must(await markShipped(store, dana, { id, own: { carrier: 'Windy City Couriers', trackingNumber: 'WC-1' } }))
  expect((await orderOf(store, orderId)).shipments[0]).toMatchObject({ state: 'in-transit', trackingUrl: null })
})

test('a warehouse with chosen carriers buys only their labels and takes only their tracking numbers', async () => {
  await using store = await openTestStore(port)
  const { orderId, id } = await makeParcel(store)
  const parcel = await findParcel(store, id)
  const warehouse = await findWarehouse(store, parcel?.warehouse.id ?? 0)
  if (!warehouse) throw new Error('The warehouse of a test is missing.')
  must(await changeWarehouse(store, dana, warehouse.id, { ...warehouse, pool: 'local', carriers: ['UPS', 'USPS'] }))
  const limits: unknown[] = []
  const carrier: Carrier = {
    ...store.carrier,
    buyLabel(parcelRef, carriers) {
      limits.push(carriers)
      return store.carrier.buyLabel(parcelRef, carriers)
    },
  }
  const refused = { reason: 'carrier-refused', detail: { carriers: ['UPS', 'USPS'] } }
  expect(await buyLabel({ ...store, carrier }, dana, id)).toMatchObject(refused)
  await shipOrder({ ...store, carrier }, { orderId, shipmentId: id })
  expect(limits).toEqual([
    ['UPS', 'USPS'],
    ['UPS', 'USPS'],
  ])
  expect(await labelsAt(store)).toBe(0)
  expect(await markShipped(store, dana, { id, own: { carrier: 'FedEx', trackingNumber: '7777' } })).toMatchObject({
    reason: 'not-possible',
    detail: { why: 'This warehouse ships only with UPS, USPS.' },
  })
  must(await markShipped(store, dana, { id, own: ups }))
  expect((await orderOf(store, orderId)).shipments[0]).toMatchObject({ state: 'in-transit', carrier: 'UPS' })
})

test('changing a warehouse moves the deadline of new orders, not of placed ones', async () => {
  await using store = await openTestStore(port)
  const first = await makeParcel(store)
  const before = await findParcel(store, first.id)
  const promised = (await orderOf(store, first.orderId)).shipments[0]?.promisedOn
  if (!before?.shipsBy) throw new Error('The parcel of a test has no deadline.')
  for (const warehouse of await listWarehouses(store)) {
    const slower = {
      ...warehouse,
      pool: 'local',
      cutoff: '16:00',
      handlingDays: 3,
      dayCutoffs: Array.from({ length: 7 }, () => '09:00'),
    } as const
    must(await changeWarehouse(store, dana, warehouse.id, slower))
  }
  expect((await findParcel(store, first.id))?.shipsBy).toEqual(before.shipsBy)
  expect((await orderOf(store, first.orderId)).shipments[0]?.promisedOn).toBe(promised)
  const second = await makeParcel(store)
  const after = await findParcel(store, second.id)
  const local = after?.shipsBy?.toZonedDateTimeISO(after.warehouse.timeZone)
  expect(local?.toPlainTime().toString()).toBe('09:00:00')
  expect(Temporal.Instant.compare(after?.shipsBy ?? before.shipsBy, before.shipsBy.add({ hours: 48 }))).toBe(1)
})

test('roles and order states refuse, with a reason', async () => {
  await using store = await openTestStore(port)
  const { id } = await makeParcel(store)
  const [support, packer] = [await signInStaff(store, 'support'), await signInStaff(store, 'warehouse')]
  expect(await buyLabel(store, support, id)).toMatchObject({ reason: 'not-allowed' })
  expect(await markShipped(store, support, { id, own: ups })).toMatchObject({ reason: 'not-allowed' })
  expect(await markDelivered(store, support, id)).toMatchObject({ reason: 'not-allowed' })
  expect(await markDelivered(store, packer, id)).toMatchObject({ detail: { why: 'This parcel hasn’t shipped yet.' } })
  const nothing = '0198c2f4-8d5e-7c10-a1b2-000000000001'
  expect(await buyLabel(store, packer, nothing)).toMatchObject({ reason: 'parcel-not-found' })
  must(await buyLabel(store, packer, id))
  const away: Carrier = { ...store.carrier, prepare: async () => ({ ok: false, reason: 'unavailable' }) }
  const refusing: Carrier = { ...store.carrier, prepare: async () => ({ ok: false, reason: 'refused-input' }) }
  const next = await makeParcel(store)
  expect(await buyLabel({ ...store, carrier: away }, packer, next.id)).toMatchObject({ reason: 'carrier-away' })
  expect(await buyLabel({ ...store, carrier: refusing }, packer, next.id)).toMatchObject({ reason: 'carrier-refused' })
})

test('the list shows packages to pack, with bins, until they ship or are canceled', async () => {
  await using store = await openTestStore(port)
  const first = await makeParcel(store)
  const second = await makeParcel(store)
  const own = await findParcel(store, first.id)
  const code = own?.warehouse.code ?? ''
  must(
    await changeBin(store, await signInStaff(store, 'warehouse'), {
      itemId: first.itemId,
      warehouseId: own?.warehouse.id ?? 0,
      bin: 'A-04-2',
    }),
  )
  const before = await listParcelsToPack(store, { limit: 500 })
  const listed = before.parcels.find(({ id }) => id === first.id)
  expect(listed).toMatchObject({ orderId: first.orderId, items: [{ quantity: 4, bin: 'A-04-2' }] })
  expect(listed?.shipsBy).not.toBeNull()
  const page = await listParcelsToPack(store, { code, limit: 1 })
  const rest = await listParcelsToPack(store, { code, after: page.next, limit: 500 })
  expect([...page.parcels, ...rest.parcels].map(({ id }) => id)).toEqual(
    before.parcels.filter(({ warehouse }) => warehouse.code === code).map(({ id }) => id),
  )
  expect((await listParcelsToPack(store, { code: 'NONE', limit: 10 })).parcels).toEqual([])
  must(await markShipped(store, dana, { id: first.id, own: ups }))
  must(await cancelAsStaff(store, dana, { orderId: second.orderId, reason: 'Customer called.' }))
  pass(store, { minutes: 1 })
  const after = await listParcelsToPack(store, { limit: 500 })
  expect(after.parcels.filter(({ id }) => id === first.id || id === second.id)).toEqual([])
})

test('a supplier’s stock has no bins', async () => {
  await using store = await openTestStore(port)
  const { item_id, warehouse_id } = await store.db
    .selectFrom('stock')
    .innerJoin('warehouse', 'warehouse.id', 'stock.warehouse_id')
    .select(['stock.item_id', 'stock.warehouse_id'])
    .where('warehouse.supplier_id', 'is not', null)
    .executeTakeFirstOrThrow()
  const place = { itemId: item_id, warehouseId: warehouse_id }
  expect(await changeBin(store, dana, { ...place, bin: 'A1' })).toMatchObject({ reason: 'held-by-supplier' })
  expect(await changeBin(store, dana, { ...place, warehouseId: 999, bin: 'A1' })).toMatchObject({
    reason: 'not-stocked',
  })
})
