/**
 * Tests the shipping cost of a tire outside the contiguous states: the same next to its price on cards, its page, the
 * comparison, the widget's data, and the API, and in the cart.
 */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, type Visitor } from '#tests/support/visitor.ts'

type OfferAnswer = { key: string; shippingPerTireCents: number | null }

let store: RunningStore
/** A standard tire and an oversize one, both in stock. */
let tires: { id: number; slug: string; brand: string; path: string; isOversize: boolean }[]
beforeAll(async () => {
  store = await startStore()
  // Makes every third tire in a popular size oversize, so that shipping changes the price order.
  await sql`
    update item set weight_lb = 75 from size where size.id = item.size_id and size.designation = '225/65R17' and item.id % 3 = 0`.execute(
    store.database.db,
  )
  const sold = store.database.db
    .selectFrom('item')
    .innerJoin('product_line', 'product_line.id', 'item.product_line_id')
    .innerJoin('brand', 'brand.id', 'product_line.brand_id')
    .innerJoin('size', 'size.id', 'item.size_id')
    .innerJoin('stock', 'stock.item_id', 'item.id')
    .select(['item.id', 'item.weight_lb', 'size.slug as size', 'brand.slug as brand', 'product_line.slug as line'])
    .where('item.active', '=', true)
    .groupBy(['item.id', 'size.id', 'brand.id', 'product_line.id'])
    .having((eb) => eb(eb.fn.sum('stock.on_hand'), '>=', 40))
    .orderBy('item.id')
  const found = await Promise.all([
    sold.where('item.weight_lb', '<=', 60).executeTakeFirstOrThrow(),
    sold.where('item.weight_lb', '>', 60).executeTakeFirstOrThrow(),
  ])
  tires = found.map(({ id, size, brand, line }, index) => ({
    id,
    slug: size,
    brand,
    path: `/brands/${brand}/${line}/p/${id}`,
    isOversize: index === 1,
  }))
})
afterAll(() => store[Symbol.asyncDispose]())

const at = (path: string) => `${store.origin}${path}`
const text = async (visitor: Visitor, path: string) => {
  const answer = await visitor.ask(at(path))
  expect(answer.status, path).toBe(200)
  return { html: (await answer.text()).replaceAll('<!-- -->', ''), cache: answer.headers.get('cache-control') }
}
const api = async <Shape>(path: string): Promise<Shape> => {
  const answer = await fetch(at(`/api${path}`), { headers: { accept: 'application/json' } })
  expect(answer.status, path).toBe(200)
  return answer.json() as Promise<Shape>
}
const dollars = (cents: number) => `$${(cents / 100).toFixed(2)}`

async function visitorAt(zip: string): Promise<Visitor> {
  const visitor = createVisitor()
  expect((await visitor.ask(at('/zip'), { form: { zip, back: '/' } })).status).toBe(303)
  return visitor
}

/** What the cart charges for shipping four of a tire, in cents for one. */
async function chargedFor(visitor: Visitor, id: number): Promise<number> {
  await visitor.ask(at('/cart'), { form: { item: String(id), quantity: '4', axle: 'all' } })
  const contents = (await (await visitor.ask(at('/cart/contents'))).json()) as { shippingCostInCents: number }
  await visitor.ask(at('/cart'), { form: { intent: 'remove', item: String(id), axle: 'all' } })
  return contents.shippingCostInCents / 4
}

function cardOf(html: string, id: number): string {
  expect(html).toContain(`id="tire-${id}"`)
  return html.slice(html.indexOf(`id="tire-${id}"`)).split('</article>')[0] ?? ''
}

/** Returns a tire's shipping cost from the API's listing, comparison, and tire. */
async function saidByApi({ id, slug, brand }: (typeof tires)[number], zip: string): Promise<(number | null)[]> {
  const listed = await api<{ offers: OfferAnswer[] }>(`/tires?size=${slug}&brand=${brand}&zip=${zip}&limit=96`)
  const compared = await api<{ offer: OfferAnswer }[]>(
    `/comparison?${tires.map((tire) => `tire=${tire.id}`).join('&')}&zip=${zip}`,
  )
  const read = await api<{ shippingPerTireCents: number | null }>(`/tires/${id}?zip=${zip}`)
  const isIt = ({ key }: OfferAnswer) => key === String(id)
  return [
    listed.offers.find(isIt)?.shippingPerTireCents ?? null,
    compared.map(({ offer }) => offer).find(isIt)?.shippingPerTireCents ?? null,
    read.shippingPerTireCents,
  ]
}

