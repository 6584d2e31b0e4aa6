/** What the search box of the back office finds, by role: by any part that a caller remembers, with a page of the office for each. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { officePaths } from '#content/office-paths.ts'
import { staffCan, staffRoles, type StaffRole } from '#domain/staff/staff.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInAt, signInToOffice, type Visitor } from '#tests/support/visitor.ts'

let store: RunningStore
const staff = new Map<StaffRole, Visitor>()

beforeAll(async () => {
  store = await startStore()
  for (const role of staffRoles) {
    const visitor = createVisitor()
    await signInToOffice(store.origin, visitor, { email: `${role}@example.com` })
    staff.set(role, visitor)
  }
})
afterAll(() => store[Symbol.asyncDispose]())

const ask = (role: StaffRole, path: string) => staff.get(role)?.ask(`${store.origin}${path}`) ?? Promise.reject()

/** Every address that a search leads to: of the page opened at once, or of the lines of the results. */
async function found(q: string, role: StaffRole = 'owner'): Promise<string[]> {
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
  for (const q of ['M-999999999', 'R-0', 'Q-99999999999999', 'PO-', 'X-1001']) expect(await found(q), q).toEqual([])
  // The role that may not open the page does not learn that there is one.
  expect(await found('M-1001', 'catalog')).toEqual([])
  expect(await found('Q-2001', 'warehouse')).toEqual([])
})

test('accounts without orders are found by email and name, and have a page of the office', async () => {
  // An account is made by the first sign-in.
  await signInAt(store.origin, createVisitor(), { email: 'dana@example.com' })
  const { id, name, email } = await store.database.db
    .selectFrom('account')
    .select(['id', 'name', 'email'])
    .where('email', '=', 'dana@example.com')
    .executeTakeFirstOrThrow()
  const path = officePaths.officeCustomer(id)
  for (const q of ['dana@example.com', 'dana@', 'dana', (name ?? 'dana').slice(1)])
    expect(await found(q), q).toContain(path)
  const html = await (await ask('support', path)).text()
  expect(html).toContain(email)
  expect(html).toContain('No orders from this account.')
  for (const role of staffRoles)
    expect((await ask(role, path)).status, role).toBe(staffCan([role], 'customers.read') ? 200 : 403)
  expect((await ask('owner', officePaths.officeCustomer('x'))).status).toBe(404)
  expect((await ask('owner', officePaths.officeCustomer('0198c2f4-8d5e-7c10-a1b2-000000000001'))).status).toBe(404)
})

test('the account page lists its orders and its saved addresses, found by phone and ZIP', async () => {
  const { id, orderId } = await store.database.db
    .selectFrom('account')
    .innerJoin('cart', 'cart.account_id', 'account.id')
    .innerJoin('sales_order', 'sales_order.cart_id', 'cart.id')
    .select(['account.id', 'sales_order.id as orderId'])
    .where('account.email', '=', 'olive@example.com')
    .orderBy('sales_order.id', 'desc')
    .executeTakeFirstOrThrow()
  const html = await (await ask('sales', officePaths.officeCustomer(id))).text()
  expect(html).toContain(`href="${officePaths.officeOrder(orderId)}"`)
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
    // What shops are paid is a link for those who may see it.
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
