/** Stock orders as buyers and warehouse staff work with them in the back office. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { newId } from '#platform/ids.ts'
import { supplierNames } from '#sandbox/suppliers/suppliers.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInToOffice, type Visitor } from '#tests/support/visitor.ts'

let store: RunningStore
let manager: Visitor
let packer: Visitor
let tire: { itemId: number; sku: string; warehouseId: number; warehouse: string }

beforeAll(async () => {
  store = await startStore()
  manager = createVisitor()
  packer = createVisitor()
  await signInToOffice(store.origin, manager, { email: 'manager@example.com' })
  await signInToOffice(store.origin, packer, { email: 'warehouse@example.com' })
  tire = await store.database.db
    .selectFrom('stock')
    .innerJoin('item', 'item.id', 'stock.item_id')
    .innerJoin('warehouse', 'warehouse.id', 'stock.warehouse_id')
    .select(['item.id as itemId', 'item.sku', 'warehouse_id as warehouseId', 'warehouse.code as warehouse'])
    .where('warehouse.pool', '=', 'on-hand')
    .where('item.active', '=', true)
    .where('item.cost_cents', 'is not', null)
    .orderBy('item.id')
    .executeTakeFirstOrThrow()
})
afterAll(() => store[Symbol.asyncDispose]())

const address = (path: string) => `${store.origin}/office/stock/orders${path}`
const read = async (visitor: Visitor, url: string) => (await (await visitor.ask(url)).text()).replaceAll('<!-- -->', '')

/** Creates a draft as a manager does, and returns the path of its page. */
async function createDraft(change: Record<string, string> = {}): Promise<string> {
  const page = await read(manager, address('/new'))
  const supplier =
    /<option value="(\d+)">Broadmoor/.exec(page)?.[1] ?? /name="supplier".*?<option value="(\d+)"/s.exec(page)?.[1]
  const answer = await manager.ask(address('/new'), {
    form: {
      intent: 'add',
      key: newId(),
      supplier: supplier ?? '',
      warehouse: String(tire.warehouseId),
      add: `${tire.sku} 12 80.00`,
      note: 'Dock 4',
      ...change,
    },
  })
  expect(answer.status).toBe(303)
  return /^\/office\/stock\/orders(\/\d+)\?done=created$/.exec(answer.headers.get('location') ?? '')?.[1] ?? ''
}

test('a draft is created, edited, downloaded and marked as sent; errors keep the input', async () => {
  const wrong = await manager.ask(address('/new'), {
    form: { intent: 'add', key: newId(), supplier: '1', warehouse: String(tire.warehouseId), add: 'NO-SUCH 4 <b>' },
  })
  expect(wrong.status).toBe(422)
  expect(await wrong.text()).toContain('NO-SUCH 4 &lt;b&gt;')
  const path = await createDraft()
  const page = await read(manager, address(path))
  for (const words of [
    'Draft',
    '$960.00',
    'Edit draft',
    'Send to the supplier',
    `${tire.sku}, quantity`,
    'Payment due',
  ])
    expect(page, words).toContain(words)
  const line = { [`quantity-${tire.itemId}`]: 'many', [`cost-${tire.itemId}`]: '79.50' }
  const form = { intent: 'change', version: '1', add: '', note: '' }
  const bad = await manager.ask(address(path), { form: { ...form, ...line } })
  expect(bad.status).toBe(422)
  const again = await bad.text()
  expect(again).toContain('Enter 0 to 10,000 units.')
  expect(again).toContain('value="many"')
  const saved = await manager.ask(address(path), { form: { ...form, ...line, [`quantity-${tire.itemId}`]: '10' } })
  expect(saved.headers.get('location')).toBe(`/office/stock/orders${path}?done=save`)
  const late = await manager.ask(address(path), { form: { ...form, ...line, [`quantity-${tire.itemId}`]: '4' } })
  expect(late.status).toBe(409)
  const file = await (await packer.ask(address(`${path}/order.csv`))).text()
  expect(file).toContain(`${tire.sku},`)
  expect(file).toContain(',10,79.50,')
  expect((await packer.ask(address(path), { form: { intent: 'mark-sent', version: '2' } })).status).toBe(403)
  await manager.ask(address(path), { form: { intent: 'mark-sent', version: '2' } })
  const sent = await read(packer, address(path))
  expect(sent).toContain('Sent')
  expect(sent).not.toContain('Edit draft')
  expect(await read(packer, address('?state=sent'))).toContain(`href="/office/stock/orders${path}"`)
})

test('an order is sent electronically, and one that is refused or waits is marked as sent', async () => {
  const name = (of: string) =>
    store.database.db.updateTable('warehouse').set({ name: of }).where('id', '=', tire.warehouseId).execute()
  const sendNew = async () => {
    const path = await createDraft()
    const sent = await manager.ask(address(path), { form: { intent: 'send', version: '1' } })
    expect(sent.headers.get('location')).toBe(`/office/stock/orders${path}?done=send`)
    return path
  }
  const shows = (path: string, words: readonly string[]) =>
    vi.waitFor(
      async () => {
        const page = await read(manager, address(path))
        for (const each of words) expect(page, each).toContain(each)
        return page
      },
      { timeout: 20_000, interval: 200 },
    )
  await name('Chicago dock')
  const taken = await sendNew()
  const page = await shows(taken, ['Sent electronically', `C-SPO-${taken.slice(1)}`, 'Accepted all of it.'])
  for (const words of ['Mark as sent', 'Send again', 'Edit draft']) expect(page, words).not.toContain(words)
  expect((await manager.ask(address(taken), { form: { intent: 'send', version: '2' } })).status).toBe(409)

  await name(supplierNames.refuses)
  const refused = await sendNew()
  const words = ['The supplier’s system refused it: 406 This address is not served.', 'Send again', 'Mark as sent']
  await shows(refused, words)
  expect(await read(manager, `${store.origin}/office`)).toContain('not sent, refused by its system')
  expect((await packer.ask(address(refused), { form: { intent: 'mark-sent', version: '2' } })).status).toBe(403)
  expect((await manager.ask(address(refused), { form: { intent: 'mark-sent', version: '2' } })).status).toBe(303)
  const marked = await read(manager, address(`${refused}?done=marked`))
  expect(marked).toContain('Marked as sent.')
  expect(marked).not.toContain('The supplier’s system refused it')

  await name(supplierNames.down)
  const waiting = await sendNew()
  const waits = await shows(waiting, ['Waiting for the system of', 'Mark as sent'])
  expect(waits).not.toContain('Send to the supplier')
  await name(supplierNames.partly)
  await shows(await sendNew(), ['can’t fill all of this order', '6 rejected', 'Rejected: 6 of 12'])
})

