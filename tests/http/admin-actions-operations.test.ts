/**
 * Tests that programs change taxes, suppliers, stock, shops, partners and fraud rules over the admin API. Over 400 lines:
 * cases that share a store.
 */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { officePaths } from '#content/office-paths.ts'
import { typedApplication } from '#domain/installer-portal/shop-applications/shop-applications.testing.ts'
import { newId } from '#platform/ids.ts'
import { addAdminClient, callAdminApi, requestAdminToken } from '#tests/support/admin-client.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInToOffice } from '#tests/support/visitor.ts'

let store: RunningStore
const owner = createVisitor()

beforeAll(async () => {
  store = await startStore({ env: { API_CALLS_PER_MINUTE: '1000000' } })
  await signInToOffice(store.origin, owner, { email: 'owner@example.com' })
  await addAdminClient(store, owner, 'owner')
})
afterAll(() => store[Symbol.asyncDispose]())

const office = async (path: string) =>
  (await (await owner.ask(`${store.origin}${path}`)).text()).replaceAll('<!-- -->', '')

/** A program with a token for these permissions. `expectStatus` returns the body of an answer. */
async function programWith(scope: string) {
  const token = await requestAdminToken(store, scope)
  return async (method: string, path: string, status: number, body?: unknown) => {
    const answer = await callAdminApi(store, token, [method, path], body)
    expect(answer.status, `${method} ${path} ${JSON.stringify(answer.body)}`).toBe(status)
    return answer.body
  }
}

/** IDs that no record has, in and out of range. */
const unknownIds = ['0', '-1', '1e9', '2147483648', '99999999999999', '9'.repeat(30), '%27', 'A%00', 'new']

/** Expects an action to refuse unknown IDs, and never to fail. */
async function refuseUnknown(scope: string, method: string, path: (id: string) => string, body?: unknown) {
  const token = await requestAdminToken(store, scope)
  for (const id of unknownIds) {
    const { status } = await callAdminApi(store, token, [method, path(id)], body)
    expect([400, 404, 409], `${method} ${path(id)}: ${status}`).toContain(status)
  }
}

test('a program changes a state’s taxes and fees, and cancels a scheduled change', async () => {
  const call = await programWith('sales-tax.read sales-tax.edit')
  const read = await call('GET', '/taxes/WY', 200)
  expect(read).toMatchObject({ rate: '4', isVerified: false, startsOn: null, seen: 0, 'taxed-tire': true })
  const checked = { ...read, tireFee: '$3.10', isVerified: true, checkedOn: '2026-11-01', source: 'Wyoming DOR' }
  expect((await call('PUT', '/taxes/WY', 400, { ...checked, rate: 'six', startsOn: '2026-02-30' })).data).toEqual({
    rate: 'Enter a percentage such as 6.25.',
    startsOn: 'Choose a day.',
  })
  await call('PUT', '/taxes/WY', 204, checked)
  await call('PUT', '/taxes/WY', 412, { ...checked, tireFee: '$9.99' })
  const now = await call('GET', '/taxes/WY', 200)
  expect(now).toMatchObject({ tireFee: '$3.10', isVerified: true, source: 'Wyoming DOR' })
  expect(await office('/office/taxes?state=verified')).toContain('Wyoming')

  await call('PUT', '/taxes/WY', 204, { ...now, tireFee: 'None', startsOn: '2027-06-01' })
  const { seen } = await call('GET', '/taxes/WY', 200)
  await call('POST', '/taxes/VT/cancel', 404, { change: seen })
  await call('POST', '/taxes/WY/cancel', 204, { change: seen })
  await call('POST', '/taxes/WY/cancel', 404, { change: seen })
  const { rows } = (await call('GET', '/taxes?limit=200', 200)) as unknown as {
    rows: { id: string; fields: Record<string, unknown> }[]
  }
  expect(rows.find(({ id }) => id === 'WY')?.fields).toMatchObject({ builtInFee: 'None', builtInUpdated: 'no' })
  const latest = await call('GET', '/taxes/WY', 200)
  await call('POST', '/taxes/WY/reset', 412, { seen: 0 })
  await call('POST', '/taxes/WY/reset', 204, { seen: latest.seen })
  expect(await call('GET', '/taxes/WY', 200)).toMatchObject({ tireFee: 'None', isVerified: false })
  await call('GET', '/taxes/ZZ', 404)
  await call('PUT', '/taxes/ZZ', 404, checked)
  await refuseUnknown('sales-tax.edit', 'PUT', (id) => `/taxes/${id}`, checked)
  await call('POST', '/taxes/WY/cancel', 404, { change: 99_999_999_999_999 })
})

