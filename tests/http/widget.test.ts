/** Tests the partners' widget over HTTP: access, responses, and stored visits. */
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isLate } from '#app/views/widget.server.ts'
import {
  applyAsPartner,
  approvePartner,
  findOwnWidget,
  keepScript,
  listApplications,
} from '#domain/customers/programs/programs.server.ts'
import { accountOf } from '#domain/customers/accounts/accounts.testing.ts'
import { desk } from '#domain/kernel/staff/staff.testing.ts'
import { systemClock } from '#platform/clock.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { keptFields } from '#tests/support/kept-fields.ts'
import { createVisitor, registerAt, signInToPortal } from '#tests/support/visitor.ts'

type Offers = {
  total: number
  first: string | null
  late: { firstUrl: string | null; othersUrl: string } | null
  offers: {
    url: string
    total: string | null
    each: string
    shippingPerTireCents: number | null
    name: string
    times: string[]
    bookings: { label: string; url: string }[]
  }[]
}

const page = 'https://riders.example'
let store: RunningStore
let key: string
/** The partner, signed in to the account that the widget was joined to. */
const partner = createVisitor()
beforeAll(async () => {
  store = await startStore()
  const deps = { db: store.database.db, clock: systemClock }
  await applyAsPartner(deps, {
    business: 'Lakeview Riders',
    name: 'Pat Lee',
    email: 'pat@example.com',
    phone: '3125550100',
    people: 40,
    site: page,
    message: '',
    networkKey: 'n',
  })
  const waiting = await listApplications(deps)
  await approvePartner(deps, { id: waiting.at(-1)?.id ?? 0, by: desk })
  await registerAt(store.origin, partner, 'Pat', { email: 'pat@example.com' })
  await verified('pat@example.com')
  key = (await findOwnWidget(deps, await accountOf(deps, 'pat@example.com')))?.id ?? ''
})
afterAll(() => store[Symbol.asyncDispose]())

const at = (path: string) => `${store.origin}${path}`
const ask = (query: Record<string, string>, origin: string | null = page) =>
  fetch(
    at(`/widget/v1/offers?${new URLSearchParams({ key, shop: 'SW-00001', size: '225-65r17', ...query }).toString()}`),
    {
      headers: origin === null ? {} : { origin },
    },
  )
const textOf = async (answer: Response | Promise<Response>) => (await (await answer).text()).replaceAll('<!-- -->', '')

test('only pages on the key’s list are answered, each by its own name and without cookies', async () => {
  const good = await ask({})
  expect(good.status).toBe(200)
  expect(good.headers.get('access-control-allow-origin')).toBe(page)
  expect(good.headers.get('vary')).toContain('Origin')
  expect(good.headers.getSetCookie()).toEqual([])
  expect(good.headers.get('access-control-allow-credentials')).toBeNull()
  for (const origin of ['https://riders.example.evil.test', 'http://riders.example', `${page}:444`, 'null', null]) {
    const refused = await ask({}, origin)
    expect(refused.status, String(origin)).toBe(403)
    expect(refused.headers.get('access-control-allow-origin'), String(origin)).toBeNull()
  }
  expect((await ask({ key: 'wk_aaaaaaaaaaaaaaaaaaaa' })).status).toBe(401)
  expect((await ask({ key: "'" })).status).toBe(401)
  expect((await ask({ shop: 'SW-99999' })).status).toBe(404)
  expect((await ask({ size: '999-10r99' })).status).toBe(404)
  expect((await ask({ size: '../', vehicle: 'x' })).status).toBe(400)
})

test('at a shop outside the contiguous states every price names the shipping, for each release of the script', async () => {
  for (const [zip, cents] of [
    ['99503', 2_475],
    ['96816', 2_975],
    ['60614', 0],
  ] as const) {
    const { code } = await store.database.db
      .selectFrom('shop')
      .select('code')
      .where('zip', '=', zip)
      .orderBy('id')
      .limit(1)
      .executeTakeFirstOrThrow()
    const found = (await (await ask({ shop: code })).json()) as Offers
    expect(found.offers.length).toBeGreaterThan(0)
    for (const { each, shippingPerTireCents } of found.offers) {
      expect(shippingPerTireCents).toBe(cents)
      expect(each).toMatch(
        cents === 0 ? /^\$[\d.,]+$/ : new RegExp(`^\\$[\\d.,]+ \\+ \\$${(cents / 100).toFixed(2)} shipping$`),
      )
    }
  }
})

