/**
 * Tests that a tire has the same price on its card, page, in the API, feeds, structured data, and cart, including
 * excise tax and label.
 */
import { XMLParser } from 'fast-xml-parser'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { demoAccounts } from '#db/seed/accounts.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInAt, type Visitor } from '#tests/support/visitor.ts'

type Article = {
  id: number
  size: string
  slug: string
  line: string
  path: string
  retailCents: number
  fetCents: number
}
type OfferAnswer = {
  key: string
  items: { unitCents: number; wasCents: number | null; fetCents: number }[]
  perTireCents: number
  fourCents: number
  priceLabel: string | null
}
type ListAnswer = { offers: OfferAnswer[]; next: string | null }

let store: RunningStore
/** Items rated over 3,500 lb, with two at the regular price, and two on a per-tire deal if the demo has them. */
let taxed: Article[]
beforeAll(async () => {
  store = await startStore({ env: { INDEX: '1' } })
  const rows = await store.database.db
    .selectFrom('item')
    .innerJoin('product_line', 'product_line.id', 'item.product_line_id')
    .innerJoin('brand', 'brand.id', 'product_line.brand_id')
    .innerJoin('size', 'size.id', 'item.size_id')
    .innerJoin('stock', 'stock.item_id', 'item.id')
    .select([
      'item.id',
      'retail_cents',
      'fet_cents',
      'size.slug as size',
      'size.designation',
      'brand.slug as brand',
      'product_line.slug as line',
    ])
    .where('item.active', '=', true)
    .where('fet_cents', '>', 0)
    .groupBy(['item.id', 'size.id', 'brand.id', 'product_line.id'])
    .having((eb) => eb(eb.fn.sum('stock.on_hand'), '>=', 8))
    .orderBy('item.id')
    .execute()
  const articles = rows.map(
    ({ id, retail_cents: retailCents, fet_cents: fetCents, size, designation, brand, line }) => ({
      id,
      retailCents,
      fetCents,
      size: designation,
      slug: size,
      line: `/brands/${brand}/${line}`,
      path: `/brands/${brand}/${line}/p/${id}`,
    }),
  )
  const guest = createVisitor()
  const isReduced = new Map<number, boolean>()
  for (const { id } of articles)
    isReduced.set(id, (await api<{ wasCents: number | null }>(guest, `/tires/${id}`)).wasCents !== null)
  const some = (wanted: boolean) => articles.filter(({ id }) => isReduced.get(id) === wanted).slice(0, 2)
  taxed = [...some(false), ...some(true)]
  if (some(false).length === 0) throw new Error('Every article has a promotion.')
})
afterAll(() => store[Symbol.asyncDispose]())

const at = (path: string) => `${store.origin}${path}`
const dollars = (cents: number) => `$${(cents / 100).toFixed(2).replace(/\B(?=(\d{3})+\.)/g, ',')}`
const text = async (visitor: Visitor, path: string) =>
  (await (await visitor.ask(at(path))).text()).replaceAll('<!-- -->', '').replaceAll('&#x27;', "'")
const api = async <Shape>(visitor: Visitor, path: string): Promise<Shape> => {
  const session = visitor.cookie('sw_session')?.value
  const headers = { accept: 'application/json', ...(session === undefined ? {} : { cookie: `sw_session=${session}` }) }
  return (await fetch(at(`/api${path}`), { headers })).json() as Promise<Shape>
}

