/**
 * Roles without `customers.read` see no customer's name, email, phone or street: not on any page of the office that they
 * can reach by links, in no file, and in no answer of the search box. Every customer of the demo data is looked for.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listNamed, officeListDefinitions } from '#app/office/lists.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { staffCan, staffRoles, type BuiltInRole } from '#domain/kernel/staff/staff.ts'
import { phoneText } from '#platform/phone-text.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { templateOf } from '#tests/support/crawler.ts'
import { createVisitor, signInToOffice, type Visitor } from '#tests/support/visitor.ts'

const officeLists = officeListDefinitions.map(({ name }) => name)

let store: RunningStore
const staff = new Map<BuiltInRole, Visitor>()
const hiddenFrom = staffRoles.filter((role) => !staffCan([role], 'customers.read'))

beforeAll(async () => {
  store = await startStore()
  for (const role of [...hiddenFrom, 'support' as const]) {
    const visitor = createVisitor()
    await signInToOffice(store.origin, visitor, { email: `${role}@example.com` })
    staff.set(role, visitor)
  }
})
afterAll(() => store[Symbol.asyncDispose]())

type Customer = { email: string; name: string; phone: string; street: string; zip: string }

/** Returns every customer with an order. */
async function readCustomers(): Promise<Customer[]> {
  const rows = await store.database.db
    .selectFrom('sales_order')
    .select(['email', 'first_name', 'last_name', 'phone', 'address1', 'zip'])
    .distinct()
    .execute()
  return rows.map((row) => ({
    email: row.email,
    name: `${row.first_name} ${row.last_name}`,
    phone: row.phone,
    street: row.address1,
    zip: row.zip,
  }))
}

/** Pages where counter staff see only the name to check. */
const namesAtTheCounter = new Set(['office/pickups', 'office/pickups/:orderId'])

/** Returns home delivery orders with a package to pack. Packers see the address on the order and package pages. */
async function readToPack(): Promise<Map<string, string[]>> {
  const rows = await store.database.db
    .selectFrom('sales_order')
    .select(['id', 'first_name as first', 'last_name as last', 'ship_to_street as street'])
    .where('fulfillment', '=', 'home')
    .where('released_at', 'is not', null)
    .where('id', 'in', (eb) =>
      eb.selectFrom('shipment').select('order_id').where('state', 'in', ['processed', 'pending-pickup']),
    )
    .execute()
  const parcels = await store.database.db
    .selectFrom('shipment')
    .select(['id', 'order_id as orderId'])
    .where('state', 'in', ['processed', 'pending-pickup'])
    .execute()
  return new Map(
    rows.flatMap(({ id, first, last, street }): [string, string[]][] => {
      const shown = [`name ${first} ${last}`, `street ${street}`]
      const own = parcels.filter(({ orderId }) => orderId === id)
      return [
        [officePaths.officeOrder(id), shown],
        ...own.map((one): [string, string[]] => [officePaths.officeParcel(one.id), shown]),
      ]
    }),
  )
}

/** What a text shows of the customers, each with its kind. */
function shownIn(text: string, customers: readonly Customer[]): string[] {
  const lower = text.toLowerCase()
  const has = (part: string) => part !== '' && lower.includes(part.toLowerCase())
  return customers.flatMap(({ email, name, phone, street }) => [
    ...(has(email) ? [`email ${email}`] : []),
    ...(has(name) ? [`name ${name}`] : []),
    ...(has(phone) || has(phoneText(phone)) ? [`phone ${phone}`] : []),
    ...(has(street) ? [`street ${street}`] : []),
  ])
}

async function read(
  role: BuiltInRole,
  address: string,
): Promise<{ status: number; text: string; movedTo: string | null }> {
  const cookie = staff.get(role)?.cookieFor(store.origin) ?? ''
  const answer = await fetch(`${store.origin}${address}`, { redirect: 'manual', headers: { cookie } })
  return { status: answer.status, text: await answer.text(), movedTo: answer.headers.get('location') }
}

/** At most so many addresses of one template. */
const perTemplate = 6