test('a program adds, changes, retires and reactivates a supplier, whose secret it never reads', async () => {
  const call = await programWith('suppliers.manage')
  const draft = {
    code: 'PRAIRIE',
    name: 'Prairie Tire',
    leadDays: 2,
    discount: '12.5',
    minimumOrder: 50_000,
    paymentDays: 30,
    networkId: 'PRAIRIE',
    cxmlUrl: 'https://prairie.example/cxml',
    cxmlIdentity: 'SIDEWALL-7',
  }
  const wrong = await call('POST', '/suppliers', 400, { ...draft, leadDays: 1_000, minimumOrder: 0 })
  expect(wrong.data).toEqual({
    leadDays: 'Enter 0 to 180 days.',
    minimumOrder: 'Enter an amount in dollars, such as 500.',
  })
  expect((await call('POST', '/suppliers', 409, draft)).data).toEqual({
    cxmlSecret: 'Enter the supplier system’s secret.',
  })
  const secret = 'a secret of prairie'
  const path = `/suppliers/${String((await call('POST', '/suppliers', 201, { ...draft, cxmlSecret: secret }))['id'])}`
  const read = await call('GET', path, 200)
  const edi = { ediUrl: null, ediIdentity: null, ediUsername: null, ediHostKey: null }
  expect(read).toEqual({ ...draft, ...edi, accountNumber: null, freight: null, availabilityUrl: null, version: 1 })
  await call('PUT', path, 204, { ...read, name: 'Prairie Wholesale', minimumOrder: 12_345 })
  await call('PUT', path, 412, { ...read, name: 'Prairie South' })
  expect(await office(`/office${path}`)).toContain('value="123.45"')
  const { version } = await call('GET', path, 200)
  await call('POST', `${path}/retire`, 412, { version: 99 })
  await call('POST', `${path}/retire`, 204, { version })
  expect(await office(`/office${path}`)).toContain('Reactivate the supplier')
  await call('POST', `${path}/restore`, 204, { version: (await call('GET', path, 200))['version'] })
  for (const [method, end] of [
    ['PUT', ''],
    ['POST', '/retire'],
    ['POST', '/restore'],
  ] as const)
    await refuseUnknown(
      'suppliers.manage',
      method,
      (id) => `/suppliers/${id}${end}`,
      method === 'PUT' ? draft : { version: 1 },
    )
})

async function findTire() {
  return store.database.db
    .selectFrom('stock')
    .innerJoin('item', 'item.id', 'stock.item_id')
    .innerJoin('warehouse', 'warehouse.id', 'stock.warehouse_id')
    .select(['item.id as itemId', 'item.sku', 'warehouse_id as warehouseId', 'on_hand as free'])
    .where('warehouse.supplier_id', 'is', null)
    .where('item.active', '=', true)
    .where('item.cost_cents', 'is not', null)
    .where('on_hand', '>', 20)
    .orderBy('item.id')
    .executeTakeFirstOrThrow()
}

