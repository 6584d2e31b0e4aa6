/** Tests the pages that browsers may request before a click. Requesting them changes no data. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pages } from '#tests/support/pages.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor } from '#tests/support/visitor.ts'

type Rule = {
  where: { and: [{ href_matches: string[] }, { not: { href_matches: string[] } }] }
  eagerness: string
}
type Rules = { prerender: Rule[]; prefetch: Rule[] }

let store: RunningStore
beforeAll(async () => {
  store = await startStore()
})
afterAll(() => store[Symbol.asyncDispose]())

const listing = '/tire-sizes/225-65r17'
const inDocument = /<script type="speculationrules"[^>]*>([^<]+)<\/script>/

async function readRules(path: string): Promise<Rules | undefined> {
  const html = await (await createVisitor().ask(store.origin + path)).text()
  const [, text] = inDocument.exec(html) ?? []
  return text === undefined ? undefined : (JSON.parse(text) as Rules)
}

/** Whether a browser may request an address by any of the rules. */
function isCovered({ prerender, prefetch }: Rules, address: string): boolean {
  const matches = (patterns: string[]) =>
    patterns.some((pattern) => new URLPattern(pattern, store.origin).test(address, store.origin))
  return [...prerender, ...prefetch].some(
    ({ where: { and } }) => matches(and[0].href_matches) && !matches(and[1].not.href_matches),
  )
}

test('the rules cover lists and tires, and no page of a cart, an account, an order, or the back office', async () => {
  const rules = (await readRules(listing)) ?? expect.fail('No rules.')
  const covered = Object.values(pages)
    .flatMap(({ addresses }) => addresses)
    .filter((address) => isCovered(rules, address))
  expect(new Set(covered.map((address) => address.split(/[/?]/)[1]))).toEqual(
    new Set(['', 'brands', 'categories', 'tire-deals', 'tire-sizes', 'types', 'vehicles']),
  )
  expect(isCovered(rules, '/brands/kestrel/alltide-as2/p/100001')).toBe(true)
  for (const path of ['/brands/kestrel?dealerCode=HALSTED', '/tire-sizes/225-65r17?sort=price&installerId=3'])
    expect(isCovered(rules, path), path).toBe(false)
})

test('requesting a covered page before a click sets no cookie', async () => {
  const rules = (await readRules(listing)) ?? expect.fail('No rules.')
  const visitor = createVisitor()
  await visitor.ask(`${store.origin}/zip`, { form: { zip: '60614', back: '/' } })
  const setting: string[] = []
  for (const { addresses } of Object.values(pages))
    for (const address of addresses.filter((each) => isCovered(rules, each))) {
      const answer = await visitor.ask(store.origin + address, { headers: { 'sec-purpose': 'prefetch;prerender' } })
      expect(answer.status, address).toBe(200)
      if (answer.headers.has('set-cookie')) setting.push(address)
    }
  expect(setting).toEqual([])
})

test('checkout, content, and back-office pages have no rules', async () => {
  for (const path of ['/checkout/shipping', '/licenses', '/office', '/portal'])
    expect(await readRules(path)).toBeUndefined()
})

test('a form makes the browser discard pages that it requested before a click', async () => {
  const visitor = createVisitor()
  const changed = await visitor.ask(`${store.origin}/zip`, { form: { zip: '60614', back: '/' } })
  expect(changed.headers.get('clear-site-data')).toBe('"prefetchCache", "prerenderCache"')
  expect((await visitor.ask(store.origin + listing)).headers.has('clear-site-data')).toBe(false)
})