/** Returns a listing's offers, in order. */
async function listed(visitor: Visitor, query: string): Promise<OfferAnswer[]> {
  const offers: OfferAnswer[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: ListAnswer = await api(
      visitor,
      `/tires?${query}&limit=96${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
    )
    offers.push(...page.offers)
    cursor = page.next
  }
  return offers
}

/** Prices in a page's structured data, by article URL. */
async function structuredPrices(visitor: Visitor, path: string): Promise<Map<string, string>> {
  const prices = new Map<string, string>()
  const collect = (thing: unknown): void => {
    if (Array.isArray(thing)) for (const each of thing) collect(each)
    else if (typeof thing === 'object' && thing !== null) {
      const { price, url } = thing as { price?: string; url?: string }
      if (price !== undefined && url !== undefined) prices.set(url.replace(store.origin, ''), price)
      for (const value of Object.values(thing)) collect(value)
    }
  }
  for (const [, block = '{}'] of (await text(visitor, path)).matchAll(
    /<script type="application\/ld\+json">(.*?)<\/script>/g,
  ))
    collect(JSON.parse(block))
  return prices
}

async function feedPrices(visitor: Visitor): Promise<Map<string, number>> {
  const parser = new XMLParser({ isArray: (name) => name === 'item', parseTagValue: false })
  type Entry = { 'g:id': string; 'g:price': string; 'g:sale_price'?: string }
  const { rss } = parser.parse(await text(visitor, '/feeds/products.xml')) as { rss: { channel: { item: Entry[] } } }
  const centsOf = (amount: string) => Math.round(Number(amount.replace(' USD', '')) * 100)
  return new Map(rss.channel.item.map((entry) => [entry['g:id'], centsOf(entry['g:sale_price'] ?? entry['g:price'])]))
}

/** The HTML of an article's card. */
function cardOf(html: string, id: number): string {
  return (html.slice(html.indexOf(`id="tire-${id}"`)).split('</article>')[0] ?? '').replaceAll(
    /<(?!\/?[sb]>)[^>]*>/g,
    '',
  )
}

test('a tire with excise tax has the same price everywhere, stating that the tax is included', async () => {
  const guest = createVisitor()
  const feed = await feedPrices(guest)
  for (const { id, slug, line, path, retailCents, fetCents } of taxed) {
    const product = await api<{
      unitCents: number
      wasCents: number | null
      fetCents: number
      sizes: { itemId: number; unitCents: number }[]
    }>(guest, `/tires/${id}`)
    const figure = product.unitCents
    expect(product.fetCents).toBe(fetCents)
    expect(product.wasCents ?? figure).toBe(retailCents + fetCents)
    expect(product.sizes.find(({ itemId }) => itemId === id)?.unitCents).toBe(figure)

    const words = `(includes ${dollars(fetCents)} federal excise tax)`
    const page = await text(guest, path)
    expect(page).toContain(`<b>${dollars(figure)}</b>`)
    expect(page).toContain(words)
    expect((await structuredPrices(guest, path)).get(path)).toBe((figure / 100).toFixed(2))
    expect((await structuredPrices(guest, line)).get(path)).toBe((figure / 100).toFixed(2))
    expect(feed.get(String(id)), `${id}`).toEqual(figure)

    const offers = await listed(guest, `size=${slug}&sort=price`)
    expect(offers.map(({ perTireCents }) => perTireCents)).toEqual(
      offers.map(({ perTireCents }) => perTireCents).toSorted((a, b) => a - b),
    )
    const offer = offers.find(({ key }) => key === String(id))
    expect(offer).toMatchObject({
      perTireCents: figure,
      fourCents: figure * 4,
      items: [{ unitCents: figure, fetCents }],
    })
    const card = cardOf(await text(guest, `/tire-sizes/${slug}?size=96&brand=${line.split('/')[2]}`), id)
    expect(card).toContain(dollars(figure))
    expect(card).toContain(words)
    expect(card).toContain(dollars(figure * 4))

    // The filter's bound is between the price with and without the tax.
    const keys = async (range: string) => (await listed(guest, `size=${slug}&${range}`)).map(({ key }) => key)
    expect(await keys(`maxDollars=${Math.floor(figure / 100)}`)).toEqual(
      expect.not.arrayContaining(figure % 100 === 0 ? [] : [String(id)]),
    )
    expect(await keys(`maxDollars=${Math.ceil(figure / 100)}`)).toContain(String(id))

    const comparison = await text(guest, `/compare?items=${id}`)
    expect(comparison).toContain(dollars(figure))
    expect(comparison).toContain(`includes ${dollars(fetCents)} federal excise tax`)
  }
})

test('in the cart the tire and its excise tax are separate, and sum to the displayed price', async () => {
  for (const { id, fetCents } of taxed) {
    const visitor = createVisitor()
    const { unitCents, wasCents } = await api<{ unitCents: number; wasCents: number | null }>(visitor, `/tires/${id}`)
    await visitor.ask(at('/zip'), { form: { zip: '60614', back: '/cart' } })
    expect((await visitor.ask(at('/cart'), { form: { item: String(id), quantity: '4', axle: 'all' } })).status).toBe(
      303,
    )
    const contents = (await (await visitor.ask(at('/cart/contents'))).json()) as {
      estimatedFetTaxInCents: number
      lines: { price: { salePriceInCents: number }; quantity: number }[]
    }
    expect(contents.estimatedFetTaxInCents).toBe(4 * fetCents)
    const tires = contents.lines.reduce((sum, { price, quantity }) => sum + price.salePriceInCents * quantity, 0)
    expect(tires + contents.estimatedFetTaxInCents).toBe(4 * (wasCents ?? unitCents))
    const cart = await text(visitor, '/cart')
    expect(cart).toContain(`<span class="strong">${dollars(tires / 4)}</span>`)
    expect(cart).toContain(`${dollars(fetCents)} federal excise tax each`)
    // After discounts it equals the displayed price.
    const rows = [...cart.matchAll(/<tr[^>]*><th scope="row">(.*?)<\/th><td>(.*?)<\/td>/g)].map(
      ([, name = '', amount = '']) => ({ name, amount }),
    )
    const centsOf = (amount: string | undefined) =>
      Math.round(Number((amount ?? '').replace('\u2212', '-').replaceAll(/[$,]/g, '')) * 100)
    const [four, ...others] = rows
    expect(four?.name).toContain('4 tires at')
    const deal = wasCents === null ? 0 : centsOf(others[0]?.amount)
    const excise = centsOf(rows.find(({ name }) => name.startsWith('Federal excise tax'))?.amount)
    expect(centsOf(four?.amount) + deal + excise).toBe(4 * unitCents)
  }
})

test('signed-in shoppers see the lower price with its label, the same from listing to cart, and never pay more than a guest', async () => {
  const guest = createVisitor()
  const query = 'size=225-65r17&sort=price'
  const everybodys = new Map((await listed(guest, query)).map((offer) => [offer.key, offer]))
  const cartTotal = async (visitor: Visitor, id: string) => {
    await visitor.ask(at('/zip'), { form: { zip: '60614', back: '/cart' } })
    await visitor.ask(at('/cart'), { form: { item: id, quantity: '4', axle: 'all' } })
    const page = await text(visitor, '/cart')
    await visitor.ask(at('/cart'), { form: { intent: 'remove', item: id, axle: 'all' } })
    return {
      page,
      cents: Math.round(
        Number((/<tr class="total">.*?<td>\$([\d.,]+)<\/td>/.exec(page)?.[1] ?? '').replace(',', '')) * 100,
      ),
    }
  }
  const isFlatOff = ({ items: [item] }: OfferAnswer) => item?.wasCents !== null && item !== undefined
  const publicDeals = new Set<string>()
  for (const { email, type } of demoAccounts.filter((account) => account.type !== 'none')) {
    const visitor = createVisitor()
    await signInAt(store.origin, visitor, { email })
    const theirs = await listed(visitor, query)
    expect(theirs.length).toBeGreaterThan(0)
    if (type !== 'Special Order')
      for (const { key, perTireCents } of theirs)
        expect(perTireCents, `${email} ${key}`).toBeLessThanOrEqual(everybodys.get(key)?.perTireCents ?? 0)
    expect(theirs.map(({ perTireCents }) => perTireCents)).toEqual(
      theirs.map(({ perTireCents }) => perTireCents).toSorted((a, b) => a - b),
    )

    const deal = theirs.find(
      (offer) => offer.priceLabel?.startsWith('Public deal') && isFlatOff(everybodys.get(offer.key) ?? offer),
    )
    if (!deal) continue
    publicDeals.add(type)
    const [item] = deal.items
    const figure = item?.unitCents ?? 0
    expect(figure).toBe(everybodys.get(deal.key)?.perTireCents)
    const product = await api<{
      unitCents: number
      priceLabel: string
      brand: { slug: string }
      line: { slug: string }
    }>(visitor, `/tires/${deal.key}`)
    expect(product).toMatchObject({ unitCents: figure, priceLabel: deal.priceLabel })
    const page = await text(visitor, `/brands/${product.brand.slug}/${product.line.slug}/p/${deal.key}`)
    expect(page).toContain(`<b>${dollars(figure)}</b>`)
    expect(page).toContain(`>${deal.priceLabel}</a>`)
    const list = await text(visitor, `/tire-sizes/225-65r17/brands/${product.brand.slug}?size=96`)
    expect(cardOf(list, Number(deal.key))).toContain(`per tire, ${deal.priceLabel?.toLowerCase()}`)
    expect((await feedPrices(visitor)).get(deal.key) ?? figure).toBe(figure)
    const [own, open] = [await cartTotal(visitor, deal.key), await cartTotal(guest, deal.key)]
    expect(own.page).toContain(deal.priceLabel)
    expect(open.cents).toBeGreaterThan(0)
    // A cart with tires that don't fit the account's vehicle shows no installation price.
    if (own.page.includes('See tires that fit')) continue
    expect(own.cents).toBeGreaterThan(0)
    expect(own.cents).toBeLessThanOrEqual(open.cents)
  }
  expect([...publicDeals].toSorted()).toEqual(expect.arrayContaining(['Fleet', 'Partner Program']))
})