test('a program drafts, changes, sends, receives and cancels stock orders', async () => {
  const call = await programWith('stock.order stock.adjust')
  const { itemId, sku, warehouseId: warehouse } = await findTire()
  const draft = { key: newId(), supplier: 1, warehouse, add: `${sku} 12 80.00`, note: 'Dock 4' }
  const { id } = await call('POST', '/stock-orders', 201, draft)
  expect(await call('POST', '/stock-orders', 201, draft)).toEqual({ id })
  const unknown = await call('POST', '/stock-orders', 409, { ...draft, key: newId(), add: 'NO-SUCH 4' })
  expect(unknown.data).toEqual({ add: 'SKU not found: NO-SUCH.' })
  const path = `/stock-orders/${String(id)}`
  const read = await call('GET', path, 200)
  expect(read).toMatchObject({ lines: [{ itemId: String(itemId), quantity: 12, cost: 8_000 }], note: 'Dock 4' })
  const lines = (line: object) => ({ ...read, lines: [{ itemId: String(itemId), quantity: 10, cost: 7_950, ...line }] })
  expect((await call('PUT', path, 400, lines({ quantity: 10_001, cost: 0 }))).data).toEqual({
    [`quantity-${itemId}`]: 'Enter 0 to 10,000 units. 0 removes the line.',
    [`cost-${itemId}`]: 'Enter a unit cost up to $10,000.',
  })
  await call('PUT', path, 400, lines({ itemId: 'x=1&version=9' }))
  await call('PUT', path, 400, { ...read, lines: [...lines({}).lines, ...lines({}).lines] })
  await call('PUT', path, 204, lines({}))
  await call('PUT', path, 412, lines({ quantity: 4 }))
  const changed = await call('GET', path, 200)
  expect(changed['lines']).toEqual([{ itemId: String(itemId), quantity: 10, cost: 7_950 }])
  await call('POST', `${path}/mark-sent`, 204, { version: changed['version'] })

  const before = await unitsOf(itemId, warehouse)
  const receive = (status: number, line: object, key = newId()) =>
    call('POST', `${path}/receive`, status, { key, lines: [{ itemId: String(itemId), ...line }] })
  expect((await receive(400, { units: 4, weeks: '5298' })).data).toHaveProperty(`weeks-${itemId}`)
  expect((await receive(400, { units: 11 })).data).toHaveProperty('overReason')
  const key = newId()
  await receive(204, { units: 8, weeks: '1025 5, 2025 3' }, key)
  await receive(204, { units: 8, weeks: '1025 5, 2025 3' }, key)
  expect(await unitsOf(itemId, warehouse)).toBe(before + 8)
  const { version } = await call('GET', path, 200)
  await call('POST', `${path}/cancel`, 204, { version, reason: 'The rest never came' })
  await call('POST', `${path}/cancel`, 409, { version, reason: 'Twice' })
  expect(await office(officePaths.officeStockOrder(String(id)))).toContain('The rest never came')
  for (const [end, body] of [
    ['send', { version: 1 }],
    ['mark-sent', { version: 1 }],
    ['cancel', { version: 1, reason: 'No' }],
    ['receive', { key: newId(), lines: [{ itemId: '1', units: 1 }] }],
  ] as const)
    await refuseUnknown('stock.order stock.adjust', 'POST', (no) => `/stock-orders/${no}/${end}`, body)
})

async function unitsOf(itemId: number, warehouseId: number): Promise<number> {
  const { units } = await store.database.db
    .selectFrom('stock')
    .select('on_hand as units')
    .where('item_id', '=', itemId)
    .where('warehouse_id', '=', warehouseId)
    .executeTakeFirstOrThrow()
  return units
}

