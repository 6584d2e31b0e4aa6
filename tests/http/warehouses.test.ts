/** Warehouses, as managers add and change them in the back office. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { weekValues } from '#platform/week-hours.ts'
import { addAdminClient, callAdminApi, requestAdminToken } from '#tests/support/admin-client.ts'
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

const address = (id: string) => `${store.origin}/office/warehouses/${id}`
const form = {
  intent: 'add',
  code: 'ROC',
  name: 'Rock River',
  street: '1 Dock Road',
  zip: '61101',
  cutoff: '15:30',
  version: '0',
  ...weekValues([1, 2, 3, 4, 5].map((weekday) => ({ weekday, opens: '08:00', closes: '17:00' }))),
}

/** Returns the ID of the added warehouse, whose name links to its page. */
const idOf = (list: string) => /href="\/office\/warehouses\/(\d+)"[^>]*>Rock River/.exec(list)?.[1] ?? ''

test('a warehouse that is added is in the list, and two tabs don’t overwrite each other', async () => {
  const wrong = await manager.ask(address('new'), { form: { ...form, zip: '00000', street: '5 Elm <b>' } })
  expect(wrong.status).toBe(422)
  const again = await wrong.text()
  expect(again).toContain('We don’t know where this ZIP code is.')
  expect(again).toContain('value="5 Elm &lt;b&gt;"')
  for (const handlingDays of ['11', '-1', 'two']) {
    const refused = await manager.ask(address('new'), { form: { ...form, handlingDays } })
    expect(refused.status).toBe(422)
    expect(await refused.text()).toContain('Enter a whole number of days from 0 to 10.')
  }
  const added = await manager.ask(address('new'), { form })
  expect(added.headers.get('location')).toBe('/office/warehouses?done=added')
  const list = await (await manager.ask(`${store.origin}/office/warehouses?done=added`)).text()
  expect(list).toContain('Warehouse added.')
  expect(list).toContain('Mon–Fri 8am–5pm CST')
  const id = idOf(list)
  const change = {
    ...form,
    intent: 'change',
    version: '1',
    name: 'Rock River North',
    handlingDays: '2',
    'cutoff-5': '12:00',
  }
  const saved = await manager.ask(address(id), { form: change })
  expect(saved.headers.get('location')).toBe(`/office/warehouses/${id}?done=saved`)
  expect(await (await manager.ask(address(id))).text()).toMatch(
    /name="handlingDays"[^>]* value="2"|value="2"[^>]* name="handlingDays"/,
  )
  expect(await (await manager.ask(`${store.origin}/office/warehouses`)).text()).toContain('3:30 PM CST; Fri 12pm')
  const other = { name: 'Rock River South', labels: 'by-hand', zoneAlaska: 'off', pickupKeptDays: '14' }
  const late = await manager.ask(address(id), { form: { ...change, ...other } })
  expect(late.status).toBe(409)
  const conflict = await late.text()
  expect(conflict).toContain('value="Rock River South"')
  const text = conflict.replaceAll('<!-- -->', '')
  expect(text).toMatch(/manager@example\.com saved this warehouse on \w{3}, \w{3} \d+/)
  for (const saved of ['Rock River North', 'Bought from the carrier', 'on', '7 days'])
    expect(text).toContain(`Saved now: ${saved}`)
  expect(text).not.toContain('Saved now: empty')
})

