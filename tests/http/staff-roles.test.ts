/** The store's own roles, as owners add them in the back office. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { staffRoles } from '#domain/kernel/staff/staff.ts'
import { openStartedStore, type StartedStore } from '../faults/started-store.ts'
import { createVisitor, signInToOffice, type Visitor } from '#tests/support/visitor.ts'

let store: StartedStore
let owner: Visitor

beforeAll(async () => {
  store = await openStartedStore()
  owner = createVisitor()
  await signInToOffice(store.origin, owner, { email: 'owner@example.com' })
})
afterAll(() => store[Symbol.asyncDispose]())

const address = (path: string) => `${store.origin}/office/staff${path}`

test('a user with a custom role opens only its pages', async () => {
  const form = { intent: 'add', name: 'Night desk', version: '0', 'orders.read': '1', 'returns.read': '1' }
  const added = await owner.ask(address('/roles/new'), { form })
  expect(added.headers.get('location')).toBe('/office/staff?done=role-added')
  const list = await (await owner.ask(address('?done=role-added'))).text()
  expect(list).toContain('Role added. Invite team members to it below.')
  expect(list).toContain('<option value="night-desk">Night desk</option>')

  const invited = await owner.ask(address(''), {
    form: { intent: 'invite', email: 'dana@example.com', role: 'night-desk', lastDay: '' },
  })
  expect(invited.headers.get('location')).toBe('/office/staff?done=invited')
  const dana = createVisitor()
  await signInToOffice(store.origin, dana, { email: 'dana@example.com' })
  const statusOf = async (path: string) => (await dana.ask(`${store.origin}${path}`)).status
  expect({
    orders: await statusOf('/office/orders'),
    returns: await statusOf('/office/returns'),
    stock: await statusOf('/office/stock'),
    role: await statusOf('/office/staff/roles/night-desk'),
  }).toEqual({ orders: 200, returns: 200, stock: 403, role: 403 })
  const home = await (await dana.ask(`${store.origin}/office`)).text()
  expect(home).toContain('Night desk')
})

test('the table of permissions and the form of a role show what each permission opens', async () => {
  const [table, form] = await Promise.all(
    ['', '/roles/new'].map(async (path) => (await owner.ask(address(path))).text()),
  )
  // A permission’s row of the table, and its checkbox in the form.
  const row = table?.split('<th scope="row">').find((part) => part.startsWith('Read orders</th>')) ?? ''
  const box = form?.split('<label class="check">').find((part) => part.includes('name="returns.inspect"')) ?? ''
  expect(row).toContain('<dd>All orders · Appointments · Stored sets · Tasks: ')
  expect(box).toContain('<dd>Inspect a tire of a return · Accept tires of a return into stock</dd>')
  expect(box).toMatch(/<summary>2 actions</)
})

test('a wrong name retains the input, and a role in use can’t be retired', async () => {
  const wrong = await owner.ask(address('/roles/new'), {
    form: { intent: 'add', name: '1', version: '0', 'orders.read': '1' },
  })
  expect(wrong.status).toBe(422)
  const html = await wrong.text()
  expect(html).toContain('Enter a name of at least 2 characters.')
  expect(html).toMatch(/<input[^>]*name="orders.read"[^>]*checked/)
  const none = await owner.ask(address('/roles/new'), { form: { intent: 'add', name: 'Empty', version: '0' } })
  expect(await none.text()).toContain('Choose at least one permission.')
  const inUse = await owner.ask(address('/roles/night-desk'), { form: { intent: 'retire' } })
  expect(inUse.status).toBe(409)
  expect(await inUse.text()).toContain('1 person has this role. Revoke it first.')
  expect((await owner.ask(address('/roles/no-such-role'))).status).toBe(404)
})

test.for(staffRoles.filter((role) => role !== 'owner'))(
  '%s neither sees the form of a role nor sends it',
  async (role) => {
    const person = createVisitor()
    await signInToOffice(store.origin, person, { email: `${role}@example.com` })
    expect((await person.ask(address('/roles/new'))).status).toBe(403)
    const sent = await person.ask(address('/roles/new'), {
      form: { intent: 'add', name: 'Everything', version: '0', 'refunds.make': '1' },
    })
    expect(sent.status).toBe(403)
  },
)