test('a program adjusts and transfers stock, and sets its bin and reorder point', async () => {
  const call = await programWith('stock.adjust')
  const { itemId, warehouseId: warehouse } = await findTire()
  const path = `/stock/${itemId}`
  const before = await unitsOf(itemId, warehouse)
  const lost = { key: newId(), warehouse, reason: 'lost', units: 2 }
  await call('POST', `${path}/adjust`, 204, lost)
  await call('POST', `${path}/adjust`, 204, lost)
  expect(await unitsOf(itemId, warehouse)).toBe(before - 2)
  expect((await call('POST', `${path}/adjust`, 400, { ...lost, units: 100_001 })).data).toEqual({
    units: 'Enter 0 to 100,000 units.',
  })
  const { id: to } = await store.database.db
    .selectFrom('warehouse')
    .select('id')
    .where('supplier_id', 'is', null)
    .where('retired_at', 'is', null)
    .where('id', '!=', warehouse)
    .executeTakeFirstOrThrow()
  const moved = { key: newId(), transferFrom: warehouse, transferTo: to, transferUnits: 3, transferNote: 'Low there' }
  await call('POST', `${path}/transfer`, 204, moved)
  expect(await unitsOf(itemId, warehouse)).toBe(before - 5)
  const many = await call('POST', `${path}/transfer`, 409, { ...moved, key: newId(), transferUnits: 100_000 })
  expect(many.data).toEqual({ transferUnits: `Only ${before - 5} are available there.` })
  await call('POST', `${path}/bin`, 204, { binWarehouse: warehouse, bin: 'a-04-2' })
  const point = { reorderWarehouse: warehouse, reorderSupplier: 1, reorderAt: 4, orderUpTo: 12 }
  await call('POST', `${path}/reorder`, 403, point)
  const order = await programWith('stock.order')
  await order('POST', `${path}/reorder`, 204, point)
  const reader = await programWith('stock.read')
  const { id: pointId } = await store.database.db
    .selectFrom('reorder_point')
    .select('id')
    .where('item_id', '=', itemId)
    .where('warehouse_id', '=', warehouse)
    .executeTakeFirstOrThrow()
  // The tire isn't low, so it isn't listed.
  expect(await reader('GET', `/low-stock/${pointId}`, 200)).toMatchObject({ fields: { reorderAt: 4, orderUpTo: 12 } })
  await reader('GET', '/low-stock/999999', 404)
  const page = await office(officePaths.officeStockItem(itemId))
  for (const words of ['A-04-2', 'Low there', 'Reorder point']) expect(page).toContain(words)
  const { reorderAt: _, orderUpTo: __, ...none } = point
  await order('POST', `${path}/reorder`, 204, none)
  await order('POST', '/stock/999999999/reorder', 404, none)
  for (const [end, body] of [
    ['adjust', lost],
    ['transfer', moved],
    ['reorder', none],
    ['bin', { binWarehouse: warehouse, bin: 'B' }],
  ] as const)
    await refuseUnknown('stock.adjust stock.order', 'POST', (id) => `/stock/${id}/${end}`, body)
})

