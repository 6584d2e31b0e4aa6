/** Deals, sales and rebates over HTTP: current, expired and nonexistent ones. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startStore, type RunningStore } from '#tests/support/store.ts'

let store: RunningStore
beforeAll(async () => {
  store = await startStore()
})
afterAll(() => store[Symbol.asyncDispose]())

const ask = (path: string) => fetch(`${store.origin}${path}`, { redirect: 'manual' })
const read = async (path: string) => (await (await ask(path)).text()).replaceAll('<!-- -->', '')
const robots = (html: string) => ({
  isNoindex: html.includes('name="robots" content="noindex'),
  isCanonical: html.includes('rel="canonical"'),
})

async function kestrelItem() {
  return store.database.db
    .selectFrom('item')
    .innerJoin('product_line as line', 'line.id', 'product_line_id')
    .select(['item.id', 'line.id as lineId'])
    .where('line.slug', '=', 'alltide-as2')
    .orderBy('item.id')
    .executeTakeFirstOrThrow()
}

async function insertDeal(slug: string, startsHours: number, endsHours: number, itemId: number) {
  const now = Temporal.Now.instant()
  await store.database.db
    .insertInto('promotion')
    .values({
      slug,
      name: `Deal ${slug}`,
      headline: `10% off, ${slug}`,
      kind: 'Percentage',
      amount: 10,
      item_id: itemId,
      funded_by: 'maker',
      starts_at: now.add({ hours: startsHours }),
      ends_at: now.add({ hours: endsHours }),
    })
    .execute()
}

test('a current deal shows its terms, its tires and its row in the cart', async () => {
  const item = await kestrelItem()
  await insertDeal('runs-now', -1, 30, item.id)
  const html = await read('/tire-deals/runs-now')
  for (const words of [
    'The terms',
    '10% off each tire, however many you buy.',
    'the maker. Sales tax applies to the price before it.',
    'In your cart',
    'Your four tires',
    `/p/${item.id}`,
  ])
    expect(html).toContain(words)
  expect(html).toMatch(/\w{3}, \w{3} \d+ until \d+:\d\d [AP]M E[SD]T|[Tt]hrough \w{3}, \w{3} \d/)
  expect(robots(html)).toEqual({ isNoindex: false, isCanonical: true })
  expect((await ask('/tire-deals/RUNS-NOW')).headers.get('location')).toBe('/tire-deals/runs-now')
})

test('an expired deal answers 410 and names current ones; a nonexistent one is 404', async () => {
  await insertDeal('is-over', -50, -1, (await kestrelItem()).id)
  const answer = await ask('/tire-deals/is-over')
  const html = await answer.text()
  expect(answer.status).toBe(410)
  expect(html).toContain('Current deals instead')
  expect(html).toMatch(/<a href="\/tire-deals\/[a-z0-9-]+">/)
  expect(robots(html)).toEqual({ isNoindex: true, isCanonical: false })
  for (const path of [
    '/tire-deals/never-was',
    '/tire-deals/never-was-rebate',
    '/tire-deals/%27--',
    '/tire-deals/runs-now/form',
  ])
    expect((await ask(path)).status).toBe(404)
})

test('the list of deals can be filtered by brand', async () => {
  const html = await read('/tire-deals?brand=kestrel')
  expect(html).toContain('<h1>Kestrel deals</h1>')
  expect(robots(html)).toEqual({ isNoindex: true, isCanonical: false })
  const gone = await ask('/tire-deals?brand=nobody')
  expect(gone.status).toBe(302)
  expect(gone.headers.get('location')).toBe('/tire-deals')
  expect(robots(await read('/tire-deals'))).toEqual({ isNoindex: false, isCanonical: true })
})

test.for(['black-friday-sale', 'cyber-monday-sale'])('%s exists all year', async (sale) => {
  const answer = await ask(`/tire-deals/${sale}`)
  expect(answer.status).toBe(200)
  expect(await answer.text()).toMatch(/from midnight Eastern|On now|is over/)
})

test('a rebate is shown next to the price, with a link to its form and the end date', async () => {
  const { id } = await kestrelItem()
  const product = await read(`/brands/kestrel/alltide-as2/p/${id}`)
  // The test data has a fixed date, so its rebate may have expired by now.
  await store.database.db
    .insertInto('rebate')
    .values({
      slug: 'now-20-rebate',
      name: 'Now $20 rebate',
      amount_cents: 2_000,
      units: 4,
      paid_as: 'check',
      product_line_id: (await kestrelItem()).lineId,
      mail_to: 'Rebate Desk, PO Box 1',
      starts_at: Temporal.Now.instant().subtract({ hours: 1 }),
      ends_at: Temporal.Now.instant().add({ hours: 48 }),
      last_claim_on: '2099-01-31',
    })
    .execute()
  const html = await read('/tire-deals/now-20-rebate')
  expect(html).toContain('Rebate after purchase')
  expect(html).toContain('The rebate isn’t deducted at checkout.')
  expect(html).toContain('Sat, Jan 31, 2099')
  expect(html).toContain('/tire-deals/now-20-rebate/form')
  expect(await read('/tire-deals/now-20-rebate/form')).toContain('Rebate Desk, PO Box 1')
  expect(product).toMatch(/<a href="\/tire-deals\/[a-z0-9-]+-rebate">\$\d+ rebate after you buy 4<\/a>/)
})