test('a sent order is received in two parts, and the stock page has the units by DOT week', async () => {
  const path = await createDraft()
  await manager.ask(address(path), { form: { intent: 'mark-sent', version: '1' } })
  const receive = (key: string, fields: Record<string, string>) =>
    packer.ask(address(`${path}/receive`), {
      form: {
        intent: 'receive',
        key,
        ...Object.fromEntries(
          Object.entries(fields).map(([name, value]) => [name === 'freight' ? name : `${name}-${tire.itemId}`, value]),
        ),
      },
    })
  expect(await read(packer, address(`${path}/receive`))).toContain('12 of 12 expected')
  const future = await receive(newId(), { units: '8', weeks: '5298' })
  expect(future.status).toBe(422)
  expect(await future.text()).toContain('is not a past DOT week')
  const key = newId()
  const first = await Promise.all([1, 2, 3].map(() => receive(key, { units: '8', weeks: '1025 5, 2025 3' })))
  expect(first.map((answer) => answer.headers.get('location'))).toEqual(
    Array.from({ length: 3 }, () => `/office/stock/orders${path}?done=receive`),
  )
  const partly = await read(packer, address(`${path}?done=receive`))
  for (const words of ['Partly received', 'Delivery received.', '1025 × 5, 2025 × 3']) expect(partly).toContain(words)
  const over = await receive(newId(), { units: '5' })
  expect(over.status).toBe(422)
  expect(await over.text()).toContain('Only 4 units expected.')
  const last = { units: '3', damaged: '1', reason: 'Forklift' }
  const wrong = await receive(newId(), { ...last, freight: 'free' })
  expect(wrong.status).toBe(422)
  const again = await wrong.text()
  for (const words of ['Enter the freight in dollars', 'value="free"', 'value="Forklift"'])
    expect(again).toContain(words)
  expect((await receive(newId(), { ...last, freight: '61.25' })).status).toBe(303)
  const received = await read(packer, address(path))
  for (const words of ['1 damaged. Forklift', 'freight so far $61.25']) expect(received).toContain(words)
  expect(received).not.toContain('>Receive<')
  expect((await receive(newId(), { units: '1' })).status).toBe(409)
  const stock = await read(packer, `${store.origin}/office/stock/${tire.itemId}`)
  for (const words of ['By DOT week', '1025', '2025', 'Receipts and adjustments', `SPO-${path.slice(1)}`])
    expect(stock, words).toContain(words)
})

test('a tire below its reorder point is on the low-stock list and is drafted once', async () => {
  const page = `${store.origin}/office/stock/${tire.itemId}`
  const supplier = /name="reorderSupplier".*?<option value="(\d+)"/s.exec(await read(manager, page))?.[1] ?? ''
  const point = {
    intent: 'reorder',
    reorderWarehouse: String(tire.warehouseId),
    reorderSupplier: supplier,
    reorderAt: '9000',
    orderUpTo: '9500',
  }
  expect((await packer.ask(page, { form: point })).status).toBe(403)
  const wrong = await manager.ask(page, { form: { ...point, orderUpTo: '12' } })
  expect(wrong.status).toBe(422)
  expect(await wrong.text()).toContain('Enter more units than the reorder point.')
  expect((await manager.ask(page, { form: point })).status).toBe(303)
  const list = await read(manager, `${store.origin}/office/stock/low`)
  expect(list).toContain(tire.sku)
  const id = /name="point" value="(\d+)"/.exec(list)?.[1] ?? /value="(\d+)"[^>]*name="point"/.exec(list)?.[1] ?? ''
  const bulk = `${store.origin}/office/bulk/order-stock`
  const preview = await read(manager, `${bulk}?point=${id}`)
  expect(preview).toContain('added to a draft.')
  const press = () => manager.ask(bulk, { form: { intent: 'do', [`row-${id}`]: newId() } })
  expect(await (await press()).text()).not.toContain('Open stock orders cover it.')
  expect(await (await press()).text()).toContain('Open stock orders cover it.')
  expect(await read(manager, `${store.origin}/office/stock/low`)).not.toContain(`href="/office/stock/${tire.itemId}"`)
  expect(await read(manager, `${store.origin}/office/stock/low?show=all`)).toContain(tire.sku)
})

test('an unknown stock order is not found', async () => {
  for (const id of ['0', 'x', '1e3', '999999999', '99999999999999999999']) {
    expect((await manager.ask(address(`/${id}`))).status, id).toBe(404)
    expect((await manager.ask(address(`/${id}/receive`))).status, id).toBe(404)
    expect((await manager.ask(address(`/${id}/order.csv`))).status, id).toBe(404)
  }
})