test('the promise of an order placed now follows settings that are not saved', async () => {
  const preview = async (id: string, change: Record<string, string>) => {
    const reply = await manager.ask(address(id), {
      form: { ...form, intent: 'preview', shopperZip: '60614', handlingDays: '0', ...change },
    })
    return { status: reply.status, text: (await reply.text()).replaceAll('<!-- -->', '') }
  }
  const first = await preview('new', {})
  expect(first.status).toBe(200)
  expect(first.text).toMatch(
    /Leaves Rock River<[\s\S]*Arrives in Chicago, IL<small>2 business days in transit<\/small>/,
  )
  expect(first.text).not.toMatch(/Was \w{3}, /)
  const list = await (await manager.ask(`${store.origin}/office/warehouses`)).text()
  const id = idOf(list)
  // It was saved with two handling days.
  const changed = await preview(id, { handlingDays: '9' })
  expect(changed.text).toMatch(/Leaves Rock River<small>Was \w{3}, \w{3} \d+<\/small>/)
  expect(changed.text).toMatch(/2 business days in transit\. Was \w{3}, \w{3} \d+/)
  expect(changed.text).toContain('<p class="office-note">Orders already placed don’t change.</p>')
  expect(await (await manager.ask(address(id))).text()).toMatch(
    /name="handlingDays"[^>]* value="2"|value="2"[^>]* name="handlingDays"/,
  )
  for (const [wrong, text] of [
    [{ shopperZip: '6061' }, 'Enter a five-digit ZIP code.'],
    [{ shopperZip: '00000' }, 'We don’t know where this ZIP code is.'],
    [{ shopperZip: '09012' }, 'The store doesn’t ship to APO, FPO, and DPO addresses.'],
    [{ zip: '00000' }, 'We don’t know where this ZIP code is.'],
    [{ handlingDays: 'two' }, 'Enter a whole number of days from 0 to 10.'],
  ] as const) {
    const refused = await preview('new', wrong)
    expect(refused.status, text).toBe(422)
    expect(refused.text).toContain(text)
  }
})

test('transit days by ZIP prefix are imported from a file, and come before the days of the zones', async () => {
  const list = await (await manager.ask(`${store.origin}/office/warehouses`)).text()
  const id = idOf(list)
  const path = `${address(id)}/transit`
  const send = (text: string) => {
    const data = new FormData()
    data.append('intent', 'import')
    data.append('file', new Blob([text]), 'transit.csv')
    return manager.ask(path, { form: data })
  }
  const wrong = await send('ZIP prefix,Transit days\n606,5\n606,6\n090,3\n6061,0\n')
  expect(wrong.status).toBe(422)
  const faults = (await wrong.text()).replaceAll('<!-- -->', '')
  for (const fault of [
    'Line 3, ZIP prefix: Line 2 has the same one.',
    'Line 4, ZIP prefix: The store doesn’t ship to APO, FPO, and DPO addresses.',
    'Line 5, ZIP prefix: Enter the first three digits of ZIP codes, such as 606.',
    'Line 5, Transit days: Enter a whole number of days from 1 to 30.',
  ])
    expect(faults).toContain(fault)
  const file = async () => (await manager.ask(`${path}.csv`)).text()
  expect(await file()).toBe('ZIP prefix,Transit days\r\n')

  expect((await send('Transit days,ZIP prefix\n5,606\n7,7\n')).headers.get('location')).toBe(
    `/office/warehouses/${id}?done=transit`,
  )
  expect(await file()).toBe('ZIP prefix,Transit days\r\n007,7\r\n606,5\r\n')
  expect(await (await manager.ask(address(id))).text()).toContain('2 ZIP prefixes have imported transit days')
  const preview = async (shopperZip: string) => {
    const fields = { ...form, intent: 'preview', shopperZip }
    return (await (await manager.ask(address(id), { form: fields })).text()).replaceAll('<!-- -->', '')
  }
  expect(await preview('60614')).toContain('5 business days in transit')
  expect(await preview('60134')).toContain('2 business days in transit')

  const removed = await manager.ask(path, { form: { intent: 'remove' } })
  expect(removed.headers.get('location')).toBe(`/office/warehouses/${id}?done=transit-removed`)
  expect(await preview('60614')).toContain('2 business days in transit')
  expect((await manager.ask(`${address('32000')}/transit`)).status).toBe(404)
})

