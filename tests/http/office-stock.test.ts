/** Tests the office's stock over HTTP: access, adjustments, refusals, and the export. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { permissions, staffRoles, type Permission, type BuiltInRole } from '#domain/kernel/staff/staff.ts'
import { systemClock } from '#platform/clock.ts'
import { newId } from '#platform/ids.ts'
import { formatCents } from '#platform/money.ts'
import { verify } from '#tests/support/invariants.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInToOffice, type Visitor } from '#tests/support/visitor.ts'

let store: RunningStore
const staff = {} as Record<BuiltInRole, Visitor>
let tire: { itemId: number; sku: string; warehouseId: number; free: number }
beforeAll(async () => {
  store = await startStore()
  for (const role of staffRoles) {
    staff[role] = createVisitor()
    await signInToOffice(store.origin, staff[role], { email: `${role}@example.com` })
  }
  tire = await store.database.db
    .selectFrom('stock')
    .innerJoin('item', 'item.id', 'stock.item_id')
    .select(['item.id as itemId', 'item.sku', 'warehouse_id as warehouseId', 'on_hand as free'])
    .where('item.active', '=', true)
    .where('on_hand', '>', 10)
    .orderBy('item.id')
    .executeTakeFirstOrThrow()
})
afterAll(() => store[Symbol.asyncDispose]())

const at = (path: string) => `${store.origin}${path}`
const read = async (visitor: Visitor, path: string) =>
  (await (await visitor.ask(at(path))).text()).replaceAll('<!-- -->', '')
const permits = (permission: Permission, role: BuiltInRole) =>
  (permissions[permission].roles as readonly BuiltInRole[]).includes(role)
const page = () => `/office/stock/${tire.itemId}`
const adjust = (change: Record<string, string>, visitor: Visitor = staff.warehouse) =>
  visitor.ask(at(page()), {
    form: {
      intent: 'adjust',
      key: newId(),
      warehouse: String(tire.warehouseId),
      reason: 'lost',
      units: '1',
      note: '',
      ...change,
    },
  })
const free = async () =>
  (
    await store.database.db
      .selectFrom('stock')
      .select('on_hand')
      .where('item_id', '=', tire.itemId)
      .where('warehouse_id', '=', tire.warehouseId)
      .executeTakeFirstOrThrow()
  ).on_hand

test('only authorized roles read and adjust stock', async () => {
  for (const role of staffRoles) {
    const isReader = permits('stock.read', role)
    for (const path of ['/office/stock', '/office/export/stock', page()])
      expect((await staff[role].ask(at(path))).status, `${role} ${path}`).toBe(isReader ? 200 : 403)
    if (isReader)
      expect((await read(staff[role], page())).includes('Adjust stock'), role).toBe(permits('stock.adjust', role))
    const before = await free()
    const answer = await adjust({}, staff[role])
    const may = permits('stock.adjust', role)
    expect(answer.status, role).toBe(may ? 303 : 403)
    expect(before - (await free()), role).toBe(may ? 1 : 0)
    const isBuyer = permits('suppliers.read', role)
    for (const path of ['/office/stock/purchase-orders', '/office/export/purchases?state=rejected'])
      expect((await staff[role].ask(at(path))).status, `${role} ${path}`).toBe(isBuyer ? 200 : 403)
  }
  const guest = await createVisitor().ask(at('/office/stock'))
  expect(guest.headers.get('location')).toMatch(/^\/office\/sign-in/)
})

test('a tire’s page shows what its units cost', async () => {
  const { units, value_cents: cents } = await store.database.db
    .selectFrom('inventory_value')
    .select(['units', 'value_cents'])
    .where('item_id', '=', tire.itemId)
    .executeTakeFirstOrThrow()
  expect(cents).toBeGreaterThan(0)
  const words = `${units} in our warehouses cost ${formatCents(cents)}, ${formatCents(Math.round(cents / units))} each on average`
  expect(await read(staff.warehouse, page())).toContain(words)
  await store.database.db
    .updateTable('inventory_value')
    .set({ value_cents: 0 })
    .where('item_id', '=', tire.itemId)
    .execute()
  expect(await read(staff.warehouse, page())).toContain(`${units} in our warehouses, cost unknown`)
  await store.database.db
    .updateTable('inventory_value')
    .set({ value_cents: cents })
    .where('item_id', '=', tire.itemId)
    .execute()
})

test('a form submitted twenty times adjusts once and shows the result', async () => {
  const before = await free()
  const key = newId()
  const presses = await Promise.all(
    Array.from({ length: 20 }, () => adjust({ key, reason: 'damaged', units: '2', note: 'Cut by a forklift' })),
  )
  expect(new Set(presses.map(({ status }) => status))).toEqual(new Set([303]))
  expect(await free()).toBe(before - 2)
  const html = await read(staff.warehouse, `${page()}?done=adjusted`)
  for (const words of [
    'Stock adjusted',
    'Cut by a forklift',
    '−2',
    `${before} to ${before - 2}`,
    'warehouse@example.com',
  ])
    expect(html).toContain(words)
  expect(await read(staff.manager, `/office/audit?what=stock.adjusted&subject=${tire.sku}`)).toContain('forklift')
  expect(await verify(store.database.db, systemClock.now())).toEqual([])
})

test('errors are shown at their fields with the input retained', async () => {
  const before = await free()
  for (const [change, words] of [
    [{ units: '' }, 'Enter 0 to 100,000 units.'],
    [{ units: '-4' }, 'Enter 0 to 100,000 units.'],
    [{ units: '0' }, 'Enter at least 1 unit.'],
    [{ units: '99999' }, 'are available;'],
    [{ reason: 'magic' }, 'Choose a reason.'],
    [{ warehouse: '' }, 'Choose a warehouse.'],
    [{ warehouse: '31000' }, 'Choose one of our warehouses.'],
    [{ note: 'x'.repeat(401) }, 'Please keep this under 400 characters.'],
  ] as const) {
    const answer = await adjust({ note: 'kept <b>words</b>', ...change })
    const html = await answer.text()
    expect(answer.status, JSON.stringify(change)).toBe(422)
    expect(html, JSON.stringify(change)).toContain(words)
    if (!('note' in change)) expect(html).toContain('kept &lt;b&gt;words&lt;/b&gt;')
  }
  expect(await free()).toBe(before)
  for (const path of ['/office/stock/0', '/office/stock/1', '/office/stock/x', '/office/stock/99999999999'])
    expect((await staff.owner.ask(at(path))).status, path).toBe(404)
})

test('the list is searched, filtered and exported', async () => {
  expect(await read(staff.sales, `/office/stock?q=${tire.sku.toLowerCase()}`)).toContain(page())
  expect(await read(staff.sales, '/office/stock?q=nothing-like-it&pool=on-hand')).toContain('No tires match this view.')
  expect(await read(staff.sales, '/office/stock?pool=local')).toContain('Kestrel Alltide')
  for (const query of ['q=%25', `q=${'a'.repeat(300)}`, 'after=-1', 'after=1e9', 'pool=x'])
    expect((await staff.sales.ask(at(`/office/stock?${query}`))).status, query).toBe(200)
  const file = await staff.sales.ask(at(`/office/export/stock?q=${tire.sku}`))
  expect(file.headers.get('content-type')).toContain('text/csv')
  const [header, row] = (await file.text()).split('\r\n')
  expect(header).toContain('SKU,Brand,Line,Size')
  expect(row).toContain(tire.sku)
})
