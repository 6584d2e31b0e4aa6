/**
 * Tests the office's search box by role. It finds any part that a caller remembers and links to an office page for
 * each.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { officePaths } from '#content/office-paths.ts'
import { staffCan, staffRoles, type Permission, type BuiltInRole } from '#domain/kernel/staff/staff.ts'
import { recordVin } from '#domain/ordering/orders/orders.server.ts'
import { desk } from '#domain/kernel/staff/staff.testing.ts'
import type { PaletteAnswer } from '#app/views/office/search.server.ts'
import { systemClock } from '#platform/clock.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInAt, signInToOffice, type Visitor } from '#tests/support/visitor.ts'

let store: RunningStore
const staff = new Map<BuiltInRole, Visitor>()

beforeAll(async () => {
  store = await startStore()
  for (const role of staffRoles) {
    const visitor = createVisitor()
    await signInToOffice(store.origin, visitor, { email: `${role}@example.com` })
    staff.set(role, visitor)
  }
})
afterAll(() => store[Symbol.asyncDispose]())

const ask = (role: BuiltInRole, path: string) => staff.get(role)?.ask(`${store.origin}${path}`) ?? Promise.reject()

/** Returns every URL from a search (the page that opened directly, or the links in the results). */
async function found(q: string, role: BuiltInRole = 'owner'): Promise<string[]> {
  const answer = await ask(role, officePaths.officeSearch({ q }))
  const at = answer.headers.get('location')
  if (at !== null) return [at]
  expect(answer.status, q).toBe(200)
  const list = /<ul class="office-found">[\s\S]*?<\/ul>/g
  return [...(await answer.text()).matchAll(list)].flatMap(([part]) =>
    [...part.matchAll(/href="([^"]*)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&')),
  )
}

async function anyOrder() {
  return store.database.db
    .selectFrom('sales_order')
    .select(['id', 'phone', 'zip', 'last_name as lastName', 'first_name as firstName', 'email'])
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
}

test('an order is found by the last digits of its phone, its ZIP and parts of its name and email', async () => {
  const { id, phone, zip, lastName, firstName, email } = await anyOrder()
  const local = email.split('@')[0] ?? ''
  for (const q of [
    phone.slice(-4),
    phone.slice(-7),
    `${phone.slice(-7, -4)}-${phone.slice(-4)}`,
    zip,
    lastName.slice(1),
    `${firstName.slice(1)} ${lastName}`,
    local.slice(1),
  ])
    expect(await found(q), q).toContain(officePaths.officeOrder(id))
})

test('returns, messages, quotes and purchase orders are found by their numbers', async () => {
  const { db } = store.database
  const purchase = await db.selectFrom('purchase_order').select('id').orderBy('id').executeTakeFirstOrThrow()
  const message = await db.selectFrom('support_request').select('id').orderBy('id').executeTakeFirstOrThrow()
  for (const [q, path] of [
    ['M-1001', officePaths.officeReturn(1001)],
    ['m1001', officePaths.officeReturn(1001)],
    [`R-${message.id}`, officePaths.officeMessage(message.id)],
    ['Q-2001', officePaths.officeQuote(2001)],
    ['q 2001', officePaths.officeQuote(2001)],
    [`PO-${purchase.id}`, officePaths.officePurchaseOrder(purchase.id)],
    [`po-${purchase.id}-2`, officePaths.officePurchaseOrder(purchase.id)],
  ] as const) {
    expect(await found(q), q).toEqual([path])
    expect((await ask('owner', path)).status, q).toBe(200)
  }
  // Without its prefix, a number may be of several records.
  expect(await found('1001')).toContain(officePaths.officeReturn(1001))
  expect(await found('2001')).toContain(officePaths.officeQuote(2001))
  for (const q of ['M-999999999', 'R-000000', 'Q-99999999999999', 'X-1001']) expect(await found(q), q).toEqual([])
  // The role that may not open the page does not learn that there is one.
  expect(await found('M-1001', 'catalog')).toEqual([])
  expect(await found('Q-2001', 'warehouse')).toEqual([])
})

/** The page of the customer with an email. */
async function customerPath(email: string): Promise<string> {
  const { id } = await store.database.db
    .selectFrom('customer')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
  return officePaths.officeCustomer(id)
}

