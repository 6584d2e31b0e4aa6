/**
 * Crawls the store like a search engine from the home page and through the sitemap. Reads a sample of every kind of
 * page by default. WHOLE_CRAWL=1, as set by `npm run test:long`, reads every page.
 */
import { env } from 'node:process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { crawl, readPages, templateOf, templates, type ReadPage } from '#tests/support/crawler.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'

const isWhole = env.WHOLE_CRAWL === '1'
const perTemplate = isWhole ? Infinity : 8

let store: RunningStore
/** The linked pages. */
let walked: ReadPage[]
/** Every address of the sitemap. */
let listed: string[]
/** All of the sitemap's pages, or a sample of every kind. */
let visited: ReadPage[]

beforeAll(
  async () => {
    store = await startStore({ env: { INDEX: '1' } })
    walked = await crawl(store.origin, ['/'], { pages: perTemplate, queries: isWhole ? 100 : 8 })
    listed = await readSitemap()
    const known = new Map(walked.map((page) => [page.address, page]))
    const samples = [...Map.groupBy(listed, templateOf).values()].flatMap((addresses) => spread(addresses, perTemplate))
    const unknown = await readPages(
      store.origin,
      samples.filter((address) => !known.has(address)),
    )
    visited = [...samples.flatMap((address) => known.get(address) ?? []), ...unknown]
  },
  isWhole ? 1_800_000 : 180_000,
)
afterAll(() => store[Symbol.asyncDispose]())

/**
 * Pages without links for guests, or with links to only some of a kind: they follow a form, belong to one shopper's
 * cart, order, or prices, or are an alternative URL of a linked page.
 */
const behindForms =
  /^(business\/|office\/|portal\/|installer-signup\/|cart\/|compare\/|zip\/|checkout\/|account\/|api\/|fitment\/|find\/vin|finder\/|my_customers\/|order-change\/|pay-again\/|punchout\/|agent-checkout\/|search\/|track-your-order\/|invite\/|membership\/|partner-program\/|military\/|quote\/|carts\/|appointment\/|prices\/|privacy-choices\/|.*\/(thanks|form)$|(\*|zip|search|book-service|book-time|sign-in|register|sign-out|office|portal|stop-mails|email-preferences|account|advocate-dashboard|brands\/:brand\/:productLine\/p)$)/

test('no internal link is broken or redirects', () => {
  const faulty = walked
    // Military verification requires an account, so guests are redirected to sign in.
    .filter(({ status, address }) => status !== 200 && address !== '/military/verify')
    .map(({ address, status, movedTo, foundOn }) => ({ address, status, movedTo, foundOn }))
  expect(faulty).toEqual([])
})

test('every kind of page is reachable by links', () => {
  const reached = new Set([...walked, ...visited].flatMap(({ links }) => links).map(templateOf)).add('')
  expect(templates.filter((template) => !reached.has(template) && !behindForms.test(template))).toEqual([])
})

test('every page has a title, a language and one main heading', () => {
  const faulty = pages().filter(({ title, language, headings }) => !title || language !== 'en' || headings !== 1)
  expect(faulty.map(({ address, title, language, headings }) => ({ address, title, language, headings }))).toEqual([])
})

test('a page has either a canonical URL or noindex, never both', () => {
  const faulty = pages().filter(({ isNoindex, canonical }) => isNoindex === (canonical !== null))
  expect(faulty.map(({ address, isNoindex, canonical }) => ({ address, isNoindex, canonical }))).toEqual([])
})

test('an indexable page is shared under its canonical URL', () => {
  const faulty = pages().filter(({ isNoindex, canonical, sharedAs }) => !isNoindex && canonical !== sharedAs)
  expect(faulty.map(({ address, canonical, sharedAs }) => ({ address, canonical, sharedAs }))).toEqual([])
})

test.for(['title', 'description'] as const)('no two indexable pages have the same %s', (field) => {
  const groups = Map.groupBy(indexable(), (page) => page[field] ?? '')
  const double = [...groups].filter(([text, group]) => text === '' || group.length > 1)
  expect(double.map(([text, group]) => [text, group.slice(0, 4).map(({ address }) => address)])).toEqual([])
})

test('every indexable page is in the sitemap', () => {
  const all = new Set(listed)
  // A list's later pages are found from its first.
  const missing = indexable().filter(({ address }) => !all.has(address) && !/[?&]page=\d+/.test(address))
  expect(missing.map(({ address, foundOn }) => ({ address, foundOn }))).toEqual([])
})

test('every URL in the sitemap works, is canonical and indexable', () => {
  const faulty = visited.filter(
    ({ address, status, isNoindex, canonical }) =>
      status !== 200 || isNoindex || canonical !== `${store.origin}${address}`,
  )
  expect(
    faulty.map(({ address, status, isNoindex, canonical }) => ({ address, status, isNoindex, canonical })),
  ).toEqual([])
})

test('no page in the sitemap is an orphan', () => {
  const linked = new Set(walked.flatMap(({ links }) => links))
  linked.add('/')
  if (isWhole) return expect(listed.filter((address) => !linked.has(address))).toEqual([])
  // In a sample only the kinds can be compared.
  const kinds = new Set([...linked].map(templateOf))
  expect([...new Set(listed.map(templateOf))].filter((template) => !kinds.has(template))).toEqual([])
})

/** All HTML pages read. */
function pages(): ReadPage[] {
  return [...new Map([...walked, ...visited].map((page) => [page.address, page])).values()].filter(
    ({ status, language }) => status === 200 && language !== null,
  )
}

function indexable(): ReadPage[] {
  return pages().filter(({ address, isNoindex, canonical }) => !isNoindex && canonical === `${store.origin}${address}`)
}

async function readSitemap(): Promise<string[]> {
  const places = async (path: string) =>
    [...(await (await fetch(`${store.origin}${path}`)).text()).matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, loc = '']) =>
      loc.slice(store.origin.length),
    )
  const files = await places('/sitemap.xml')
  return (await Promise.all(files.map(places))).flat()
}

/** At most `most` values, evenly spaced. */
function spread<Value>(values: readonly Value[], most: number): Value[] {
  const step = Math.max(1, values.length / most)
  return values.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step))
}
