/**
 * Tests a branded store over HTTP from its creation in the portal to a purchase with its plan. Caches never mix it with
 * the store's regular pages.
 */
import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listArticles } from '#app/content/library.server.ts'
import { listPages } from '#app/content/pages.server.ts'
import { paths } from '#content/paths.ts'
import { asReleased } from '#domain/kernel/content/content.ts'
import { pages, type PageRow } from '#tests/support/pages.ts'
import { brokenPromises } from '#tests/support/store-promises.ts'
import { createDnsHostProof } from '#adapters/dns/host-proof.ts'
import { proveHost } from '#domain/installer-portal/branded-stores/branded-stores.server.ts'
import { must } from '#domain/ordering/checkout/checkout.testing.ts'
import { systemClock } from '#platform/clock.ts'
import { startDnsServer } from '#tests/support/dns-server.ts'
import { findPortalSession } from '#domain/installer-portal/portal/portal.server.ts'
import { brandedShop, typedStore } from '#domain/installer-portal/branded-stores/branded-stores.testing.ts'
import { photo } from '#domain/ordering/returns/returns.testing.ts'
import { readDocument } from '#tests/support/api-document.ts'
import { createApiShopper } from '#tests/support/api-shopper.ts'
import { activeItems } from '#tests/support/items.ts'
import { linkIn, mailFor, newestMail } from '#tests/support/mailbox.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInToOffice, signInToPortal } from '#tests/support/visitor.ts'

let store: RunningStore
let tire: string
let product: string
const owner = createVisitor()
const staff = createVisitor()
beforeAll(async () => {
  store = await startStore()
  await signInToPortal(store.origin, owner)
  await signInToOffice(store.origin, staff)
  const item = await activeItems(store.database.db)
    .innerJoin('size', 'size.id', 'item.size_id')
    .where('size.designation', '=', '225/65R17')
    .orderBy('item.id')
    .limit(1)
    .executeTakeFirstOrThrow()
  tire = String(item.id)
  product = `/brands/${item.brand}/${item.line}/p/${item.id}`
})
afterAll(() => store[Symbol.asyncDispose]())

const at = (path: string) => `${store.origin}${path}`
const read = async (answer: Response | Promise<Response>) => (await (await answer).text()).replaceAll('<!-- -->', '')
const portal = `/portal/${brandedShop}/store`
const office = '/office/branded-stores'
/** The order of the store, and who placed it. */
let bought: { visitor: ReturnType<typeof createVisitor>; orderId: number; email: string }
/** The visitors of tests/support/pages.ts who need no account. */
const customers = new Set<PageRow['as']>(['buyer', 'payer', 'customer'])
/** What only the shop's store shows. */
const marks = ['Family owned in Chicago since 1988', '/brand/store/7b1e28-f2c14e.css', 'Leave for Sidewall']
const shows = (html: string) => marks.map((mark) => html.includes(mark))
const guestRead = (path: string) => read(fetch(at(path), { redirect: 'manual' }))

/** A visitor who has come by the shop's link. */
async function visitorOfStore() {
  const visitor = createVisitor()
  expect((await visitor.ask(at('/?dealerCode=halsted'))).status).toBe(303)
  return visitor
}

test('the owner makes the store with its logo and the office switches it on; until then its link opens our own', async () => {
  const pages = ['/', product, '/brands', '/warranties?item=1', '/cart']
  for (const page of pages) await guestRead(page)
  const form = new FormData()
  for (const [name, value] of Object.entries(typedStore)) form.set(name, value)
  form.set('brandColor', '#7d7d7d')
  const faulty = await owner.ask(at(portal), { form })
  expect(faulty.status).toBe(422)
  const again = await read(faulty)
  expect(again).toContain('The nearest that works is #')
  expect(again).toContain('value="Family owned in Chicago since 1988"')
  form.set('brandColor', typedStore.brandColor)
  const { name, bytes } = await photo('logo.png')
  form.set('logo', new File([new Uint8Array(bytes)], name, { type: 'image/png' }))
  const saved = await owner.ask(at(portal), { form })
  expect(saved.status).toBe(303)
  expect(saved.headers.get('location')).toBe(`${portal}?done=waits`)
  // Submitting again is based on an outdated version.
  expect((await owner.ask(at(portal), { form })).status).toBe(409)
  const early = await fetch(at('/?dealerCode=HALSTED'), { redirect: 'manual' })
  expect(early.status).toBe(200)
  expect(early.headers.get('set-cookie')).toBeNull()
  const waiting = await read(staff.ask(at(office)))
  expect(waiting).toContain('HALSTED')
  const on = await staff.ask(at(office), { form: { intent: 'activate', shop: brandedShop, seen: '1' } })
  expect(on.headers.get('location')).toBe(`${office}?state=on&done=on`)
  expect(await read(owner.ask(at(portal)))).toContain(`${store.origin}/?dealerCode=HALSTED`)
})