test('customers without orders are found by email and name, and have a page of the office', async () => {
  // An account is made by the first sign-in.
  await signInAt(store.origin, createVisitor(), { email: 'dana@example.com' })
  const path = await customerPath('dana@example.com')
  for (const q of ['dana@example.com', 'dana@', 'dana', 'ana@exam']) expect(await found(q), q).toContain(path)
  expect(await (await ask('support', path)).text()).toContain('dana@example.com')
  for (const role of staffRoles)
    expect((await ask(role, path)).status, role).toBe(staffCan([role], 'customers.read') ? 200 : 403)
  expect((await ask('owner', officePaths.officeCustomer('x'))).status).toBe(404)
  expect((await ask('owner', officePaths.officeCustomer('0198c2f4-8d5e-7c10-a1b2-000000000001'))).status).toBe(404)
})

test('guests are found by the phone and ZIP of their orders, and their page lists these', async () => {
  const { id, email, phone, zip } = await anyOrder()
  const path = await customerPath(email)
  for (const q of [phone.slice(-4), phone.slice(-7), zip, email.slice(1)]) expect(await found(q), q).toContain(path)
  expect(await (await ask('sales', path)).text()).toContain(`href="${officePaths.officeOrder(id)}"`)
})

test('a shop is found by name, city, code, ZIP and phone, and opens its office page', async () => {
  const { code, name, city, zip, phone } = await store.database.db
    .selectFrom('shop')
    .select(['code', 'name', 'city', 'zip', 'phone'])
    .orderBy('id')
    .executeTakeFirstOrThrow()
  const path = officePaths.officeShop(code)
  for (const q of [name, name.slice(2), city, code, code.toLowerCase(), zip, phone.slice(-4), phone.slice(-7), phone])
    expect(await found(q), q).toContain(path)
  for (const role of staffRoles) {
    const answer = await ask(role, path)
    expect(answer.status, role).toBe(200)
    // The shop's pay is a link for roles with access.
    expect((await answer.text()).includes(officePaths.officeShopPay(code)), role).toBe(staffCan([role], 'pay.read'))
  }
  expect((await ask('owner', officePaths.officeShop('SW-99999'))).status).toBe(404)
})

test('tires are found by SKU, model and size, and open the office’s page that the role may see', async () => {
  const { id, sku, lineId, line, brand, size } = await store.database.db
    .selectFrom('item')
    .innerJoin('product_line', 'product_line.id', 'item.product_line_id')
    .innerJoin('brand', 'brand.id', 'product_line.brand_id')
    .innerJoin('size', 'size.id', 'item.size_id')
    .select([
      'item.id',
      'item.sku',
      'product_line.id as lineId',
      'product_line.name as line',
      'brand.name as brand',
      'size.designation as size',
    ])
    .orderBy('item.id')
    .executeTakeFirstOrThrow()
  expect(await found(sku)).toEqual([officePaths.officeStockItem(id)])
  expect(await found(sku.toLowerCase(), 'finance')).toEqual([])
  const stock = officePaths.officeStock({ q: `${brand} ${line}` })
  for (const q of [line, `${brand} ${line}`, line.slice(1)]) {
    expect(await found(q, 'catalog'), q).toContain(officePaths.officeLine(lineId))
    expect(await found(q, 'warehouse'), q).toContain(stock)
  }
  expect(await found(`${line} ${size}`)).toContain(officePaths.officeStockItem(id))
  expect(await (await ask('warehouse', stock)).text()).toContain(sku)
})

