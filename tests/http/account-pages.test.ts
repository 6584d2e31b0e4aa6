/** Account data and pages, in a browser without script. Each test uses a different person. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { giveCompany } from '#tests/support/company.ts'
import { linkIn, newestMail } from '#tests/support/mailbox.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, ownPassword, registerAt, signInAt, type Visitor } from '#tests/support/visitor.ts'

let store: RunningStore
let itemId: number
beforeAll(async () => {
  store = await startStore()
  const item = await store.database.db
    .selectFrom('item')
    .select('id')
    .where('active', '=', true)
    .orderBy('id')
    .limit(1)
    .executeTakeFirstOrThrow()
  itemId = item.id
})
afterAll(() => store[Symbol.asyncDispose]())

const at = (path: string) => `${store.origin}${path}`
const read = async (visitor: Visitor, path: string) =>
  (await (await visitor.ask(at(path))).text()).replaceAll('<!-- -->', '')
const chosenCrV = '1~~~2019~honda~cr-v~~~~2019_Honda_CR-V'

/** Signs in a registered person in another browser. */
const signInAgain = (visitor: Visitor, email: string) =>
  signInAt(store.origin, visitor, { email, password: ownPassword })

async function addToCart(visitor: Visitor): Promise<void> {
  const answer = await visitor.ask(at('/cart'), { form: { item: String(itemId), quantity: '4', axle: 'all' } })
  expect(answer.status).toBe(303)
}

test('a guest’s choices move into the account, and to another browser that signs in', async () => {
  const guest = createVisitor()
  await guest.ask(at('/zip'), { form: { zip: '60614', back: '/' } })
  await addToCart(guest)
  guest.setCookie('localhost', 'sw_vehicle', chosenCrV)
  await guest.ask(at('/compare/choice'), { form: { add: String(itemId), back: '/' } })
  await registerAt(store.origin, guest, 'Ann')

  const other = createVisitor()
  await signInAgain(other, 'ann@example.com')
  expect(other.cookie('sw_zip')?.value).toBe('60614')
  expect(other.cookie('sw_vehicle')?.value).toBe(chosenCrV)
  expect(other.cookie('sw_compared')?.value).toBe(String(itemId))
  expect(other.cookie('sw_cart')?.value).toBe(guest.cookie('sw_cart')?.value)
  expect(await read(other, '/')).toContain('Cart, 4 tires')
})

test('choices made while signed in appear in another browser', async () => {
  const here = createVisitor()
  await registerAt(store.origin, here, 'Ben')
  await here.ask(at('/zip'), { form: { zip: '10001', back: '/' } })
  await addToCart(here)
  await here.ask(at('/search?q=225%2F65R17'))
  const there = createVisitor()
  await signInAgain(there, 'ben@example.com')
  expect(there.cookie('sw_zip')?.value).toBe('10001')
  expect(there.cookie('sw_cart')?.value).toBe(here.cookie('sw_cart')?.value)
  expect(decodeURIComponent(there.cookie('sw_recent')?.value ?? '')).toContain('225/65R17')
})

test('after sign-out the cart stays in the browser, and is not taken from the first account by the next person', async () => {
  const shared = createVisitor()
  await registerAt(store.origin, shared, 'Cleo')
  await addToCart(shared)
  const cart = shared.cookie('sw_cart')?.value
  await shared.ask(at('/sign-out'), { form: {} })
  expect(shared.cookie('sw_cart')?.value).toBe(cart)
  const elsewhere = createVisitor()
  await signInAgain(elsewhere, 'cleo@example.com')
  expect(elsewhere.cookie('sw_cart')).toBeUndefined()
})

test.for([
  '/account',
  '/account/my-orders',
  '/account/my-garage',
  '/account/addresses',
  '/account/apps',
  '/account/texts',
  '/account/data.json',
  '/account/delete',
])('%s sends guests to sign in, and is not cacheable', async (path) => {
  const guest = await createVisitor().ask(at(path))
  expect(guest.status).toBe(303)
  expect(guest.headers.get('location')).toMatch(/^\/sign-in\?back=/)
  const visitor = createVisitor()
  await signInAt(store.origin, visitor, { email: 'lee@example.com' })
  const answer = await visitor.ask(at(path))
  expect(answer.status).toBe(200)
  expect(answer.headers.get('cache-control')).toBe('private, no-store')
})

