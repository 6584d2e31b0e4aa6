/** Tests the office's customer list and pages for roles with access. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { officePaths } from '#content/office-paths.ts'
import { staffCan, staffRoles, type BuiltInRole } from '#domain/kernel/staff/staff.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInToOffice, type Visitor } from '#tests/support/visitor.ts'

let store: RunningStore
const staff = {} as Record<BuiltInRole, Visitor>
const db = () => store.database.db

beforeAll(async () => {
  store = await startStore()
  for (const role of staffRoles) {
    staff[role] = createVisitor()
    await signInToOffice(store.origin, staff[role], { email: `${role}@example.com` })
  }
}, 120_000)
afterAll(() => store[Symbol.asyncDispose]())

const ask = (role: BuiltInRole, path: string) => staff[role].ask(`${store.origin}${path}`)

async function read(role: BuiltInRole, path: string): Promise<string> {
  const answer = await ask(role, path)
  expect(answer.status, path).toBe(200)
  return answer.text()
}

test('customers are open to the roles that see customers', async () => {
  const { id } = await db().selectFrom('customer').select('id').executeTakeFirstOrThrow()
  for (const role of staffRoles)
    for (const path of [officePaths.officeCustomers(), officePaths.officeCustomer(id)])
      expect((await ask(role, path)).status, `${role} ${path}`).toBe(staffCan([role], 'customers.read') ? 200 : 403)
})

test('the list pages through every customer once', async () => {
  const found: string[] = []
  for (let path: string | undefined = officePaths.officeCustomers(); path !== undefined;) {
    const page = await read('support', path)
    found.push(...[...page.matchAll(/href="\/office\/customers\/([0-9a-f-]{36})"/g)].map(([, id = '']) => id))
    path = /href="([^"]+)" rel="next"/.exec(page)?.[1]?.replaceAll('&amp;', '&')
  }
  const all = await db().selectFrom('customer').select('id').execute()
  expect(found.toSorted()).toEqual(all.map(({ id }) => id).toSorted())
})

test('a customer page shows orders, tires with DOT codes, and messages', async () => {
  const tire = await db()
    .selectFrom('tire_registration')
    .innerJoin('sales_order', 'sales_order.id', 'tire_registration.order_id')
    .select(['customer_id', 'sales_order.id', 'email', 'tin'])
    .executeTakeFirstOrThrow()
  const page = await read('support', officePaths.officeCustomer(tire.customer_id))
  for (const text of [tire.email, `S-${tire.id}`, tire.tin.slice(-4), 'No open recall on these tires', 'Messages'])
    expect(page, text).toContain(text)
  expect(await read('finance', officePaths.officeCustomer(tire.customer_id))).not.toContain('id="messages"')
})

test('the address of an account leads to its customer', async () => {
  const { id, email } = await db()
    .selectFrom('sales_order')
    .innerJoin('cart', 'cart.id', 'sales_order.cart_id')
    .innerJoin('account', 'account.id', 'cart.account_id')
    .select(['account.id', 'account.email'])
    .where('email_verified_at', 'is not', null)
    .executeTakeFirstOrThrow()
  const answer = await ask('support', officePaths.officeCustomer(id))
  expect(answer.status).toBe(302)
  expect(await read('support', answer.headers.get('location') ?? '')).toContain(email)
})

test('handles searches without results, damaged cursors, and unknown IDs', async () => {
  expect(await read('support', '/office/customers?q=zzzzzz&view=nonsense&after=x')).toContain(
    'No customers match this view.',
  )
  for (const id of ['x', '00000000-0000-4000-8000-000000000000'])
    expect((await ask('support', `/office/customers/${id}`)).status).toBe(404)
})

const post = (role: BuiltInRole, path: string, form: Record<string, string>) =>
  staff[role].ask(`${store.origin}${path}`, { form })

async function customers(count: number): Promise<{ id: string; email: string }[]> {
  const rows = await db()
    .selectFrom('customer')
    .select(['id', 'email'])
    .where('merged_into', 'is', null)
    .where('phone', 'is not', null)
    .orderBy('id')
    .limit(count)
    .execute()
  expect(rows).toHaveLength(count)
  return rows
}

test('two customers are compared, merged, and apart again', async () => {
  const [kept, other] = await customers(2)
  if (!kept || !other) throw new Error('The demo data has two customers.')
  const path = officePaths.officeCustomerMerge(kept.id)
  const page = await read('manager', officePaths.officeCustomerMerge(kept.id, { with: other.email }))
  for (const { email } of [kept, other]) expect(page, email).toContain(email)
  const merged = await post('manager', path, { intent: 'merge', other: other.id })
  expect(merged.headers.get('location')).toBe(officePaths.officeCustomer(kept.id, 'merged'))
  expect(await read('support', merged.headers.get('location') ?? '')).toContain(other.email)
  const moved = await ask('support', officePaths.officeCustomer(other.id))
  expect(moved.headers.get('location')).toBe(officePaths.officeCustomer(kept.id))
  const merge = /name="merge" value="([^"]+)"/.exec(await read('manager', path))?.[1] ?? ''
  expect((await post('manager', path, { intent: 'undo', merge })).status).toBe(303)
  expect((await ask('support', officePaths.officeCustomer(other.id))).status).toBe(200)
})

test('a blocked customer is marked on the page and listed as blocked', async () => {
  const [customer] = await customers(1)
  const id = customer?.id ?? ''
  const path = officePaths.officeCustomerBlock(id)
  expect((await post('manager', path, { intent: 'block', reason: ' ' })).status).toBe(422)
  expect((await post('manager', path, { intent: 'block', reason: 'Chargebacks' })).status).toBe(303)
  expect(await read('support', officePaths.officeCustomer(id))).toContain('This customer can’t place orders')
  const blocked = await read('support', officePaths.officeCustomers({ view: 'blocked' }))
  expect(blocked).toContain(id)
  expect(blocked).toMatch(/>Blocked<\/span><span class="tag">(?:New|Guest)</)
  expect((await post('manager', path, { intent: 'unblock' })).status).toBe(303)
  expect(await read('support', officePaths.officeCustomers({ view: 'blocked' }))).not.toContain(id)
})

test('a customer is erased by two people, after the file of their data', async () => {
  const { id, email } = await db()
    .selectFrom('customer')
    .select(['id', 'email'])
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('sales_order').whereRef('sales_order.customer_id', '=', 'customer.id'))),
    )
    .where('email', '=', 'sam@example.com')
    .executeTakeFirstOrThrow()
  const file = await ask('owner', officePaths.officeCustomerFile(id))
  expect(file.headers.get('content-disposition')).toContain('attachment')
  expect(JSON.stringify(await file.json())).toContain(email)
  const path = officePaths.officeCustomerErase(id)
  expect((await post('manager', path, { intent: 'request', reason: 'Asked by email' })).status).toBe(303)
  const own = await post('manager', path, { intent: 'erase' })
  expect(own.status).toBe(409)
  expect(await own.text()).toContain('Another manager or owner must confirm this.')
  expect((await post('owner', path, { intent: 'erase' })).status).toBe(303)
  expect(await read('support', officePaths.officeCustomer(id))).toContain('Erased customer')
})
