/** Suppliers, as managers add, change and retire them in the back office. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInToOffice, type Visitor } from '#tests/support/visitor.ts'

let store: RunningStore
let manager: Visitor

beforeAll(async () => {
  store = await startStore()
  manager = createVisitor()
  await signInToOffice(store.origin, manager, { email: 'manager@example.com' })
})
afterAll(() => store[Symbol.asyncDispose]())

const address = (id: string) => `${store.origin}/office/suppliers/${id}`
const form = {
  intent: 'add',
  code: 'PRAIRIE',
  name: 'Prairie Tire',
  accountNumber: 'P-1',
  leadDays: '2',
  discount: '3',
  minimumOrder: '500',
  paymentDays: '30',
  networkId: 'PRAIRIE',
  cxmlUrl: 'https://prairie.example/cxml',
  cxmlIdentity: 'SIDEWALL-7',
  cxmlSecret: 'a secret of prairie',
  version: '0',
}

test('a supplier is added, changed without showing its secret, given a warehouse, and retired', async () => {
  const wrong = await manager.ask(address('new'), { form: { ...form, leadDays: 'soon', name: 'A <b>' } })
  expect(wrong.status).toBe(422)
  const again = await wrong.text()
  expect(again).toContain('Enter 0 to 180 days.')
  expect(again).toContain('value="A &lt;b&gt;"')
  expect(again).not.toContain('a secret of prairie')
  const added = await manager.ask(address('new'), { form })
  expect(added.headers.get('location')).toBe('/office/suppliers?done=added')
  const list = await (await manager.ask(`${store.origin}/office/suppliers?done=added`)).text()
  expect(list).toContain('Supplier added.')
  expect(list).toContain('cXML, own system')
  const id = /href="\/office\/suppliers\/(\d+)"[^>]*>Prairie Tire</.exec(list)?.[1] ?? ''
  const change = { ...form, intent: 'change', version: '1', cxmlSecret: '', name: 'Prairie Wholesale', freight: '4.50' }
  const heavy = await manager.ask(address(id), { form: { ...change, freight: '501' } })
  expect(heavy.status).toBe(422)
  expect(await heavy.text()).toContain('Enter an amount of up to 500 dollars, such as 4.50.')
  const saved = await manager.ask(address(id), { form: change })
  expect(saved.headers.get('location')).toBe(`/office/suppliers/${id}?done=change`)
  const shown = await (await manager.ask(address(id))).text()
  expect(shown).not.toContain('a secret of prairie')
  expect(shown).toMatch(/name="freight"[^>]*value="4\.50"|value="4\.50"[^>]*name="freight"/)
  const noted = await (await manager.ask(`${store.origin}/office/audit`)).text()
  expect(noted.replaceAll('<!-- -->', '')).toContain('Freight per tire')
  const late = await manager.ask(address(id), { form: { ...change, name: 'Prairie South' } })
  expect(late.status).toBe(409)
  expect(await late.text()).toContain('Saved now: Prairie Wholesale')
  const warehouse = { code: 'PRW', name: 'Prairie dock', street: '1 Dock Road', zip: '61101', cutoff: '15:30' }
  await manager.ask(`${store.origin}/office/warehouses/new`, {
    form: {
      intent: 'add',
      ...warehouse,
      supplier: id,
      pool: 'nationwide',
      'opens-1': '08:00',
      'closes-1': '17:00',
    },
  })
  const page = await (await manager.ask(address(id))).text()
  const held = /href="\/office\/warehouses\/(\d+)"[^>]*>PRW</.exec(page)?.[1] ?? ''
  const dock = await (await manager.ask(`${store.origin}/office/warehouses/${held}`)).text()
  expect(dock).toContain('Prairie Wholesale holds these tires and ships them.')
  expect(dock).not.toContain('Customer pickup')
  const retired = await manager.ask(address(id), { form: { intent: 'retire', version: '2' } })
  expect(retired.headers.get('location')).toBe(`/office/suppliers/${id}?done=retire`)
  expect(await (await manager.ask(address(id))).text()).toContain('Reactivate the supplier')
})

test('a supplier with an open purchase order is not retired, and an unknown one is not found', async () => {
  const answer = await manager.ask(address('1'), { form: { intent: 'retire', version: '1' } })
  expect(answer.status).toBe(409)
  expect(await answer.text()).toMatch(/This supplier has \d+ open purchase orders?\./)
  for (const id of ['9999', '0', 'x', '1e3', '99999999999'])
    expect((await manager.ask(address(id))).status, id).toBe(404)
})

test('a supplier’s availability service is entered with its key, which isn’t shown again', async () => {
  const service = {
    ...form,
    code: 'LAKE',
    name: 'Lake Wholesale',
    networkId: '',
    cxmlUrl: '',
    cxmlIdentity: '',
    cxmlSecret: '',
    availabilityUrl: 'https://stock.lake.example/parts',
    availabilityKey: 'key-of-lake',
  }
  const refusals = [
    [{ availabilityUrl: 'http://stock.lake.example/parts' }, 'Use an address that begins with https://.'],
    [{ availabilityUrl: 'https://10.0.0.1/parts' }, 'This address leads to a private network.'],
    [{ availabilityUrl: '' }, 'Enter the address of the availability service.'],
    [{ availabilityKey: '' }, 'Enter the key for the availability service.'],
  ] as const
  for (const [change, text] of refusals) {
    const refused = await manager.ask(address('new'), { form: { ...service, ...change } })
    expect(refused.status).toBe(422)
    const page = await refused.text()
    expect(page).toContain(text)
    expect(page).not.toContain('key-of-lake')
  }
  const added = await manager.ask(address('new'), { form: service })
  expect(added.headers.get('location')).toBe('/office/suppliers?done=added')
  const list = await (await manager.ask(`${store.origin}/office/suppliers`)).text()
  const id = /href="\/office\/suppliers\/(\d+)"[^>]*>Lake Wholesale</.exec(list)?.[1] ?? ''
  const page = await (await manager.ask(address(id))).text()
  expect(page).toContain('Not used yet')
  expect(page).not.toContain('key-of-lake')
  const dock = { intent: 'add', name: 'Lake dock', street: '1 Dock Road', zip: '61101', cutoff: '15:30', supplier: id }
  const addDock = (code: string) =>
    manager.ask(`${store.origin}/office/warehouses/new`, { form: { ...dock, code, branch: '12' } })
  expect((await addDock('LAKE1')).status).toBe(303)
  const taken = await addDock('LAKE2')
  expect(taken.status).toBe(409)
  expect(await taken.text()).toContain('Another warehouse of this supplier has this ID.')
})

test('a supplier’s EDI server is entered with a login and the fingerprint of its key', async () => {
  const edi = {
    ...form,
    code: 'NORTH',
    name: 'North Wholesale',
    networkId: 'NORTHLINE',
    cxmlUrl: '',
    cxmlIdentity: '',
    cxmlSecret: '',
    ediUrl: 'sftp://edi.north.example/sidewall',
    ediIdentity: 'SIDEWALL',
    ediUsername: 'store',
    ediPassword: 'login-of-north',
    ediHostKey: `SHA256:${'a'.repeat(43)}=`,
  }
  const refusals = [
    [{ ediUrl: 'https://edi.north.example/sidewall' }, 'Enter an address that begins with sftp://'],
    [{ ediUrl: '' }, 'Enter the address of the SFTP server.'],
    [{ ediUrl: 'sftp://10.0.0.1/sidewall' }, 'This address leads to a private network.'],
    [{ ediUsername: '' }, 'Enter the user name.'],
    [{ ediHostKey: 'a'.repeat(43) }, 'Enter a fingerprint that begins with SHA256:'],
    [{ ediPassword: '' }, 'Enter a password or a private key.'],
    [{ networkId: 'A-SUPPLIER-WITH-A-LONG-NAME' }, 'An EDI identity has at most 15 characters.'],
    [{ cxmlUrl: 'https://north.example/cxml' }, 'Orders go to one system. Remove the cXML address first.'],
  ] as const
  for (const [change, text] of refusals) {
    const refused = await manager.ask(address('new'), { form: { ...edi, ...change } })
    expect(refused.status, text).toBe(422)
    const page = await refused.text()
    expect(page).toContain(text)
    expect(page).not.toContain('login-of-north')
  }
  expect((await manager.ask(address('new'), { form: edi })).headers.get('location')).toBe(
    '/office/suppliers?done=added',
  )
  const list = await (await manager.ask(`${store.origin}/office/suppliers`)).text()
  expect(list).toContain('EDI')
  const id = /href="\/office\/suppliers\/(\d+)"[^>]*>North Wholesale</.exec(list)?.[1] ?? ''
  const page = await (await manager.ask(address(id))).text()
  expect(page).toContain('sftp://edi.north.example/sidewall')
  expect(page).not.toContain('login-of-north')
  const kept = { ...edi, intent: 'change', version: '1', ediPassword: '', name: 'Northline' }
  expect((await manager.ask(address(id), { form: kept })).headers.get('location')).toBe(
    `/office/suppliers/${id}?done=change`,
  )
})
