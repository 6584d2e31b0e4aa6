/**
 * Tests that accounts restricted to certain brands see no other brand anywhere, and that other accounts aren't
 * affected.
 */
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import { newTimedId } from '#platform/ids.ts'
import { giveCompany } from '#tests/support/company.ts'
import { crawl } from '#tests/support/crawler.ts'
import { activeItems } from '#tests/support/items.ts'
import { ownSecrets } from '#tests/support/own-secrets.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInAt, type Visitor } from '#tests/support/visitor.ts'

let store: RunningStore
let restricted: Visitor
let others: { id: number; slug: string; name: string }[]
const ours = ['corvane', 'tarn']

beforeAll(async () => {
  store = await startStore()
  restricted = createVisitor()
  await signInAt(store.origin, restricted)
  await giveCompany(store.database.db, 'dana@example.com', { kind: 'special-order', brands: ours })
  const brands = await store.database.db.selectFrom('brand').select(['id', 'slug', 'name']).execute()
  others = brands.filter(({ slug }) => !ours.includes(slug))
})
afterAll(() => store[Symbol.asyncDispose]())

const foreignIn = (text: string) =>
  others.filter(({ slug, name }) => new RegExp(`\\b(${slug}|${name})\\b`).test(text)).map(({ name }) => name)
const itemsOfBrands = (among: 'in' | 'not in') => activeItems(store.database.db).where('brand.slug', among, ours)
const ask = (path: string, form?: Record<string, string>) =>
  restricted.ask(`${store.origin}${path}`, form ? { form } : {})

test('linked pages have no other brands and no broken links', { timeout: 240_000 }, async () => {
  const named = new Map<string, string[]>()
  const look = (address: string, html: string) => {
    // The API documentation has fixed examples.
    const foreign = address.startsWith('/api/') ? [] : foreignIn(html)
    if (foreign.length > 0) named.set(address, foreign)
  }
  const cookie = restricted.cookieFor(store.origin)
  const first = [
    '/',
    '/tire-reviews/newest',
    '/tire-reviews/most-helpful',
    '/tire-deals',
    '/brands',
    '/search?q=k',
    '/recommendations',
    '/sitemap',
    '/compare',
  ]
  const pages = await crawl(store.origin, first, { pages: 10, queries: 10 }, { cookie, look })
  expect([...named]).toEqual([])
  // An article links to tire types without tires for this visitor.
  const broken = pages.filter(
    ({ status, foundOn }) => status >= 400 && !(status === 404 && foundOn.startsWith('/learn/')),
  )
  expect(broken.map(({ address, status, foundOn }) => ({ address, status, foundOn }))).toEqual([])
  expect(pages.length).toBeGreaterThan(150)
})

test('other brands’ pages do not exist at any address', async () => {
  const { db } = store.database
  const rows = await itemsOfBrands('not in').distinctOn('brand.id').execute()
  expect(rows.length).toBeGreaterThan(2)
  for (const { brand, line, id, sku } of rows) {
    const gone = [
      `/brands/${brand}`,
      `/brands/${brand}/types`,
      `/brands/${brand}/reviews`,
      `/brands/${brand}/${line}`,
      `/brands/${brand}/${line}/p/${id}`,
      `/brands/${brand}/${line}/reviews`,
      `/brands/${brand}/${line}/write-a-review`,
    ]
    for (const path of gone) {
      const answer = await ask(path)
      expect(answer.status, path).toBe(404)
      expect(foreignIn((await answer.text()).replaceAll(path, '')), path).toEqual([])
    }
    for (const text of [brand, sku, String(id), line]) {
      const query = encodeURIComponent(text)
      expect(foreignIn((await (await ask(`/search/suggestions?q=${query}`)).text()).replaceAll(text, ''))).toEqual([])
      const results = await ask(`/search?q=${query}`)
      // One of the allowed brands may have a line of the same name.
      if (results.status === 302 || results.status === 303)
        expect(foreignIn(results.headers.get('location') ?? '')).toEqual([])
      else expect(foreignIn((await results.text()).replaceAll(new RegExp(text, 'gi'), ''))).toEqual([])
    }
    expect(foreignIn(await (await ask(`/compare?items=${id}`)).text())).toEqual([])
    expect(foreignIn(await (await ask(`/warranties?item=${id}`)).text())).toEqual([])
    const added = await ask('/cart', { item: String(id), quantity: '4', axle: 'all' })
    expect(added.status).toBe(404)
    expect(await added.text()).toContain('no longer sold')
  }
  for (const { slug } of await db.selectFrom('promotion').select('slug').execute()) {
    const answer = await ask(`/tire-deals/${slug}`)
    expect(foreignIn((await answer.text()).replaceAll(slug, '')), slug).toEqual([])
  }
})

