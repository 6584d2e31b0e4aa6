/** Tests that programs manage customers, companies, and reviews over the admin API, with the checks of the office. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newestMail } from '#tests/support/mailbox.ts'
import { addAdminClient, callAdminApi, requestAdminToken } from '#tests/support/admin-client.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInToOffice, type Visitor } from '#tests/support/visitor.ts'

let store: RunningStore
let token: string
const owner: Visitor = createVisitor()

beforeAll(async () => {
  store = await startStore({ env: { API_CALLS_PER_MINUTE: '1000000' } })
  await signInToOffice(store.origin, owner, { email: 'owner@example.com' })
  await addAdminClient(store, owner, 'owner')
  token = await requestAdminToken(
    store,
    'customers.read customers.edit customers.note customers.manage requests.answer credit.give refunds.approve ' +
      'companies.read companies.decide companies.terms price-lists.edit invoices.settle certificates.decide ' +
      'reviews.read reviews.decide certifications.read certifications.decide branded-stores.read ' +
      'branded-stores.decide promotions.read promotions.edit webhooks.read webhooks.replay staff.manage settings.manage',
  )
})
afterAll(() => store[Symbol.asyncDispose]())

const call = (method: string, path: string, body?: unknown) => callAdminApi(store, token, [method, path], body)
const statusOf = async (method: string, path: string, body?: unknown) => (await call(method, path, body)).status
const db = () => store.database.db
type Rows = { id: string; fields: Record<string, string | number | null> }[]
const rowsOf = async (path: string) => (await call('GET', path)).body['rows'] as Rows

/** Adds a customer and returns their address. */
async function add(email: string, phone = ''): Promise<string> {
  const added = await call('POST', '/customers', { name: 'Ada Lane', email, phone, isOther: true })
  expect(added.status).toBe(201)
  return `/customers/${String(added.body['id'])}`
}

test('IDs that no record has are missing for every action', async () => {
  const once = randomUUID()
  const calls: [method: string, path: string, body?: unknown][] = ['0', '-1', '1e9', 'x', '%27%3B--', once].flatMap(
    (id) => [
      ['GET', `/customers/${id}`],
      ['PUT', `/customers/${id}`, { name: 'Ada Lane', email: 'ada@example.org', version: 0 }],
      ['POST', `/customers/${id}/block`, { reason: 'A test' }],
      ['POST', `/customers/${id}/unblock`],
      ['POST', `/customers/${id}/note`, { body: 'A test', once }],
      ['POST', `/customers/${id}/write`, { as: 'email', message: 'A test', once }],
      ['POST', `/customers/${id}/erasure/request`, { reason: 'A test' }],
      ['POST', `/customers/${id}/credit/give`, { amount: 100, reason: 'A test', once }],
      ['POST', `/customer-merges/${id}/undo`],
      ['POST', `/store-credit/${id}/decline`],
      ['POST', `/store-credit/${id}/take-back`, { reason: 'A test' }],
      ['GET', `/companies/${id}`],
      ['POST', `/companies/${id}/decide`, { decision: 'approve' }],
      ['POST', `/companies/${id}/terms`, {}],
      ['POST', `/companies/${id}/limits`, {}],
      ['POST', `/companies/${id}/domain`, { domain: 'acts.example', role: 'viewer' }],
      ['POST', `/companies/${id}/brands`, {}],
      ['POST', `/companies/${id}/payment`, { order: 1, amount: 100, reference: 'ACH-1' }],
      ['POST', `/reviews/${id}/publish`],
      ['POST', `/reviews/${id}/refuse`, { reason: 'advertising' }],
      ['POST', `/failed-webhooks/${id}/replay`],
    ],
  )
  for (const [method, path, body] of calls) {
    const { status, body: answer } = await call(method, path, body)
    expect(status, `${method} ${path} ${answer.detail ?? ''}`).toBe(404)
  }
})

