/** Tests that a cart change that also removes something shows it on the page and in the API's `notes`. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startStore, type RunningStore } from '#tests/support/store.ts'

let store: RunningStore
let cookie: string
let itemId: number
beforeAll(async () => {
  store = await startStore()
  const item = store.database.db
    .selectFrom('item')
    .innerJoin('size', 'size.id', 'item.size_id')
    .innerJoin('stock', 'stock.item_id', 'item.id')
    .select('item.id')
    .where('size.designation', '=', '225/65R17')
    .where('item.active', '=', true)
    .groupBy('item.id')
    .having((eb) => eb(eb.fn.sum('stock.on_hand'), '>=', 40))
  itemId = (await item.orderBy('item.id').executeTakeFirstOrThrow()).id
  cookie = 'sw_zip=60614'
  const added = await post('/cart', { item: String(itemId), quantity: '4' })
  cookie += `; sw_cart=${/sw_cart=([^;]+)/u.exec(added.headers.get('set-cookie') ?? '')?.[1] ?? ''}`
  const shops = (await call('GET', '/cart/shops')) as { shop: { id: number }; openings: { start: string }[] }[]
  const [first] = shops.filter(({ openings }) => openings.length > 0)
  await call('POST', '/cart/hold', { shopId: first?.shop.id, start: first?.openings[0]?.start })
  await call('PUT', '/cart/services', { coverage: false, roadside: true })
})
afterAll(() => store[Symbol.asyncDispose]())

const post = (path: string, fields: Record<string, string>) =>
  fetch(store.origin + path, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: { origin: store.origin, cookie },
    redirect: 'manual',
  })
const page = async (path: string) => (await fetch(store.origin + path, { headers: { cookie } })).text()

async function call(method: string, path: string, body?: object): Promise<unknown> {
  const headers = {
    origin: store.origin,
    cookie,
    'content-type': 'application/json',
    'idempotency-key': randomUUID(),
    ...(method === 'PATCH' && { 'if-match': '*' }),
  }
  const init: RequestInit = { headers, method, ...(body && { body: JSON.stringify(body) }) }
  const answer = await fetch(`${store.origin}/api${path}`, init)
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
  return answer.json()
}

async function notes(): Promise<string[]> {
  return ((await call('GET', '/cart/price')) as { notes: string[] }).notes
}

const lostDiscount = 'Installation discount (−$25.00) no longer applies: it needs 4 or more tires.'
const lostRoadside = 'Roadside assistance comes only with 4 or more tires and installation, so it was removed.'

test('fewer tires lose roadside assistance and the installation discount, and page and API say so', async () => {
  expect(await notes()).toEqual([])
  expect(await page('/cart')).toContain('Roadside assistance')
  const line = { item: String(itemId), axle: 'all' }
  await post('/cart', { intent: 'set-quantity', ...line, quantity: '2' })
  // As often as it is read, until the next change.
  for (let time = 0; time < 2; time += 1) {
    const html = await page('/cart')
    for (const note of [lostDiscount, lostRoadside]) expect(html).toContain(note)
  }
  expect(await notes()).toEqual(expect.arrayContaining([lostDiscount, lostRoadside]))
  await post('/cart', { intent: 'set-quantity', ...line, quantity: '4' })
  expect(await page('/cart')).not.toContain('no longer applies')
  expect(await notes()).toEqual([])

  // The change's response contains the notes, and so does the next price, with the difference.
  const setQuantity = async (quantity: number) =>
    ((await call('PATCH', `/cart/lines/${itemId}/all`, { quantity })) as { notes: string[] }).notes
  const lost = expect.arrayContaining([lostDiscount, lostRoadside]) as string[]
  expect(await setQuantity(3)).toEqual(lost)
  const price = (await call('GET', '/cart/price')) as { notes: string[]; moves: string[] }
  expect(price.notes).toEqual(lost)
  expect(price.moves.length).toBeGreaterThan(0)
  expect(await setQuantity(4)).toEqual([])
  expect(await notes()).toEqual([])
})

test('switching to shipping removes installation and its time, with a notice', async () => {
  await post('/checkout/shipping', { intent: 'ship-home', tab: 'home' })
  const said = await notes()
  // A repeated change without other changes returns the same notes.
  const { notes: repeated } = (await call('PUT', '/cart/services', { coverage: false, roadside: false })) as {
    notes: string[]
  }
  expect(repeated).toEqual(said.filter((note) => note !== lostRoadside))
  expect(said).toContain('Installation discount (−$25.00) no longer applies: it comes with installation.')
  expect(said).toContain(lostRoadside)
})