test('a link to any page enters the store, retains the rest of the URL, and is never cached', async () => {
  const answer = await fetch(at('/brands?utm_source=mail&dealerCode=halsted&installerId=SW-99999'), {
    redirect: 'manual',
  })
  expect(answer.status).toBe(303)
  expect(answer.headers.get('location')).toBe('/brands?utm_source=mail')
  expect(answer.headers.get('cache-control')).toBe('private, no-store')
  expect(answer.headers.get('set-cookie')).toMatch(/^sw_dealer=HALSTED; .*HttpOnly/i)
  const byShop = await fetch(at(`/?installerId=${brandedShop}`), { redirect: 'manual' })
  expect(byShop.headers.get('set-cookie')).toMatch(/^sw_dealer=HALSTED;/)
  // No way out to another host.
  for (const path of ['//evil.example/?dealerCode=HALSTED', '/%5Cevil.example/?dealerCode=HALSTED'])
    expect((await fetch(at(path), { redirect: 'manual' })).headers.get('location') ?? '/').toMatch(/^\/(?![/\\])/)
})

test('every page of the store is under the shop’s name, private and not indexed; guests see what they saw before', async () => {
  const visitor = await visitorOfStore()
  for (const page of ['/', product, '/brands', '/tire-sizes', '/help-center', '/track-your-order']) {
    const before = await guestRead(page)
    const answer = await visitor.ask(at(page))
    const html = await read(answer)
    expect(shows(html), page).toEqual([true, true, true])
    expect(html).toContain('· Halsted Tire</title>')
    expect(answer.headers.get('cache-control')).toBe('private, no-store')
    expect(answer.headers.get('x-robots-tag')).toBe('noindex')
    expect(html).not.toMatch(/rel="canonical" href="[^"]*(?:dealerCode|HALSTED)/)
    const after = await fetch(at(page))
    const plain = await read(after)
    expect(shows(plain), page).toEqual([false, false, false])
    expect(after.headers.get('x-robots-tag')).toBeNull()
    expect(plain.length).toBe(before.length)
  }
  const home = await read(visitor.ask(at('/')))
  for (const words of ['What our work costs', 'First free times', 'Road hazard plan', 'a tire</dd>'])
    expect(home).toContain(words)
  expect(home).not.toContain('Replacement coverage')
  expect(await read(visitor.ask(at('/brands')))).not.toContain('First free times')
  const [sheet, logo] = await Promise.all([
    fetch(at('/brand/store/7b1e28-f2c14e.css')),
    read(visitor.ask(at('/'))).then((html) => fetch(at(/\/brand\/logo\/[0-9a-f]{32}\.webp/.exec(html)?.[0] ?? '/no'))),
  ])
  expect(sheet.headers.get('content-type')).toBe('text/css; charset=utf-8')
  expect(logo.headers.get('content-type')).toBe('image/webp')
})

test('hostile and unknown codes and forged cookies open our own store', async () => {
  for (const code of ['NOBODY', "'or'1'='1", '%00', '../../etc', 'A'.repeat(3_000), 'sw-00001', '<script>']) {
    const answer = await fetch(at(`/brands?dealerCode=${encodeURIComponent(code)}`), { redirect: 'manual' })
    expect(answer.status, code).toBeLessThan(500)
    expect(answer.headers.get('set-cookie'), code).toBeNull()
    expect(shows(await read(answer)), code).toEqual([false, false, false])
  }
  const html = await read(fetch(at('/'), { headers: { cookie: 'sw_dealer=NOBODY' } }))
  expect(shows(html)).toEqual([false, false, false])
})

