/** Purchase orders over the wire, against the sandbox's suppliers: sent once, answered in every way, and re-sourced. */
import { expect, test } from 'vitest'
import { createCxmlSuppliers } from '#adapters/suppliers/cxml.ts'
import { makePlacedOrder, must, type TestStore } from '#domain/ordering/checkout/checkout.testing.ts'
import { changeOrder } from '#domain/ordering/order-changes/order-changes.server.ts'
import { askedChange, home } from '#domain/ordering/order-changes/order-changes.testing.ts'
import { dana } from './staff-acts.testing.ts'
import { listAudit } from '#domain/kernel/staff/staff.server.ts'
import { desk } from '#domain/kernel/staff/staff.testing.ts'
import { answerPurchaseOrder, listPurchaseOrders } from '#domain/supply/stock/stock.server.ts'
import { purchaseOrderStates } from '#domain/supply/stock/stock.ts'
import { newId } from '#platform/ids.ts'
import { supplierNames } from '#sandbox/suppliers/suppliers.ts'
import { testSecrets } from '#sandbox/test-sandbox.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { verify } from '#tests/support/invariants.ts'
import {
  cancelAsStaff,
  cancelOrder,
  listSources,
  readOrder,
  receiveSupplierMessage,
  releaseOrder,
  reSource,
  reSourceAutomatically,
  sendPurchaseOrder,
  tellOfDelays,
  withdrawPurchaseOrder,
} from './orders.server.ts'
import { openInventory } from '#tests/support/inventory.ts'
import {
  answerFrom,
  billed,
  codeOf,
  deliver,
  jobsOf,
  openWithSupplier,
  ordersAtSupplier,
  type SupplierStore,
} from './supplier-orders.testing.ts'

const [port = 0] = await freePorts(3)
/** A released order. The recipient's name determines the supplier's simulated response. */
async function makeReleased(
  store: SupplierStore,
  name: string = 'Ann Smith',
  options: Parameters<typeof makePlacedOrder>[1] = { fulfillment: 'home' },
) {
  const { orderId } = await makePlacedOrder(store, options)
  await store.db.updateTable('sales_order').set({ ship_to_name: name }).where('id', '=', orderId).execute()
  store.clock.set(store.clock.now().add({ minutes: 31 }))
  await releaseOrder(store, orderId)
  return { orderId, id: await purchaseOrderOf(store, orderId) }
}

async function purchaseOrderOf({ db }: TestStore, orderId: number): Promise<number> {
  const row = await db
    .selectFrom('purchase_order')
    .select('id')
    .where('order_id', '=', orderId)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  return row.id
}

function rowOf({ db }: TestStore, id: number) {
  return db.selectFrom('purchase_order').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}

async function notesOf({ db }: TestStore, orderId: number): Promise<(string | null)[]> {
  const rows = await db.selectFrom('order_event').select('note').where('order_id', '=', orderId).execute()
  return rows.map(({ note }) => note)
}

/** Sends a purchase order and passes on what the supplier answers. */
async function sendAndHear(store: SupplierStore, id: number) {
  await sendPurchaseOrder(store, id)
  await answerFrom(store)
  return deliver(store)
}

test('an order goes to its supplier once, is accepted once, and its parcel is sent for', async () => {
  await using store = await openWithSupplier(port)
  const { orderId, id } = await makeReleased(store, supplierNames.twice)
  expect(await jobsOf(store, 'send-purchase-order')).toEqual([{ purchaseOrderId: id }])
  // Killed between the supplier's answer and our note of it, the job runs again: the supplier sees the same message.
  await sendPurchaseOrder({ ...store, db: failingAfterReads(store) }, id).catch(() => {})
  await Promise.all([sendPurchaseOrder(store, id), sendPurchaseOrder(store, id)])
  await sendPurchaseOrder(store, id)
  const [sent] = await ordersAtSupplier(store)
  expect(sent?.orderId).toBe(`PO-${id}`)
  expect(await ordersAtSupplier(store)).toHaveLength(1)
  expect(sent?.times).toBeGreaterThan(1)

  await answerFrom(store)
  expect(await deliver(store)).toEqual([200, 200, 200])
  expect(await deliver(store)).toEqual([200, 200, 200])
  expect(await rowOf(store, id)).toMatchObject({ state: 'accepted', supplier_reference: `C-PO-${id}` })
  expect(await jobsOf(store, 'ship-order')).toHaveLength(1)
  await fetch(`${store.sandbox.origin}/suppliers/advance/${encodeURIComponent(`PO-${id}-1@sidewall`)}`, {
    method: 'POST',
    redirect: 'manual',
  })
  await store.sandbox.catchUp()
  expect(await deliver(store)).toEqual([200, 200, 200, 200])
  expect((await rowOf(store, id)).ship_notice).toContain('Sample Freight')
  expect((await readOrder(store.db, orderId))?.shipments[0]?.expectedOn).not.toBeNull()
  expect(await verify(store.db, store.clock.now())).toEqual([])
})

