/** Tests the editorial pages' URLs, search engine data, and links. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listTerms } from '#app/content/dictionary.server.ts'
import { listArticles } from '#app/content/library.server.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { expectWrittenPages } from '#tests/support/written-pages.ts'

let store: RunningStore
beforeAll(async () => {
  store = await startStore()
})
afterAll(() => store[Symbol.asyncDispose]())

const ask = (path: string) => fetch(`${store.origin}${path}`, { redirect: 'manual' })
const read = async (path: string) => (await ask(path)).text()

const guide = '/learn/tire-basics/how-to-read-a-sidewall'
const dictionary = '/learn/tire-news-information/tire-dictionary'

async function readablePaths(): Promise<string[]> {
  const articles = [...(await listArticles('learn', 'own')), ...(await listArticles('press', 'own'))]
  const sections = new Set(articles.map(({ path }) => `/${path.split('/').slice(0, 2).join('/')}`))
  return [
    '/learn',
    '/press',
    '/car-talk',
    '/tire-buying-guide',
    dictionary,
    ...sections,
    ...articles.map(({ path }) => `/${path}`),
  ]
}

test('every reading page exists, with a unique title and description, one heading and no framework', async () => {
  await expectWrittenPages(store.origin, await readablePaths())
})

test('every link in our content works, including anchors', async () => {
  const links = new Map<string, string>()
  const pages = new Map<string, string>()
  for (const path of await readablePaths()) {
    const html = await read(path)
    pages.set(path, html)
    const main = html.slice(html.indexOf('<main'), html.indexOf('</main>'))
    for (const [, link = ''] of main.matchAll(/ href="(\/[^"]*)"/g)) links.set(link.replaceAll('&amp;', '&'), path)
    for (const [, anchor = ''] of main.matchAll(/ href="#([^"]+)"/g)) expect(html, path).toContain(` id="${anchor}"`)
  }
  expect(links.size).toBeGreaterThan(60)
  const broken: string[] = []
  for (const [link, from] of links) {
    const [path = '', anchor] = link.split('#')
    const known = pages.get(path)
    if (known === undefined && (await ask(path)).status !== 200) broken.push(`${from} → ${link}`)
    if (known !== undefined && anchor !== undefined && !known.includes(` id="${anchor}"`))
      broken.push(`${from} → ${link}`)
  }
  expect(broken).toEqual([])
})

test('an article has structured data with type, date, and breadcrumb', async () => {
  const html = await read('/learn/care-and-safety/tire-pressure')
  const blocks = [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/g)].map(
    ([, text]) => JSON.parse(text ?? '{}') as Record<string, unknown> & { '@graph'?: Record<string, unknown>[] },
  )
  const things = blocks.flatMap((block) => block['@graph'] ?? [block])
  expect(things.find((thing) => thing['@type'] === 'Article')).toMatchObject({
    headline: 'Tire pressure: the right number and how to set it',
    datePublished: '2026-10-09',
  })
  expect(things.find((thing) => thing['@type'] === 'BreadcrumbList')?.['itemListElement']).toHaveLength(3)
})

test.for([
  ['/LEARN', '/learn'],
  ['/learn/', '/learn'],
  ['/learn/Tire-Basics', '/learn/tire-basics'],
  ['/learn/tire-basics/UTQG-Grades?from=mail', '/learn/tire-basics/utqg-grades?from=mail'],
  ['/learn/Tire-Basics/How-To-Read-A-Sidewall', guide],
  ['/Press/Company/The-Store-Is-Open-Source', '/press/company/the-store-is-open-source'],
  ['/Car-Talk', '/car-talk'],
] as const)('%s redirects once, to %s', async ([written, path]) => {
  const answer = await ask(written)
  expect(answer.status).toBe(301)
  expect(answer.headers.get('location')).toBe(path)
  expect((await ask(path)).status).toBe(200)
})

test.for([
  '/learn/nothing',
  '/learn/tire-basics/nothing',
  '/learn/care-and-safety/utqg-grades',
  '/press/nothing',
  '/press/company/nothing',
  '/learn/a/b/c',
])('%s is a 404', async (path) => {
  expect((await ask(path)).status).toBe(404)
})

test('a size in any format is explained and drawn, and is not for search engines', async () => {
  const html = await read(`${guide}?size=lt275%2F70r18+125%2F122s+e`)
  expect(html).toContain('LT275/70R18 125/122S E, marking by marking')
  expect(html).toContain(
    'One tire carries 3,638 lb at full pressure, four 14,552 lb. Side by side on one axle end, 3,307 lb each.',
  )
  expect(html).toContain('noindex')
  expect(html).not.toContain('rel="canonical"')
  expect(html).toContain('class="mark mark-range"')
})

test('an invalid size retains the input and shows the error and an example', async () => {
  const answer = await ask(`${guide}?size=%22%3E%3Cb%3E17+inch`)
  const html = await answer.text()
  expect(answer.status).toBe(422)
  expect(answer.headers.get('cache-control')).toBe('private, no-store')
  expect(html).toContain('value="&quot;&gt;&lt;b&gt;17 inch"')
  expect(html).toContain('id="size-error" role="alert">We can’t read that.')
  expect(html).toContain('225/65R17 102H, marking by marking')
})

test('dictionary search works without script, and results are not indexed', async () => {
  const html = await read(`${dictionary}?q=alpine+symbol`)
  expect(html).toMatch(/<div id="3pmsf" data-words/)
  expect(html).toMatch(/<div id="camber" hidden=""/)
  expect(html).toContain('>1 word<')
  expect(html).toContain('noindex')
  expect(await read(`${dictionary}?q=zzzz`)).toContain('No matching terms.')
  const whole = await read(dictionary)
  expect(whole.match(/<div id="[\w-]+" data-words/g)).toHaveLength((await listTerms()).length)
})

test('press pieces are marked as samples in the demo', async () => {
  for (const path of ['/press', '/press/announcements', '/press/company/the-store-is-open-source'])
    expect(await read(path)).toContain('This is a demo store.')
})