test('a new account’s overview shows its status and the next step', async () => {
  const visitor = createVisitor()
  await registerAt(store.origin, visitor, 'Nell')
  const page = await read(visitor, '/account')
  const sayings = [
    'Verify your email',
    'No orders yet',
    'No vehicles yet.',
    '$0.00',
    'What members get',
    'Buy as a business',
  ]
  for (const words of sayings) expect(page).toContain(words)
  await giveCompany(store.database.db, 'nell@example.com', { name: 'Nell Nurseries' })
  const ofCompany = await read(visitor, '/account')
  expect(ofCompany).toContain('Nell Nurseries. Owner.')
  expect(ofCompany).not.toContain('What members get')
})

/** Demo orders without an account. */
const guestOrders = () =>
  store.database.db
    .selectFrom('sales_order')
    .innerJoin('cart', 'cart.id', 'sales_order.cart_id')
    .select(['sales_order.id', 'customer_id'])
    .where('cart.account_id', 'is', null)

test('guest orders are offered to their verified email, and open without their ZIP', async () => {
  const { db } = store.database
  const order = await guestOrders().orderBy('sales_order.id', 'desc').limit(1).executeTakeFirstOrThrow()
  await db.updateTable('customer').set({ email: 'dana@example.com' }).where('id', '=', order.customer_id).execute()
  const visitor = createVisitor()
  await signInAt(store.origin, visitor, { email: 'dana@example.com' })
  expect((await visitor.ask(at(`/track-your-order/result?order=${order.id}`))).status).toBe(303)
  expect(await read(visitor, '/account/my-orders')).toContain('placed as a guest with dana@example.com')
  expect(await read(visitor, '/account')).toContain('One order was placed as a guest with your email.')
  const claimed = await visitor.ask(at('/account/my-orders'), { form: {} })
  expect(await claimed.text()).toContain('in your account now')
  const page = await read(visitor, '/account/my-orders')
  expect(page).toContain(`S-${order.id}`)
  expect(page).not.toContain('placed as a guest with')
  const overview = await read(visitor, '/account')
  expect(overview).toContain(`Open order S-${order.id}`)
  expect(overview).not.toContain('placed as a guest')
  expect((await visitor.ask(at(`/track-your-order/result?order=${order.id}`))).status).toBe(200)
  // Another account does not see them.
  const other = createVisitor()
  await signInAt(store.origin, other, { email: 'lee@example.com' })
  expect(await read(other, '/account/my-orders')).not.toContain(`S-${order.id}`)
  expect((await other.ask(at(`/track-your-order/result?order=${order.id}`))).status).toBe(303)
})

test('an unverified email gets no offers until verified', async () => {
  const visitor = createVisitor()
  await registerAt(store.origin, visitor, 'Eve')
  const { db } = store.database
  const order = await guestOrders().orderBy('sales_order.id').limit(1).executeTakeFirstOrThrow()
  await db.updateTable('customer').set({ email: 'eve@example.com' }).where('id', '=', order.customer_id).execute()
  expect(await read(visitor, '/account/my-orders')).toContain('as soon as the email is verified')
  expect(await (await visitor.ask(at('/account/my-orders'), { form: {} })).text()).toContain(
    'There was no order to add.',
  )
  await visitor.ask(linkIn(await newestMail(store, 'eve@example.com'), 'verify-email'))
  expect(await (await visitor.ask(at('/account/my-orders'), { form: {} })).text()).toMatch(/in your account now/)
  expect(await read(visitor, '/account/my-orders')).toContain(`S-${order.id}`)
})

test('the garage stores vehicle, sizes, mileage and the next rotation, shows errors by field, and can be emptied', async () => {
  const visitor = createVisitor()
  visitor.setCookie('localhost', 'sw_vehicle', chosenCrV)
  await registerAt(store.origin, visitor, 'Fay')
  const page = await read(visitor, '/account/my-garage')
  expect(page).toContain('2019 Honda CR-V')
  expect(page).toContain('In use')
  const id = /\/account\/my-garage\?vehicle=([\da-f-]{36})/.exec(page)?.[1] ?? ''
  const note = (fields: Record<string, string>) =>
    visitor.ask(at('/account/my-garage'), {
      form: { vehicle: id, intent: 'note', mileage: '', rotatedOn: '', rotatedMileage: '', ...fields },
    })
  const refused = await note({ mileage: 'many', rotatedOn: '2026-01-01' })
  const html = await refused.text()
  expect(refused.status).toBe(422)
  expect(html).toContain('Please enter a valid date format MM/DD/YYYY')
  expect(html).toContain('value="many"')
  expect((await note({ rotatedOn: '01/15/2020', reminder: '1' })).status).toBe(303)
  expect(await read(visitor, '/account/my-garage')).toContain('Rotate now')
  const overview = await read(visitor, '/account')
  expect(overview).toContain('The tires on your 2019 Honda CR-V are due for rotation.')
  expect(overview).toContain('See tires for your 2019 Honda CR-V')
  const used = await visitor.ask(at('/account/my-garage'), { form: { vehicle: id, intent: 'use' } })
  expect(used.headers.get('location')).toBe('/fitment/my-vehicle')
  await visitor.ask(at('/account/my-garage'), { form: { vehicle: id, intent: 'remove' } })
  expect(visitor.cookie('sw_vehicle')).toBeUndefined()
  expect(await read(visitor, '/account/my-garage')).toContain('No vehicle yet')
  expect((await note({})).status).toBe(404)
  expect(
    (await visitor.ask(at('/account/my-garage'), { form: { vehicle: "' or 1=1", intent: 'remove' } })).status,
  ).toBe(404)
})

