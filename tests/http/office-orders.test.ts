/** The office's list of orders, its file and the search, over HTTP and without script. */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { payWithFields } from '#sandbox/test-sandbox.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInToOffice, type Visitor } from '#tests/support/visitor.ts'

let store: RunningStore
let owner: Visitor
let support: Visitor
beforeAll(async () => {
  store = await startStore()
  owner = createVisitor()
  support = createVisitor()
  await signInToOffice(store.origin, owner, { email: 'owner@example.com' })
  await signInToOffice(store.origin, support, { email: 'support@example.com' })
})
afterAll(() => store[Symbol.asyncDispose]())

const at = (path: string) => `${store.origin}${path}`
const htmlOf = async (path: string, visitor = owner) => (await visitor.ask(at(path))).text()
const numbersIn = (html: string) => [...html.matchAll(/href="\/office\/orders\/(\d+)["?]/g)].map(([, id]) => Number(id))
const linkTo = (html: string, rel: 'next' | 'prev') =>
  new RegExp(`<a[^>]*href="([^"]+)"[^>]*rel="${rel}"`).exec(html)?.[1]?.replaceAll('&amp;', '&')

/** Places an order for home delivery, as a program does. */
async function placeOrder(email: string, contact: Record<string, string> = {}): Promise<number> {
  const visitor = createVisitor()
  const call = async (method: string, path: string, body?: unknown) => {
    const answer = await fetch(at(`/api${path}`), {
      method,
      headers: {
        cookie: visitor.cookieFor(store.origin),
        origin: store.origin,
        ...(method === 'POST' && { 'idempotency-key': randomUUID() }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    visitor.keep(answer, new URL(store.origin))
    const text = await answer.text()
    expect(answer.status, `${method} ${path}: ${text}`).toBeLessThan(300)
    return JSON.parse(text === '' ? 'null' : text) as Record<string, never>
  }
  const { id } = await store.database.db
    .selectFrom('item')
    .select('id')
    .where('active', '=', true)
    .orderBy('id')
    .limit(1)
    .executeTakeFirstOrThrow()
  await visitor.ask(at('/zip'), { form: { zip: '60614', back: '/' } })
  await visitor.ask(at('/cart'), { form: { item: String(id), quantity: '4', axle: 'all' } })
  await call('PUT', '/cart/delivery', { fulfillment: 'home' })
  await call('PUT', '/cart/contact', {
    firstName: 'Dana',
    lastName: 'Ruiz',
    address1: '12 Halsted Street',
    city: 'Chicago',
    state: 'IL',
    zip: '60614',
    email,
    phone: '(312) 555-0142',
    phoneType: 'mobile',
    ...contact,
  })
  await call('PUT', '/cart/billing', { sameAsShipping: '1' })
  const { agreedPrice } = await call('GET', '/cart/price')
  const { clientSecret } = await call('POST', '/cart/payment', { flow: 'fields' })
  await payWithFields(
    { origin: store.sandboxOrigin, storeOrigin: store.origin },
    clientSecret ?? '',
    '4242424242424242',
  )
  const placed = await call('POST', '/orders', { agreedPrice, termsAccepted: true, conditionsAccepted: true })
  return Number(placed['orderId'])
}

test('the list pages both ways by keyset, and orders that arrive move no page', async () => {
  const first = await htmlOf('/office/orders')
  expect(numbersIn(first)).toHaveLength(50)
  expect(linkTo(first, 'prev')).toBeUndefined()
  const next = linkTo(first, 'next') ?? ''
  const second = await htmlOf(next)
  const placed = await placeOrder('arrives@example.com')
  expect(numbersIn(await htmlOf(next))).toEqual(numbersIn(second))
  // Going back from the second page shows the previous orders, regardless of new ones.
  expect(numbersIn(await htmlOf(linkTo(second, 'prev') ?? ''))).toEqual(numbersIn(first))
  expect(numbersIn(await htmlOf('/office/orders'))[0]).toBe(placed)
  const all = [...numbersIn(first), ...numbersIn(second)]
  expect(new Set(all).size).toBe(all.length)
})

test('a tab holds the orders of its state and no others', async () => {
  const words: Record<string, RegExp> = {
    'needs-action': /To confirm|Late/,
    'to-confirm': /To confirm/,
    'cancel-window': /Cancel window/,
    'to-ship': /To ship|Late/,
    'in-transit': /In transit|To ship|Late/,
    late: /Late/,
    'at-shop': /At shop/,
    'done-today': /Delivered|At shop/,
    delivered: /Delivered|At shop/,
    canceled: /Canceled/,
  }
  const { db } = store.database
  const total = (await db.selectFrom('sales_order').select('id').execute()).length
  for (const [tab, expected] of Object.entries(words)) {
    const html = await htmlOf(`/office/orders?state=${tab}`)
    const tags = [...html.matchAll(/<span class="tag[^"]*">([^<]+)</g)].map(([, word = '']) => word)
    expect(tags.length, tab).toBe(numbersIn(html).length)
    expect(tags.length, tab).toBeLessThan(total)
    for (const tag of tags) expect(tag, tab).toMatch(expected)
  }
  expect(numbersIn(await htmlOf('/office/orders?state=canceled')).length).toBeGreaterThan(0)
  expect(numbersIn(await htmlOf('/office/orders?state=in-transit')).length).toBeGreaterThan(0)
  expect(numbersIn(await htmlOf('/office/orders?state=to-confirm')).length).toBeGreaterThan(0)
})

test('filters narrow the list by delivery method, day, company and shop', async () => {
  const rows = await store.database.db
    .selectFrom('sales_order')
    .select(['id', 'fulfillment', 'placed_at', 'state'])
    .orderBy('placed_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  const html = await htmlOf('/office/orders?fulfillment=shop')
  expect(numbersIn(html)).toEqual(
    rows
      .filter((row) => row.fulfillment === 'shop')
      .slice(0, 50)
      .map(({ id }) => id),
  )
  const { shop_id: shopId, name } = await store.database.db
    .selectFrom('sales_order')
    .innerJoin('shop', 'shop.id', 'shop_id')
    .select(['shop_id', 'name'])
    .executeTakeFirstOrThrow()
  const atShop = numbersIn(await htmlOf(`/office/orders?shop=${encodeURIComponent(name)}`))
  const ofShop = await store.database.db.selectFrom('sales_order').select('id').where('shop_id', '=', shopId).execute()
  expect(atShop.length).toBeGreaterThan(0)
  expect(ofShop.map(({ id }) => id)).toEqual(expect.arrayContaining(atShop))
  // Today's newest order can be a canceled one.
  const found = rows.find(({ fulfillment, state }) => fulfillment === 'shop' && state !== 'canceled')?.id
  expect(numbersIn(await htmlOf(`/office/orders?q=S-${found}`))).toEqual([found])
  expect(numbersIn(await htmlOf(`/office/orders?q=S-${found}&state=canceled`))).toEqual([])
  const day = rows.at(-1)?.placed_at.toZonedDateTimeISO('America/New_York').toPlainDate().toString() ?? ''
  const ofDay = rows.filter(
    ({ placed_at: placed }) => placed.toZonedDateTimeISO('America/New_York').toPlainDate().toString() === day,
  )
  expect(numbersIn(await htmlOf(`/office/orders?from=${day}&to=${day}`))).toEqual(ofDay.map(({ id }) => id))
  const company = await htmlOf('/office/orders?company=grant%20del')
  expect(numbersIn(company).length).toBeGreaterThan(0)
  expect(company).toContain('Grant Delivery')
  expect(numbersIn(await htmlOf('/office/orders?company=no%20such'))).toEqual([])
})

test('the file matches the list, has no formulas, and is recorded in the audit log', async () => {
  const placed = await placeOrder('formula@example.com', { firstName: '-Dana' })
  const answer = await owner.ask(at('/office/orders.csv?state=cancel-window'))
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  const lines = (await answer.text()).trimEnd().split('\r\n')
  expect(lines[0]).toMatch(/^\uFEFF?Order,Placed,Customer,Company,Email,Phone,/)
  expect(lines.slice(1).map((line) => line.split(',')[0])).toEqual(
    numbersIn(await htmlOf('/office/orders?state=cancel-window')).map((id) => `S-${id}`),
  )
  expect(lines.some((line) => line.startsWith(`S-${placed},`))).toBe(true)
  for (const line of lines) expect(line).not.toMatch(/(?:^|,)"?[=+@-]/)
  expect(lines.find((line) => line.startsWith(`S-${placed},`))).toContain(",'-Dana Ruiz,")
  const log = await htmlOf('/office/audit?what=list.exported')
  expect(log).toContain('Filters state cancel window')

  const chosen = await owner.ask(at(`/office/orders.csv?order=S-${placed}&order=S-1&order=x`))
  expect((await chosen.text()).trimEnd().split('\r\n').slice(1)).toEqual([expect.stringContaining(`S-${placed},`)])
  expect((await support.ask(at('/office/orders.csv'))).status).toBe(403)
  expect(await htmlOf('/office/orders', support)).not.toMatch(/>Export (?:CSV|selected)/)
})

test('an old sign-in must be renewed before export', async () => {
  const finance = createVisitor()
  await signInToOffice(store.origin, finance, { email: 'finance@example.com' })
  const [id] = (finance.cookie('sw_office')?.value ?? '').split('.')
  // Time cannot be waited for here.
  await store.database.db
    .updateTable('office_session')
    .set({ authenticated_at: Temporal.Now.instant().subtract({ minutes: 11 }) })
    .where('id', '=', id ?? '')
    .execute()
  const answer = await finance.ask(at('/office/orders.csv'))
  expect(answer.headers.get('location')).toBe(
    '/office/sign-in?back=%2Foffice%2Fdownload%3Ffile%3D%252Foffice%252Forders.csv&again=yes',
  )
})

test('search finds an order by any detail and opens a single match', async () => {
  const email = 'Only.One@example.com'
  const id = await placeOrder(email, { firstName: 'Quentin', lastName: 'Zyx', phone: '(312) 555-0199' })
  const tracked = await store.database.db
    .selectFrom('shipment')
    .select(['order_id', 'tracking_number'])
    .where('tracking_number', 'is not', null)
    .limit(1)
    .executeTakeFirstOrThrow()
  for (const [q, found] of [
    [`S-${id}`, id],
    [`s${id}`, id],
    [String(id), id],
    [tracked.tracking_number ?? '', tracked.order_id],
  ] as const) {
    const answer = await owner.ask(at(`/office/search?q=${encodeURIComponent(q)}`))
    expect(answer.headers.get('location'), q).toBe(`/office/orders/${found}`)
  }
  // The customer is found too, so a page lists both.
  for (const q of [email, 'only.o', '(312) 555-0199', '+1 312.555.0199', 'zyx', 'QUENTIN ZY']) {
    const answer = await owner.ask(at(`/office/search?q=${encodeURIComponent(q)}`))
    expect(await answer.text(), q).toContain(`href="/office/orders/${id}"`)
  }
})

test('search opens the order of a purchase order or shop if it is the only match', async () => {
  const { db } = store.database
  const opened = async (q: string) =>
    (await owner.ask(at(`/office/search?q=${encodeURIComponent(q)}`))).headers.get('location')
  const { po, id } = await db
    .selectFrom('sales_order')
    .select(['id', sql<string>`billing ->> 'poNumber'`.as('po')])
    .where(sql`billing ->> 'poNumber'`, 'is not', null)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  expect(await opened(po.toLowerCase())).toBe(`/office/orders/${id}`)
  const shop = await db.selectFrom('shop').select(['name', 'code']).orderBy('id').executeTakeFirstOrThrow()
  expect(await opened(shop.name)).toContain(shop.code)
})

test('the search finds an order by the last eight characters of the VIN that staff record', async () => {
  const id = await placeOrder('vin@example.com')
  const record = (vin: string, visitor = support) =>
    visitor.ask(at(`/office/orders/${id}?act=vin`), { form: { intent: 'vin', vin } })
  const refused = await record('1HGCM82633AO04352')
  expect(refused.status).toBe(422)
  const html = await refused.text()
  expect(html).toContain('A VIN has 17 letters and digits, without I, O and Q.')
  expect(html).toContain('value="1HGCM82633AO04352"')
  expect((await record('1hgcm826 33a 004352')).headers.get('location')).toBe(`/office/orders/${id}?done=vin`)
  // Sent again, it is recorded once.
  await record('1HGCM82633A004352')
  for (const q of ['3A004352', '3a00 4352', '1HGCM82633A004352'])
    expect((await owner.ask(at(`/office/search?q=${q}`))).headers.get('location')).toBe(`/office/orders/${id}`)
  expect(await htmlOf(`/office/orders/${id}`)).toContain('VIN …3A004352')
  const log = await store.database.db
    .selectFrom('audit_entry')
    .select(['before', 'after'])
    .where('act', '=', 'order.vin-recorded')
    .execute()
  expect(log).toEqual([{ before: { vin: null }, after: { vin: '3A004352' } }])
  const catalog = createVisitor()
  await signInToOffice(store.origin, catalog, { email: 'catalog@example.com' })
  expect((await record('1HGCM82633A004353', catalog)).status).toBe(403)
})

test('the search box suggests ten lines at most, of every kind that the role may see', async () => {
  const suggested = async (q: string, visitor = owner) => {
    const answer = await visitor.ask(at(`/office/search/found?q=${encodeURIComponent(q)}`))
    const { found } = (await answer.json()) as { found: { group: string; title: string; path: string }[] }
    return found
  }
  const all = await suggested('ho')
  expect(all.length).toBeGreaterThan(0)
  expect(all.length).toBeLessThanOrEqual(10)
  expect((await suggested('grant')).map(({ group }) => group)).toContain('Companies')
  const catalog = createVisitor()
  await signInToOffice(store.origin, catalog, { email: 'catalog@example.com' })
  expect((await suggested('grant', catalog)).map(({ group }) => group)).not.toContain('Companies')
  expect(await suggested('')).toEqual([])
  const stranger = await createVisitor().ask(at('/office/search/found?q=grant'))
  expect(stranger.headers.get('location')).toMatch(/^\/office\/sign-in/)
})

test('the search shows a role only what it may see', async () => {
  const catalog = createVisitor()
  await signInToOffice(store.origin, catalog, { email: 'catalog@example.com' })
  const html = await htmlOf('/office/search?q=grant', catalog)
  expect(html).not.toContain('Grant Delivery')
  const [id = 0] = numbersIn(await htmlOf('/office/orders'))
  expect((await catalog.ask(at(`/office/search?q=S-${id}`))).status).toBe(200)
})

test.for([
  '/office/orders?state=nothing&fulfillment=rocket&from=2026-13-45&to=x',
  '/office/orders?after=S-99999999999999999999&before=-1',
  '/office/orders?after=S-999999999999999',
  '/office/orders?before=S-1&after=S-2',
  "/office/orders?company='; drop table sales_order; --",
  '/office/orders?company=%25%25&from=0000-01-01&to=9999-12-31',
  '/office/orders?from=2000-01-01&to=2099-12-31',
  '/office/orders?from=2026-11-20&to=2026-11-01',
  '/office/orders?columns=zip,nothing&columns=order&sort=sideways&preview=S-999999999999999999&trail=~~~x',
  '/office/orders?preview=x&part=preview',
  `/office/orders?q=${'%27'.repeat(600)}&shop=%25&columns=${'zip,'.repeat(800)}`,
  `/office/orders?company=${'x'.repeat(3_000)}`,
  '/office/search?q=%25',
  '/office/search?q=%5C_%25',
  `/office/search?q=${'9'.repeat(3_000)}`,
  "/office/search?q=' or 1=1 --",
  '/office/search?q=%F0%9F%9B%9E',
  '/office/orders.csv?state=nothing&order=-1',
])('the office responds to any request: %s', async (path) => {
  expect((await owner.ask(at(path))).status).toBe(200)
})
