/** The same tires, shop and time bought on the pages, over the API and by an agent: one total, verdict, hold and mail. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { payOnHostedPage } from '#tests/support/hosted-page.ts'
import { newestMail, type Mail } from '#tests/support/mailbox.ts'
import { callApi } from '#tests/support/order-by-api.ts'
import { readPdf } from '#tests/support/read-pdf.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInAt, signInToOffice, type Visitor } from '#tests/support/visitor.ts'
import { payWithFields } from '#sandbox/test-sandbox.ts'

let store: RunningStore
beforeAll(async () => {
  store = await startStore()
})
afterAll(() => store[Symbol.asyncDispose]())

const mustang = { year: 2021, make: 'Ford', model: 'Mustang', trim: 'GT Performance Package' }
const address = { address1: '12 Halsted Street', city: 'Chicago', state: 'IL', zip: '60614' }
/** Characters as typed on a phone, with a decomposed letter, a curly apostrophe, and typographic hyphens. */
const contact = {
  firstName: 'Jose\u0301',
  lastName: 'O\u2019Brien\u2011Ruiz',
  email: 'dana.same@example.com',
  phone: '(312) 555\u20110142',
  phoneType: 'mobile',
  ...address,
}

type Bought = { orderId: number; verdict: string[]; holdStart: string; mail: Mail }
type Choice = { front: string; rear: string; model: string; shop: { id: number; code: string }; start: string }

const at = (path: string) => `${store.origin}${path}`

/** The orders of this test, as the store has them. */
async function orderOf(orderId: number) {
  const { breakdown, ...order } = await store.database.db
    .selectFrom('sales_order')
    .select([
      'breakdown',
      'fitment_verdict as verdict',
      'total_cents as totalCents',
      'first_name as firstName',
      'last_name as lastName',
      'phone',
    ])
    .where('id', '=', orderId)
    .executeTakeFirstOrThrow()
  return { ...order, rows: (breakdown as { explain: object[] }).explain }
}

async function api<Body>(visitor: Visitor, method: string, path: string, body?: unknown): Promise<Body> {
  const answer = await callApi(store, visitor, method, path, body)
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
  return answer.body as Body
}

/** Cancels it, so that the next one gets the same bay. */
const cancel = (visitor: Visitor, orderId: number) => api(visitor, 'POST', `/orders/${orderId}/cancellation`)

async function seen(visitor: Visitor) {
  const verdict = await api<{ sets: { headline: string }[] }>(visitor, 'GET', '/cart/verdict')
  const { start } = await api<{ start: string }>(visitor, 'GET', '/cart/hold')
  return { verdict: verdict.sets.map(({ headline }) => headline), holdStart: start }
}

async function fill(visitor: Visitor, { front, rear }: Pick<Choice, 'front' | 'rear'>): Promise<void> {
  await visitor.ask(at('/zip'), { form: { zip: '60614', back: '/' } })
  await visitor.ask(at('/cart'), { form: { item: front, quantity: '2', axle: 'front' } })
  await visitor.ask(at('/cart'), { form: { item: rear, quantity: '2', axle: 'rear' } })
}

const mailOf = async (orderId: number): Promise<Mail> => newestMail(store, contact.email, `S-${orderId}`)

async function buyOnPages(visitor: Visitor, { shop, start }: Choice): Promise<Bought> {
  const post = async (path: string, form: Record<string, string>) => {
    const answer = await visitor.ask(at(path), { form })
    expect(answer.status, path).toBe(303)
    return new URL(answer.headers.get('location') ?? '', store.origin)
  }
  await post('/checkout/shipping', { intent: 'hold', tab: 'shop', shop: String(shop.id), slot: start })
  await post('/checkout/shipping', { intent: 'continue', tab: 'shop', shop: String(shop.id) })
  await post('/checkout/shipping-confirmation', contact)
  await post('/checkout/payments', { method: 'card', sameAsShipping: '1' })
  const page = await post('/checkout/payments/card', { intent: 'hosted' })
  const back = await payOnHostedPage(visitor, page)
  await back.text()
  const held = await seen(visitor)
  const review = await (await visitor.ask(at('/checkout/order-summary'))).text()
  const agreed = /name="agreed" value="([^"]*)"/.exec(review)?.[1] ?? ''
  const placed = await post('/checkout/order-summary', { agreed, terms: '1', conditions: '1' })
  const orderId = Number(placed.searchParams.get('order'))
  return { orderId, ...held, mail: await mailOf(orderId) }
}