test('nor does the API have other brands, in lists, single items or the cart', async () => {
  const call = (path: string) =>
    restricted.ask(`${store.origin}/api${path}`, { headers: { accept: 'application/json' } })
  const lists = ['/tires?size=225-65r17', '/tires?type=all-season', '/brands', '/deals', '/search/suggestions?q=ke']
  for (const path of lists) {
    const answer = await call(path)
    expect(answer.status, path).toBe(200)
    expect(answer.headers.get('cache-control'), path).toBe('private, no-store')
    expect(foreignIn(await answer.text()), path).toEqual([])
    expect(foreignIn(await (await fetch(`${store.origin}/api${path}`)).text()).length, path).toBeGreaterThan(0)
  }
  const foreign = await itemsOfBrands('not in').executeTakeFirstOrThrow()
  for (const path of [`/tires/${foreign.id}`, `/lines/${foreign.brand}/${foreign.line}/reviews`])
    expect((await call(path)).status, path).toBe(404)
  const own = await itemsOfBrands('in').executeTakeFirstOrThrow()
  const compared = await call(`/comparison?tire=${own.id}&tire=${foreign.id}`)
  const text = await compared.text()
  expect(compared.status).toBe(200)
  expect(foreignIn(text)).toEqual([])
  expect(JSON.parse(text) as unknown[]).toHaveLength(1)
})

test('nor do feeds, when requested by such a visitor', async () => {
  const index = await (await ask('/sitemap.xml')).text()
  const files = [...index.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, loc = '']) => loc.slice(store.origin.length))
  for (const path of [...files, '/feeds/products.xml']) {
    const [theirs, everybodys] = [await ask(path), await fetch(`${store.origin}${path}`)]
    expect(theirs.status, path).toBe(200)
    expect(theirs.headers.get('cache-control'), path).toBe('private, no-store')
    expect(foreignIn(await theirs.text()), path).toEqual([])
    expect(everybodys.headers.get('cache-control')).toMatch(/^public/)
    if (/lines|brands|sizes-|feeds/.test(path))
      expect(foreignIn(await everybodys.text()).length, path).toBeGreaterThan(2)
  }
})

test('with TLS, where the session cookie has another name, feeds are restricted as well', async () => {
  await using safe = await startStore({ env: { PUBLIC_ORIGIN: 'https://store.example', ...ownSecrets } })
  const { db } = safe.database
  const [now, secret, identity] = [systemClock.now(), 's'.repeat(43), { issuer: 'https://id.example', subject: 'rae' }]
  const [account, session] = [newTimedId(), newTimedId()]
  await db
    .insertInto('account')
    .values({ id: account, email: 'rae@example.com', email_verified_at: now, created_at: now })
    .execute()
  await db
    .insertInto('account_identity')
    .values({ ...identity, account_id: account, created_at: now })
    .execute()
  await db
    .insertInto('account_session')
    .values({
      ...identity,
      id: session,
      account_id: account,
      secret_hash: createHash('sha256').update(secret).digest(),
      tokens: Buffer.from('sealed'),
      created_at: now,
      last_seen_at: now,
    })
    .execute()
  await giveCompany(db, 'rae@example.com', { kind: 'special-order', brands: ours })
  const read = (path: string, name: string) =>
    fetch(`${safe.origin}${path}`, { headers: { cookie: `${name}=${session}.${secret}` } })
  for (const path of ['/feeds/products.xml', '/brands']) {
    const theirs = await read(path, '__Host-sw_session')
    expect(theirs.headers.get('cache-control'), path).toBe('private, no-store')
    expect(foreignIn(await theirs.text()), path).toEqual([])
  }
  // Another host of the domain can set a cookie with the plain name, which has no effect here.
  expect((await read('/feeds/products.xml', 'sw_session')).headers.get('cache-control')).toMatch(/^public/)
})

test('tires of another brand added as a guest are named, and block the order', async () => {
  const item = await itemsOfBrands('not in').executeTakeFirstOrThrow()
  const guest = createVisitor()
  await guest.ask(`${store.origin}/zip`, { form: { zip: '60614', back: '/' } })
  expect(
    (await guest.ask(`${store.origin}/cart`, { form: { item: String(item.id), quantity: '4', axle: 'all' } })).status,
  ).toBe(303)
  const { response } = await signInAt(store.origin, guest, { back: '/cart' })
  expect(await response.text()).toContain('not among the brands your account can buy')
})

test('guests and unrestricted accounts see all brands', async () => {
  const lee = createVisitor()
  await signInAt(store.origin, lee, { email: 'lee@example.com' })
  for (const visitor of [createVisitor(), lee])
    expect(foreignIn(await (await visitor.ask(`${store.origin}/brands`)).text()).length).toBe(others.length)
  const theirs = await lee.ask(`${store.origin}/search/suggestions?q=kes`)
  expect(theirs.headers.get('cache-control')).toBe('private, no-store')
  expect(await theirs.text()).toContain('Kestrel')
})
