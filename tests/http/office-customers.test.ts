/** The office's customers: the list and the page of each, for the roles that may see them. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { officePaths } from '#content/office-paths.ts'
import { staffCan, staffRoles, type StaffRole } from '#domain/staff/staff.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInToOffice, type Visitor } from '#tests/support/visitor.ts'

let store: RunningStore
const staff = {} as Record<StaffRole, Visitor>
const db = () => store.database.db

beforeAll(async () => {
  store = await startStore()
  for (const role of staffRoles) {
    staff[role] = createVisitor()
    await signInToOffice(store.origin, staff[role], { email: `${role}@example.com` })
  }
}, 120_000)
afterAll(() => store[Symbol.asyncDispose]())

const ask = (role: StaffRole, path: string) => staff[role].ask(`${store.origin}${path}`)

async function read(role: StaffRole, path: string): Promise<string> {
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

test('the list leads to every customer, page by page, and none is listed twice', async () => {
  const found: string[] = []
  for (let path: string | undefined = officePaths.officeCustomers(); path !== undefined;) {
    const page = await read('support', path)
    found.push(...[...page.matchAll(/href="\/office\/customers\/([0-9a-f-]{36})"/g)].map(([, id = '']) => id))
    path = /href="([^"]+)" rel="next"/.exec(page)?.[1]?.replaceAll('&amp;', '&')
  }
  const all = await db().selectFrom('customer').select('id').execute()
  expect(found.toSorted()).toEqual(all.map(({ id }) => id).toSorted())
})

test('a customer shows their orders, the tires on their car with DOT numbers, and what was written', async () => {
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

test('a search that nobody matches, a damaged place and an unknown id are answered', async () => {
  expect(await read('support', '/office/customers?q=zzzzzz&view=nonsense&after=x')).toContain(
    'No customers match this search.',
  )
  for (const id of ['x', '00000000-0000-4000-8000-000000000000'])
    expect((await ask('support', `/office/customers/${id}`)).status).toBe(404)
})
