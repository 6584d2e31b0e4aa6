/** Comparing, recommendations, the score and the pages that open as modals, without script. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startStore, type RunningStore } from '#tests/support/store.ts'

let store: RunningStore
let ids: number[]
beforeAll(async () => {
  store = await startStore()
  const items = await store.database.db
    .selectFrom('item')
    .innerJoin('size', 'size.id', 'item.size_id')
    .select(['item.id', 'item.product_line_id as line'])
    .where('size.designation', '=', '225/65R17')
    .where('item.active', '=', true)
    .orderBy('item.id')
    .execute()
  ids = [...new Map(items.map(({ id, line }) => [line, id])).values()].slice(0, 7)
})
afterAll(() => store[Symbol.asyncDispose]())

const cookieText = (cookies: Record<string, string>) =>
  Object.entries(cookies)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('; ')
const ask = (path: string, cookies: Record<string, string> = {}) =>
  fetch(`${store.origin}${path}`, { redirect: 'manual', headers: { cookie: cookieText(cookies) } })
const read = async (path: string, cookies?: Record<string, string>) =>
  (await (await ask(path, cookies)).text()).replaceAll('<!-- -->', '')
const choose = (fields: Record<string, string>, compared: readonly number[] = [], accept = 'text/html') =>
  fetch(`${store.origin}/compare/choice`, {
    method: 'POST',
    body: new URLSearchParams({ back: '/tire-sizes/225-65r17', ...fields }),
    redirect: 'manual',
    headers: {
      origin: store.origin,
      accept,
      cookie: compared.length > 0 ? cookieText({ sw_compared: compared.join(',') }) : '',
    },
  })
const kept = (answer: Response) => /sw_compared=([^;]*)/.exec(answer.headers.get('set-cookie') ?? '')?.[1]
const columnsOf = (html: string) => html.match(/<th scope="col">/g)?.length ?? 0

test('clicking Compare adds the tire and returns to its card', async () => {
  const [first, second] = ids
  const answer = await choose({ add: String(first) })
  expect(answer.status).toBe(303)
  expect(answer.headers.get('location')).toBe(`/tire-sizes/225-65r17#tire-${first}`)
  expect(kept(answer)).toBe(String(first))
  const page = await read('/tire-sizes/225-65r17', { sw_compared: String(first) })
  expect(page.includes(`value="${first}" aria-pressed="true" name="remove"`)).toBe(true)
  expect(page).toContain('1 of 5')
  expect(page).toContain('Add up to 4 more')
  expect(decodeURIComponent(kept(await choose({ add: String(second) }, [first!])) ?? '')).toBe(`${first},${second}`)
  expect(kept(await choose({ remove: String(first) }, [first!, second!]))).toBe(String(second))
  expect(kept(await choose({ clear: '1' }, [first!, second!]))).toBe('')
})

test.for([
  ['a tire that is in it already', (): number => ids[0]!, 'compare-duplicate', 'already'],
  ['the sixth', (): number => ids[5]!, 'compare-maximum', '5 tires is the comparison limit'],
  ['a tire that is not sold', (): number => 999_999_999, 'compare-gone', 'no longer sold'],
] as const)('%s has no effect and shows the reason', async ([, key, note, words]) => {
  const five = ids.slice(0, 5)
  const answer = await choose({ add: String(key()) }, five)
  expect(answer.status).toBe(303)
  expect(answer.headers.get('location')).toBe(`/tire-sizes/225-65r17#${note}`)
  expect(decodeURIComponent(kept(answer) ?? '')).toBe(five.join(','))
  const asked = (await (await choose({ add: String(key()) }, five, 'application/json')).json()) as {
    keys: string[]
    bar: string
    said: string
  }
  expect(asked.keys).toEqual(five.map(String))
  expect(asked.said).toContain(words)
  expect(asked.bar).toContain(`id="${note}" class="compare-note is-said"`)
})

test.for([{}, { add: '' }, { add: '0' }, { add: "1' or 1=1" }, { remove: 'x' }, { add: '1-2-3' }])(
  'invalid input is handled: %o',
  async (fields) => {
    expect((await choose({ ...fields, back: '//evil.test' })).headers.get('location')).toMatch(/^\/compare(#|$)/)
  },
)

test('a guest sees neither the bar nor selected buttons, and the page is cacheable', async () => {
  const answer = await ask('/tire-sizes/225-65r17')
  expect(answer.headers.get('cache-control')).toContain('s-maxage')
  const html = await answer.text()
  expect(html).toContain('aria-pressed="false"')
  expect(html).not.toContain('compare-panel')
})

test('the page compares up to five distinct available items from its URL', async () => {
  const [a, b, c, d, e, f] = ids
  const two = await read(`/compare?items=${a},${b}`)
  expect(columnsOf(two)).toBe(2)
  expect(two).toContain('2 tires side by side')
  for (const name of [
    'Per tire',
    'Load index',
    'Speed rating',
    'Treadwear grade',
    'Mileage warranty',
    'Tread depth',
    'Weight',
    'Run-flat',
    'Snow',
    'Sidewall',
  ])
    expect(two).toContain(`scope="row">${name}`)
  expect(two).toContain('<meta name="robots" content="noindex, follow"/>')
  expect(two).not.toContain('rel="canonical"')

  const many = await read(`/compare?items=${[a, b, a, c, d, e, f].join(',')}`)
  expect(columnsOf(many)).toBe(5)
  expect(many).toContain('These are the first 5.')
  expect(many).toContain('listed twice')
  const other = await store.database.db
    .selectFrom('item')
    .select('id')
    .where('product_line_id', '<>', 1)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  const odd = await read(`/compare?items=${a},999999999,${b},x,${a}-${other.id}`)
  expect(columnsOf(odd)).toBe(2)
  expect(odd).toContain('Tires no longer sold were left out.')
})

test('identical rows are distinguished from differing ones', async () => {
  const html = await read(`/compare?items=${ids[0]},${ids[1]}`)
  const rowOf = (name: string) => new RegExp(`<tr class="([^"]+)"><th scope="row">${name}`).exec(html)?.[1]
  expect(rowOf('Size')).toBeDefined()
  expect(rowOf('Per tire')).toBe('differs')
  const same = await read(`/compare?items=${ids[0]},${ids[0]}`)
  expect(same).not.toContain('class="differs"')
})

test('with fewer than two it links to more; without items it redirects to the visitor’s own selection', async () => {
  expect(await read('/compare')).toContain('No tires to compare yet')
  expect(await read(`/compare?items=${ids[0]}`)).toContain('One tire cannot be compared')
  const own = await ask('/compare', { sw_compared: `${ids[0]},${ids[1]}` })
  expect(own.status).toBe(303)
  expect(own.headers.get('location')).toBe(`/compare?items=${ids[0]},${ids[1]}`)
})

test('the page shows the total at the nearest shop and a form that buys four', async () => {
  const html = await read(`/compare?items=${ids[0]},${ids[1]}`, { sw_zip: '60614' })
  expect(html).toContain('Out the door near 60614')
  expect(html).toContain(
    `<input type="hidden" name="item" value="${ids[0]}"/><input type="hidden" name="quantity" value="4"/>`,
  )
})

test('recommendations ask for missing answers in place and keep the others', async () => {
  expect((await ask('/recommendations')).status).toBe(200)
  const partly = await ask('/recommendations?size=225/65R17&weather=rain&roads=city&miles=usual')
  const html = await partly.text()
  expect(partly.status).toBe(422)
  expect(html).toContain('Choose one of the answers.')
  expect(html).toMatch(/id="weather-rain"[^>]*checked=""/)
  const unreadable = await ask('/recommendations?size=hello')
  expect(unreadable.status).toBe(422)
  expect(await unreadable.text()).toContain('value="hello"')
})

test('answered, they show five tires with reasons, a URL to share and the rest of the list', async () => {
  const path = '/recommendations?size=225-65r17&weather=rain&roads=highway&priority=life&miles=many'
  const html = await read(path)
  expect(html.match(/class="recommend-words"/g)).toHaveLength(5)
  expect(html).toMatch(/mile warranty|of 5 from [\d,]+ owners/)
  expect(html).toContain('/tire-sizes/225-65r17?sort=warranty')
  expect(html).toContain(`value="${store.origin}${path.replaceAll('&', '&amp;')}"`)
  expect(html).toContain('What we earn on a tire plays no part')
  expect(html).toContain('noindex')
})

test('the score is explained with its numbers', async () => {
  const html = await read('/tire-score')
  for (const words of [
    '75%',
    '15%',
    '10%',
    'Good: 7 to 8',
    'Great: 8 to 9',
    'Excellent: 9 to 10',
    'is 8.6, which is Great.',
  ])
    expect(html).toContain(words)
  expect(html).toContain('rel="canonical"')
})

test.for(['/cart/summary', '/warranties', '/free-shipping', '/recommendations', '/compare'])(
  '%s is a complete page with one heading',
  async (path) => {
    const answer = await ask(path)
    const html = await answer.text()
    expect(answer.status).toBe(200)
    expect(html.match(/<h1/g)).toHaveLength(1)
  },
)

test('the warranties of one tire are its own', async () => {
  const item = await store.database.db
    .selectFrom('item')
    .select(['id', 'warranty_miles'])
    .where('warranty_miles', 'is not', null)
    .orderBy('id')
    .executeTakeFirst()
  if (item)
    expect(await read(`/warranties?item=${item.id}`)).toContain(
      `${item.warranty_miles?.toLocaleString('en-US')} miles.`,
    )
  expect(await read('/warranties?item=x')).toContain('What covers your tires')
})

test('the mini cart shows its contents', async () => {
  const added = await fetch(`${store.origin}/cart`, {
    method: 'POST',
    body: new URLSearchParams({ item: String(ids[0]), quantity: '4' }),
    redirect: 'manual',
    headers: { origin: store.origin },
  })
  const cart = /sw_cart=([^;]+)/.exec(added.headers.get('set-cookie') ?? '')?.[1] ?? ''
  const html = await read('/cart/summary', { sw_cart: cart, sw_zip: '60614' })
  expect(html).toContain('4 tires in your cart')
  expect(html).toMatch(/Out the door at .*\$[\d,]+\.\d\d/)
  expect(await read('/cart/summary')).toContain('Your cart is empty')
})

test('product page and listing can be shared, and link to the modals as pages', async () => {
  const listing = await read('/tire-sizes/225-65r17?sort=price')
  expect(listing).toContain(`value="${store.origin}/tire-sizes/225-65r17?sort=price"`)
  expect(listing).toContain('href="/recommendations?size=225-65r17"')
  const product = /href="(\/brands\/[^"]+\/p\/\d+)"/.exec(listing)?.[1] ?? ''
  const page = await read(product)
  for (const part of [
    'class="share"',
    'href="/free-shipping"',
    'href="/warranties?item=',
    'href="#score-parts"',
    'id="score-parts"',
  ])
    expect(page).toContain(part)
})