test('a program adds a customer, changes, blocks, and writes to them', async () => {
  const email = 'ada.lane@example.org'
  const path = await add(email, '3125550142')
  const twice = await call('POST', '/customers', { name: 'Ada Lane', email })
  expect(twice.status).toBe(409)
  expect(twice.body.data).toEqual({ email: 'A customer has this email.' })
  const alike = await call('POST', '/customers', { name: 'Bo Lane', email: 'bo@example.org', phone: '3125550142' })
  expect(Object.keys(alike.body.data ?? {})).toEqual(['isOther'])

  const { body: read } = await call('GET', path)
  expect(read).toMatchObject({ name: 'Ada Lane', email, phone: '3125550142', hasAccount: false })
  const { hasAccount: _, ...contact } = read
  expect(await statusOf('PUT', path, { ...contact, name: 'Ada Long' })).toBe(204)
  expect(await statusOf('PUT', path, { ...contact, name: 'Ada Other' })).toBe(412)
  expect((await call('GET', path)).body).toMatchObject({ name: 'Ada Long' })
  expect((await call('PUT', path, { ...contact, email: 'ada' })).body.data).toMatchObject({ email: expect.any(String) })

  expect(await statusOf('POST', `${path}/block`, { reason: ' ' })).toBe(400)
  expect(await statusOf('POST', `${path}/block`, { reason: 'Chargebacks' })).toBe(204)
  const page = `${store.origin}/office${path}`
  expect(await (await owner.ask(page)).text()).toContain('This customer can’t place orders')
  expect(await statusOf('POST', `${path}/unblock`)).toBe(204)

  const note = { body: 'Call after 5 PM.', once: randomUUID() }
  for (const attempt of [1, 2]) expect(await statusOf('POST', `${path}/note`, note), `${attempt}`).toBe(204)
  const text = { as: 'text', message: 'Your tires are here.', once: randomUUID() }
  expect((await call('POST', `${path}/write`, text)).body.detail).toContain('Choose the order')
  expect(await statusOf('POST', `${path}/write`, { ...text, as: 'email' })).toBe(204)
  expect((await newestMail(store, email, '')).text).toContain('Your tires are here.')
  const shown = await (await owner.ask(page)).text()
  expect(shown.replaceAll(/<script[\s\S]*?<\/script>/g, '').match(/Call after 5 PM\./g)).toHaveLength(1)
})

test('a program merges customers and undoes it, and only people erase them', async () => {
  const [kept, other] = [await add('kept@example.org'), await add('other@example.org')]
  const otherId = other.split('/').at(-1) ?? ''
  expect(await statusOf('POST', `${kept}/merge`, { other: kept.split('/').at(-1) })).toBe(409)
  expect(await statusOf('POST', `${kept}/apart`, { other: otherId })).toBe(204)
  const merged = await call('POST', `${kept}/merge`, { other: otherId })
  expect(merged.status).toBe(200)
  const undo = `/customer-merges/${String(merged.body['mergeId'])}/undo`
  expect(await statusOf('POST', undo)).toBe(204)
  expect(await statusOf('POST', undo)).toBe(404)

  expect(await statusOf('POST', `${kept}/erasure/request`, { reason: 'Asked by email' })).toBe(204)
  for (const act of ['erase', 'decline']) expect(await statusOf('POST', `${kept}/erasure/${act}`)).toBe(404)
  const decided = await owner.ask(`${store.origin}/office${kept}/erase`, { form: { intent: 'erase' } })
  expect(decided.status).toBe(303)
})