test.for([
  ['Puerto Rico', '00901', 3_475, 2_000],
  ['Guam', '96910', 3_475, 2_000],
  ['the Virgin Islands', '00802', 3_475, 2_000],
  ['Alaska', '99501', 2_475, 1_500],
  ['Hawaii', '96813', 2_975, 1_500],
] as const)('in %s every price names the shipping that the cart charges', async ([, zip, perTire, oversize]) => {
  const visitor = await visitorAt(zip)
  for (const tire of tires) {
    const cents = perTire + (tire.isOversize ? oversize : 0)
    expect(await chargedFor(visitor, tire.id)).toBe(cents)
    const words = `+ ${dollars(cents)} shipping a tire to ${zip}`
    const listing = await text(visitor, `/tire-sizes/${tire.slug}?size=96&brand=${tire.brand}`)
    expect(cardOf(listing.html, tire.id)).toContain(words)
    const page = await text(visitor, tire.path)
    const buy = page.html.slice(page.html.indexOf('class="product-buy"')).split('</section>')[0]
    expect(buy).toContain(words)
    expect(page.html).toContain(`Shipping to ${zip} is ${dollars(cents)} a tire.`)
    expect(page.html).toContain(`Shipping to ${zip} from ${dollars(perTire)} a tire`)
    expect(page.html).not.toContain('Free shipping to')
    const comparison = await text(visitor, `/compare?items=${tires.map(({ id }) => id).join(',')}`)
    expect(comparison.html).toContain(words)
    for (const { cache } of [listing, page, comparison]) expect(cache).not.toMatch(/public|s-maxage/)
    expect(await saidByApi(tire, zip)).toEqual([cents, cents, cents])
  }
  const lines = await text(visitor, `/brands/${tires[0]?.brand}`)
  expect(lines.html).toContain(`+ shipping from ${dollars(perTire)} a tire to ${zip}`)
})

test('the lowest price comes first with its shipping, on the page and in the API', async () => {
  const slug = '225-65r17'
  const visitor = await visitorAt('00901')
  const { html } = await text(visitor, `/tire-sizes/${slug}?size=96&sort=price`)
  const { offers } = await api<{
    offers: { key: string; perTireCents: number; shippingPerTireCents: number }[]
  }>(`/tires?size=${slug}&zip=00901&sort=price&limit=96`)
  const sums = offers.map(({ perTireCents, shippingPerTireCents }) => perTireCents + shippingPerTireCents)
  expect(sums).toEqual(sums.toSorted((a, b) => a - b))
  const withoutShipping = offers.map(({ perTireCents }) => perTireCents)
  expect(withoutShipping).not.toEqual(withoutShipping.toSorted((a, b) => a - b))
  // A card shows one version of its model, in the same order.
  const cards = [...html.matchAll(/<article[^>]* id="tire-(\d+)"/g)].map(([, id = '']) => id)
  expect(cards.length).toBeGreaterThan(1)
  expect(cards).toEqual(offers.flatMap(({ key }) => (cards.includes(key) ? [key] : [])))
})

test('shipping isn’t added in the contiguous states or without a ZIP, even after other visitors', async () => {
  for (const zip of ['60614', undefined]) {
    const elsewhere = await visitorAt('00901')
    const visitor = zip === undefined ? createVisitor() : await visitorAt(zip)
    for (const tire of tires) {
      for (const path of [
        tire.path,
        `/tire-sizes/${tire.slug}?brand=${tire.brand}`,
        `/compare?items=${tire.id}`,
        `/brands/${tire.brand}`,
      ]) {
        await text(elsewhere, path)
        const { html } = await text(visitor, path)
        expect(html).not.toMatch(/\+ (\$[\d.]+ shipping|shipping from)/)
        expect(html).not.toContain('Shipping to 00901')
        expect(html).toContain('Free shipping to shops near you')
      }
      if (zip === undefined) continue
      expect(await chargedFor(visitor, tire.id)).toBe(0)
      expect(await saidByApi(tire, zip)).toEqual([0, 0, 0])
      expect((await text(visitor, tire.path)).html).toContain(`Free shipping to ${zip}.`)
    }
  }
})