test('every result leads to a page of the office that the reader may open', async () => {
  const { zip, phone, lastName } = await anyOrder()
  for (const role of staffRoles)
    for (const q of [
      zip,
      phone.slice(-4),
      lastName,
      'chicago',
      'grant',
      '225/65R17',
      'kestrel',
      'M-1001',
      'R-1',
      'PO-5004',
    ])
      for (const path of (await found(q, role)).slice(0, 12)) {
        expect(path).toMatch(/^\/office\//)
        expect((await ask(role, path)).status, `${role} ${path}`).toBe(200)
      }
})

/** What the palette lists, by group. */
async function palette(q: string, role: BuiltInRole): Promise<PaletteAnswer> {
  const answer = await ask(role, officePaths.officeFound(q))
  expect(answer.status, q).toBe(200)
  return (await answer.json()) as PaletteAnswer
}

/** Swaps the second letter with the third. */
const withTypo = (text: string) => `${text.charAt(0)}${text.charAt(2)}${text.charAt(1)}${text.slice(3)}`

/** Returns a record of each kind, with the texts that find it, its page, and its permission. */
async function readKinds(): Promise<{ texts: string[]; path: string; permission: Permission; also?: Permission }[]> {
  const { db } = store.database
  const order = await db
    .selectFrom('sales_order')
    .innerJoin('shipment', 'shipment.order_id', 'sales_order.id')
    .innerJoin('work_order', 'work_order.order_id', 'sales_order.id')
    .innerJoin('work_order_tire', 'work_order_tire.booking_id', 'work_order.booking_id')
    .innerJoin('order_line', 'order_line.order_id', 'sales_order.id')
    .innerJoin('item', 'item.id', 'order_line.item_id')
    .select(['sales_order.id', 'first_name', 'last_name', 'email', 'phone', 'zip', 'tracking_number', 'tin', 'sku'])
    .where('tin', 'is not', null)
    .where('tracking_number', 'is not', null)
    .orderBy('sales_order.id', 'desc')
    .executeTakeFirstOrThrow()
  await recordVin({ db, clock: systemClock }, desk, { orderId: order.id, typed: '1HGCM82633A004352' })
  const olive = await customerPath('olive@example.com')
  const company = await db
    .selectFrom('company')
    .select(['id', 'name', 'phone'])
    .orderBy('name')
    .executeTakeFirstOrThrow()
  const place = await db.selectFrom('shop').select(['code', 'name', 'zip']).orderBy('id').executeTakeFirstOrThrow()
  const model = await db
    .selectFrom('product_line')
    .innerJoin('brand', 'brand.id', 'brand_id')
    .select(['product_line.id', 'product_line.name', 'brand.name as brand'])
    .orderBy('product_line.id')
    .executeTakeFirstOrThrow()
  const item = await db.selectFrom('item').select(['id', 'sku']).orderBy('id').executeTakeFirstOrThrow()
  const orderPath = officePaths.officeOrder(order.id)
  const digits = String(order.id)
  return [
    {
      texts: [`S-${digits}`, digits, digits.slice(-4), order.tin ?? '', `DOT ${order.tin}`],
      path: orderPath,
      permission: 'orders.read',
    },
    {
      texts: [
        order.email,
        order.email.slice(1, -4),
        `${order.first_name} ${order.last_name}`.slice(1),
        `${order.first_name} ${withTypo(order.last_name)}`,
        order.phone.slice(-7),
        `(${order.phone.slice(0, 3)}) ${order.phone.slice(3, 6)}-${order.phone.slice(6)}`,
        order.tracking_number ?? '',
        (order.tracking_number ?? '').slice(-8),
        '1HGCM82633A004352',
        '3A004352',
      ],
      path: orderPath,
      permission: 'orders.read',
      also: 'customers.read',
    },
    {
      texts: ['olive@example.com', 'live@exam', withTypo('olive')],
      path: olive,
      permission: 'customers.read',
    },
    {
      texts: [company.name, company.name.slice(1), withTypo(company.name), company.phone],
      path: officePaths.officeCompany(company.id),
      permission: 'companies.read',
    },
    {
      texts: [place.name, place.name.slice(1), withTypo(place.name), place.code],
      path: officePaths.officeShop(place.code),
      permission: 'office.open',
    },
    {
      texts: [`${model.brand} ${model.name}`, `${model.brand} ${withTypo(model.name)}`],
      path: officePaths.officeLine(model.id),
      permission: 'catalog.read',
    },
    {
      texts: [item.sku, item.sku.toLowerCase(), item.sku.slice(2)],
      path: officePaths.officeStockItem(item.id),
      permission: 'stock.read',
    },
  ]
}

test('each kind is found by a part and with a typo by the roles that may see it, and by no other', async () => {
  for (const { texts, path, permission, also = permission } of await readKinds())
    for (const role of staffRoles)
      for (const q of texts) {
        const { found: lines } = await palette(q, role)
        const isSeen = staffCan([role], permission) && staffCan([role], also)
        expect(
          lines.some((line) => line.path === path),
          `${role} searches for ${q}`,
        ).toBe(isSeen)
      }
})

test('the palette offers the actions of the order that it finds, as far as the role allows them', async () => {
  const { id, first_name: name } = await store.database.db
    .selectFrom('payment')
    .innerJoin('sales_order', 'sales_order.id', 'payment.order_id')
    .select(['sales_order.id', 'sales_order.first_name'])
    .where('payment.state', '=', 'captured')
    .where('sales_order.state', '=', 'confirmed')
    .where('refunded_cents', '=', 0)
    .where('company_id', 'is', null)
    .executeTakeFirstOrThrow()
  const actsOf = async (role: BuiltInRole) => (await palette(`S-${id}`, role)).acts
  const ofSupport = await actsOf('support')
  expect(ofSupport.map(({ title }) => title)).toEqual(expect.arrayContaining(['Refund…', 'Add note…']))
  expect(ofSupport[0]?.notes).toContain(name)
  for (const { path } of ofSupport) expect((await ask('support', path.split('#')[0] ?? '')).status, path).toBe(200)
  const ofWarehouse = await actsOf('warehouse')
  expect(ofWarehouse.map(({ title }) => title)).toContain('Add note…')
  expect(ofWarehouse.map(({ title }) => title)).not.toContain('Refund…')
  expect(JSON.stringify(ofWarehouse)).not.toContain(name)
  expect(await actsOf('catalog')).toEqual([])
  // Several orders match.
  expect((await palette('example.com', 'support')).acts).toEqual([])
})

test('the palette leads from a shop to its appointments, and opens the panel that pauses it', async () => {
  const { name, code } = await store.database.db
    .selectFrom('shop')
    .select(['name', 'code'])
    .orderBy('id')
    .executeTakeFirstOrThrow()
  const { pages, acts } = await palette(code, 'owner')
  expect(pages.map(({ title }) => title)).toEqual([`Appointments at ${name}`])
  expect(acts.map(({ title }) => title)).toEqual([`Pause or close ${name}…`])
  for (const { path } of [...pages, ...acts]) expect((await ask('owner', path)).status, path).toBe(200)
  expect(await palette(code, 'support')).toMatchObject({ pages, acts: [] })
  expect(await palette(code, 'catalog')).toMatchObject({ pages: [], acts: [] })
})

test('the palette lists the best match first, at most three of each kind, and where the others are', async () => {
  const { name } = await store.database.db.selectFrom('shop').select('name').orderBy('id').executeTakeFirstOrThrow()
  const byName = await palette(name, 'owner')
  expect(byName.groups[0]).toMatchObject({ id: 'shops', title: 'Shops', more: null })
  const many = await palette('example.com', 'owner')
  const orders = many.groups.find(({ id }) => id === 'orders')
  expect(orders?.lines).toHaveLength(3)
  expect(orders?.more).toEqual({
    title: 'All orders with “example.com”',
    path: officePaths.officeSearch({ q: 'example.com', kind: 'orders' }),
  })
  expect(many.found.map(({ key }) => key)).toEqual(many.groups.flatMap(({ lines }) => lines.map(({ key }) => key)))
  const page = await (await ask('owner', orders?.more?.path ?? '')).text()
  const listed = [...page.matchAll(/href="(\/office\/[a-z]+\/)[^"]*"/g)].map(([, path]) => path)
  expect(listed.filter((path) => path === '/office/orders/').length).toBeGreaterThan(20)
  expect(/<ul class="office-found">[\s\S]*<ul class="office-found">/.test(page)).toBe(false)
})

test('any text is answered, and costs a bounded number of letters', async () => {
  const hostile = [
    '%',
    '%%%',
    '___',
    "'",
    '\\',
    '\uD83D\uDCA5\uD83D\uDCA5',
    '((((',
    '-- ;',
    '1',
    'é',
    'x'.repeat(2_000),
    '9'.repeat(2_000),
    '% '.repeat(500),
  ]
  for (const q of hostile) {
    // A single result opens directly.
    expect([200, 303], q.slice(0, 20)).toContain((await ask('owner', officePaths.officeSearch({ q }))).status)
    await palette(q, 'owner')
  }
  expect((await ask('owner', officePaths.officeSearch({ q: 'x'.repeat(10_000) }))).status).toBe(414)
  // A NUL is refused with the whole address.
  for (const q of ['\0', 'a\0b']) expect((await ask('owner', officePaths.officeSearch({ q }))).status).toBe(400)
  for (const q of ['%', '%%%', '___', '\uD83D\uDCA5\uD83D\uDCA5'])
    expect(await palette(q, 'owner')).toEqual({ groups: [], found: [], pages: [], acts: [] })
  expect(await (await ask('owner', officePaths.officeSearch({ q: 'x'.repeat(101) }))).text()).toContain(
    'Only the first 100 characters were searched',
  )
})