test('a program adds, changes, pauses, closes and reopens a shop', async () => {
  const call = await programWith('shops.edit shops.close orders.cancel')
  const added = await call('POST', '/shops', 201, {
    name: 'Lathrop Tire',
    kind: 'van',
    street: '12 Depot St',
    city: 'Chicago',
    zip: '60614',
    phone: '(773) 555-0188',
    ownerName: 'Ida Lathrop',
    ownerEmail: 'ida@lathrop.example',
  })
  expect(added['id']).toMatch(/^SW-\d{5}$/)
  expect(await call('GET', `/shops/${String(added['id'])}`, 200)).toMatchObject({ services: ['mobile-van'] })
  const path = '/shops/SW-00001'
  const read = await call('GET', path, 200)
  const change = { ...read, about: 'Family-run since 1988.', services: ['alignment', 'brakes'] }
  expect((await call('PUT', path, 400, { ...change, zip: '6', rimMinIn: 99 })).data).toMatchObject({
    rimMinIn: 'Enter a rim from 12 to 22.',
  })
  await call('PUT', path, 400, { ...change, services: ['no-such-service'] })
  expect((await call('PUT', path, 409, { ...change, kind: 'van' })).data).toHaveProperty('kind')
  await call('PUT', path, 204, change)
  await call('PUT', path, 412, { ...change, about: 'Other words.' })
  const changed = await call('GET', path, 200)
  expect(changed).toEqual({ ...change, version: changed['version'] })

  const [from, through] = [3, 9].map((days) => Temporal.Now.plainDateISO('America/Chicago').add({ days }).toString())
  const { version } = changed
  const pause = { from, through, reason: 'Lift repair', rest: 'keep' }
  await call('POST', `${path}/pause`, 412, { ...pause, version, seen: 'other appointments' })
  await call('POST', `${path}/pause`, 204, { ...pause, version })
  expect(await office(officePaths.officeShop('SW-00001'))).toContain('Lift repair')
  const versionNow = async () => (await call('GET', path, 200))['version']
  await call('POST', `${path}/reopen`, 204, { version: await versionNow() })
  const openEnded = { from, reason: 'Rebuilding', rest: 'keep' }
  await call('POST', `${path}/pause`, 400, { ...openEnded, through: 'soon', version: await versionNow() })
  await call('POST', `${path}/pause`, 204, { ...openEnded, version: await versionNow() })
  expect(await office(officePaths.officeShop('SW-00001'))).toContain('No new bookings starting')
  await call('POST', `${path}/reopen`, 204, { version: await versionNow() })
  const closing = { lastDay: from, reason: 'The lease ends', rest: 'later' }
  await call('POST', `${path}/closing/schedule`, 400, { ...closing, lastDay: 'soon', version: await versionNow() })
  const tooFar = { ...closing, lastDay: '2099-01-01', version: await versionNow() }
  expect((await call('POST', `${path}/closing/schedule`, 409, tooFar)).data).toHaveProperty('lastDay')
  await call('POST', `${path}/closing/schedule`, 412, { ...closing, version: 1 })
  await call('POST', `${path}/closing/schedule`, 204, { ...closing, version: await versionNow() })
  const closingShop = await call('GET', `${path}/closing`, 200)
  expect(closingShop).toMatchObject({ status: 'open', lastDay: from })
  const kept = { rest: 'keep', keepReason: 'Promised' }
  await call('POST', `${path}/closing/decide`, 204, { ...kept, version: await versionNow() })
  await call('POST', `${path}/closing/withdraw`, 204, { version: await versionNow() })
  expect(await call('GET', `${path}/closing`, 200)).toMatchObject({ lastDay: null, appointments: [] })
  const booking = newId()
  const close = { reason: 'The building is sold', choices: [{ booking, choice: 'offer' }] }
  await call('POST', `${path}/close`, 204, { ...close, version: await versionNow() })
  expect((await fetch(`${store.origin}/api/shops/SW-00001`)).status).toBe(404)
  const editOnly = await programWith('shops.edit')
  await editOnly('POST', `${path}/reopen`, 403, { version: await versionNow() })
  await editOnly('POST', `${path}/suspend`, 403, { version: await versionNow(), reason: 'No' })
  await call('POST', `${path}/reopen`, 204, { version: await versionNow() })
  expect((await fetch(`${store.origin}/api/shops/SW-00001`)).status).toBe(200)
  await call('POST', `${path}/suspend`, 204, { version: await versionNow(), reason: 'Insurance ended' })
  for (const [end, body] of [
    ['pause', { ...pause, version: 1 }],
    ['suspend', { reason: 'No' }],
    ['close', { reason: 'No' }],
    ['reopen', { version: 1 }],
  ] as const)
    await refuseUnknown('shops.edit shops.close', 'POST', (id) => `/shops/${id}/${end}`, body)
})

