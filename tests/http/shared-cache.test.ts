/**
 * Tests one shared cache in front of the store: a guest, a guest with an order, a fleet owner restricted to certain
 * brands, an employee, a member, a wholesale buyer, a branded store's visitor, and a program with its own cart read
 * every page and API response in turn, including each other's orders. Through the cache, each gets the store's
 * response, never another's data, and the cache stores no personal data. The wholesale buyer represents everyone with
 * lower prices by status, as verified military visitors will be: the store does not verify service yet.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { desk } from '#domain/kernel/staff/staff.testing.ts'
import { openBrandedStore, typedStore } from '#domain/installer-portal/branded-stores/branded-stores.testing.ts'
import { paths } from '#content/paths.ts'
import { findCompany, setBrands } from '#domain/customers/companies/companies.server.ts'
import { orderKey, receiptKey } from '#domain/ordering/orders/order-access.server.ts'
import { systemClock } from '#platform/clock.ts'
import { readConfig } from '#platform/config.ts'
import { formatCents } from '#platform/money.ts'
import { readDocument, type ApiDocument } from '#tests/support/api-document.ts'
import { createApiShopper, type ApiShopper } from '#tests/support/api-shopper.ts'
import { activeItems } from '#tests/support/items.ts'
import { pages } from '#tests/support/pages.ts'
import { createSharedCache, textOf, type SharedAnswer, type SharedCache } from '#tests/support/shared-cache.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInAt, type Visitor } from '#tests/support/visitor.ts'

/** `sent`: headers that identify the reader. `marks`: text that only they may see. `secrets`: keys to their data. */
type Reader = { who: string; sent: Record<string, string>; marks: string[]; secrets: string[] }
type Person = {
  who: string
  email: string
  name: string
  zip: string
  tires: number
  company?: string
  isGuest?: true
}

const people: Person[] = [
  { who: 'shopper', email: 'gwen@example.com', name: 'Gwen Hart', zip: '60614', tires: 7, isGuest: true },
  {
    who: 'fleet',
    email: 'felix@example.com',
    name: 'Felix Grant',
    zip: '10001',
    tires: 1,
    company: 'Grant Delivery',
  },
  { who: 'employee', email: 'erin@example.com', name: 'Erin Cole', zip: '94103', tires: 2 },
  { who: 'member', email: 'mona@example.com', name: 'Mona Webb', zip: '60614', tires: 3 },
  { who: 'wholesale', email: 'will@example.com', name: 'Will Tran', zip: '98101', tires: 5 },
]
const ours = ['corvane', 'tarn']
/** From a cart to its order. */
const purchase =
  'listShopChoices listTimes holdSlot saveContact saveBilling chooseServices openPayment readPayment priceCart placeOrder readOrder'.split(
    ' ',
  )

let store: RunningStore
let readers: Reader[]
let itemId: number
/** Each reader's order, if any, and its receipt URL. */
let orders: { id: number; receipt: string }[]
/** All requested addresses. */
let addresses: string[]

beforeAll(async () => {
  store = await startStore({ env: { API_CALLS_PER_MINUTE: '1000000' } })
  const item = await activeItems(store.database.db)
    .where('brand.slug', 'in', ours)
    .orderBy('item.id')
    .limit(1)
    .executeTakeFirstOrThrow()
  itemId = item.id
  const document = readDocument(await (await fetch(`${store.origin}/api/openapi.json`)).json())
  const shoppers: ApiShopper[] = []
  readers = [{ who: 'guest', sent: {}, marks: [], secrets: [] }]
  for (const person of people) {
    const { reader, shopper } = await letIn(person, document)
    readers.push(reader)
    shoppers.push(shopper)
  }
  const { program, key } = await letProgramIn(document)
  readers.push({ who: 'program', sent: { authorization: `Bearer ${key}` }, marks: ['"tireCount":6,'], secrets: [key] })
  await openBrandedStore({ db: store.database.db, clock: systemClock })
  readers.push({
    who: 'branded',
    sent: { cookie: 'sw_dealer=HALSTED' },
    marks: [typedStore.tagline, '/brand/store/7b1e28-f2c14e.css', 'Leave for Sidewall'],
    secrets: [],
  })
  orders = shoppers.map(({ found }) => ({
    id: found.placeOrder?.orderId ?? 0,
    receipt: new URL(found.readOrder?.receipt ?? '').pathname,
  }))
  addresses = [...new Set([...pageAddresses(), ...(await apiAddresses(document, [program, ...shoppers]))])]
  await store.revive('second')
}, 240_000)
afterAll(() => store[Symbol.asyncDispose]())