async function buyOverApi(visitor: Visitor, { shop, start }: Choice): Promise<Bought> {
  await api(visitor, 'POST', '/cart/hold', { shopId: shop.id, start })
  await api(visitor, 'PUT', '/cart/contact', contact)
  await api(visitor, 'PUT', '/cart/billing', { sameAsShipping: '1' })
  const held = await seen(visitor)
  const { agreedPrice } = await api<{ agreedPrice: string }>(visitor, 'GET', '/cart/price')
  const { clientSecret } = await api<{ clientSecret: string }>(visitor, 'POST', '/cart/payment', { flow: 'fields' })
  await payWithFields({ origin: store.sandboxOrigin, storeOrigin: store.origin }, clientSecret, '4242424242424242')
  const accepted = { agreedPrice, termsAccepted: true, conditionsAccepted: true }
  const { orderId } = await api<{ orderId: number }>(visitor, 'POST', '/orders', accepted)
  return { orderId, ...held, mail: await mailOf(orderId) }
}

/** A person plays the agent on the sandbox's page, without script. */
async function buyByAgent({ front, rear, model, shop, start }: Choice): Promise<Bought> {
  const desk = `${store.sandboxOrigin}/agent`
  const person = createVisitor()
  const press = async (path: string, form: Record<string, string>) => {
    expect((await person.ask(`${desk}/${path}`, { form })).status).toBe(303)
    return (await (await person.ask(desk)).text()).replaceAll(/&#39;/g, "'").replaceAll('&amp;', '&')
  }
  const found = await press('search', { query: model, zip: '60614', ...mustang, year: String(mustang.year) })
  expect(found).toContain(front)
  await press('checkout', { item: front, rear })
  const offered = await press('shop', { destination: `installation ${shop.code}` })
  expect(offered).toContain(`wait-${start}`)
  const held = await press('time', { option: `wait-${start}` })
  const conditions = [...held.matchAll(/name="condition" value="([^"]*)"/g)].map(([, id = '']) => id)
  expect(conditions.length).toBeGreaterThan(0)
  const { first_name, last_name, email, phone } = {
    first_name: contact.firstName,
    last_name: contact.lastName,
    email: contact.email,
    phone: '+1312555\u20110142',
  }
  const place = { street: address.address1, city: address.city, state: address.state, postal: address.zip }
  const buyer = { first_name, last_name, email, phone, ...place, card: 'pm_card_visa' }
  // The purchase requires the checkboxes.
  const refused = await press('complete', { ...buyer, terms: '1' })
  expect(refused).toContain('The buyer reads and accepts what the fit depends on.')
  await press('refresh', {})
  const form = new FormData()
  for (const [name, value] of Object.entries({ ...buyer, terms: '1' })) form.set(name, value)
  for (const id of conditions) form.append('condition', id)
  await person.ask(`${desk}/complete`, { form })
  const done = await (await person.ask(desk)).text()
  const orderId = Number(/S-(\d+)/.exec(done)?.[1])
  const [headline = ''] = /Factory size for your [^<"&]*/.exec(held) ?? []
  const row = await store.database.db
    .selectFrom('booking')
    .select(sql<Temporal.Instant>`lower(during)`.as('start'))
    .where('order_id', '=', orderId)
    .executeTakeFirstOrThrow()
  return { orderId, verdict: [headline], holdStart: row.start.toString(), mail: await mailOf(orderId) }
}

/**
 * Returns the text without parts that differ by order (its number and code, the cancellation deadline, and its links).
 */
function wordsOf({ text, subject, html }: Mail, orderId: number): string[] {
  return [subject, text, html ?? ''].map((part) =>
    part
      .replaceAll(String(orderId), 'NUMBER')
      .replaceAll(/claim code is \d{3} \d{3}/g, 'claim code is CODE')
      .replaceAll(/yourself until [^.]*\./g, 'yourself until THEN.')
      .replaceAll(/http:\/\/localhost[^\s"<>)]*/g, 'LINK'),
  )
}

test('pages, API, and agent agree on total, lines, fitment result, time, and email', async () => {
  const chooser = createVisitor()
  const first = createVisitor()
  const { front, rear, model } = await tiresOf()
  await fill(chooser, { front, rear })
  const near = await api<{ shop: { id: number; code: string } }[]>(chooser, 'GET', '/cart/shops')
  const shop = near[0]?.shop ?? { id: 0, code: '' }
  const month = await api<{ days: { times: { start: string; free: boolean }[] }[] }>(
    chooser,
    'GET',
    `/cart/shops/${shop.id}/times`,
  )
  const start = month.days.flatMap(({ times }) => times).find(({ free }) => free)?.start ?? ''
  const choice = { front, rear, model, shop, start }

  await fill(first, choice)
  await chooseVehicle(first)
  const onPages = await buyOnPages(first, choice)
  await cancel(first, onPages.orderId)
  const second = createVisitor()
  await fill(second, choice)
  await chooseVehicle(second)
  const overApi = await buyOverApi(second, choice)
  await cancel(second, overApi.orderId)
  const byAgent = await buyByAgent(choice)

  const expected = await orderOf(onPages.orderId)
  expect(expected).toMatchObject({ firstName: 'Jos\u00e9', lastName: "O'Brien-Ruiz", phone: '3125550142' })
  for (const bought of [overApi, byAgent]) {
    expect(await orderOf(bought.orderId)).toEqual(expected)
    expect(bought.holdStart).toEqual(start)
    expect(bought.verdict).toEqual(onPages.verdict)
    expect(wordsOf(bought.mail, bought.orderId)).toEqual(wordsOf(onPages.mail, onPages.orderId))
  }

  // The work order contains the judged requirement and the fitment result with its rules, as page and PDF.
  const owner = createVisitor()
  await signInToOffice(store.origin, owner)
  const workOrder = `/track-your-order/wo?order=${byAgent.orderId}`
  const printed = await (await owner.ask(at(workOrder))).text()
  for (const words of ['255/40R19', '275/40R19', 'Cold pressure', 'Fits with conditions', 'of rule book'])
    expect(printed).toContain(words)
  expect(printed).toMatch(/Rules? FR\d+/)
  const pdf = await owner.ask(at(`/track-your-order/wo.pdf?order=${byAgent.orderId}`))
  const drawn = readPdf(new Uint8Array(await pdf.arrayBuffer()))
  for (const words of ['255/40R19', '275/40R19', 'Cold pressure']) expect(drawn).toContain(words)
  expect(drawn).toMatch(/Rules? FR\d+/)
})

test('no door offers a shop or van for tires beyond the installer agreement', async () => {
  const low = await store.database.db
    .selectFrom('item')
    .innerJoin('size', 'size.id', 'item.size_id')
    .select('item.id')
    .where('size.slug', '=', '285-30r20')
    .where('item.active', '=', true)
    .orderBy('item.id')
    .executeTakeFirstOrThrow()
  const visitor = createVisitor()
  await visitor.ask(at('/zip'), { form: { zip: '60614', back: '/' } })
  await visitor.ask(at('/cart'), { form: { item: String(low.id), quantity: '4' } })
  expect(await api(visitor, 'GET', '/cart/shops')).toEqual([])
  const { id } = await store.database.db.selectFrom('shop').select('id').orderBy('id').executeTakeFirstOrThrow()
  const month = await callApi(store, visitor, 'GET', `/cart/shops/${id}/times`, undefined)
  expect(JSON.stringify(month.body)).not.toContain('"free":true')
  const profile = await api<{ limits: object }>(visitor, 'GET', '/shops/SW-00001')
  expect(profile.limits).toMatchObject({ rimMinIn: 12, rimMaxIn: 22, aspectMin: 35 })
})

/** A staggered set of the car that shops install, and its brand and model. */
async function tiresOf(): Promise<Pick<Choice, 'front' | 'rear' | 'model'>> {
  const { front, rear, model } = await store.database.db
    .selectFrom('item as front')
    .innerJoin('size as frontSize', 'frontSize.id', 'front.size_id')
    .innerJoin('item as rear', 'rear.product_line_id', 'front.product_line_id')
    .innerJoin('size as rearSize', 'rearSize.id', 'rear.size_id')
    .innerJoin('product_line', 'product_line.id', 'front.product_line_id')
    .innerJoin('brand', 'brand.id', 'product_line.brand_id')
    .select(['front.id as front', 'rear.id as rear', sql<string>`brand.name || ' ' || product_line.name`.as('model')])
    .where('frontSize.slug', '=', '255-40r19')
    .where('rearSize.slug', '=', '275-40r19')
    .where('front.active', '=', true)
    .where('rear.active', '=', true)
    .where('front.speed', '=', 'Y')
    .where('rear.speed', '=', 'Y')
    .where('front.load_index', '>=', 96)
    .where('rear.load_index', '>=', 101)
    // A search for the model shows one tire in each size. These have only one.
    .where(
      sql<boolean>`(select count(*) from item other where other.product_line_id = product_line.id and other.size_id in (front.size_id, rear.size_id)) = 2`,
    )
    .orderBy('front.id')
    .orderBy('rear.id')
    .limit(1)
    .executeTakeFirstOrThrow()
  return { front: String(front), rear: String(rear), model }
}

async function chooseVehicle(visitor: Visitor): Promise<void> {
  const path = `/vehicles/${mustang.year}/ford/mustang?trim=gt-performance-package`
  const { key } = await api<{ key: string }>(visitor, 'GET', path)
  await api(visitor, 'PUT', '/cart/vehicle', { vehicle: key })
}

test('a person links their account on the provider’s pages, and takes it back in the account', async () => {
  const desk = `${store.sandboxOrigin}/agent`
  const dana = createVisitor()
  await signInAt(store.origin, dana)
  const asked = await dana.follow(`${desk}/link`, { form: {} })
  expect(await asked.response.clone().text()).toContain('Sandbox assistant asks for access')
  const consent = new URL(await dana.formAction(asked.response, '/consent'), asked.url)
  expect((await dana.follow(consent, { form: {} })).url.href).toBe(desk)

  const shown = async () => (await dana.ask(desk)).text()
  const search = async () => {
    await dana.ask(`${desk}/search`, { form: { query: '225/65R17', zip: '60614', year: '', make: '', model: '' } })
    return /<code>POST \/ucp\/catalog\/search<\/code> (\d+)/.exec(await shown())?.[1]
  }
  expect(await shown()).toContain('Your account at the store is linked.')
  expect(await search()).toBe('200')
  const item = /name="item" value="(\d+)"/.exec(await shown())?.[1] ?? ''
  await dana.ask(`${desk}/checkout`, { form: { item } })
  expect((await shown()).split('Requests and answers')[0]).not.toContain('identity_optional')
  // The link opens it only for its owner, who must sign in.
  const link = /<a class="button" href="([^"]*)">Go on in the store/.exec(await shown())?.[1] ?? ''
  const stranger = await createVisitor().ask(link)
  expect(stranger.status).toBe(401)
  expect(await stranger.text()).toContain('Sign in to finish your checkout')
  const lee = createVisitor()
  await signInAt(store.origin, lee, { email: 'lee@example.com' })
  expect((await lee.ask(link)).status).toBe(403)
  expect((await lee.ask(link, { form: {} })).status).toBe(403)
  expect((await dana.ask(link)).status).toBe(200)

  const apps = await (await dana.ask(at('/account/apps'))).text()
  expect(apps).toContain('Sandbox assistant')
  expect(apps).toContain('fill carts at your prices; prepare your checkouts, for you to finish')
  const button = /<button[^>]*name="revoke"[^>]*>/.exec(apps)?.[0] ?? ''
  const revoke = /value="([^"]*)"/.exec(button)?.[1] ?? ''
  expect((await dana.ask(at('/account/apps'), { form: { revoke } })).status).toBe(200)
  expect(await search()).toBe('401')
  await dana.ask(`${desk}/unlink`, { form: {} })
  expect(await search()).toBe('200')
})
