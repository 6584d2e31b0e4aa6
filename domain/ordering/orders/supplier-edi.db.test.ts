/** Purchase orders as EDI files, against the sandbox's suppliers. */
import { expect, test } from 'vitest'
import { makePlacedOrder, must } from '#domain/ordering/checkout/checkout.testing.ts'
import { desk, signInStaff } from '#domain/kernel/staff/staff.testing.ts'
import { changeSupplier, findSupplier } from '#domain/supply/stock/stock.server.ts'
import { supplierForm } from '#domain/supply/stock/stock.ts'
import { testSecrets } from '#sandbox/test-sandbox.ts'
import { supplierNames } from '#sandbox/suppliers/suppliers.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { verify } from '#tests/support/invariants.ts'
import {
  cancelAsStaff,
  collectSupplierFiles,
  releaseOrder,
  sendPurchaseOrder,
  withdrawPurchaseOrder,
} from './orders.server.ts'
import { answerFrom, jobsOf, openWithSupplier, ordersAtSupplier } from './supplier-orders.testing.ts'

const [port = 0] = await freePorts(4)
const sftpPort = port + 3

/** Opens a store with a supplier that has an SFTP server. */
async function openWithEdi() {
  const store = await openWithSupplier(port, { sftpPort })
  const shown = (await (await fetch(`${store.sandbox.origin}/suppliers/edi.json`)).json()) as { fingerprint: string }
  const deps = { ...store, supplierAvailability: { refuse: () => null } }
  const manager = await signInStaff(deps, 'manager')
  const before = (await findSupplier(store, 91)) ?? expect.unreachable()
  const typed = {
    code: before.code,
    name: before.name,
    leadDays: '3',
    paymentDays: '30',
    networkId: 'RIDGEWAY',
    ediUrl: `sftp://localhost:${sftpPort}/RIDGEWAY`,
    ediIdentity: 'SIDEWALL',
    ediUsername: 'sidewall',
    ediPassword: testSecrets.ediPassword,
    ediHostKey: shown.fingerprint,
  }
  const change = async (changed: Record<string, string>) => {
    const { version = 0 } = (await findSupplier(store, 91)) ?? {}
    must(
      await changeSupplier(deps, manager, 91, supplierForm.parse({ ...typed, ...changed, version: String(version) })),
    )
  }
  await change({})
  const warnings: object[] = []
  return {
    ...store,
    change,
    warnings,
    log: { warn: (of: object) => void warnings.push(of) },
    /** A released order. The recipient's name determines the supplier's answer. */
    async release(name: string) {
      const { orderId } = await makePlacedOrder(store, { fulfillment: 'home' })
      await store.db.updateTable('sales_order').set({ ship_to_name: name }).where('id', '=', orderId).execute()
      store.clock.set(store.clock.now().add({ minutes: 31 }))
      await releaseOrder(store, orderId)
      const { id } = await store.db
        .selectFrom('purchase_order')
        .select('id')
        .where('order_id', '=', orderId)
        .executeTakeFirstOrThrow()
      return { orderId, id }
    },
    stateOf: (id: number) =>
      store.db
        .selectFrom('purchase_order')
        .select(['state', 'supplier_reference as reference', 'ship_notice as shipNotice', 'reject_reason as reason'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow(),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  }
}

test('an order is uploaded once, accepted by its acknowledgment, and shipped by its notice', async () => {
  await using store = await openWithEdi()
  const { id } = await store.release('Ann Smith')
  await sendPurchaseOrder(store, id)
  await sendPurchaseOrder(store, id)
  expect(await ordersAtSupplier(store)).toMatchObject([{ orderId: `PO-${id}`, times: 1 }])
  await answerFrom(store)
  await Promise.all([collectSupplierFiles(store), collectSupplierFiles(store)].map((each) => each.catch(() => {})))
  await collectSupplierFiles(store)
  expect(await store.stateOf(id)).toMatchObject({ state: 'accepted', reference: `C-PO-${id}` })
  expect(await jobsOf(store, 'ship-order')).toHaveLength(1)
  await fetch(`${store.sandbox.origin}/suppliers/advance/${encodeURIComponent(`x12 RIDGEWAY PO-${id}`)}`, {
    method: 'POST',
    redirect: 'manual',
  })
  await collectSupplierFiles(store)
  expect((await store.stateOf(id)).shipNotice).toContain('Sample Freight SF')
  expect(await findSupplier(store, 91)).toMatchObject({ ediFault: null, ediReadAt: store.clock.now() })
  expect(store.warnings).toEqual([])
  expect(await verify(store.db, store.clock.now())).toEqual([])
})

test.each([
  [supplierNames.rejects, /^Rejected: 4 of 4/, 0],
  [supplierNames.backorders, /^Backordered: 4 of 4/, 1],
  [supplierNames.partly, /^Rejected: 2 of 4/, 1],
  [supplierNames.substitutes, /^Rejected: 4 of 4.*They offer OTHER-TIRE instead of line 1\./, 0],
] as const)('an order that %s can’t fill is sourced elsewhere', async (name, reason, withdrawals) => {
  await using store = await openWithEdi()
  const { id } = await store.release(name)
  await sendPurchaseOrder(store, id)
  await answerFrom(store)
  await collectSupplierFiles(store)
  expect(await store.stateOf(id)).toMatchObject({ state: 'rejected', reason: expect.stringMatching(reason) })
  expect(await jobsOf(store, 're-source-order')).toHaveLength(1)
  expect(await jobsOf(store, 'withdraw-purchase-order')).toHaveLength(withdrawals)
})

test('a canceled order is canceled at the supplier', async () => {
  await using store = await openWithEdi()
  const { orderId, id } = await store.release(supplierNames.silent)
  await sendPurchaseOrder(store, id)
  must(await cancelAsStaff(store, desk, { orderId, reason: 'Wrong size.' }))
  await withdrawPurchaseOrder(store, { purchaseOrderId: id, askedNo: 1 })
  expect(await ordersAtSupplier(store)).toMatchObject([{ state: 'withdrawn' }])
})

test('a failing server is shown with the supplier, and works again with the right password', async () => {
  await using store = await openWithEdi()
  await store.change({ ediPassword: 'wrong' })
  const since = store.clock.now()
  const { id } = await store.release('Ann Smith')
  await expect(sendPurchaseOrder(store, id)).rejects.toThrow('away')
  await collectSupplierFiles(store)
  const { ediFailedAt } = (await findSupplier(store, 91)) ?? {}
  store.clock.set(store.clock.now().add({ minutes: 5 }))
  await collectSupplierFiles(store)
  expect(await findSupplier(store, 91)).toMatchObject({ ediFault: 'refused-login', ediFailedAt })
  expect(ediFailedAt && Temporal.Instant.compare(ediFailedAt, since)).toBe(1)
  await store.change({})
  await sendPurchaseOrder(store, id)
  await collectSupplierFiles(store)
  expect(await findSupplier(store, 91)).toMatchObject({ ediFault: null })
  expect(await ordersAtSupplier(store)).toHaveLength(1)
})
