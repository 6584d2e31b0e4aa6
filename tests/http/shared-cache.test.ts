/**
 * One cache for everybody in front of the store: a guest, a fleet's owner who is sold some brands only, an employee, a member and a wholesale buyer
 * read every page by turns. What each gets through the cache is what the store gives them without it, nothing of one is in another's, and what the
 * cache keeps is nobody's.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { giveCompany } from '#tests/support/company.ts'
import { pages } from '#tests/support/pages.ts'
import { createSharedCache, type SharedAnswer } from '#tests/support/shared-cache.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInAt, type Visitor } from '#tests/support/visitor.ts'

type Reader = { who: string; cookie: string | undefined; /** What nobody else may read. */ marks: string[] }

const people = [
  { who: 'fleet', email: 'felix@example.com', name: 'Felix Grant', zip: '10001', tires: 1, company: 'Quillfeather Cartage' },
  { who: 'employee', email: 'erin@example.com', name: 'Erin Cole', zip: '94103', tires: 2 },
  { who: 'member', email: 'mona@example.com', name: 'Mona Webb', zip: '60614', tires: 3 },
  { who: 'wholesale', email: 'will@example.com', name: 'Will Tran', zip: '98101', tires: 5 },
] as const
const ours = ['corvane', 'tarn']

let store: RunningStore
let readers: Reader[]
let itemId: number

beforeAll(async () => {
  store = await startStore()
  const { db } = store.database
  const item = await db
    .selectFrom('item')
    .innerJoin('product_line as line', 'line.id', 'item.product_line_id')
    .innerJoin('brand', 'brand.id', 'line.brand_id')
    .select('item.id')
    .where('item.active', '=', true)
    .where('brand.slug', 'in', ours)
    .orderBy('item.id')
    .limit(1)
    .executeTakeFirstOrThrow()
  itemId = item.id
  readers = [{ who: 'guest', cookie: undefined, marks: [] }]
  for (const person of people) {
    const visitor = createVisitor()
    await signInAt(store.origin, visitor, { email: person.email })
    if ('company' in person) await giveCompany(db, person.email, { name: person.company, brands: ours })
    await visitor.ask(`${store.origin}/zip`, { form: { zip: person.zip, back: '/' } })
    const added = await visitor.ask(`${store.origin}/cart`, { form: { item: String(itemId), quantity: String(person.tires), axle: 'all' } })
    if (added.status !== 303) throw new Error(`${person.who} could not put tires into the cart.`)
    const first = person.name.split(' ')[0] ?? ''
    readers.push({
      who: person.who,
      cookie: visitor.cookieFor(store.origin),
      marks: [
        person.email,
        person.name,
        `<span>${first}</span>`,
        `Cart, ${person.tires} tire`,
        ...secretsOf(visitor),
        ...('company' in person ? [person.company] : []),
      ],
    })
  }
  await store.revive('second')
}, 120_000)
afterAll(() => store[Symbol.asyncDispose]())

const addresses = () => [
  ...Object.values(pages).flatMap(({ addresses: all, as }) => (as === undefined || as === 'member' || as === 'owner' || as === 'buyer' ? all : [])),
  `/search/suggestions?q=kes`,
  `/search/suggestions?q=tarn`,
  '/cart/contents',
  '/finder/choices?list=sizes',
  '/sitemap.xml',
  '/robots.txt',
  '/api/user-details',
  `/compare?items=${itemId}`,
  '/account/data.json',
]

test.for([false, true])('nothing of one is in what another gets; careless about Vary: %s', { timeout: 300_000 }, async (ignoresVary) => {
  const cache = createSharedCache(store.origin, { ignoresVary })
  const faults: string[] = []
  let turn = 0
  for (const address of addresses()) {
    // Another one begins at every address, and the guest comes again at the end: what the others left behind is there by then.
    const order = [...readers.slice(turn % readers.length), ...readers.slice(0, turn % readers.length), ...readers.slice(0, 1)]
    turn += 1
    for (const { who, cookie } of order) {
      const { text } = await cache.get(address, cookie === undefined ? {} : { cookie })
      for (const other of readers)
        if (other.who !== who) for (const mark of other.marks) if (text.includes(mark)) faults.push(`${address} as ${who}: “${mark}” of ${other.who}`)
    }
  }
  for (const { path, text, cookie } of cache.entries()) {
    if (cookie !== undefined && !ignoresVary) faults.push(`${path} was kept for one with a cookie`)
    for (const { who, marks } of readers) for (const mark of marks) if (text.includes(mark)) faults.push(`${path} was kept with “${mark}” of ${who}`)
  }
  expect([...new Set(faults)]).toEqual([])
  // Else there was nothing to find.
  expect(cache.entries().length).toBeGreaterThan(60)
})

test('through the cache each gets what a fresh store gives them without it, to the byte', { timeout: 300_000 }, async () => {
  const cache = createSharedCache(store.origin)
  // Everybody reads everything once, by turns, before anything is compared.
  for (const address of addresses()) for (const { cookie } of readers) await cache.get(address, cookie === undefined ? {} : { cookie })
  const differing: string[] = []
  // To look at the ways of shipping is to choose one: the cart is another after it.
  for (const address of addresses().filter((each) => !each.startsWith('/checkout/shipping?')))
    for (const { who, cookie } of readers) {
      const sent = cookie === undefined ? undefined : { cookie }
      const direct = await fetch(`${store.secondOrigin}${address}`, { redirect: 'manual', headers: { 'accept-encoding': 'identity', ...sent } })
      const through = await cache.get(address, sent)
      if (plain({ status: direct.status, headers: direct.headers, text: await direct.text() }) !== plain(through)) differing.push(`${address} as ${who}`)
    }
  expect(differing).toEqual([])
})

test('what is kept for guests names every price they pay, and none of anybody else', async () => {
  const cache = createSharedCache(store.origin)
  const path = '/tire-sizes/225-65r17?sort=price'
  const prices = async (cookie: string | undefined) =>
    [...(await cache.get(path, cookie === undefined ? {} : { cookie })).text.matchAll(/\$\d[\d,]*\.\d\d/g)].map(([price]) => price).join(' ')
  const before = await prices(undefined)
  const theirs: string[] = []
  for (const { cookie } of readers.slice(1)) theirs.push(await prices(cookie))
  expect(new Set(theirs).size).toBe(people.length)
  expect(theirs).not.toContain(before)
  expect(await prices(undefined)).toBe(before)
})

/** What opens the session and the cart. */
function secretsOf(visitor: Visitor): string[] {
  return ['sw_session', 'sw_cart'].map((name) => visitor.cookie(name)?.value ?? `no ${name}`)
}

/** An answer without what is new in each: the nonce of its scripts, the name of the occasion on which a call was refused, and the moment. */
function plain({ status, headers, text }: Omit<SharedAnswer, 'isKept'>): string {
  return `${status} ${headers.get('location') ?? ''}\n${text.replaceAll(/nonce="[\w-]+"|#[\da-f-]{36}|\d{4}-\d\d-\d\dT[\d:.]+Z/g, '·')}`
}