/** A database with transactions that fail, as if the process were killed. */
function failingAfterReads({ db }: TestStore): TestStore['db'] {
  return new Proxy(db, {
    get(target, name, receiver) {
      if (name === 'transaction')
        return () => {
          throw new Error('killed')
        }
      const value: unknown = Reflect.get(target, name, receiver)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

const short = [
  [supplierNames.rejects, /^Rejected: 4 of 4/, 0],
  [supplierNames.backorders, /^Backordered: 4 of 4/, 1],
  [supplierNames.partly, /^Rejected: 2 of 4/, 1],
] as const

test.for(short)('%s: nothing of it is kept, and staff are shown why', async ([name, reason, withdrawals]) => {
  await using store = await openWithSupplier(port)
  const { id } = await makeReleased(store, name)
  expect(await sendAndHear(store, id)).toEqual([200])
  const row = await rowOf(store, id)
  expect(row.state).toBe('rejected')
  expect(row.supplier_reference).toBeNull()
  expect(row.reject_reason).toMatch(reason)
  expect(await jobsOf(store, 'ship-order')).toEqual([])
  const [withdrawal] = await jobsOf(store, 'withdraw-purchase-order')
  expect(await jobsOf(store, 'withdraw-purchase-order')).toHaveLength(withdrawals)
  if (withdrawal) {
    await withdrawPurchaseOrder(store, { purchaseOrderId: id, askedNo: withdrawal['askedNo'] ?? 0 })
    expect(await ordersAtSupplier(store)).toMatchObject([{ state: 'withdrawn' }])
    expect((await rowOf(store, id)).withdrawn_at).not.toBeNull()
  }
  expect(await verify(store.db, store.clock.now())).toEqual([])
})

test('retries an unavailable supplier and sends rejections to staff', async () => {
  await using store = await openWithSupplier(port)
  const { id } = await makeReleased(store, supplierNames.down)
  await expect(sendPurchaseOrder(store, id)).rejects.toThrow('The supplier is away.')
  expect(await rowOf(store, id)).toMatchObject({ state: 'released', sent_at: null })
  const refused = await makeReleased(store, supplierNames.refuses)
  await sendPurchaseOrder(store, refused.id)
  expect(await rowOf(store, refused.id)).toMatchObject({
    state: 'rejected',
    reject_reason: 'The supplier’s system refused it: 406 This address is not served.',
  })
  await sendPurchaseOrder(
    {
      ...store,
      suppliers: { ...store.suppliers, ...createCxmlSuppliers(null, { store: billed, outgoing: store.outgoing }) },
    },
    id,
  )
  expect(await verify(store.db, store.clock.now())).toEqual([])
})

test('a redirected order withdraws the supplier’s earlier order and waits with the new package', async () => {
  await using store = await openWithSupplier(port)
  const { id, orderId } = await makeReleased(store, 'Ann Smith', {})
  expect(await sendAndHear(store, id)).toEqual([200])
  const before = (await jobsOf(store, 'ship-order')).length
  must(await changeOrder(store, dana, await askedChange(store, orderId, home)))
  await releaseOrder(store, orderId)
  const next = await purchaseOrderOf(store, orderId)
  expect((await rowOf(store, id)).state).toBe('canceled')
  expect((await rowOf(store, next)).state).toBe('released')
  expect(await jobsOf(store, 'withdraw-purchase-order')).toEqual([{ purchaseOrderId: id, askedNo: 1 }])
  expect(await jobsOf(store, 'ship-order')).toHaveLength(before)
  await withdrawPurchaseOrder(store, { purchaseOrderId: id, askedNo: 1 })
  expect((await sendAndHear(store, next)).at(-1)).toBe(200)
  expect((await rowOf(store, next)).state).toBe('accepted')
  const parcel = (await readOrder(store.db, orderId))?.shipments[0]
  expect((await jobsOf(store, 'ship-order')).at(-1)).toMatchObject({ shipmentId: parcel?.id })
  expect((await ordersAtSupplier(store)).map((one) => [one.orderId, one.state])).toEqual(
    expect.arrayContaining([
      [`PO-${id}`, 'withdrawn'],
      [`PO-${next}`, expect.not.stringContaining('withdrawn')],
    ]),
  )
  expect(await verify(store.db, store.clock.now())).toEqual([])
})

test('asked again it is another order, and an answer to the first is not taken for it', async () => {
  await using store = await openWithSupplier(port)
  const { id, orderId } = await makeReleased(store, supplierNames.rejects)
  await sendAndHear(store, id)
  must(await answerPurchaseOrder(store, { answer: { intent: 'again', id }, by: desk }))
  expect(await rowOf(store, id)).toMatchObject({ state: 'released', asked_no: 2, sent_at: null, reject_reason: null })
  const stale = store.receiver.received[0]?.body.replace(/payloadID="msg_[^"]*"/, 'payloadID="another"') ?? ''
  expect(await codeOf(store, stale)).toBe(409)
  expect((await rowOf(store, id)).state).toBe('released')
  await store.db.updateTable('sales_order').set({ ship_to_name: 'Ann' }).where('id', '=', orderId).execute()
  expect(await sendAndHear(store, id)).toEqual([200, 200])
  expect((await ordersAtSupplier(store)).map(({ orderId: number }) => number).toSorted()).toEqual([
    `PO-${id}`,
    `PO-${id}-2`,
  ])
  expect((await rowOf(store, id)).state).toBe('accepted')
  expect(await verify(store.db, store.clock.now())).toEqual([])
})

test('a supplier that changes its mind is for staff, and a canceled order is withdrawn', async () => {
  await using store = await openWithSupplier(port)
  const { id, orderId } = await makeReleased(store, supplierNames.changes)
  expect(await sendAndHear(store, id)).toEqual([200, 409])
  expect((await rowOf(store, id)).state).toBe('accepted')
  expect((await notesOf(store, orderId)).join()).toContain(`Ridgeway Wholesale answers PO-${id}, which is accepted`)
  expect(await deliver(store)).toEqual([200, 409])
  must(await cancelAsStaff(store, desk, { orderId, reason: 'The customer called.' }))
  expect(await jobsOf(store, 'withdraw-purchase-order')).toMatchObject([{ purchaseOrderId: id, askedNo: 1 }])
  await withdrawPurchaseOrder(store, { purchaseOrderId: id, askedNo: 1 })
  expect(await ordersAtSupplier(store)).toMatchObject([{ state: 'withdrawn' }])
  expect(await verify(store.db, store.clock.now())).toEqual([])
})

test('only authenticated suppliers can update their own orders, and guessing is limited', async () => {
  await using store = await openWithSupplier(port)
  const { id } = await makeReleased(store)
  await sendPurchaseOrder(store, id)
  await answerFrom(store)
  const body = store.receiver.received[0]?.body ?? ''
  expect(await codeOf(store, body.replace('RIDGEWAY', 'OTHER'))).toBe(400)
  expect(await codeOf(store, body.replaceAll(`PO-${id}-1@`, 'PO-999999-1@'))).toBe(400)
  expect(await codeOf(store, body.replaceAll(/payloadID="PO[^"]*"/g, 'payloadID="x"'))).toBe(400)
  expect(await codeOf(store, body.replace('</OrderReference>', '</OrderReference><Broken>'))).toBe(406)
  const wrong = body.replace(testSecrets.supplierCallbackSecret, 'guess')
  for (let count = 0; count < 20; count++) await codeOf(store, wrong, 'guesser')
  expect(await receiveSupplierMessage(store, { rawBody: body, from: 'guesser' })).toMatchObject({
    code: 401,
    retryAfterSeconds: expect.any(Number),
  })
  expect((await rowOf(store, id)).state).toBe('released')
  expect(await codeOf(store, body)).toBe(200)
  expect((await rowOf(store, id)).state).toBe('accepted')
})

test('units rejected by a supplier ship from another warehouse, and the shopper is notified of a delay', async () => {
  await using store = await openWithSupplier(port)
  const { id, orderId } = await makeReleased(store, supplierNames.rejects)
  await sendAndHear(store, id)
  const sources = await listSources(store, id)
  expect(sources.length).toBeGreaterThan(1)
  const last = sources.findLast(({ supplier }) => supplier !== null)
  if (!last) throw new Error('The test needs another warehouse.')
  const nobody = { via: 'office', name: 'x@store.example', sessionId: newId(), networkKey: 'n' } as const
  const ask = { id, warehouseId: last.warehouseId, by: desk }
  expect(await reSource(store, { ...ask, by: nobody })).toMatchObject({ reason: 'not-allowed' })
  expect(await reSource(store, { ...ask, warehouseId: 999 })).toMatchObject({ reason: 'not-there' })
  const free = () => unitsAt(store, orderId, last.warehouseId)
  const before = await free()
  const presses = await Promise.all(Array.from({ length: 12 }, () => reSource(store, ask)))
  expect(presses.filter(({ ok }) => ok)).toHaveLength(1)
  expect(await free()).toBe(before - 4)
  const replacement = await purchaseOrderOf(store, orderId)
  expect(await rowOf(store, id)).toMatchObject({ state: 'canceled' })
  expect(await rowOf(store, replacement)).toMatchObject({ state: 'released', warehouse_id: last.warehouseId })
  expect(await jobsOf(store, 'withdraw-purchase-order')).toEqual([])
  const [parcel] = (await readOrder(store.db, orderId))?.shipments ?? []
  expect(parcel).toMatchObject({ warehouse: { id: last.warehouseId }, expectedOn: last.arrivesOn?.toString() })
  expect(await tellOfDelays(store)).toBe((parcel?.expectedOn ?? '') > (parcel?.promisedOn ?? '') ? 1 : 0)
  expect(last.arrivesOn?.toString()).not.toBe(sources[0]?.arrivesOn?.toString())
  const query = {
    actor: null,
    act: 'supplier.re-sourced' as const,
    subject: null,
    from: null,
    until: null,
    before: null,
  }
  expect((await listAudit(store, query)).entries).toMatchObject([{ subject: `PO-${id}` }])
  expect(await verify(store.db, store.clock.now())).toEqual([])
})

test('units that a supplier rejects come from another warehouse in time, without staff', async () => {
  await using store = await openWithSupplier(port)
  const { id, orderId } = await makeReleased(store, supplierNames.rejects)
  await sendAndHear(store, id)
  expect(await jobsOf(store, 're-source-order')).toEqual([{ purchaseOrderId: id, askedNo: 1 }])
  const [parcel] = (await readOrder(store.db, orderId))?.shipments ?? []
  const inTime = (await listSources(store, id)).filter(
    ({ arrivesOn }) => arrivesOn !== null && arrivesOn.toString() <= (parcel?.promisedOn ?? ''),
  )
  await Promise.all(Array.from({ length: 5 }, () => reSourceAutomatically(store, { purchaseOrderId: id, askedNo: 1 })))
  const [moved] = (await readOrder(store.db, orderId))?.shipments ?? []
  expect(inTime.map(({ warehouseId }) => warehouseId)).toContain(moved?.warehouse.id)
  expect(await rowOf(store, id)).toMatchObject({ state: 'canceled' })
  expect(await tellOfDelays(store)).toBe(0)
  expect(await verify(store.db, store.clock.now())).toEqual([])
})

test('staff choose a warehouse if no other one delivers in time', async () => {
  await using store = await openWithSupplier(port)
  const { id, orderId } = await makeReleased(store, supplierNames.rejects)
  await sendAndHear(store, id)
  store.clock.set(store.clock.now().add({ hours: 24 * 20 }))
  await reSourceAutomatically(store, { purchaseOrderId: id, askedNo: 2 })
  expect(await notesOf(store, orderId)).not.toContainEqual(expect.stringContaining('Choose a warehouse.'))
  await reSourceAutomatically(store, { purchaseOrderId: id, askedNo: 1 })
  expect(await rowOf(store, id)).toMatchObject({ state: 'rejected' })
  expect(await notesOf(store, orderId)).toContainEqual(expect.stringContaining('Choose a warehouse.'))
})

test('our own warehouse sends the parcel itself, and a canceled order reaches no supplier', async () => {
  await using store = await openWithSupplier(port)
  const { id, orderId } = await makeReleased(store, supplierNames.rejects)
  await sendAndHear(store, id)
  await store.db
    .updateTable('stock')
    .set({ on_hand: 40 })
    .where('warehouse_id', '=', 2)
    .where(
      'item_id',
      'in',
      store.db.selectFrom('purchase_order_line').select('item_id').where('purchase_order_id', '=', id),
    )
    .execute()
  await openInventory(store.db)
  if (!(await listSources(store, id)).some(({ warehouseId }) => warehouseId === 2)) return
  must(await reSource(store, { id, warehouseId: 2, by: desk }))
  expect(await jobsOf(store, 'ship-order')).toMatchObject([{ orderId }])
  const early = await makePlacedOrder(store, { fulfillment: 'home' })
  must(await cancelOrder(store, { orderId: early.orderId, actor: 'shopper' }))
  store.clock.set(store.clock.now().add({ minutes: 31 }))
  await releaseOrder(store, early.orderId)
  const listed = await Promise.all(
    purchaseOrderStates.map((state) => listPurchaseOrders(store, { state, before: null })),
  )
  for (const { id: each } of listed.flatMap(({ orders }) => orders)) await sendPurchaseOrder(store, each)
  expect(await ordersAtSupplier(store)).toHaveLength(1)
  expect(await verify(store.db, store.clock.now())).toEqual([])
})

async function unitsAt({ db }: TestStore, orderId: number, warehouseId: number): Promise<number> {
  const row = await db
    .selectFrom('stock')
    .innerJoin('order_line', 'order_line.item_id', 'stock.item_id')
    .select('on_hand')
    .where('order_line.order_id', '=', orderId)
    .where('warehouse_id', '=', warehouseId)
    .executeTakeFirstOrThrow()
  return row.on_hand
}
