/** The prices each account type sees and pays, in a browser without script, using the demo people. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { demoAccounts } from '#db/seed/accounts.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInAt, type Visitor } from '#tests/support/visitor.ts'

/** The first article's retail price before promotions, and its cost. */
type Tire = { id: number; retailCents: number; costCents: number; path: string; listing: string }

let store: RunningStore
let tire: Tire
beforeAll(async () => {
  store = await startStore()
  const { db } = store.database
  const row = await db
    .selectFrom('item')
    .innerJoin('product_line', 'product_line.id', 'item.product_line_id')
    .innerJoin('brand', 'brand.id', 'product_line.brand_id')
    .innerJoin('size', 'size.id', 'item.size_id')
    .select(['item.id', 'retail_cents', 'cost_cents', 'brand.slug as brand', 'product_line.slug as line'])
    .where('size.slug', '=', '225-65r17')
    .where('item.active', '=', true)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('price_rule')
            .select('price_rule.id')
            .where(({ or, eb }) =>
              or([
                eb('price_rule.item_id', '=', eb.ref('item.id')),
                eb('price_rule.product_line_id', '=', eb.ref('item.product_line_id')),
                eb('price_rule.brand_id', '=', eb.ref('product_line.brand_id')),
              ]),
            ),
        ),
      ),
    )
    .orderBy('item.id')
    .limit(1)
    .executeTakeFirstOrThrow()
  tire = {
    id: row.id,
    retailCents: row.retail_cents,
    costCents: row.cost_cents ?? 0,
    path: `/brands/${row.brand}/${row.line}/p/${row.id}`,
    listing: `/tire-sizes/225-65r17/brands/${row.brand}`,
  }
  await db.deleteFrom('promotion').execute()
})
afterAll(() => store[Symbol.asyncDispose]())

const at = (path: string) => `${store.origin}${path}`
const listing = '/tire-sizes/225-65r17?sort=price'
const text = async (visitor: Visitor, path: string) =>
  (await (await visitor.ask(at(path))).text()).replaceAll('<!-- -->', '')
const dollars = (cents: number) => `$${(cents / 100).toFixed(2)}`

async function signedIn(email: string): Promise<Visitor> {
  const visitor = createVisitor()
  await signInAt(store.origin, visitor, { email })
  return visitor
}

/** The price each demo list gives a tire without its own rule. */
const pays: Partial<Record<(typeof demoAccounts)[number]['type'], (tire: Tire) => number>> = {
  EPP: ({ costCents }) => Math.round(costCents * 1.06),
  'Partner Program': ({ retailCents }) => Math.round(retailCents * 0.94),
  'Retail Member': ({ retailCents }) => Math.round(retailCents * 0.97),
  WholeSale: ({ costCents }) => Math.round(costCents * 1.02) + 300,
}

const labels: Partial<Record<(typeof demoAccounts)[number]['type'], string>> = {
  EPP: 'Employee price',
  'Partner Program': 'Partner price',
  'Retail Member': 'Loyalty member price',
  WholeSale: 'Wholesale price',
}

test.for(demoAccounts.filter(({ type }) => pays[type]))(
  '$type pays its own price, with its own label, from listing to cart',
  async ({ email, type }) => {
    const visitor = await signedIn(email)
    const price = dollars(pays[type]?.(tire) ?? Number.NaN)
    const label = labels[type] ?? ''
    const list = await text(visitor, tire.listing)
    expect(list).toContain(`per tire, ${label.toLowerCase()}`)
    const card = list.slice(list.indexOf(`id="tire-${tire.id}"`)).split('</article>')[0] ?? ''
    expect(card).toContain(price)
    const page = await text(visitor, tire.path)
    expect(page).toContain(`<b>${price}</b>`)
    expect(page).toMatch(new RegExp(`<a[^>]*href="/prices/[a-z-]+"[^>]*>${label}</a>`))
    expect(
      (await visitor.ask(at('/cart'), { form: { item: String(tire.id), quantity: '4', axle: 'all' } })).status,
    ).toBe(303)
    const cart = await text(visitor, '/cart')
    expect(cart).toContain(`<span class="strong">${price}</span>`)
    expect(cart).toContain(label)
    expect(cart).not.toContain('Prices changed')
    expect(await text(visitor, '/cart/summary')).toContain(`4 at ${price}, ${label.toLowerCase()}`)
    const contents = (await (await visitor.ask(at('/cart/contents'))).json()) as {
      lines: { price: { salePriceInCents: number } }[]
    }
    expect(dollars(contents.lines[0]?.price.salePriceInCents ?? 0)).toBe(price)
    // One label, never two.
    for (const other of Object.values(labels).filter((each) => each !== label))
      expect(list + page + cart).not.toContain(other)
  },
)

test('every listing sorted by price follows the displayed prices', async () => {
  const list = await text(await signedIn('felix@example.com'), listing)
  const shown = [...list.matchAll(/<span class="money-now">\$([\d,.]+)<\/span>/g)].map(([, amount]) =>
    Number(amount?.replace(',', '')),
  )
  expect(shown.length).toBeGreaterThan(10)
  expect(shown).toEqual(shown.toSorted((a, b) => a - b))
})