test('a cart of the store has its shop and its plan, over pages and API, until its visitor leaves', async () => {
  const visitor = await visitorOfStore()
  await visitor.ask(at('/zip'), { form: { zip: '60614', back: '/' } })
  expect(await read(visitor.ask(at(product)))).toContain('Road hazard plan, $')
  expect(await read(visitor.ask(at(`/warranties?item=${tire}`)))).toContain('Labor is not covered')
  const added = await visitor.ask(at('/cart'), { form: { item: tire, quantity: '4', axle: 'all' } })
  expect(added.status).toBe(303)
  // Only its own shop is offered, while guests see other shops, too.
  const shopsOn = (html: string) => new Set([...html.matchAll(/name="shop" value="(\d+)"/g)].map(([, id]) => id)).size
  expect(shopsOn(await read(visitor.ask(at(product))))).toBe(1)
  const guest = createVisitor()
  await guest.ask(at('/zip'), { form: { zip: '60614', back: '/' } })
  expect(shopsOn(await read(guest.ask(at(product))))).toBeGreaterThan(1)
  const shipping = await read(visitor.ask(at('/checkout/shipping')))
  expect([...shipping.matchAll(/id="shop-(\d+)"/g)]).toHaveLength(1)
  const cartOf = async () =>
    (await (await fetch(at('/api/cart'), { headers: { cookie: visitor.cookieFor(store.origin) } })).json()) as object
  expect(await cartOf()).toMatchObject({
    dealerCode: 'HALSTED',
    installerId: brandedShop,
    coveragePlan: 'road-hazard',
    fulfillment: 'shop',
  })
  const foreign = await visitor.ask(at('/leave-store'), { form: {}, headers: { origin: 'https://evil.example' } })
  expect(foreign.status).toBe(403)
  expect(await cartOf()).toMatchObject({ dealerCode: 'HALSTED' })
  const left = await visitor.ask(at('/leave-store'), { form: {} })
  expect(left.status).toBe(303)
  expect(left.headers.get('location')).toBe('/')
  expect(visitor.cookie('sw_dealer')).toBeUndefined()
  expect(shows(await read(visitor.ask(at('/'))))).toEqual([false, false, false])
  expect(await cartOf()).toMatchObject({ dealerCode: null, installerId: null, coveragePlan: 'replacement' })
  // A program names the store with the cart.
  const made = (body: object) =>
    fetch(at('/api/cart'), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ lines: [{ itemId: Number(tire), quantity: 4 }], ...body }),
    })
  expect(await (await made({ installerId: brandedShop })).json()).toMatchObject({ cart: { dealerCode: 'HALSTED' } })
  expect(await (await made({ dealerCode: 'NOBODY' })).json()).toMatchObject({ code: 'UnknownStore' })
})

