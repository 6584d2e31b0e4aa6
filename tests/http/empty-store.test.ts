/**
 * Walks a store with a real store's settings, reference data, and an empty catalog, as on its first day. Pages and API
 * operations answer properly and name missing data, and no demo account is offered.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { demoPassword, demoPeople } from '#sandbox/identity/people.ts'
import { exampleCall, makeCall, readDocument } from '#tests/support/api-document.ts'
import { crawl, type ReadPage } from '#tests/support/crawler.ts'
import { createTestDatabase } from '#tests/support/database.ts'
import { htmlFaults } from '#tests/support/html-faults.ts'
import { pages } from '#tests/support/pages.ts'
import { realStoreEnv } from '#tests/support/real-store.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor } from '#tests/support/visitor.ts'

/** Each page of these has its own data; a sample of each is read. */
const perTemplate = { pages: 4, queries: 4 }

let store: RunningStore
/** The pages that are reached by links from the home page and the sitemap, and the other pages in tests/support/pages.ts. */
let [walked, others]: [ReadPage[], ReadPage[]] = [[], []]
const documents = new Map<string, string>()

beforeAll(async () => {
  store = await startStore({
    database: await createTestDatabase({ from: 'new', isFresh: true }),
    env: (_databaseUrl, sandboxOrigin) => Promise.resolve({ ...realStoreEnv(sandboxOrigin), INDEX: '1' }),
  })
  const look = (address: string, html: string) => documents.set(address, html)
  walked = await crawl(store.origin, ['/', ...(await readSitemap())], perTemplate, { look })
  // The addresses name the demo's tires and shops, which this store doesn't have.
  const rows = Object.values(pages).filter(({ as }) => as === undefined || as === 'buyer' || as === 'payer')
  const addresses = rows.flatMap((row) => row.addresses).filter((address) => !/[{}]/.test(address))
  others = await crawl(store.origin, addresses, { pages: 20, queries: 8 }, { look })
}, 180_000)
afterAll(() => store[Symbol.asyncDispose]())

async function readSitemap(): Promise<string[]> {
  const places = async (path: string) => {
    const answer = await fetch(store.origin + path)
    expect(answer.status, path).toBe(200)
    return [...(await answer.text()).matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, loc = '']) =>
      loc.slice(store.origin.length),
    )
  }
  const files = await places('/sitemap.xml')
  return (await Promise.all(files.map(places))).flat()
}