test('a program changes the hours, bays, prices, and service area of a shop', async () => {
  const call = await programWith('shops.edit')
  const { code: shop, day: booked } = await bookedShop()
  const path = `/shops/${shop}`
  const from = Temporal.Now.plainDateISO('America/Chicago').add({ days: 200 }).toString()
  const capacity = await call('GET', `${path}/capacity`, 200)
  const { versions: _past, closures: _days, appointments: _outside, ...fields } = capacity
  const closed = (fields['hours'] as { weekday: string }[]).slice(1)
  const changed = { ...fields, from, bays: 1, technicians: 1, hours: closed }
  await call('PUT', `${path}/capacity`, 400, { ...changed, hours: [] })
  await call('PUT', `${path}/capacity`, 400, { ...changed, basedOn: null })
  await call('PUT', `${path}/capacity`, 412, { ...changed, basedOn: 'an older version' })
  await call('PUT', `${path}/capacity`, 409, { ...changed, from: '2026-01-01' })
  await call('PUT', `${path}/capacity`, 204, changed)
  expect(await call('GET', `${path}/capacity`, 200)).toMatchObject({ bays: 1, hours: closed })
  await call('POST', `${path}/capacity/withdraw`, 204, { day: from })
  const refusedClosing = await call('POST', `${path}/capacity/close`, 409, { on: booked, reason: 'Inventory' })
  const { seen, appointments } = refusedClosing.data as unknown as { seen: string; appointments: object[] }
  expect(appointments.length).toBeGreaterThan(0)
  await call('POST', `${path}/capacity/close`, 204, { on: booked, reason: 'Inventory', seen })
  expect(await call('GET', `${path}/capacity`, 200)).toMatchObject({
    closures: expect.arrayContaining([{ on: booked, reason: 'Inventory' }]),
  })
  await call('POST', `${path}/capacity/open`, 204, { day: booked })

  const { versions: _lists, ...prices } = await call('GET', `${path}/prices`, 200)
  // The demo shop has no prices for the largest rims, which a price list needs.
  const largest = ['standard', 'low-profile', 'run-flat', 'light-truck'].flatMap((job) => [
    [`${job}-21`, 4_000],
    [`${job}-21-minutes`, 20],
  ])
  const raised = {
    ...prices,
    ...Object.fromEntries(largest),
    from,
    kit: 700,
    'service-sensors': 1_900,
    'service-sensors-minutes': 20,
  }
  await call('PUT', `${path}/prices`, 400, { ...raised, basedOn: null })
  await call('PUT', `${path}/prices`, 204, raised)
  await call('PUT', `${path}/prices`, 412, { ...raised, kit: 800 })
  expect(await call('GET', `${path}/prices`, 200)).toMatchObject({
    kit: 700,
    'service-sensors': 1_900,
    'service-sensors-minutes': 20,
  })
  await call('POST', `${path}/prices/withdraw`, 204, { day: from })

  await call('GET', `${path}/area`, 404)
  const { code } = await store.database.db
    .selectFrom('shop')
    .select('code')
    .where('kind', '=', 'van')
    .where('active', '=', true)
    .executeTakeFirstOrThrow()
  const area = await call('GET', `/shops/${code}/area`, 200)
  const fewer = String(area['zips']).split(' ').slice(1).join(' ')
  await call('PUT', `/shops/${code}/area`, 400, { ...area, zips: '99999' })
  await call('PUT', `/shops/${code}/area`, 412, { zips: fewer, seen: 'an older version' })
  await call('PUT', `/shops/${code}/area`, 204, { ...area, zips: fewer })
  expect(await call('GET', `/shops/${code}/area`, 200)).toMatchObject({ zips: fewer })

  await call('GET', `${path}/profile-request`, 404)
  for (const end of ['capacity', 'prices', 'area'])
    await refuseUnknown('shops.edit', 'PUT', (id) => `/shops/${id}/${end}`, end === 'area' ? area : changed)
  for (const end of ['approve', 'decline'])
    await refuseUnknown('shops.edit', 'POST', (id) => `/shops/${id}/profile-request/${end}`, {
      seen: 'x',
      reason: 'No',
    })
  const reader = await programWith('shop-applications.read')
  for (const end of ['capacity', 'prices', 'area', 'profile-request']) await reader('GET', `${path}/${end}`, 403)
})

