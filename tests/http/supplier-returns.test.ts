/** Tests returns to suppliers in the office and the admin API, with their stock and ledger. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import { newId } from '#platform/ids.ts'
import { addAdminClient, callAdminApi, requestAdminToken } from '#tests/support/admin-client.ts'
import { verify } from '#tests/support/invariants.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInToOffice } from '#tests/support/visitor.ts'

let store: RunningStore
let tire: { itemId: number; sku: string; warehouseId: number; cost: number }
const [manager, packer, owner] = [createVisitor(), createVisitor(), createVisitor()]

beforeAll(async () => {
  store = await startStore({ env: { API_CALLS_PER_MINUTE: '1000000' } })
  await signInToOffice(store.origin, manager, { email: 'manager@example.com' })
  await signInToOffice(store.origin, packer, { email: 'warehouse@example.com' })
  await signInToOffice(store.origin, owner, { email: 'owner@example.com' })
  const row = await store.database.db
    .selectFrom('stock')
    .innerJoin('item', 'item.id', 'stock.item_id')
    .innerJoin('warehouse', 'warehouse.id', 'stock.warehouse_id')
    .select(['item.id as itemId', 'item.sku', 'warehouse_id as warehouseId', 'item.cost_cents as cost'])
    .where('warehouse.pool', '=', 'on-hand')
    .where('item.active', '=', true)
    .where('item.cost_cents', 'is not', null)
    .where('stock.on_hand', '>=', 12)
    .orderBy('item.id')
    .executeTakeFirstOrThrow()
  tire = { ...row, cost: row.cost ?? 0 }
})
afterAll(() => store[Symbol.asyncDispose]())

const at = (path: string) => `${store.origin}/office/stock/returns${path}`
const pageOf = async (answer: Response) => (await answer.text()).replaceAll('<!-- -->', '')
const unitsNow = async () => {
  const { units } = await store.database.db
    .selectFrom('stock')
    .select('on_hand as units')
    .where('item_id', '=', tire.itemId)
    .where('warehouse_id', '=', tire.warehouseId)
    .executeTakeFirstOrThrow()
  return units
}

/** Sums the ledger's entries about returns to suppliers by account, after the entry `id`. */
async function entriesAfter(id: number): Promise<Record<string, number>> {
  const rows = await store.database.db
    .selectFrom('ledger_entry')
    .select(['account', 'amount_cents as cents'])
    .where('id', '>', id)
    .where('reason', 'in', ['returned to supplier', 'supplier credit'])
    .execute()
  const sums: Record<string, number> = {}
  for (const { account, cents } of rows) sums[account] = (sums[account] ?? 0) + cents
  return sums
}
async function lastEntry(): Promise<number> {
  const row = await store.database.db
    .selectFrom('ledger_entry')
    .select((eb) => eb.fn.max('id').as('id'))
    .executeTakeFirst()
  return row?.id ?? 0
}

const form = (add: string, key = newId()) => ({
  intent: 'add',
  key,
  supplier: '1',
  warehouse: String(tire.warehouseId),
  add,
  note: 'Wrong size delivered',
})

test('a return leaves the stock when it is sent, and its credit lowers the cost', async () => {
  expect((await packer.ask(at('/new'))).status).toBe(403)
  const wrong = await manager.ask(at('/new'), { form: form('') })
  expect(wrong.status).toBe(422)
  expect(await pageOf(wrong)).toContain('Enter the tires to return.')
  const key = newId()
  const presses = await Promise.all(
    Array.from({ length: 5 }, () => manager.ask(at('/new'), { form: form(`${tire.sku} 4 75.00`, key) })),
  )
  const made = new Set(presses.map((answer) => answer.headers.get('location')))
  expect([...made]).toEqual([expect.stringMatching(/^\/office\/stock\/returns\/\d+\?done=created$/)])
  const path = /returns(\/\d+)/.exec([...made].join(''))?.[1] ?? ''
  const [before, entry] = [await unitsNow(), await lastEntry()]
  const draft = await pageOf(await packer.ask(at(path)))
  expect(draft).toContain('$300.00')
  expect(draft).not.toContain('Mark as sent')
  const send = { intent: 'send', version: '1', rma: 'RMA-77120' }
  expect((await packer.ask(at(path), { form: send })).status).toBe(403)
  expect((await manager.ask(at(path), { form: { ...send, rma: '' } })).status).toBe(422)
  const sent = await Promise.all(Array.from({ length: 5 }, () => manager.ask(at(path), { form: send })))
  expect(sent.filter(({ status }) => status === 303)).toHaveLength(1)
  expect(sent.filter(({ status }) => status === 409)).toHaveLength(4)
  expect(await unitsNow()).toBe(before - 4)
  const cost = 4 * tire.cost
  const afterSending = await entriesAfter(entry)
  expect(afterSending).toEqual({ inventory: -cost, 'goods-received-not-invoiced': cost })

  const credit = { intent: 'credit', version: '2', credit: '310.00', reference: 'CM-4411' }
  expect((await manager.ask(at(path), { form: { ...credit, credit: '' } })).status).toBe(422)
  await Promise.all(Array.from({ length: 5 }, () => manager.ask(at(path), { form: credit })))
  expect(await entriesAfter(entry)).toEqual({
    inventory: -cost,
    'goods-received-not-invoiced': 31_000,
    'cost-of-goods-sold': cost - 31_000,
  })
  const page = await pageOf(await packer.ask(at(path)))
  for (const words of ['RMA-77120', 'CM-4411', '$310.00', 'Credited']) expect(page).toContain(words)
  const list = await pageOf(await packer.ask(at('?state=credited')))
  expect(list).toContain('RMA-77120')
  const history = await pageOf(await manager.ask(`${store.origin}/office/stock/${tire.itemId}`))
  expect(history).toContain('Returned to supplier')
  expect(await verify(store.database.db, systemClock.now())).toEqual([])
})

test('a program returns tires, and units that orders need stay', async () => {
  await addAdminClient(store, owner, 'owner')
  const token = await requestAdminToken(store, 'stock.order suppliers.read')
  const call = (method: string, path: string, body?: unknown) => callAdminApi(store, token, [method, path], body)
  const { intent: _, ...draft } = form(`${tire.sku} 9999`)
  const fields = { ...draft, supplier: 1, warehouse: tire.warehouseId }
  const { body, status } = await call('POST', '/supplier-returns', fields)
  expect(status).toBe(201)
  const path = `/supplier-returns/${String(body['id'])}`
  const tooMany = await call('POST', `${path}/send`, { version: 1, rma: 'R-1' })
  expect(tooMany).toMatchObject({ status: 409, body: { detail: expect.stringContaining('available unit') } })
  expect((await call('POST', `${path}/cancel`, { version: 1 })).status).toBe(204)
  expect((await call('GET', path)).body).toMatchObject({ state: 'canceled', version: 2, rma: null, creditCents: null })
  const { body: list } = await call('GET', '/supplier-returns?state=canceled')
  expect(list).toMatchObject({ rows: [{ id: String(body['id']) }] })
  expect((await call('POST', '/supplier-returns/999999/send', { version: 1, rma: 'R-1' })).status).toBe(404)
})