test('a license plate adds its vehicle to the garage, and no page, cookie, or log has the plate', async () => {
  const visitor = createVisitor()
  await registerAt(store.origin, visitor, 'Pia')
  expect(await read(visitor, '/account/my-garage')).toContain(
    '<a class="btn" href="/find/plate">Add by license plate</a>',
  )
  const found = await visitor.ask(at('/find/plate'), { form: { plate: 'CRV-2019', state: 'IL' } })
  expect(found.headers.get('location')).toBe('/vehicles/honda/cr-v/2019?trim=ex')
  const garage = await read(visitor, '/account/my-garage')
  expect(garage).toContain('2019 Honda CR-V EX')
  const seen = [garage, JSON.stringify(found.headers.getSetCookie()), store.output('web'), store.output('worker')]
  expect(seen.filter((text) => /CRV-?2019/i.test(text))).toEqual([])
})

test('an address is checked as at checkout, saved, and removed', async () => {
  const visitor = createVisitor()
  await registerAt(store.origin, visitor, 'Gus')
  const typed = {
    firstName: 'Gus',
    lastName: 'Berg',
    address1: '1 Elm St',
    city: 'Chicago',
    state: 'IL',
    zip: '60614',
    phone: '312-555-0142',
    phoneType: 'mobile',
  }
  const refused = await visitor.ask(at('/account/addresses'), { form: { ...typed, address1: 'PO Box 7', zip: 'x' } })
  const html = await refused.text()
  expect(refused.status).toBe(422)
  expect(html).toContain('We do not ship to PO boxes. Please enter a valid address')
  expect(html).toContain('Please enter valid US Zip Code')
  expect((await visitor.ask(at('/account/addresses'), { form: typed })).status).toBe(303)
  expect((await visitor.ask(at('/account/addresses'), { form: typed })).status).toBe(409)
  const page = await read(visitor, '/account/addresses')
  expect(page).toContain('Chicago, IL 60614')
  const id =
    /name="remove" value="([\da-f-]{36})"/.exec(page)?.[1] ??
    /value="([\da-f-]{36})"[^>]*name="remove"/.exec(page)?.[1] ??
    ''
  expect((await visitor.ask(at('/account/addresses'), { form: { remove: id } })).status).toBe(303)
  expect(await read(visitor, '/account/addresses')).toContain('No address yet')
})

test('the data can be downloaded by its owner, and a deleted account is gone', async () => {
  const visitor = createVisitor()
  visitor.setCookie('localhost', 'sw_vehicle', chosenCrV)
  await registerAt(store.origin, visitor, 'Hal')
  await visitor.ask(at('/compare/choice'), { form: { add: String(itemId), back: '/' } })
  await visitor.ask(at('/search?q=225%2F65R17'))
  for (const name of ['sw_vehicle', 'sw_compared', 'sw_recent']) expect(visitor.cookie(name), name).toBeDefined()
  const file = await visitor.ask(at('/account/data.json'))
  expect(file.headers.get('content-disposition')).toBe('attachment; filename="my-account.json"')
  expect(await file.json()).toMatchObject({
    account: { name: 'Hal', email: 'hal@example.com' },
    vehicles: [{ vehicle: { name: '2019 Honda CR-V' } }],
  })
  expect((await visitor.ask(at('/account/delete'), { form: {} })).status).toBe(422)
  expect((await visitor.ask(at('/account/delete'), { form: { sure: '1' } })).status).toBe(303)
  for (const name of ['sw_session', 'sw_vehicle', 'sw_compared', 'sw_recent'])
    expect(visitor.cookie(name), name).toBeUndefined()
  expect(
    await store.database.db.selectFrom('account').select('id').where('email', '=', 'hal@example.com').execute(),
  ).toEqual([])
})
