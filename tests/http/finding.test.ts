/** The ZIP by location, and search over HTTP: what is stored, what is refused, and what a GET never does. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startStore, type RunningStore } from '#tests/support/store.ts'

let store: RunningStore
beforeAll(async () => {
  store = await startStore()
})
afterAll(() => store[Symbol.asyncDispose]())

const post = (path: string, fields: Record<string, string>) =>
  fetch(`${store.origin}${path}`, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: { origin: store.origin },
    redirect: 'manual',
  })

test('a location gets its nearest ZIP, which is stored', async () => {
  const answer = await post('/zip/choice', { latitude: '41.9227', longitude: '-87.6533' })
  expect(await answer.json()).toEqual({ zip: '60614', city: 'Chicago' })
  expect(answer.headers.get('set-cookie')).toContain('sw_zip=60614')
})

test('a typed ZIP is stored, and a nonexistent one is refused in the specification’s words', async () => {
  const answer = await post('/zip/choice', { zip: '60614-1234' })
  expect([await answer.json(), answer.headers.get('set-cookie')]).toEqual([
    { zip: '60614', city: 'Chicago' },
    expect.stringContaining('sw_zip=60614'),
  ])
  for (const zip of ['00000', '6061', 'x', '']) {
    const refused = await post('/zip/choice', { zip })
    expect([refused.status, await refused.json(), refused.headers.get('set-cookie')]).toEqual([
      422,
      { message: 'Oops. Please enter a valid ZIP code.' },
      null,
    ])
  }
})

test.for([
  [{ latitude: '0', longitude: '-150' }, 'ZERO_RESULTS'],
  [{ latitude: '91', longitude: '0' }, 'INVALID_REQUEST'],
  [{ latitude: 'north', longitude: '0' }, 'INVALID_REQUEST'],
  [{ latitude: '', longitude: '' }, 'INVALID_REQUEST'],
  [{ longitude: '-87' }, 'INVALID_REQUEST'],
  [{ latitude: '1e999', longitude: 'NaN' }, 'INVALID_REQUEST'],
] as const)('a location without a ZIP says why: %o', async ([fields, status]) => {
  const answer = await post('/zip/choice', fields)
  expect([answer.status, await answer.json(), answer.headers.get('set-cookie')]).toEqual([
    422,
    { message: `Geocoder failed due to: ${status}` },
    null,
  ])
})

test('only a form stores a ZIP', async () => {
  expect((await fetch(`${store.origin}/zip/choice?zip=60614`)).status).toBe(404)
})

test('ambiguous searches are grouped, and misspelled ones get a suggestion', async () => {
  const html = await (await fetch(`${store.origin}/search?q=silverado`)).text()
  expect(html).toMatch(/<h2>Vehicles<\/h2>/)
  const misspelled = (await (await fetch(`${store.origin}/search?q=alltyde`)).text()).replaceAll('<!-- -->', '')
  expect(misspelled).toMatch(/Did you mean <a href="\/brands\/kestrel\/alltide-[a-z0-9]+">/)
})

test('shops are found by name, and ZIPs by number', async () => {
  const shop = await fetch(`${store.origin}/search?q=halsted+tire`, { redirect: 'manual' })
  expect([shop.status, shop.headers.get('location')]).toEqual([303, '/tire-shops/shop/halsted-tire-chicago/SW-00001'])
  expect(await (await fetch(`${store.origin}/search/suggestions?q=halsted`)).text()).toContain(
    '/tire-shops/shop/halsted-tire-chicago/SW-00001',
  )
  const zip = await fetch(`${store.origin}/search?q=60614`, { redirect: 'manual' })
  expect(zip.headers.get('location')).toMatch(/[?&]zip=60614$/)
})

test('a search without script shows its results for any input', async () => {
  for (const typed of [
    '',
    ' ',
    '%',
    '<b>',
    "' or 1=1 --",
    'x'.repeat(2_000),
    '\u{1f6de}',
    '2019 crv ex',
    '99999',
    'SW-00001',
  ]) {
    const answer = await fetch(`${store.origin}/search?q=${encodeURIComponent(typed)}`, { redirect: 'manual' })
    expect([typed, [200, 303].includes(answer.status)]).toEqual([typed, true])
    expect(await answer.text()).not.toContain('<b></h1>')
  }
})

test('recent searches can be cleared', async () => {
  const answer = await post('/search', { back: '/find' })
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/find'])
  expect(answer.headers.get('set-cookie')).toMatch(/sw_recent=[^;]*; Max-Age=0/)
  expect((await post('/search', { back: '//evil.test' })).headers.get('location')).toBe('/')
})