test('a branded order is attributed through checkout, order, email, and tracking, with its plan', async () => {
  const visitor = await visitorOfStore()
  await visitor.ask(at('/zip'), { form: { zip: '60614', back: '/' } })
  await visitor.ask(at('/cart'), { form: { item: tire, quantity: '4', axle: 'all' } })
  const email = 'branded@example.com'
  const document = readDocument(await (await fetch(at('/api/openapi.json'))).json())
  const contact = document.operations.find(({ id }) => id === 'saveContact')?.bodyExample
  const shopper = createApiShopper(store, document, {
    headersFor: () => ({ cookie: visitor.cookieFor(store.origin), origin: store.origin }),
    own: {
      saveContact: { body: { ...(contact as object), email } },
      chooseServices: { body: { coverage: true, roadside: false } },
    },
  })
  const make = async (ids: string) => {
    for (const id of ids.split(' ')) {
      const answer = await shopper.make(shopper.operationOf(id))
      expect(answer.status, `${id} ${answer.text.slice(0, 300)}`).toBeLessThan(300)
      visitor.keep(answer, new URL(store.origin))
    }
  }
  await make('listShopChoices listTimes holdSlot saveContact saveBilling')
  const services = await read(visitor.ask(at('/checkout/services')))
  expect(services).toContain('Road hazard plan')
  expect(services).not.toContain('Replacement coverage<')
  await make('chooseServices openPayment readPayment priceCart placeOrder readOrder')
  const orderId = shopper.found.placeOrder?.orderId ?? 0
  expect(shopper.found.readOrder).toMatchObject({ dealerCode: 'HALSTED', installerId: brandedShop })
  expect(JSON.stringify(shopper.found.readOrder)).toContain('Road hazard plan')
  const page = await read(visitor.ask(at(`/checkout/order-confirmation?order=${orderId}`)))
  expect(shows(page)).toEqual([true, true, true])
  expect(page).toContain('Road hazard plan')
  const sold = await read(owner.ask(at(portal)))
  expect(sold).toContain(`S-${orderId}`)
  expect(sold).not.toContain(email)
  const inOffice = await read(staff.ask(at(`/office/orders/${orderId}`)))
  expect(inOffice).toContain('Halsted Tire (HALSTED)')
  // The mail is the shop's, and its link leads any browser back into the store.
  const mail = await newestMail(store, email)
  expect(mail.headers['from']).toMatch(/^"?Halsted Tire via Sidewall"? <[^>]+>$/)
  expect(mail.html).toContain('background:#7b1e28;color:#ffffff')
  const link = linkIn(mail, 'track-your-order/result')
  expect(link).toContain('dealerCode=HALSTED')
  const other = createVisitor()
  const tracked = await other.follow(link)
  expect(tracked.url.search).not.toContain('dealerCode')
  expect(shows(await read(tracked.response))).toEqual([true, true, true])
  bought = { visitor, orderId, email }
})

test('pages, structured data, and emails of the branded store mention only sold products', async () => {
  const { visitor, orderId, email } = bought
  await visitor.ask(at('/cart'), { form: { item: tire, quantity: '4', axle: 'all' } })
  const written = (await listPages(asReleased, 'branded')).map(({ address }) => address)
  const articles = (['learn', 'press', 'guides'] as const).map((name) => listArticles(name, 'branded'))
  const read = (await Promise.all(articles)).flat().map(({ path }) => paths.article(path))
  const routes = Object.values(pages)
    .filter(({ as, status }) => (as === undefined || customers.has(as)) && (status === undefined || status === 200))
    .flatMap(({ addresses }) => addresses)
    .filter((address) => !address.includes('{email}') && !/^\/(?:office|portal|api)\b/.test(address))
  const found = ['coverage', 'road hazard', 'mobile', 'van', 'tire protection'].flatMap((words) => [
    `${paths.search()}?q=${encodeURIComponent(words)}`,
    `/search/suggestions?q=${encodeURIComponent(words)}`,
    `${paths.help()}?q=${encodeURIComponent(words)}`,
  ])
  const broken: string[] = []
  let readable = 0
  for (const address of new Set([...written, ...read, ...routes, ...found, product])) {
    const { response, url } = await visitor.follow(at(address.replace('{order}', String(orderId))))
    if (response.status !== 200 || url.origin !== store.origin) continue
    readable += 1
    broken.push(...brokenPromises(await response.text(), 'branded').map((promise) => `${address}: ${promise}`))
  }
  expect(readable).toBeGreaterThan(100)
  for (const { subject, text: plain, html } of await mailFor(store, email))
    broken.push(...brokenPromises(`${plain}${html}`, 'branded').map((promise) => `${subject}: ${promise}`))
  expect(broken).toEqual([])
  const gone = await visitor.ask(at('/mobile-tire-installation'))
  expect(gone.status).toBe(404)
  expect(await guestRead('/mobile-tire-installation')).toContain('The van carries a mounting machine')
})