/** The text of the main part. */
function textOf(address: string): string {
  const html = documents.get(address) ?? ''
  return (/<main[\s\S]*<\/main>/.exec(html)?.[0] ?? '')
    .replaceAll(/<(script|style|svg)[\s\S]*?<\/\1>/g, ' ')
    .replaceAll('<!-- -->', '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

test('pages reached by links open, except listings of tires that the store doesn’t have', () => {
  expect(walked.length).toBeGreaterThan(100)
  const faulty = walked.filter(({ address, status }) => status !== 200 && address !== '/military/verify')
  for (const { address, status } of faulty) {
    expect(status, address).toBe(404)
    expect(textOf(address), address).toMatch(/No [\w ,-]+ tires yet|We don’t sell \S+ tires right now/)
  }
})

test('no page fails, and each is valid and has a sentence', async () => {
  const read = [...walked, ...others]
  expect(read.filter(({ status }) => status >= 500).map(({ address, status }) => ({ address, status }))).toEqual([])
  for (const { address, status, language } of read) {
    if (language === null || status >= 300) continue
    expect(await htmlFaults(documents.get(address) ?? ''), address).toEqual([])
    expect(textOf(address), address).toMatch(/[a-z]{2,}[^.?!]* [^.?!]*[.?!]|yet\b/)
  }
})

test.for([
  ['/brands', 'No tires for sale yet.'],
  ['/types', 'No tires for sale yet.'],
  ['/categories', 'No tires for sale yet.'],
  ['/tire-sizes', 'No tires for sale yet.'],
  ['/types/winter', 'No winter tires yet'],
  ['/categories/touring-all-season', 'No touring tires yet'],
  ['/tire-sizes/225-65r17', 'We don’t sell 225/65R17 tires right now'],
  ['/tire-deals', 'No deals right now.'],
  ['/tire-reviews', 'No reviews yet.'],
  ['/tire-reviews/newest', 'No reviews yet.'],
  ['/tire-reviews/brands', 'No reviews yet.'],
  ['/tire-shops', 'No shops yet.'],
  ['/tire-shops?zip=60614', 'No shop within 50 miles of 60614'],
  ['/cart', 'Your cart is empty'],
  ['/search?q=zzzz', 'No results for “zzzz”'],
  ['/compare?items=100001,100002', 'Tires no longer sold were left out.'],
  ['/vehicles/toyota/rav4/2021', 'The 2021 Toyota RAV4 came with 3 tire sizes'],
] as const)('%s says “%s”', async ([address, sentence]) => {
  const ask = () => fetch(store.origin + address)
  // An idle connection may close just as it is reused.
  const answer = await ask().catch(ask)
  documents.set(address, await answer.text())
  expect([200, 404]).toContain(answer.status)
  expect(textOf(address)).toContain(sentence)
})

test.for(['/privacy-policy', '/terms', '/sales'])(
  '%s is marked as a draft and not indexed until an owner publishes it',
  async (address) => {
    const text = await (await fetch(store.origin + address)).text()
    expect(text).toContain('Draft. The store hasn’t published this page yet.')
    expect(text).toMatch(/<meta name="robots" content="noindex/)
  },
)

test('a search for a brand that the store doesn’t have shows no list of brands', async () => {
  const text = await (await fetch(`${store.origin}/search?q=michelin`)).text()
  expect(text).toContain('We do not sell')
  expect(text).not.toContain('All of our brands')
})

test.for(['/checkout/shipping', '/checkout/payments', '/checkout/payments/card', '/account'])(
  '%s redirects a visitor without a cart or an account',
  async (address) => {
    const answer = await fetch(store.origin + address, { redirect: 'manual' })
    expect(answer.status).toBe(303)
    expect(answer.headers.get('location')).toMatch(/^\/(cart|sign-in|register)/)
  },
)

test.for([
  ['/find?by=size&size=225%2F65R17', '225/65R17'],
  ['/find?year=2021&make=toyota&model=rav4', 'Last, choose the trim.'],
  ['/find?brand=kestrel&line=alltide-as2', 'Find your tires'],
  ['/zip?zip=60614', 'Your ZIP code'],
] as const)('the finder leads from %s to a page', async ([address, text]) => {
  const { response } = await createVisitor().follow(store.origin + address)
  expect(response.status).toBeLessThan(500)
  expect((await response.text()).includes(text)).toBe(true)
})

test('API operations that read answer as documented', async () => {
  const document = readDocument(await (await fetch(`${store.origin}/api/openapi.json`)).json())
  for (const operation of document.operations.filter(({ method }) => method === 'GET')) {
    const answer = await makeCall(store.origin, exampleCall(document, operation))
    expect(answer.status, operation.id).toBeLessThan(500)
    expect(document.complaints(operation, answer), operation.id).toEqual([])
  }
  for (const path of ['sizes', 'brands', 'deals', 'kinds', 'shops?zip=60614']) {
    const answer = await fetch(`${store.origin}/api/${path}`)
    expect(answer.status, path).toBe(200)
  }
})

test('no demo account is listed or can sign in', async () => {
  const home = await (await fetch(store.sandboxOrigin)).text()
  expect(home).toContain('Anyone can register.')
  const signIn = await createVisitor().follow(`${store.origin}/office/sign-in`, { form: { back: '/office' } })
  const page = await signIn.response.text()
  expect(page).toContain('No account yet?')
  const oneTap = await (await fetch(`${store.sandboxOrigin}/identity/google/one-tap`)).text()
  for (const html of [home, page, oneTap, ...documents.values()]) {
    expect(html).not.toContain(demoPassword)
    for (const { email } of demoPeople) expect(html).not.toContain(`>${email}<`)
  }
})
