/** Tests consent and Global Privacy Control in a store with analytics. Documents stay the same for all visitors. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startStore, type RunningStore } from '#tests/support/store.ts'

const tag = 'https://tag.example.net/tag.js'
let plain: RunningStore
let counting: RunningStore
beforeAll(async () => {
  ;[plain, counting] = await Promise.all([
    startStore(),
    startStore({
      env: {
        ANALYTICS_TAG_URL: tag,
        ANALYTICS_TAG_ID: 'G-DEMO',
        ANALYTICS_ORIGINS: 'https://collect.example.net',
        ANALYTICS_ASK: 'CA,CO',
      },
    }),
  ])
})
afterAll(() => Promise.all([plain[Symbol.asyncDispose](), counting[Symbol.asyncDispose]()]))

const optingOut = { 'sec-gpc': '1' }
const read = async (store: RunningStore, path: string, headers: Record<string, string> = {}) => {
  const answer = await fetch(`${store.origin}${path}`, { headers, redirect: 'manual' })
  return { answer, html: await answer.text() }
}
const eventsIn = (html: string) => {
  const [, json = '[]'] = /<script type="application\/json" id="measured">(.*?)<\/script>/.exec(html) ?? []
  return JSON.parse(json) as {
    name: string
    once?: string
    params: { items?: { item_id: string; price: number; quantity: number }[]; value?: number }
  }[]
}

const choose = (measure: string) =>
  fetch(`${counting.origin}/privacy-choices`, {
    method: 'POST',
    body: new URLSearchParams({ measure }),
    headers: { origin: counting.origin },
    redirect: 'manual',
  })

test('a store without a tag sends no script, no data and no permission for one', async () => {
  const { answer, html } = await read(plain, '/tire-sizes/225-65r17')
  expect(html).not.toMatch(/id="measured"|data-tag|measure-/)
  expect(answer.headers.get('content-security-policy')).not.toContain('example.net')
  expect((await read(plain, '/privacy-choices')).html).toContain('This store doesn’t measure visits')
})

test('a store with a tag provides events, allows its origins, and loads no data automatically', async () => {
  const { answer, html } = await read(counting, '/tire-sizes/225-65r17')
  const [event] = eventsIn(html)
  expect(event?.name).toBe('view_item_list')
  expect(event?.params.items?.length).toBeGreaterThan(0)
  const policy = answer.headers.get('content-security-policy') ?? ''
  for (const directive of ['script-src', 'connect-src', 'img-src']) {
    expect(
      new RegExp(`${directive} [^;]*https://tag\\.example\\.net https://collect\\.example\\.net`).test(policy),
    ).toBe(true)
  }
  expect(html).not.toMatch(/(src|href)="https:\/\/(tag|collect)\.example\.net/)
  expect(html).toMatch(
    /<script type="module" src="\/assets\/measure-[^"]+" data-tag="https:\/\/tag\.example\.net\/tag\.js" data-tag-id="G-DEMO" data-ask="listed" data-keep-seconds="15552000">/,
  )
})

test('the prices sent are those on the page', async () => {
  const { html } = await read(counting, '/brands/kestrel/alltide-as2/p/100001')
  const [event] = eventsIn(html)
  expect(event).toMatchObject({
    name: 'view_item',
    params: { currency: 'USD', items: [{ item_id: '100001', item_brand: 'Kestrel', quantity: 1 }] },
  })
  const item = await counting.database.db
    .selectFrom('item')
    .select('retail_cents')
    .where('id', '=', 100001)
    .executeTakeFirstOrThrow()
  expect(event?.params.value).toBe(event?.params.items?.[0]?.price)
  expect(Math.round((event?.params.value ?? 0) * 100)).toBeLessThanOrEqual(item.retail_cents)
})

test('visitors with Global Privacy Control are not measured and told so; all others get the same document', async () => {
  for (const store of [plain, counting]) {
    const guest = await read(store, '/types')
    const optedOut = await read(store, '/types', optingOut)
    const kept = await read(store, '/types')
    const keptOut = await read(store, '/types', optingOut)
    expect(guest.html).not.toContain('Global Privacy Control honored')
    expect(optedOut.html).toContain('Global Privacy Control honored')
    expect(optedOut.html).not.toMatch(/id="measured"|data-tag/)
    expect(kept.html).toEqual(guest.html)
    expect(keptOut.html).toEqual(optedOut.html)
    for (const { answer } of [kept, keptOut]) {
      expect(answer.headers.get('vary')).toBe('Accept-Encoding, Cookie, Sec-GPC')
      expect(answer.headers.get('cache-control')).toContain('s-maxage')
    }
  }
  const choices = await read(counting, '/privacy-choices', optingOut)
  expect(choices.html).toContain('Global Privacy Control honored.')
  expect(choices.html).toContain('We don’t measure your visits because your browser sends a privacy signal.')
})

test('a choice is made by form, stored in the browser, shown, and can be withdrawn', async () => {
  expect((await read(counting, '/privacy-choices')).html).toContain('You have not chosen yet.')
  for (const [measure, words] of [
    ['yes', 'You said yes.'],
    ['no', 'You opted out. We don’t measure your visits.'],
  ] as const) {
    const answer = await choose(measure)
    const cookie = answer.headers.get('set-cookie') ?? ''
    expect(answer.status).toBe(303)
    expect(cookie).toBe(`sidewall_consent=${measure}; Max-Age=15552000; Path=/; SameSite=Lax`)
    const page = await read(counting, '/privacy-choices', { cookie: cookie.split(';')[0] ?? '' })
    expect(page.html).toContain(words)
    expect(page.answer.headers.get('cache-control')).toBe('private, no-store')
  }
})

test('visitors who only made a choice still get the guest document, from the cache', async () => {
  const guest = await read(counting, '/categories')
  for (const choice of ['yes', 'no']) {
    const [cookie = ''] = (await choose(choice)).headers.get('set-cookie')?.split(';') ?? []
    const chooser = await read(counting, '/categories', { cookie })
    expect(chooser.html).toEqual(guest.html)
    expect(chooser.answer.headers.get('etag')).not.toBeNull()
  }
})

test('consent is required by the state of the ZIP, and if the state is unknown', async () => {
  const asks = async (cookie: string) =>
    JSON.parse((await read(counting, '/privacy-choices/asks', { cookie })).html) as unknown
  expect(await asks('sw_zip=94110')).toEqual({ asks: true })
  expect(await asks('sw_zip=60614')).toEqual({ asks: false })
  expect(await asks('')).toEqual({ asks: true })
})

test('tires added to a cart are passed to the next page with consent, never without', async () => {
  const add = (headers: Record<string, string>) =>
    fetch(`${counting.origin}/cart`, {
      method: 'POST',
      body: new URLSearchParams({ item: '100001', quantity: '4', axle: 'all' }),
      headers: { origin: counting.origin, ...headers },
      redirect: 'manual',
    })
  const told = (answer: Response) =>
    answer.headers.getSetCookie().find((cookie) => cookie.startsWith('sidewall_events='))
  const yes = await add({ cookie: 'sidewall_consent=yes' })
  const [, json = ''] = /sidewall_events=([^;]+)/.exec(told(yes) ?? '') ?? []
  expect(JSON.parse(decodeURIComponent(json))).toMatchObject([
    { name: 'add_to_cart', params: { items: [{ item_id: '100001', quantity: 4 }] } },
  ])
  for (const headers of [{}, { cookie: 'sidewall_consent=no' }, { cookie: 'sidewall_consent=yes', ...optingOut }])
    expect(told(await add(headers))).toBeUndefined()

  const cart = yes.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')
  const removed = await fetch(`${counting.origin}/cart`, {
    method: 'POST',
    body: new URLSearchParams({ intent: 'set-quantity', item: '100001', axle: 'all', quantity: '1' }),
    headers: { origin: counting.origin, cookie: `${cart}; sidewall_consent=yes` },
    redirect: 'manual',
  })
  const [, less = ''] = /sidewall_events=([^;]+)/.exec(told(removed) ?? '') ?? []
  expect(JSON.parse(decodeURIComponent(less))).toMatchObject([
    { name: 'remove_from_cart', params: { items: [{ item_id: '100001', quantity: 3 }] } },
  ])

  const page = await read(counting, '/cart', { cookie: cart })
  expect(eventsIn(page.html)).toMatchObject([{ name: 'view_cart', params: { items: [{ quantity: 1 }] } }])
  const checkout = await read(counting, '/checkout/shipping', { cookie: `${cart}; sw_zip=60614` })
  const [begun] = eventsIn(checkout.html)
  expect(begun?.name).toBe('begin_checkout')
  const cartId = /sw_cart=([^;]+)/.exec(cart)?.[1] ?? ''
  expect(cartId.length).toBeGreaterThan(8)
  expect(JSON.stringify(eventsIn(checkout.html))).not.toContain(cartId)
})

test('search terms are sent, unless they look personal', async () => {
  for (const [query, term] of [
    ['zzzz', 'zzzz'],
    ['dana@example.com', '(hidden)'],
    ['(312) 555-0142', '(hidden)'],
    ['</script><script>zq9x', '</script><script>zq9x'],
  ] as const) {
    const { html } = await read(counting, `/search?q=${encodeURIComponent(query)}`)
    expect(eventsIn(html)).toEqual([{ name: 'search', params: { search_term: term } }])
  }
})

test('/.well-known/gpc.json declares that the signal is honored', async () => {
  const { answer, html } = await read(plain, '/.well-known/gpc.json')
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(JSON.parse(html)).toEqual({ gpc: true, lastUpdate: '2026-11-20' })
})