test.for(['sam@example.com', 'noa@example.com'])('%s pays the retail price, without a label', async (email) => {
  const visitor = await signedIn(email)
  const page = await text(visitor, tire.path)
  expect(page).toContain(`<b>${dollars(tire.retailCents)}</b>`)
  expect(page).not.toContain('id="price-label"')
})

test('quoted tires show special pricing, and the others link to the request for it', async () => {
  const visitor = await signedIn('sol@example.com')
  const page = await text(visitor, tire.path)
  expect(page).toContain(`<b>${dollars(tire.retailCents)}</b>`)
  expect(page).toContain('Ask for special pricing')
  expect(await text(visitor, '/prices/special-pricing')).toContain('href="/tire-sales"')
})

test('fleet and special-order accounts see their own phone number, everyone else the store’s', async () => {
  expect(await text(await signedIn('felix@example.com'), '/contact')).toContain('(800) 555-0160')
  expect(await text(await signedIn('sol@example.com'), '/contact')).toContain('(800) 555-0161')
  expect(await text(await signedIn('erin@example.com'), '/contact')).not.toMatch(/555-016[01]/)
})

test('the account page shows the type, its price, how it was granted and until when', async () => {
  await store.database.db
    .updateTable('account_grant')
    .set({ ends_at: '2099-01-01T05:00:00Z' })
    .where('type', '=', 'Partner Program')
    .execute()
  const page = await text(await signedIn('paula@example.com'), '/account')
  for (const words of ['Partner program', 'Partner price', 'Our staff', 'Dec 31, 2098']) expect(page).toContain(words)
})

test('a cart filled before signing in announces its new prices, once', async () => {
  const visitor = createVisitor()
  await visitor.ask(at('/cart'), { form: { item: String(tire.id), quantity: '4', axle: 'all' } })
  await signInAt(store.origin, visitor, { email: 'will@example.com' })
  const moved = `was ${dollars(tire.retailCents)}, now ${dollars(pays.WholeSale?.(tire) ?? 0)}`
  expect(await text(visitor, '/cart')).toContain(moved)
  await visitor.ask(at('/cart'), { form: { intent: 'accept-prices' } })
  expect(await text(visitor, '/cart')).not.toContain(moved)
})

test('signing out resets the browser’s cart to retail prices', async () => {
  const visitor = await signedIn('mona@example.com')
  await visitor.ask(at('/cart'), { form: { item: String(tire.id), quantity: '4', axle: 'all' } })
  const own = `<span class="strong">${dollars(pays['Retail Member']?.(tire) ?? 0)}</span>`
  expect(await text(visitor, '/cart')).toContain(own)
  await visitor.ask(at('/sign-out'), { form: {} })
  const cart = await text(visitor, '/cart')
  expect(cart).not.toContain(own)
  expect(cart).toContain(`<span class="strong">${dollars(tire.retailCents)}</span>`)
  expect(cart).not.toContain('Loyalty member price')
})

test('the directories, the comparison and the API also show the account’s prices', async () => {
  const visitor = await signedIn('will@example.com')
  expect(await text(visitor, `/compare?items=${tire.id}`)).toContain(
    `Wholesale price, was ${dollars(tire.retailCents)}`,
  )
  const cookie = `sw_session=${visitor.cookie('sw_session')?.value}`
  const answer = await fetch(at(`/api/tires/${tire.id}`), { headers: { cookie, accept: 'application/json' } })
  expect(await answer.text()).toContain(`"unitCents":${pays.WholeSale?.(tire)}`)
  const lowest = (html: string) => /from \$(\d+(?:\.\d\d)?)/.exec(html)?.[1]
  expect(Number(lowest(await text(visitor, '/types')))).toBeLessThan(
    Number(lowest(await text(createVisitor(), '/types'))),
  )
})

test.for([listing, '/', '/tire-deals', '/brands/kestrel'])(
  '%s is unchanged for guests after visits with price lists, and cacheable',
  async (path) => {
    // Sends a cookie, so that the page is rendered fresh and not taken from the cache.
    const guest = createVisitor()
    guest.setCookie('localhost', 'sw_x', '1')
    const before = await (await guest.ask(at(path))).text()
    for (const { email } of demoAccounts.slice(0, 2)) {
      const answer = await (await signedIn(email)).ask(at(path))
      expect(answer.headers.get('cache-control')).toBe('private, no-store')
      expect(await answer.text()).not.toContain('cost_cents')
    }
    expect(withoutNonce(await (await guest.ask(at(path))).text())).toBe(withoutNonce(before))
    expect((await createVisitor().ask(at(path))).headers.get('cache-control')).toContain('public')
  },
)

test('a tire’s cost appears on no page, not even in the data for its script', async () => {
  const visitor = await signedIn('erin@example.com')
  for (const path of [listing, tire.path, '/cart', `${tire.path}.data`])
    expect(await text(visitor, path)).not.toMatch(/costCents|cost_cents/)
})

function withoutNonce(html: string): string {
  return html.replaceAll(/nonce="[^"]*"/g, '')
}