/** A shop with a confirmed appointment ahead, and the day of it in the shop's time zone. */
async function bookedShop(): Promise<{ code: string; day: string }> {
  return store.database.db
    .selectFrom('booking')
    .innerJoin('shop', 'shop.id', 'booking.shop_id')
    .select(['shop.code', sql<string>`(lower(during) at time zone shop.time_zone)::date::text`.as('day')])
    .where('shop.kind', '=', 'shop')
    .where('shop.code', '<>', 'SW-00001')
    .where('booking.state', '=', 'confirmed')
    .where(sql<boolean>`lower(during) > now() + interval '1 day'`)
    .orderBy('booking.id')
    .executeTakeFirstOrThrow()
}

test('a program questions, approves, and refuses shop applications', async () => {
  const call = await programWith('shop-applications.read shop-applications.decide')
  const apply = async (fields: Record<string, string>) => {
    const form = new FormData()
    for (const [name, value] of Object.entries({ ...typedApplication, ...fields })) form.append(name, value)
    expect((await createVisitor().ask(`${store.origin}/installer-signup`, { form })).status).toBe(303)
    const { rows } = (await call('GET', '/shop-applications', 200)) as unknown as { rows: { id: string }[] }
    return `/shop-applications/${rows[0]?.id ?? ''}`
  }
  const first = await apply({})
  expect((await call('POST', `${first}/ask`, 400, { question: ' ' })).data).toEqual({
    question: 'Write the question the shop will read.',
  })
  await call('POST', `${first}/ask`, 204, { question: 'Which machines do you have?' })
  expect(await office(`/office${first}`)).toContain('Which machines do you have?')
  await call('POST', `${first}/approve`, 204)
  await call('POST', `${first}/approve`, 409)
  const second = await apply({ street: '1 Other Ave' })
  await call('POST', `${second}/refuse`, 204, { reason: 'Your insurance ended.' })
  expect(await office(`/office${second}`)).toContain('Your insurance ended.')
  for (const [end, body] of [
    ['approve', undefined],
    ['ask', { question: 'Why?' }],
    ['refuse', { reason: 'No' }],
  ] as const) {
    await call('POST', `/shop-applications/A-999999/${end}`, 404, body)
    await refuseUnknown('shop-applications.decide', 'POST', (id) => `/shop-applications/${id}/${end}`, body)
  }
})

test('a program decides on partner applications, and adds and removes employers', async () => {
  const call = await programWith('partners.read partners.decide')
  for (const business of ['Lakeview Riders', 'Gage Park Riders'])
    await createVisitor().ask(`${store.origin}/partner-program`, {
      form: {
        intent: 'apply',
        business,
        name: 'Pat',
        email: `${business.slice(0, 4)}@riders.example`,
        phone: '312 555 0142',
        people: '40',
        message: 'Hello',
      },
    })
  const { rows } = (await call('GET', '/partners', 200)) as unknown as { rows: { id: string }[] }
  const [one, other] = rows.slice(-2).map(({ id }) => `/partners/${id}`)
  await call('POST', `${one}/approve`, 204)
  await call('POST', `${one}/refuse`, 409)
  await call('POST', `${other}/refuse`, 204)
  // Decided applications aren't listed, and can still be read.
  expect(await call('GET', String(one), 200)).toMatchObject({ fields: { state: 'approved' } })
  expect(await call('GET', String(other), 200)).toMatchObject({ fields: { state: 'refused', people: 40 } })
  for (const id of ['999999', '0', 'x']) await call('GET', `/partners/${id}`, 404)
  const employer = { domain: 'works.example', employer: 'Works' }
  expect(await call('POST', '/employers', 201, employer)).toEqual({ id: 'works.example' })
  expect((await call('POST', '/employers', 409, employer)).data).toEqual({ domain: 'This domain is already listed.' })
  await call('POST', '/employers', 409, { ...employer, domain: 'gmail.com' })
  expect(await office('/office/partners')).toContain('works.example')
  await call('POST', '/employers/works.example/remove', 204)
  await call('POST', '/employers/works.example/remove', 404)
  expect(await office('/office/partners')).not.toContain('works.example')
  const { rows: widgets } = (await call('GET', '/partner-widgets', 200)) as unknown as { rows: { id: string }[] }
  const widget = `/partner-widgets/${widgets.at(-1)?.id}`
  const rate = { percent: '2.5', from: Temporal.Now.plainDateISO('America/Chicago').add({ days: 9 }).toString() }
  await call('POST', `${widget}/rate`, 409, { ...rate, from: '2026-01-01' })
  await call('POST', `${widget}/rate`, 204, rate)
  expect(await call('GET', widget, 200)).toMatchObject({
    rates: expect.arrayContaining([{ commissionBp: 250, fromDay: rate.from }]),
  })
  await call('POST', `${widget}/close`, 204)
  await call('GET', widget, 404)
  for (const [end, body] of [
    ['rate', rate],
    ['close', undefined],
  ] as const)
    await refuseUnknown('partners.decide', 'POST', (id) => `/partner-widgets/${id}/${end}`, body)
  for (const end of ['approve', 'refuse'])
    await refuseUnknown('partners.decide', 'POST', (id) => `/partners/${id}/${end}`)
  await refuseUnknown('partners.decide', 'POST', (id) => `/employers/${id}/remove`)
})

