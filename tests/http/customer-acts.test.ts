/** What staff do with customers from their pages: add one, change the contact, give store credit and write first. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { officePaths } from '#content/office-paths.ts'
import { staffCan, staffRoles, type BuiltInRole, type Permission } from '#domain/staff/staff.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInToOffice, type Visitor } from '#tests/support/visitor.ts'

let store: RunningStore
const staff = {} as Record<BuiltInRole, Visitor>

beforeAll(async () => {
  store = await startStore()
  for (const role of staffRoles) {
    staff[role] = createVisitor()
    await signInToOffice(store.origin, staff[role], { email: `${role}@example.com` })
  }
}, 120_000)
afterAll(() => store[Symbol.asyncDispose]())

const ask = (role: BuiltInRole, path: string) => staff[role].ask(`${store.origin}${path}`)
const post = (role: BuiltInRole, path: string, form: Record<string, string>) =>
  staff[role].ask(`${store.origin}${path}`, { form })

/** The page as it is read: without its scripts, which hold the same once more. */
async function read(role: BuiltInRole, path: string): Promise<string> {
  const answer = await ask(role, path)
  expect(answer.status, path).toBe(200)
  return (await answer.text()).replaceAll(/<script[\s\S]*?<\/script>/g, '')
}

const ada = { intent: 'add', name: 'Ada Lane', email: 'ada.lane@example.org', phone: '(312) 555-0142' }

/** Adds a customer through the page, and returns their id. */
async function add(contact: Partial<typeof ada> = {}): Promise<string> {
  const added = await post('support', officePaths.officeNewCustomer(), { ...ada, ...contact, isOther: '1' })
  const id = /^\/office\/customers\/([0-9a-f-]{36})\?done=added$/.exec(added.headers.get('location') ?? '')?.[1]
  if (id === undefined) throw new Error(`The customer was not added: ${added.status}`)
  return id
}

async function expectOpenTo(permission: Permission, path: string): Promise<void> {
  for (const role of staffRoles)
    expect((await ask(role, path)).status, `${role} ${path}`).toBe(staffCan([role], permission) ? 200 : 403)
}

test('a customer is added once the customers with the same phone were seen', async () => {
  await expectOpenTo('customers.edit', officePaths.officeNewCustomer())
  expect(await read('support', officePaths.officeCustomers())).toContain(`href="${officePaths.officeNewCustomer()}"`)
  expect(await read('finance', officePaths.officeCustomers())).not.toContain(officePaths.officeNewCustomer())
  const wrong = await post('support', officePaths.officeNewCustomer(), { ...ada, email: 'ada', name: '<i>Ada</i>' })
  expect(wrong.status).toBe(422)
  const again = await wrong.text()
  expect(again).toContain('value="&lt;i&gt;Ada&lt;/i&gt;"')
  expect(again).toContain('Please enter a valid email')
  const id = await add()
  expect(await read('support', officePaths.officeCustomer(id, 'added'))).toContain('Customer added.')
  const known = await post('support', officePaths.officeNewCustomer(), { ...ada, name: 'A. Lane' })
  expect(known.status).toBe(409)
  const shown = await known.text()
  expect(shown).toContain('A customer has this email.')
  expect(shown).toContain(`href="${officePaths.officeCustomer(id)}"`)
  const second = { ...ada, email: 'ada.second@example.org' }
  const alike = await post('support', officePaths.officeNewCustomer(), second)
  expect(alike.status).toBe(409)
  const page = await alike.text()
  expect(page).toContain('This phone number is known')
  expect(page).toContain(`href="${officePaths.officeCustomer(id)}"`)
  expect(page).toContain('value="ada.second@example.org"')
  const other = await add(second)
  expect(await read('manager', officePaths.officeCustomer(other))).toContain(
    'Probably the same person: ada.lane@example.org',
  )
})

test('a changed contact is on the page with what it was, and two tabs don’t overwrite each other', async () => {
  const id = await add({ email: 'bo@example.org', phone: '(312) 555-0151' })
  const path = officePaths.officeCustomerContact(id)
  await expectOpenTo('customers.edit', path)
  expect(await read('support', officePaths.officeCustomer(id))).toContain(`href="${path}"`)
  expect(await read('finance', officePaths.officeCustomer(id))).not.toContain(path)
  const form = { intent: 'contact', name: 'Bo Lane', email: 'bo.lane@example.org', phone: '312.555.0152', version: '1' }
  const taken = await post('support', path, { ...form, email: ada.email })
  expect(taken.status).toBe(409)
  expect(await taken.text()).toContain('Another customer has this email.')
  const saved = await post('support', path, form)
  expect(saved.headers.get('location')).toBe(officePaths.officeCustomer(id, 'contact'))
  const changes = await read('support', path)
  expect(changes).toContain('Phone (312) 555-0151 → (312) 555-0152')
  expect(changes).toContain('Email bo@example.org → bo.lane@example.org')
  const late = await post('sales', path, { ...form, name: 'Bob Lane' })
  expect(late.status).toBe(409)
  const conflict = await late.text()
  expect(conflict).toContain('value="Bob Lane"')
  expect(conflict).toContain('Saved now: Bo Lane')
  for (const wrong of ['', '-1', 'x', '1e9', '99999999999'])
    expect((await post('support', path, { ...form, version: wrong })).status, wrong).toBe(409)
  const log = await read('manager', '/office/audit')
  expect(log).toContain(`customer ${id}`)
  expect(log).not.toContain('bo.lane@example.org')
})

test('the name and email of an account are not edited here, and unknown customers have no page', async () => {
  const found = await read('support', officePaths.officeCustomers({ q: 'sam@example.com' }))
  const id = /href="\/office\/customers\/([0-9a-f-]{36})"/.exec(found)?.[1] ?? ''
  const path = officePaths.officeCustomerContact(id)
  const page = await read('support', path)
  expect(page).toContain('From their account')
  expect(page).not.toContain('name="email"')
  const version = /name="version" value="(\d+)"/.exec(page)?.[1] ?? ''
  const forged = { intent: 'contact', name: 'Sam Other', email: 'thief@example.org', phone: '', version }
  const refused = await post('support', path, forged)
  expect(refused.status).toBe(409)
  expect(await refused.text()).toContain('Only its owner can change the name and email.')
  for (const unknown of ['x', '00000000-0000-4000-8000-000000000000'])
    expect((await ask('support', officePaths.officeCustomerContact(unknown))).status).toBe(404)
})