test('store credit is given within the limit, and only people give more', async () => {
  const { id } = await db()
    .selectFrom('customer')
    .select('id')
    .where('email', '=', 'sam@example.com')
    .executeTakeFirstOrThrow()
  const credit = `/customers/${id}/credit/give`
  const small = { amount: 2_500, reason: 'Late delivery', once: randomUUID() }
  for (const attempt of [1, 2]) {
    const given = await call('POST', credit, small)
    expect(given, `${attempt}`).toMatchObject({ status: 200, body: { state: 'given' } })
  }
  expect((await newestMail(store, 'sam@example.com', 'store credit')).subject).toContain('$25.00')
  const taken = await call('POST', `/store-credit/${small.once}/take-back`, { reason: 'Given twice' })
  expect(taken).toMatchObject({ status: 200, body: { cents: 2_500 } })

  // Above the limit, a program can't request it. A person requests, and another one approves.
  const large = { amount: 90_000, reason: 'Damaged rims', once: randomUUID() }
  const { status, body } = await call('POST', credit, large)
  expect(status, String(body['detail'])).toBe(409)
  expect(await db().selectFrom('credit_grant').select('id').where('id', '=', large.once).execute()).toEqual([])
  // Approving isn't among the operations, although the token has the permission.
  expect(await statusOf('POST', `/store-credit/${large.once}/approve`)).toBe(404)
  expect((await call('POST', credit, { ...small, amount: 1.5, once: randomUUID() })).status).toBe(400)
})

test('a program approves a company and sets its terms, limits, prices, and domains', async () => {
  const { id } = await db()
    .selectFrom('company')
    .select('id')
    .where('state', '=', 'approved')
    .orderBy('id')
    .executeTakeFirstOrThrow()
  const path = `/companies/${id}`
  const set = async (act: string, body: unknown) => {
    const { status, body: answer } = await call('POST', `${path}/${act}`, body)
    expect(status, `${act} ${answer.detail ?? ''}`).toBe(204)
    return (await call('GET', path)).body
  }
  expect(await set('terms', { days: 45, limit: 1_234_500 })).toMatchObject({ days: 45, limit: 1_234_500 })
  expect(await set('limits', { owner: null, buyer: 200_000 })).toMatchObject({ owner: null, buyer: 200_000 })
  expect(await set('fleet-packets', { packets: true })).toMatchObject({ packets: true })
  expect(await set('fleet-packets', { packets: false })).toMatchObject({ packets: false })
  expect(await set('price-list', {})).toMatchObject({ list: null })
  await set('domain', { domain: 'admin-api.example', role: 'viewer' })
  expect((await call('POST', `${path}/domain`, { domain: 'admin-api.example', role: 'viewer' })).body.data).toEqual({
    domain: 'That domain belongs to another company.',
  })
  expect((await call('POST', `${path}/terms`, { days: 500, limit: 100 })).body.data).toEqual({
    days: 'Enter 1 to 120 days.',
  })
  expect(await set('terms', {})).toMatchObject({ days: null, limit: null })
  expect(await statusOf('POST', `${path}/decide`, { decision: 'approve' })).toBe(409)
  expect(await set('decide', { decision: 'close' })).toMatchObject({ state: 'closed' })
  expect(await set('decide', { decision: 'approve' })).toMatchObject({ state: 'approved' })
  expect(await (await owner.ask(`${store.origin}/office/audit`)).text()).toContain('Warehouse system')
})