/** Signs a person in, who places an order and fills another cart. */
async function letIn(person: Person, document: ApiDocument): Promise<{ reader: Reader; shopper: ApiShopper }> {
  const { origin, database } = store
  const { who, email, name, zip, tires, company, isGuest } = person
  const [firstName = '', lastName = ''] = name.split(' ')
  const visitor = createVisitor()
  // Tires for one of their vehicles would differ.
  await database.db
    .deleteFrom('account_vehicle')
    .where('account_id', 'in', (eb) => eb.selectFrom('account').select('id').where('email', '=', email))
    .execute()
  if (!isGuest) await signInAt(origin, visitor, { email })
  if (company !== undefined) {
    const deps = { db: database.db, clock: systemClock }
    const found = await findCompany(deps, company)
    if (!found) throw new Error(`There is no company ${company}.`)
    await setBrands(deps, { of: 'company', id: found.id }, { slugs: ours, by: desk })
  }
  await visitor.ask(`${origin}/zip`, { form: { zip, back: '/' } })
  await putTires(visitor, tires)

  const contact = document.operations.find(({ id }) => id === 'saveContact')?.bodyExample
  const street = `${tires} ${lastName} Lane`
  const shopper = createApiShopper(store, document, {
    headersFor: () => ({ cookie: visitor.cookieFor(origin), origin }),
    own: { saveContact: { body: { ...(contact as object), firstName, lastName, email, address1: street } } },
  })
  for (const id of purchase) {
    const answer = await shopper.make(shopper.operationOf(id))
    if (answer.status >= 300) throw new Error(`${who} came no further than ${id}: ${answer.text}`)
    visitor.keep(answer, new URL(origin))
  }
  const totalCents = shopper.found.readOrder?.totals.totalCents ?? 0
  await putTires(visitor, tires)
  return {
    shopper,
    reader: {
      who,
      sent: { cookie: visitor.cookieFor(origin) },
      marks: [
        email,
        name,
        street,
        `Cart, ${tires} tire`,
        `"tireCount":${tires},`,
        formatCents(totalCents),
        `"totalCents":${totalCents}`,
        ...(isGuest ? [] : [`<span>${firstName}</span>`, visitor.cookie('sw_session')?.value.split('.')[0] ?? '']),
        ...(company !== undefined ? [company] : []),
      ],
      secrets: ['sw_session', 'sw_cart', 'sw_orders'].flatMap((cookie) => visitor.cookie(cookie)?.value ?? []),
    },
  }
}

async function putTires(visitor: Visitor, tires: number): Promise<void> {
  const added = await visitor.ask(`${store.origin}/cart`, {
    form: { item: String(itemId), quantity: String(tires), axle: 'all' },
  })
  if (added.status !== 303) throw new Error('The tires did not come into the cart.')
}

/** A third-party program. It has only its cart key. */
async function letProgramIn(document: ApiDocument): Promise<{ program: ApiShopper; key: string }> {
  const program = createApiShopper(store, document, {
    headersFor: (_, { createCart }) => (createCart ? { authorization: `Bearer ${createCart.key}` } : {}),
    own: { createCart: { body: { zip: '60614', lines: [{ itemId, quantity: 6 }] } } },
  })
  for (const id of ['createCart', 'listShopChoices']) await program.make(program.operationOf(id))
  return { program, key: program.found.createCart?.key ?? '' }
}

function pageAddresses(): string[] {
  return [
    ...Object.values(pages).flatMap(({ addresses: all }) =>
      all.flatMap((address) => orders.map(({ id }) => address.replace('{order}', String(id)))),
    ),
    ...orders.flatMap(({ id, receipt }) => [paths.calendar(id), paths.confirmOrder(id), receipt]),
    `/search/suggestions?q=kes`,
    `/search/suggestions?q=tarn`,
    '/cart/contents',
    '/finder/size?size=225-65r17',
    '/sitemap.xml',
    '/robots.txt',
    '/api/openapi.json',
    `/compare?items=${itemId}`,
    '/account/data.json',
  ]
}

/** All read-only API addresses, as each shopper requests them. */
async function apiAddresses(document: ApiDocument, shoppers: ApiShopper[]): Promise<string[]> {
  const calls = document.operations
    .filter(({ method }) => method === 'GET')
    .flatMap((operation) => shoppers.map((shopper) => shopper.callOf(operation)))
  return (await Promise.all(calls)).map(({ path }) => `/api${path}`)
}

/** Reads all responses for all readers through one cache. Returns leaked data and stored responses. */
async function readAll(cache: SharedCache, asked: readonly string[]): Promise<{ faults: string[]; seen: Set<string> }> {
  const faults: string[] = []
  const seen = new Set<string>()
  for (const [turn, address] of asked.entries()) {
    // Each URL starts with a different reader, and the guest reads again at the end, to find data that others left in
    // the cache.
    const first = turn % readers.length
    for (const { who, sent } of [...readers.slice(first), ...readers.slice(0, first), ...readers.slice(0, 1)]) {
      const { text } = await cache.get(address, sent)
      for (const { who: whose, marks, secrets } of readers)
        for (const mark of [...marks, ...secrets].filter((each) => text.includes(each)))
          if (whose === who) seen.add(`${mark} of ${who}`)
          else faults.push(`${address} as ${who}: “${mark}” of ${whose}`)
    }
  }
  for (const { path, text } of cache.entries())
    for (const { who, marks, secrets } of readers)
      for (const mark of [...marks, ...secrets])
        if (text.includes(mark)) faults.push(`${path} was kept with “${mark}” of ${who}`)
  return { faults: [...new Set(faults)], seen }
}

