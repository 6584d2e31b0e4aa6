/** Parts over HTTP: staff add, import, and count them, and shoppers add them to their tires. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addAdminClient, callAdminApi, requestAdminToken } from '#tests/support/admin-client.ts'
import { usualTire } from '#tests/support/items.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInToOffice, type Visitor } from '#tests/support/visitor.ts'

let store: RunningStore
const [owner, support] = [createVisitor(), createVisitor()]
beforeAll(async () => {
  store = await startStore({ env: { API_CALLS_PER_MINUTE: '1000000' } })
  await signInToOffice(store.origin, owner, { email: 'owner@example.com' })
  await signInToOffice(store.origin, support, { email: 'support@example.com' })
})
afterAll(() => store[Symbol.asyncDispose]())

const at = (path: string) => `${store.origin}${path}`
const read = async (visitor: Visitor, path: string) =>
  (await (await visitor.ask(at(path))).text()).replaceAll('<!-- -->', '')
const form = {
  intent: 'add',
  kind: 'tpms-sensor',
  sku: 'X-1',
  brand: 'Xenon',
  name: 'Pulse',
  frequency: '433',
  valve: 'rubber',
  price: '29.50',
  cost: '',
  sale: 'on',
  version: '0',
}
const page = '/office/parts/X-1'

test('a part is added with its fields, changed, counted, listed, and sold', async () => {
  const wrong = await owner.ask(at('/office/parts/new'), { form: { ...form, price: 'x' } })
  expect(wrong.status).toBe(422)
  const again = await wrong.text()
  expect(again).toContain('Enter an amount in dollars, such as 39.99.')
  expect(again).toContain('value="Xenon"')
  const unknown = await owner.ask(at('/office/parts/new'), { form: { ...form, frequency: '434' } })
  expect(await unknown.text()).toContain('Choose one from the list.')
  const added = await owner.ask(at('/office/parts/new'), { form })
  expect(added.headers.get('location')).toBe(`${page}?done=added`)
  expect((await owner.ask(at('/office/parts/new'), { form })).status).toBe(409)
  const change = { ...form, intent: 'change', price: '31', version: '1' }
  expect((await owner.ask(at(page), { form: change })).headers.get('location')).toBe(`${page}?done=saved`)
  expect((await owner.ask(at(page), { form: { ...change, price: '32' } })).status).toBe(409)
  const stock = /name="warehouse" value="(\d+)"/.exec(await read(owner, page))?.[1] ?? ''
  const count = { intent: 'count', warehouse: stock, units: '8', seen: '0' }
  expect((await owner.ask(at(page), { form: count })).headers.get('location')).toBe(`${page}?done=counted`)
  expect((await owner.ask(at(page), { form: { ...count, units: '9' } })).status).toBe(409)
  expect((await owner.ask(at(page), { form: { ...count, units: '-1', seen: '8' } })).status).toBe(422)
  const list = await read(owner, '/office/parts?kind=tpms-sensor')
  expect(list).toContain('Xenon Pulse')
  expect(list).toContain('433 MHz, Rubber, snap-in')
  expect((await support.ask(at(page))).status).toBe(403)
  expect((await owner.ask(at('/office/parts/none'))).status).toBe(404)
  const audit = await read(owner, '/office/audit')
  expect(audit).toContain('Counted the stock of a part')

  const { parts } = (await (await fetch(at('/api/parts'))).json()) as { parts: { sku: string; unitCents: number }[] }
  expect(parts).toContainEqual(
    expect.objectContaining({ sku: 'X-1', name: 'Xenon Pulse', unitCents: 3100, maxQuantity: 8, fit: 'unknown' }),
  )
})

test('an exported file can be imported, and one with an error changes no part', async () => {
  const exported = await (await owner.ask(at('/office/export/parts'))).text()
  const send = (text: string) => {
    const data = new FormData()
    data.append('intent', 'import')
    data.append('file', new Blob([text]), 'parts.csv')
    return owner.ask(at('/office/parts/import'), { form: data })
  }
  expect((await send(exported)).headers.get('location')).toBe('/office/parts?done=imported-same')
  const faulty = await send(exported.replaceAll(',433,', ',999,'))
  expect(faulty.status).toBe(422)
  expect(await faulty.text()).toContain('Frequency: Choose one from the list.')
  const head = 'SKU,Kind,Brand,Name,Price,For sale,Frequency,Valve'
  const changed = await send(`${head}\nX-2,tpms-sensor,Xenon,Pulse 2,30,on,315,metal\n`)
  expect(changed.headers.get('location')).toBe('/office/parts?done=imported')
  expect(await read(owner, '/office/parts/X-2')).toContain('Pulse 2')
})

test('a program reads, changes, and counts a part with its permissions', async () => {
  await addAdminClient(store, owner, 'owner')
  const token = await requestAdminToken(store, 'catalog.read catalog.edit')
  const call = (method: string, path: string, body?: unknown) => callAdminApi(store, token, [method, path], body)
  const sensor = { kind: 'tpms-sensor', brand: 'Xenon', name: 'Beat', frequency: 'both', valve: 'metal', sale: 'on' }
  expect(await call('POST', '/parts', { ...sensor, sku: 'X-3', price: 3999 })).toMatchObject({
    status: 201,
    body: { id: 'X-3' },
  })
  const found = await call('GET', '/parts/X-3')
  expect(found.body).toMatchObject({ sku: 'X-3', price: 3999, cost: null, frequency: 'both', version: 1, stock: [] })
  const { stock: _, ...fields } = found.body
  expect((await call('PUT', '/parts/X-3', { ...fields, price: 4099 })).status).toBe(204)
  expect((await call('PUT', '/parts/X-3', { ...fields, price: 4199 })).status).toBe(412)
  expect((await call('POST', '/parts/X-3/count', { warehouse: 1, units: 3, seen: 0 })).status).toBe(204)
  expect((await call('GET', '/parts/X-3')).body).toMatchObject({ stock: [{ warehouse: 1, units: 3 }] })
  expect((await call('GET', '/parts/none')).status).toBe(404)
  const narrow = await requestAdminToken(store, 'catalog.read')
  expect((await callAdminApi(store, narrow, ['POST', '/parts/X-3/count'], { warehouse: 1, units: 3 })).status).toBe(403)
  expect((await callAdminApi(store, narrow, ['POST', '/parts/import'])).status).toBe(403)
})

test('a shopper adds a part to tires, changes its number, and removes it', async () => {
  const visitor = createVisitor()
  const { id } = await usualTire(store.database.db)
  await visitor.ask(at('/zip'), { form: { zip: '60614' } })
  const set = (fields: Record<string, string>) => visitor.ask(at('/cart'), { form: { intent: 'set-part', ...fields } })
  await visitor.ask(at('/cart'), { form: { item: String(id), quantity: '4' } })
  const offered = await read(visitor, '/cart')
  expect(offered).toContain('Add pressure sensors')
  expect(offered).toContain('The shop confirms the sensor')
  expect((await set({ sku: 'hs-433-m', units: '4' })).status).toBe(303)
  const cart = await read(visitor, '/cart')
  expect(cart).toMatch(/Halden Sense 433 Metal.*\$41\.99.*\$167\.96/s)
  expect((await set({ sku: 'HS-433-M', units: '2' })).status).toBe(303)
  expect(await read(visitor, '/cart')).toContain('$83.98')
  const many = await set({ sku: 'HS-433-M', units: '9' })
  expect(many.status).toBe(422)
  expect(await many.text()).toContain('no longer sold in that quantity')
  for (const units of ['-1', '1.5', '41', 'x']) expect((await set({ sku: 'HS-433-M', units })).status).toBe(422)
  expect((await set({ sku: 'HS-433-M', units: '0' })).status).toBe(303)
  expect(await read(visitor, '/cart')).not.toContain('Remove Halden Sense 433 Metal')
})