test('a program adjusts shop pay up to the limit', async () => {
  const call = await programWith('pay.read pay.adjust')
  const before = await call('GET', '/shop-pay/SW-00002', 200)
  const adjustment = { submission: newId(), kind: 'add', amount: 1_250, reason: 'A missed disposal fee' }
  const path = '/shop-pay/SW-00002/adjust'
  expect(await call('POST', path, 200, adjustment)).toMatchObject({ state: 'approved' })
  await call('POST', path, 200, adjustment)
  expect((await call('GET', '/shop-pay/SW-00002', 200))['owedCents']).toBe(Number(before['owedCents']) + 1_250)
  await call('POST', path, 409, { ...adjustment, submission: newId(), amount: 900_000 })
  await call('POST', path, 404, { ...adjustment, submission: newId(), job: newId() })
  const answer = { dispute: newId(), submission: newId(), answer: 'You are right.', granted: 100 }
  await call('POST', '/shop-pay/SW-00002/answer', 404, answer)
  for (const [end, body] of [
    ['adjust', adjustment],
    ['answer', answer],
  ] as const)
    await refuseUnknown('pay.adjust', 'POST', (id) => `/shop-pay/${id}/${end}`, body)
})

test('a program lists, adds, reads and changes fraud rules', async () => {
  const call = await programWith('fraud-rules.manage')
  const rule = { kind: 'first-order', fromCents: 300_000, outcome: 'review', isOn: true }
  const wrong = await call('POST', '/fraud-rules', 400, { ...rule, fromCents: null })
  expect(wrong.data).toEqual({ fromCents: 'Enter a value.' })
  const { id } = await call('POST', '/fraud-rules', 201, rule)
  expect(await call('POST', '/fraud-rules', 201, rule)).toEqual({ id })
  const path = `/fraud-rules/${String(id)}`
  const read = await call('GET', path, 200)
  expect(read).toMatchObject({ ...rule, version: 1, homesOnly: false, words: '', most: null })
  await call('PUT', path, 204, { ...read, fromCents: 123_450 })
  await call('PUT', path, 412, { ...read, fromCents: 500_000 })
  await call('PUT', path, 404, { ...read, kind: 'shop-address' })
  const label = 'A first order for $1,234.50 or more.'
  const { rows } = await call('GET', '/fraud-rules', 200)
  expect(rows).toContainEqual({ id, label })
  expect(await office('/office/fraud-rules')).toContain(label)
  await refuseUnknown('fraud-rules.manage', 'PUT', (no) => `/fraud-rules/${no}`, read)
  await refuseUnknown('fraud-rules.manage', 'GET', (no) => `/fraud-rules/${no}`)
})