test('redirects a shop’s proved host name to its store, and every other host name to the same page of our store', async () => {
  const hostName = 'tires.halsted.example'
  const ask = async (host: string, path: string, { method = 'GET', headers = {} } = {}) => {
    const { port } = new URL(store.origin)
    const asking = request({
      host: '127.0.0.1',
      port,
      path,
      method,
      headers: { origin: `https://${host}`, ...headers, host },
    })
    asking.end()
    const [answer] = (await once(asking, 'response')) as [IncomingMessage]
    return { status: answer.statusCode, location: answer.headers.location, html: await text(answer) }
  }
  await guestRead('/brands')
  const save = async (seen: string) =>
    (await owner.ask(at(portal), { form: { ...typedStore, hostName, seen } })).headers.get('location')
  expect(await save('1')).toBe(`${portal}?done=saved`)
  expect(await ask(hostName, '/brands?page=2')).toMatchObject({ status: 308, location: at('/brands?page=2') })
  const records = new Map<string, string[]>()
  await using server = await startDnsServer(records)
  const html = await read(owner.ask(at(portal)))
  const [, key = ''] = /(sidewall-store=[\w-]{22})/.exec(html) ?? []
  records.set(`_sidewall.${hostName}`, [key])
  const { db } = store.database
  const proof = createDnsHostProof({ servers: [server.address] })
  const deps = { db, clock: systemClock, hostProof: proof }
  const session = await findPortalSession(deps, owner.cookie('sw_portal')?.value)
  const shopId = session?.shops.find(({ code }) => code === brandedShop)?.shopId ?? 0
  must(await proveHost(deps, { sessionId: session?.sessionId ?? '', shopId }))
  expect(await read(owner.ask(at(portal)))).toContain('leads to your store')
  expect(await ask(`${hostName}:443`, '/brands?utm_source=card&dealerCode=OTHER')).toMatchObject({
    status: 302,
    location: `${store.origin}/brands?utm_source=card&dealerCode=HALSTED`,
  })
  expect((await ask(hostName, '//evil.example/x')).location).toBe(`${store.origin}/evil.example/x?dealerCode=HALSTED`)
  for (const host of ['www.store.example', `${hostName}.evil.example`])
    for (const method of ['GET', 'POST'])
      expect(await ask(host, '//evil.example/brands?a=1', { method }), host).toMatchObject({
        status: 308,
        location: at('/evil.example/brands?a=1'),
        html: '',
      })
  const { host: ownHost } = new URL(store.origin)
  const proxied = await ask('web.internal.example', '/brands', { headers: { 'x-forwarded-host': ownHost } })
  expect(proxied.status).toBe(200)
  expect(shows(proxied.html)).toEqual([false, false, false])
  for (const host of ["'; drop table--", '[::1]']) {
    const other = await ask(host, '/brands')
    expect(other.location, host).toBeUndefined()
    expect(shows(other.html), host).toEqual([false, false, false])
  }
  expect(shows(await guestRead('/brands'))).toEqual([false, false, false])
})

test('a store that is switched off becomes our own, and unauthorized roles can’t switch it', async () => {
  const visitor = await visitorOfStore()
  const support = createVisitor()
  await signInToOffice(store.origin, support, { email: 'support@example.com' })
  const off = { intent: 'deactivate', shop: brandedShop, seen: '2' }
  expect((await support.ask(at(office), { form: { ...off, reason: 'No.' } })).status).toBe(403)
  expect((await staff.ask(at(office), { form: { ...off, reason: ' ' } })).status).toBe(422)
  expect((await staff.ask(at(office), { form: { ...off, seen: '7', reason: 'Old.' } })).status).toBe(409)
  expect(shows(await read(visitor.ask(at('/'))))).toEqual([true, true, true])
  expect((await staff.ask(at(office), { form: { ...off, reason: 'Closed until spring.' } })).status).toBe(303)
  expect(shows(await read(visitor.ask(at('/'))))).toEqual([false, false, false])
  expect(await read(owner.ask(at(portal)))).toContain('Closed until spring.')
})

test('the portal’s sign-in identifies dealers to the provider, and ours doesn’t', async () => {
  const begin = async (path: string) => {
    const visitor = createVisitor()
    const answer = await visitor.ask(at(path), { form: { back: '/' } })
    return new URL(answer.headers.get('location') ?? '', store.origin).searchParams.get('isDealer')
  }
  expect(await begin('/portal/sign-in')).toBe('true')
  expect(await begin('/sign-in')).toBe('false')
})