test('the list has views with counts, and the fastest warehouses for each zone', async () => {
  const read = async (query = '') =>
    (await (await manager.ask(`${store.origin}/office/warehouses${query}`)).text()).replaceAll('<!-- -->', '')
  const rowsIn = (html: string) => [...html.matchAll(/<tr[^>]*data-row=/g)].length
  const countIn = (html: string, tab: string) =>
    Number(new RegExp(`>${tab}<span class="list-count"> (\\d+)<`).exec(html)?.[1] ?? 0)
  const [ours, suppliers] = [await read(), await read('?kind=suppliers')]
  expect(countIn(suppliers, 'Ours')).toBe(rowsIn(ours))
  expect(countIn(ours, 'Suppliers’')).toBe(rowsIn(suppliers))
  expect(rowsIn(suppliers)).toBeGreaterThan(0)
  expect(countIn(ours, 'Closed')).toBe(0)
  expect(suppliers).toContain('A supplier')
  expect(ours).not.toContain('A supplier')
  expect(ours).toContain('48 states, AK, HI, territories')
  expect(ours).toMatch(/Alaska<small>Anchorage<\/small><\/th><td[^>]*>[A-Z]/)
})

test('a zone that is off needs no days, and the promise leaves it out', async () => {
  const fields = { ...form, intent: 'preview', zoneAlaska: 'off', transitAlaska: '', shopperZip: '99501' }
  const off = await manager.ask(address('new'), { form: fields })
  expect(off.status).toBe(422)
  expect(await off.text()).toContain('This warehouse doesn’t ship to this ZIP code.')
  const on = await manager.ask(address('new'), { form: { ...fields, zoneAlaska: 'on' } })
  expect(await on.text()).toContain('Enter a whole number of days from 1 to 30.')
  const shipped = await manager.ask(address('new'), { form: { ...fields, zoneAlaska: 'on', transitAlaska: '8' } })
  expect(await shipped.text()).toContain('8 business days in transit')
})

test('a zone that no warehouse ships to is named in the list and in Health', async () => {
  const owner = createVisitor()
  await signInToOffice(store.origin, owner, { email: 'owner@example.com' })
  const read = async (path: string) => (await (await owner.ask(store.origin + path)).text()).replaceAll('<!-- -->', '')
  const named = async () => [
    (await read('/office/warehouses')).includes('No warehouse with tires ships to Territories'),
    /Not shipped to[^]{0,80}Territories/.test(await read('/office/health')),
  ]
  expect(await named()).toEqual([false, false])
  await addAdminClient(store, owner, 'manager')
  const token = await requestAdminToken(store, 'warehouses.manage')
  const warehouses = await store.database.db.selectFrom('warehouse').select('id').execute()
  for (const { id } of warehouses) {
    const { body } = await callAdminApi(store, token, ['GET', `/warehouses/${id}`])
    const off = { ...body, zoneTerritories: 'off' }
    expect((await callAdminApi(store, token, ['PUT', `/warehouses/${id}`], off)).status).toBe(204)
  }
  expect(await named()).toEqual([true, true])
})

test('warehouse staff change a warehouse, and its page lists the change', async () => {
  const packer = createVisitor()
  await signInToOffice(store.origin, packer, { email: 'warehouse@example.com' })
  const read = async () => (await (await packer.ask(address('1'))).text()).replaceAll('<!-- -->', '')
  const [, version = ''] = /name="version" value="(\d+)"/.exec(await read()) ?? []
  const fields = { ...form, intent: 'change', version, zip: '60436', zoneHawaii: 'off' }
  expect((await packer.ask(address('1'), { form: fields })).status).toBe(303)
  const page = await read()
  expect(page).toMatch(/id="changes"[^]*warehouse@example\.com[^]*Not shipped to[^]*Hawaii/)
  const switchOf = (name: string) =>
    [...page.matchAll(/<input[^>]*type="checkbox"[^>]*>/g)].find(([input]) => input.includes(`name="${name}"`))?.[0]
  expect(switchOf('zoneHawaii')).not.toContain('checked')
  expect(switchOf('zoneAlaska')).toContain('checked')
})