test('a program certifies a shop, and sets minimum prices by SKU', async () => {
  const { code } = await db()
    .selectFrom('shop')
    .select('code')
    .where('active', '=', true)
    .where('id', 'not in', db().selectFrom('shop_certification').select('shop_id'))
    .orderBy('id')
    .executeTakeFirstOrThrow()
  const seen = { technicians: true, estimates: true, prices: true, complaints: true }
  const draft = { shop: code, ...seen, warrantyMonths: 24, warrantyMiles: 24_000, evidence: 'Certificates of two.' }
  expect((await call('POST', '/certified-shops', { ...draft, prices: false })).body.data).toEqual({
    prices: 'Confirm that you have seen this.',
  })
  const added = await call('POST', '/certified-shops', draft)
  expect(added.status).toBe(201)
  const revoke = `/certified-shops/${String(added.body['id'])}/revoke`
  expect(await statusOf('POST', revoke, { reason: 'A test' })).toBe(204)
  expect(await statusOf('POST', revoke, { reason: 'A test' })).toBe(409)
  expect((await call('GET', `/certified-shops/${String(added.body['id'])}`)).body).toMatchObject({
    fields: { code, state: 'A test' },
  })
  expect(await statusOf('GET', '/certified-shops/999999')).toBe(404)

  const { sku, retail_cents: retail } = await db()
    .selectFrom('item')
    .select(['sku', 'retail_cents'])
    .where('active', '=', true)
    .orderBy('id')
    .executeTakeFirstOrThrow()
  const prices = (price: number | null) => ({ prices: [{ sku, price }] })
  const above = await call('PUT', '/map-prices', prices(retail + 1))
  expect(Object.keys(above.body.data ?? {})).toEqual(['acceptsBelow'])
  expect(await statusOf('PUT', '/map-prices', { ...prices(retail + 1), acceptsBelow: 'yes' })).toBe(200)
  const listed = (await rowsOf('/map-prices?limit=200')).find(({ fields }) => fields['sku'] === sku)
  expect(Object.values(listed?.fields ?? {})).toContain(retail + 1)
  const { body: minimum } = await call('GET', `/map-prices/${String(listed?.['id'])}`)
  expect(minimum).toMatchObject({ sku, price: retail + 1 })
  const lowered = { price: retail - 1, version: minimum['version'], acceptsBelow: 'yes' }
  expect(await statusOf('PUT', `/map-prices/${String(listed?.['id'])}`, lowered)).toBe(204)
  expect(await statusOf('PUT', `/map-prices/${String(listed?.['id'])}`, lowered)).toBe(412)
  const { body: read } = await call('GET', `/map-prices/${String(listed?.['id'])}`)
  expect((await call('PUT', '/map-prices', { ...prices(200), seen: Number(read['version']) - 1 })).body).toMatchObject({
    changed: [{ sku, mapCents: read['price'] }],
  })
  expect((await call('PUT', '/map-prices', { ...prices(null), seen: read['version'] })).body).toMatchObject({
    changed: [],
  })
  expect((await call('GET', `/map-prices/${String(listed?.['id'])}`)).body).toMatchObject({ price: null })
  expect((await call('PUT', '/map-prices', { prices: [{ sku: 'NO-SUCH', price: 100 }] })).status).toBe(409)
  expect((await call('PUT', '/map-prices', { prices: [{ sku, price: 1.5 }] })).status).toBe(400)
  expect((await call('PUT', '/map-prices', { prices: `${sku} 1.00` })).status).toBe(400)
})

test('a program publishes and takes down a review, and activates no store that doesn’t exist', async () => {
  const line = await db()
    .selectFrom('line_rating as rating')
    .innerJoin('product_line as line', 'line.id', 'rating.product_line_id')
    .innerJoin('brand', 'brand.id', 'line.brand_id')
    .select(['brand.slug as brand', 'line.slug'])
    .orderBy('review_count', 'desc')
    .executeTakeFirstOrThrow()
  await createVisitor().ask(`${store.origin}/brands/${line.brand}/${line.slug}/write-a-review`, {
    form: {
      wet: '2',
      summary: 'Loud after a year',
      comments: 'See http://spam.example for more.',
      name: 'Ann R.',
      email: 'ann@example.net',
      purchasedOn: '03/14/2024',
      vehicle: '2021 Toyota RAV4 XLE',
      milesDriven: '12,400',
      drivingStyle: 'Average',
      whereUsed: 'Mixed',
      buyAgain: 'yes',
    },
  })
  const [waiting] = await rowsOf('/reviews?state=waiting')
  const path = `/reviews/${waiting?.id ?? ''}`
  expect(await statusOf('POST', `${path}/refuse`, { reason: 'a-bad-rating' })).toBe(400)
  expect(await statusOf('POST', `${path}/publish`)).toBe(204)
  expect(await statusOf('POST', `${path}/publish`)).toBe(409)
  expect(await statusOf('POST', `${path}/refuse`, { reason: 'advertising' })).toBe(204)
  expect(await statusOf('POST', '/branded-stores/SW-99999/activate', { seen: 1 })).toBe(409)
})