let everything: Promise<{ cache: SharedCache; faults: string[]; seen: Set<string> }> | undefined

/** What a cache that follows Vary did with every address; read once for all tests. */
function throughTheCache() {
  const cache = createSharedCache(store.origin)
  everything ??= readAll(cache, addresses).then((found) => ({ cache, ...found }))
  return everything
}

/** What a cache stored of any reader's. The rest passes through it, whatever it does with headers. */
async function storedAddresses(): Promise<string[]> {
  const { cache } = await throughTheCache()
  return [...new Set(cache.entries().map(({ path }) => path))]
}

test('no reader gets another’s data', { timeout: 300_000 }, async () => {
  const { cache, faults, seen } = await throughTheCache()
  expect(faults).toEqual([])
  expect(cache.entries().filter(({ cookie = '' }) => cookie.includes('sw_session='))).toEqual([])
  expect(
    readers.flatMap(({ who, marks }) => marks.map((mark) => `${mark} of ${who}`)).filter((each) => !seen.has(each)),
  ).toEqual([])
})

test('no reader gets another’s data from a cache that ignores Vary', { timeout: 300_000 }, async () => {
  const stored = await storedAddresses()
  // Otherwise the test would be empty.
  expect(stored.length).toBeGreaterThan(60)
  const cache = createSharedCache(store.origin, { ignoresVary: true })
  expect((await readAll(cache, stored)).faults).toEqual([])
  expect(cache.entries().length).toBeGreaterThan(60)
})

test('pages opened by the key of an email are never cached', async () => {
  const cache = createSharedCache(store.origin, { ignoresVary: true })
  const config = readConfig({ DATABASE_URL: store.database.url })
  if (!config.ok) throw new Error('The configuration of tests is wrong.')
  for (const { id, receipt } of orders) {
    const key = orderKey(config.value.session.secret, id, systemClock.now())
    const opened = [paths.orderConfirmation(id, key), paths.trackResult(id, { key }), paths.calendar(id, key)]
    const link = receiptKey(config.value.session.secret, id, systemClock.now())
    for (const path of [...opened, `${receipt}?key=${link}`, `/api/orders/${id}?key=${key}`])
      for (const { sent } of readers) expect((await cache.get(path, sent)).status, path).toBe(200)
  }
  expect(cache.entries()).toEqual([])
})

test('through the cache each gets the same bytes as from a fresh store without it', { timeout: 300_000 }, async () => {
  const { cache } = await throughTheCache()
  const stored = new Set(await storedAddresses())
  const isDifferent = async (address: string, sent: Reader['sent']) => {
    const direct = await fetch(`${store.secondOrigin}${address}`, {
      redirect: 'manual',
      headers: { 'accept-encoding': 'identity', ...sent },
    })
    const through = await cache.get(address, sent)
    return plain({ status: direct.status, headers: direct.headers, text: await textOf(direct) }) !== plain(through)
  }
  const differing: string[] = []
  // Viewing the shipping options chooses one, which changes the cart.
  for (const [turn, address] of addresses.filter((each) => !each.startsWith('/checkout/shipping?')).entries()) {
    // What no cache stores is compared for one reader, another at each address.
    const first = turn % readers.length
    for (const { who, sent } of stored.has(address) ? readers : readers.slice(first, first + 1))
      // Between two readings a shop's first time may have become too soon: only what stays different is a fault.
      if ((await isDifferent(address, sent)) && (await isDifferent(address, sent)))
        differing.push(`${address} as ${who}`)
  }
  expect(differing).toEqual([])
})

test('cached guest pages have all guest prices, and no others', async () => {
  const cache = createSharedCache(store.origin)
  const path = '/tire-sizes/225-65r17?sort=price'
  const prices = async (sent = {}) =>
    [...(await cache.get(path, sent)).text.matchAll(/\$\d[\d,]*\.\d\d/g)].map(([price]) => price).join(' ')
  const before = await prices()
  const theirs: string[] = []
  for (const { who, sent } of readers)
    if (!['guest', 'shopper', 'branded', 'program'].includes(who)) theirs.push(await prices(sent))
  expect(new Set(theirs).size).toBe(4)
  expect(theirs).not.toContain(before)
  expect(await prices()).toBe(before)
})

const variable =
  /nonce="[\w-]+"|#[\da-f-]{36}|\d{4}-\d\d-\d\dT[\d:.]+Z|DTSTAMP:\w+|\d+ (?:hour|minute)s? left|(?<=\b\d{6})-\d{10}\.[\w-]{43}/g

/**
 * Returns a response without its variable parts (the script nonce, a refused call's ID, the time, and a signed link's
 * expiry).
 */
function plain({ status, headers, text }: Omit<SharedAnswer, 'isKept'>): string {
  return `${status} ${headers.get('location') ?? ''}\n${text.replaceAll(variable, '·')}`
}