test('closes a warehouse with open work, and reopens it', async () => {
  const page = (done = '') => `${address('1')}/closing${done && `?done=${done}`}`
  const read = async (url = page()) => (await manager.ask(url)).text()
  const versionIn = (html: string) => /name="version" value="(\d+)"/.exec(html)?.[1] ?? ''
  const send = (fields: Record<string, string>) => manager.ask(page(), { form: fields })
  const before = await read()
  expect(before).toContain('Tires in stock')
  const wrong = await send({ intent: 'close', when: 'day', day: '2020-01-01', version: versionIn(before) })
  expect(wrong.status).toBe(422)
  expect(await wrong.text()).toContain('Choose a day after today')
  const none = await send({ intent: 'close', when: 'day', day: '', version: versionIn(before) })
  expect(none.status).toBe(422)
  const closed = await send({ intent: 'close', when: 'now', day: '', version: versionIn(before) })
  expect(closed.headers.get('location')).toBe('/office/warehouses/1/closing?done=close')
  const after = await read(page('close'))
  expect(after).toContain('Closing')
  expect(after).toContain('Move packages')
  const twice = await send({ intent: 'close', when: 'now', day: '', version: versionIn(before) })
  expect(twice.status).toBe(409)
  const early = await send({ intent: 'finish', version: versionIn(after) })
  expect(early.status).toBe(409)
  expect(await early.text()).toContain('This warehouse still has open work.')
  const stale = await send({ intent: 'move', moves: '0198c2f4-8d5e-7c10-a1b2-000000000001:2' })
  expect(stale.status).toBe(409)
  const nowhere = await send({ intent: 'empty', emptyTo: '' })
  expect(nowhere.status).toBe(422)
  expect(await nowhere.text()).toContain('Choose a warehouse.')
  const [, target = ''] = /<select[^>]* name="emptyTo".*?<option value="(\d+)"/s.exec(after) ?? []
  const emptied = await send({ intent: 'empty', emptyTo: target })
  expect(emptied.headers.get('location')).toBe('/office/warehouses/1/closing?done=emptied')
  expect(await read(page('emptied'))).not.toContain('Transfer all tires')
  expect((await send({ intent: 'empty', emptyTo: target })).status).toBe(409)
  const [, code = ''] = /warehouse=([A-Z0-9-]+)/.exec(after) ?? []
  expect(await read(`${store.origin}/office/stock?warehouse=${code}`)).toContain('No tires')
  for (const list of ['/office/stock/orders', '/office/pickups'])
    expect((await manager.ask(`${store.origin}${list}?warehouse=${code}`)).status, list).toBe(200)
  const open = await send({ intent: 'reopen', version: versionIn(after) })
  expect(open.headers.get('location')).toBe('/office/warehouses/1/closing?done=reopen')
  expect(await read()).toContain('Close this warehouse')
})

test('support reads a warehouse without its supplier and can’t change it', async () => {
  const support = createVisitor()
  await signInToOffice(store.origin, support, { email: 'support@example.com' })
  const list = await (await support.ask(`${store.origin}/office/warehouses`)).text()
  expect(list).toContain('href="/office/warehouses/1"')
  const page = await (await support.ask(address('1'))).text()
  expect(page).toMatch(/<fieldset disabled="">[^]*name="handlingDays"/)
  for (const hidden of ['value="change"', 'value="preview"', 'Close this warehouse']) expect(page).not.toContain(hidden)
  const { id, name } = await store.database.db
    .selectFrom('warehouse')
    .innerJoin('supplier', 'supplier.id', 'warehouse.supplier_id')
    .select(['warehouse.id', 'supplier.name'])
    .executeTakeFirstOrThrow()
  const held = await (await support.ask(address(String(id)))).text()
  expect(held).toContain('A supplier holds these tires and ships them.')
  expect(held).not.toContain(name)
  for (const intent of ['change', 'preview'])
    expect((await support.ask(address('1'), { form: { intent } })).status, intent).toBe(403)
  for (const path of [address('new'), `${address('1')}/closing`]) expect((await support.ask(path)).status).toBe(403)
})

test('an unknown warehouse is not found', async () => {
  for (const id of ['9999', '0', 'x', '1e3', '99999', '99999999999'])
    for (const path of [address(id), `${address(id)}/closing`]) expect((await manager.ask(path)).status, id).toBe(404)
})