test('the script is there by a fixed address too, with the hash that partners are shown', async () => {
  const newest = await fetch(at('/widget.js'))
  const source = await newest.text()
  expect(newest.status).toBe(200)
  expect(newest.headers.get('cache-control')).toBe('public, max-age=300')
  expect(newest.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
  const account = await textOf(partner.ask(at('/partner-program')))
  const integrity = `sha384-${createHash('sha384').update(source).digest('base64')}`
  expect(account).toContain(key)
  expect(account).toContain(integrity)
  const fixed = /\/widget\/v1\/[0-9a-f]{16}\.js/.exec(account)?.[0] ?? ''
  const kept = await fetch(at(fixed))
  expect(await kept.text()).toBe(source)
  expect(kept.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect((await fetch(at('/widget/v1/0123456789abcdef.js'))).status).toBe(404)
  // An earlier release's script, which a partner's page still checks.
  const deps = { db: store.database.db, clock: systemClock }
  await keepScript(deps, { hash: '0123456789abcdef', source: 'earlier()' })
  expect(await (await fetch(at('/widget/v1/0123456789abcdef.js'))).text()).toBe('earlier()')
  const { hash } = await store.database.db
    .selectFrom('widget_script')
    .select('hash')
    .where('source', '=', source)
    .executeTakeFirstOrThrow()
  expect(fixed).toContain(hash)

  const saved = await partner.ask(at('/partner-program'), { form: { intent: 'origins', origins: 'http://no.example' } })
  expect(saved.status).toBe(422)
  expect(await textOf(saved)).toContain('is not a site')
  const file = await textOf(partner.ask(at('/partner-program/report.csv')))
  expect(file).toContain('Month,Widget,Page,Visits,Orders')
  const other = createVisitor()
  await registerAt(store.origin, other, 'Olga')
  expect((await other.ask(at('/partner-program/report.csv'))).status).toBe(404)
  expect(await textOf(other.ask(at('/partner-program')))).not.toContain(key)
})

test('an offer costs the same on its page as in the widget, and the cart records the visit', async () => {
  const found = (await (await ask({ source: 'winter' })).json()) as Offers
  expect(found.offers.length).toBeGreaterThan(0)
  expect(found.offers.length).toBeLessThanOrEqual(5)
  const offer = found.offers.find(({ total }) => total !== null)
  if (!offer?.total) throw new Error('No offer has a price at the shop.')
  const visitor = createVisitor()
  const entered = await visitor.ask(offer.url)
  const to = entered.headers.get('location') ?? ''
  expect(entered.status).toBe(303)
  expect(to).toMatch(/^\/brands\/[^?]+$/)
  expect(visitor.cookie('sw_widget')?.value).toContain(key)
  expect(await textOf(visitor.ask(at(to)))).toContain(offer.total)

  const item = /\/p\/(\d+)/.exec(to)?.[1] ?? ''
  await visitor.ask(at('/cart'), { form: { item, quantity: '4', axle: 'all' } })
  const carts = await store.database.db
    .selectFrom('cart')
    .innerJoin('shop', 'shop.id', 'cart.shop_id')
    .select(['cart.widget_id', 'cart.widget_source', 'cart.fulfillment', 'shop.code'])
    .where('cart.widget_id', 'is not', null)
    .execute()
  expect(carts).toEqual([{ widget_id: key, widget_source: 'winter', fulfillment: 'shop', code: 'SW-00001' }])
  const unknown = await createVisitor().ask(at('/tire-deals?channel=widget&widgetId=wk_aaaaaaaaaaaaaaaaaaaa'))
  expect(unknown.status).toBe(200)
  expect(unknown.headers.getSetCookie().some((cookie) => cookie.startsWith('sw_widget'))).toBe(false)
})

test('a widget time is held with its shop, and latecomers see other times', async () => {
  const found = (await (await ask({ source: 'winter' })).json()) as Offers
  const offer = found.offers.find(({ bookings }) => bookings.length > 0)
  const [first] = offer?.bookings ?? []
  if (!offer?.total || !first) throw new Error('No offer has a time at the shop.')
  expect(offer.bookings.map(({ label }) => label)).toEqual(offer.times)
  const arrive = async () => {
    const visitor = createVisitor()
    const entered = await visitor.ask(first.url)
    const to = entered.headers.get('location') ?? ''
    expect(entered.status).toBe(303)
    expect(to).toMatch(/^\/book-time\?item=\d+&shop=SW-00001&slot=/)
    return { visitor, to, page: await textOf(visitor.ask(at(to))) }
  }
  const shopper = await arrive()
  expect(shopper.page).toContain(offer.total)
  const form = fieldsOf(shopper.page)
  expect(form['slot']).toBe(new URL(first.url).searchParams.get('slot'))
  const held = await shopper.visitor.ask(at('/cart'), { form })
  expect(held.status).toBe(303)
  expect(held.headers.get('location')).toBe(`/checkout/shipping?shop=${form['shop']}`)
  expect(await textOf(shopper.visitor.ask(at(held.headers.get('location') ?? '')))).toContain('Keep ')
  const id = shopper.visitor.cookie('sw_cart')?.value ?? ''
  const kept = await store.database.db
    .selectFrom('cart')
    .innerJoin('booking', 'booking.cart_id', 'cart.id')
    .innerJoin('shop', 'shop.id', 'booking.shop_id')
    .select(['cart.widget_id', 'cart.widget_source', 'cart.shop_id', 'booking.state', 'shop.code', 'shop.id'])
    .where('cart.id', '=', id)
    .executeTakeFirstOrThrow()
  expect(kept).toMatchObject({
    widget_id: key,
    widget_source: 'winter',
    shop_id: kept.id,
    state: 'held',
    code: 'SW-00001',
  })

  // The shop has a few bays, so other visitors book the rest.
  let late = await arrive()
  for (let taken = 0; taken < 4 && late.page.includes('Hold this time'); taken += 1) {
    await late.visitor.ask(at('/cart'), { form })
    late = await arrive()
  }
  expect(late.page).toContain('The time you chose is gone. These are free right now.')
  expect(late.page).toMatch(/<button class="slot" value="[^"]+" name="slot">/)
  expect(late.page).not.toContain(`value="${form['slot']}"`)
  // The page was opened before the time was gone.
  const tooLate = await late.visitor.ask(at('/cart'), { form })
  expect(tooLate.status).toBe(303)
  expect(tooLate.headers.get('location')).toBe(`/checkout/shipping?shop=${form['shop']}&refused=slot-taken`)
  const told = await textOf(late.visitor.ask(at(tooLate.headers.get('location') ?? '')))
  expect(told).toContain('Someone else took that time. These are the next free ones.')
  expect(told).toContain('Free right now')
  for (const wrong of ['item=1&shop=SW-00001', 'item=x&shop=SW-00001', 'item=100001&shop=SW-99999', 'shop=SW-00001'])
    expect((await late.visitor.ask(at(`/book-time?${wrong}&slot=x`))).status, wrong).toBe(404)
})

test('an application without a site returns with the input retained', async () => {
  const form = {
    intent: 'apply',
    business: 'Riders',
    name: 'Pat',
    email: 'p@example.com',
    phone: '3125550100',
    people: '4',
  }
  const wrong = await createVisitor().ask(at('/partner-program'), { form: { ...form, site: 'no site' } })
  expect(wrong.status).toBe(422)
  expect(await textOf(wrong)).toContain('value="no site"')
})

test('affiliates apply on a separate page, which retains rejected input', async () => {
  const form = {
    business: 'Towing Weekly',
    channel: 'https://towing.example/weekly',
    name: 'Ana Diaz',
    email: 'ana@example.com',
    phone: '3125550100',
    people: '12000',
  }
  const visitor = createVisitor()
  const page = await textOf(visitor.ask(at('/affiliates')))
  expect(page).toContain('href="/affiliates#apply"')
  expect(page.toLowerCase()).not.toContain('not open yet')
  const wrong = await visitor.ask(at('/affiliates'), { form: { ...form, channel: 'my channel' } })
  expect(wrong.status).toBe(422)
  expect(await textOf(wrong)).toContain('value="my channel"')
  const sent = await visitor.ask(at('/affiliates'), { form })
  expect(sent.status).toBe(303)
  expect(sent.headers.get('location')).toBe('/partner-program/thanks')
  const waiting = await listApplications(store.database)
  expect(waiting.filter(({ kind }) => kind === 'affiliate')).toMatchObject([{ channel: form.channel, people: 12_000 }])
})

test('each key has its own rate limit per minute with a retry time', async () => {
  const demo = { key: 'wk_LakeshoreCyclingDemo', size: '' }
  let refused: Response | undefined
  let answered = 0
  while (!refused && answered < 700) {
    const answers = await Promise.all(Array.from({ length: 50 }, () => ask(demo, store.sandboxOrigin)))
    refused = answers.find(({ status }) => status === 429)
    answered += answers.filter(({ status }) => status === 400).length
  }
  expect(answered).toBe(600)
  expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(refused?.headers.get('access-control-allow-origin')).toBe(store.sandboxOrigin)
  expect(refused?.headers.get('ratelimit-policy')).toBe('"calls";q=600;w=60')
  expect(await refused?.json()).toEqual({ detail: 'Too many calls with this widget key.' })
  expect((await ask({})).status).toBe(200)
})

/** The fields of the page's form of a chosen time. */
function fieldsOf(html: string): Record<string, string> {
  const form = /<form[^>]*action="\/cart"[^>]*>.*?<\/form>/s.exec(html)?.[0] ?? ''
  return Object.fromEntries(
    [...form.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
      name,
      value,
    ]),
  )
}

async function verified(email: string): Promise<void> {
  await store.database.db
    .updateTable('account')
    .set({ email_verified_at: systemClock.now() })
    .where('email', '=', email)
    .execute()
}

test('a fully booked shop shows its first time and other shops', async () => {
  const {
    code,
    zip,
    time_zone: zone,
  } = await store.database.db
    .selectFrom('shop')
    .innerJoin('shop_member', 'shop_member.shop_id', 'shop.id')
    .select(['shop.code', 'shop.zip', 'shop.time_zone'])
    .where('shop_member.email', '=', 'shop-owner@example.com')
    .orderBy('shop.id')
    .executeTakeFirstOrThrow()
  const found = async (): Promise<Offers> => (await ask({ shop: code })).json()
  const before = await found()
  const firstSlot = before.offers
    .flatMap(({ bookings }) => bookings.map(({ url }) => new URL(url).searchParams.get('slot') ?? ''))
    .toSorted()[0]
  // Around a holiday, tires that arrive in business days may leave no time of this week even at an open shop.
  expect(before.late !== null).toBe(
    isLate(firstSlot ? Temporal.Instant.from(firstSlot) : undefined, zone, systemClock.now()),
  )

  const owner = createVisitor()
  await signInToPortal(store.origin, owner)
  const today = Temporal.Now.zonedDateTimeISO(zone).toPlainDate()
  for (let days = 0; days < 8; days += 1) {
    const close = { intent: 'close', on: today.add({ days }).toString(), reason: 'Inventory' }
    const first = await owner.ask(at(`/portal/${code}/capacity`), { form: close })
    // Appointments of that day are shown before it is closed.
    const answer =
      first.status === 409
        ? await owner.ask(at(`/portal/${code}/capacity`), { form: keptFields(await first.text()) })
        : first
    expect(answer.status).toBe(303)
  }
  const { first, late, offers } = await found()
  expect(first).not.toBe(before.first)
  expect(late?.othersUrl).toContain(`/tire-shops?zip=${zip}`)
  expect(late?.othersUrl).toContain(`widgetId=${key}`)
  expect(first).toMatch(/^[A-Z][a-z]{2}, [A-Z][a-z]{2} \d+, /)
  // Alone it names its zone; on the buttons it does not.
  const label = first?.replace(/ [A-Z]{2,4}$/, '')
  expect(label).not.toBe(first)
  expect(offers.flatMap(({ bookings }) => bookings)).toContainEqual({ label, url: late?.firstUrl })
})