/** Reads every page of the office that links lead to. */
async function walk(role: BuiltInRole, look: (address: string, text: string) => void): Promise<string[]> {
  const met = new Set<string>()
  const counts = new Map<string, number>()
  const waiting: string[] = []
  const meet = (address: string) => {
    const template = templateOf(address)
    const count = counts.get(template) ?? 0
    if (met.has(address) || !/^\/office(?:[/?]|$)/.test(address) || template.includes('sign-') || count >= perTemplate)
      return
    met.add(address)
    counts.set(template, count + 1)
    waiting.push(address)
  }
  meet(officePaths.office())
  for (const list of officeLists) {
    meet(listNamed(list)?.path ?? '')
    meet(officePaths.officeListFile(list))
  }
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const { status, text } = await read(role, next)
    if (status !== 200) continue
    look(next, text)
    for (const [, href = ''] of text.matchAll(/<a\s[^>]*?href="([^"]*)"/g)) {
      const url = URL.parse(href.replaceAll('&amp;', '&'), store.origin)
      if (url?.origin === store.origin) meet(`${url.pathname}${url.search}`)
    }
  }
  return [...counts.keys()]
}

test('support sees customers on the same walk, so that the walk would find them', async () => {
  const customers = await readCustomers()
  expect(customers.length).toBeGreaterThan(5)
  const found = new Set<string>()
  await walk('support', (_, text) => {
    for (const shown of shownIn(text, customers)) found.add(shown.split(' ')[0] ?? '')
  })
  expect([...found].toSorted()).toEqual(['email', 'name', 'phone', 'street'])
})

test.each(hiddenFrom)('%s sees no customer on any page or in any file of the office', async (role) => {
  const customers = await readCustomers()
  const toPack = role === 'warehouse' ? await readToPack() : new Map<string, string[]>()
  const leaks: string[] = []
  const templates = await walk(role, (address, text) => {
    const packed = toPack.get(address.replace(/\?.*$/, '')) ?? []
    const isCounter = namesAtTheCounter.has(templateOf(address))
    const shown = shownIn(text, customers).filter(
      (each) => !packed.includes(each) && (!isCounter || !each.startsWith('name ')),
    )
    if (shown.length > 0) leaks.push(`${address}: ${shown.slice(0, 3).join(', ')}`)
  })
  expect(leaks).toEqual([])
  expect(templates.length).toBeGreaterThan(5)
})

/** Returns the searches for a customer (each full value, and the parts that find orders and accounts). */
function searchesFor({ email, name, phone, street, zip }: Customer): string[] {
  const local = email.split('@')[0] ?? ''
  const last = name.split(' ').at(-1) ?? ''
  return [
    email,
    local,
    local.slice(1),
    name,
    name.slice(1),
    last,
    last.slice(1),
    phone,
    phone.slice(-7),
    phone.slice(-4),
    street,
    zip,
  ]
}

/** Whether an address is of an order or a customer. */
const isOfCustomer = (path: string) => /\/office\/(?:orders|customers)\//.test(path)

test.each(hiddenFrom)('%s finds no customer by any part of name, email, phone, street or ZIP', async (role) => {
  const customers = await readCustomers()
  const leaks: string[] = []
  for (const customer of customers.slice(0, 8))
    for (const q of searchesFor(customer))
      for (const path of [officePaths.officeSearch({ q }), `${officePaths.officeFound()}?q=${encodeURIComponent(q)}`]) {
        const { status, text, movedTo } = await read(role, path)
        // The text that was searched for is shown again.
        const shown = shownIn(text, customers).filter((each) => !each.toLowerCase().includes(q.toLowerCase()))
        const found = [...text.matchAll(/"(\/office\/[^"]*)"/g)].map(([, address = '']) => address).filter(isOfCustomer)
        if (isOfCustomer(movedTo ?? '') || shown.length > 0 || found.length > 0)
          leaks.push(`${path}: ${status} ${movedTo ?? ''} ${[...shown, ...found].slice(0, 3).join(', ')}`)
      }
  expect(leaks).toEqual([])
})

test('support finds an order or account by each of these searches', async () => {
  for (const customer of (await readCustomers()).slice(0, 4))
    // Two letters, of a name as short as Fox, are too few to search the middle of names by.
    for (const q of searchesFor(customer).filter((each) => each !== customer.street && each.length > 2)) {
      const { text, movedTo } = await read('support', officePaths.officeSearch({ q }))
      expect(isOfCustomer(movedTo ?? '') || isOfCustomer(text), q).toBe(true)
    }
})

test.each(hiddenFrom)('%s gets no order file', async (role) => {
  expect((await read(role, officePaths.officeOrdersFile())).status).toBe(403)
})
