/**
 * Tests creating quotes by role, emailing them, opening their link, and refusals, without JavaScript. Over 400 lines:
 * cases that share the quote form.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { BuiltInRole } from '#domain/kernel/staff/staff.ts'
import { setTerms } from '#domain/customers/companies/companies.server.ts'
import { desk } from '#domain/kernel/staff/staff.testing.ts'
import { systemClock } from '#platform/clock.ts'
import { newId } from '#platform/ids.ts'
import { giveCompany, registerVerified } from '#tests/support/company.ts'
import { linkIn, newestMail } from '#tests/support/mailbox.ts'
import { authorizeCard, callApi, enterContact, fillHomeCart } from '#tests/support/order-by-api.ts'
import { quoteFormOf } from '#tests/support/quote-form.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInAt, signInToOffice, type Visitor } from '#tests/support/visitor.ts'

let store: RunningStore
const staff = {} as Record<BuiltInRole, Visitor>
beforeAll(async () => {
  store = await startStore()
  for (const role of ['support', 'sales', 'warehouse', 'manager', 'owner'] as const) {
    staff[role] = createVisitor()
    await signInToOffice(store.origin, staff[role], { email: `${role}@example.com` })
  }
})
afterAll(() => store[Symbol.asyncDispose]())

const article = 100_001

const { fieldsOf, press } = quoteFormOf(() => store)

async function startAs(who: Visitor, email = `${newId()}@example.com`): Promise<string> {
  const form = { key: newId(), name: 'Rosa Whitfield', email, phone: '(312) 555-0146', account: '' }
  const started = await who.ask(`${store.origin}/office/quotes/new`, { form })
  expect(started.status).toBe(303)
  return started.headers.get('location') ?? ''
}

/** Composes a quote of four tires to a home at a typed price, and presses Send. */
async function sendAs(
  who: Visitor,
  { email, price = '199.00' }: { email?: string; price?: string } = {},
): Promise<string> {
  const path = await startAs(who, email)
  await press(who, path, `add-${article}`, { label: 'Special Order', fulfillment: 'home', zip: '60614' })
  const sent = await press(who, path, 'send', { [`price-${article}`]: price, note: 'Both trucks in one visit.' })
  expect(sent.status).toBe(303)
  expect(sent.headers.get('location')).toContain(path)
  return sent.headers.get('location') ?? ''
}

test('composed, sent, opened from the email and put in a cart at the quoted price, without script', async () => {
  const email = `rosa-${newId()}@example.com`
  const path = await sendAs(staff.sales, { email })
  const page = await (await staff.sales.ask(`${store.origin}${path}`)).text()
  expect(page).toContain('Quote Sent Successfully')
  const mail = await newestMail(store, email, 'Your quote Q-')
  expect(mail.text).toContain('Both trucks in one visit.')
  expect(mail.text).not.toMatch(/margin|cost/i)
  const link = linkIn(mail, '/quote/')

  const shopper = createVisitor()
  const seen = await shopper.ask(link)
  expect(seen.status).toBe(200)
  expect(seen.headers.get('cache-control')).toBe('private, no-store')
  const shown = await seen.text()
  expect(shown).toContain('Open my quote')
  expect(shown).toContain('name="robots" content="noindex')
  expect(shown).not.toMatch(/margin|floor/i)
  expect(shopper.cookie('sw_cart')).toBeUndefined()
  const before = await (await staff.sales.ask(`${store.origin}${path}`)).text()
  expect(before).not.toMatch(/class="tag[^"]*">Opened</)

  const opened = await shopper.ask(link, { form: {} })
  expect(opened.status).toBe(303)
  expect(opened.headers.get('location')).toBe('/cart')
  const cart = await (await shopper.ask(`${store.origin}/cart`)).text()
  expect(cart).toContain('$199.00')
  expect(cart).toContain('Quoted price')
  expect(await (await staff.sales.ask(`${store.origin}${path}`)).text()).toMatch(/class="tag[^"]*">Opened</)
})

test('with the address given by phone, the link leads its first opener to the payment, and others to the cart', async () => {
  const email = `rosa-${newId()}@example.com`
  const path = await startAs(staff.sales, email)
  await press(staff.sales, path, `add-${article}`, { label: 'Special Order', fulfillment: 'home', zip: '60614' })
  const price = { [`price-${article}`]: '199.00' }
  const half = await press(staff.sales, path, 'send', { ...price, address1: '2450 N Halsted St' })
  expect(half.status).toBe(422)
  const page = await half.text()
  expect(page).toContain('value="2450 N Halsted St"')
  expect(page).toContain('Please enter state')

  const address = { address1: '2450 N Halsted St', city: 'Chicago', state: 'il' }
  expect((await press(staff.sales, path, 'send', { ...price, ...address })).status).toBe(303)
  expect(await (await staff.sales.ask(`${store.origin}${path}`)).text()).toContain(
    '2450 N Halsted St, Chicago, IL 60614',
  )
  const link = linkIn(await newestMail(store, email, 'Your quote Q-'), '/quote/')
  const [shopper, stranger] = [createVisitor(), createVisitor()]
  const opened = await shopper.ask(link, { form: {} })
  expect(opened.headers.get('location')).toBe('/checkout/payments')
  const payment = await (await shopper.ask(`${store.origin}/checkout/payments`)).text()
  expect(payment).toContain('Rosa Whitfield, 2450 N Halsted St')
  // In the same browser it leads there again, and no one else sees the address.
  expect((await shopper.ask(link, { form: {} })).headers.get('location')).toBe('/checkout/payments')
  for (let time = 0; time < 2; time++)
    expect((await stranger.ask(link, { form: {} })).headers.get('location')).toBe('/cart')
  expect(await (await stranger.ask(`${store.origin}/checkout/shipping-confirmation`)).text()).not.toContain(
    '2450 N Halsted',
  )
})

test('a second holder of a quote link can’t see, change, or order the first one’s cart', async () => {
  const email = `rosa-${newId()}@example.com`
  await sendAs(staff.sales, { email })
  const link = linkIn(await newestMail(store, email, 'Your quote Q-'), '/quote/')
  const [customer, stranger] = [createVisitor(), createVisitor()]
  await customer.ask(link, { form: {} })
  const contact = {
    firstName: 'Rosa',
    lastName: 'Whitfield',
    address1: '1430 N Halsted St',
    city: 'Chicago',
    state: 'IL',
    zip: '60614',
    email,
    phone: '(312) 555-0146',
    phoneType: 'mobile',
  }
  const call = (who: Visitor, method: string, path: string, body?: unknown) => callApi(store, who, method, path, body)
  await enterContact(store, customer, contact)
  expect(await call(customer, 'PUT', '/cart/billing', { sameAsShipping: '1' })).toMatchObject({ status: 200 })
  await authorizeCard(store, customer)
  const { agreedPrice } = (await call(customer, 'GET', '/cart/price')).body as { agreedPrice: string }

  await stranger.ask(link, { form: {} })
  expect(stranger.cookie('sw_cart')).not.toBe(customer.cookie('sw_cart'))
  expect(JSON.stringify((await call(stranger, 'GET', '/cart/details')).body)).not.toMatch(/Rosa|Halsted|0146/)
  await enterContact(store, stranger, { ...contact, firstName: 'Sly', email: 'sly@example.com' })
  expect(await call(customer, 'GET', '/cart/details')).toMatchObject({ body: { contact: { firstName: 'Rosa' } } })

  const accepted = { agreedPrice, termsAccepted: true, conditionsAccepted: true }
  const placed = await call(customer, 'POST', '/orders', accepted)
  expect(placed).toMatchObject({ status: 201 })
  const { orderId } = placed.body as { orderId: number }
  expect(await call(customer, 'GET', `/orders/${orderId}`)).toMatchObject({ status: 200 })
  expect(await call(stranger, 'GET', `/orders/${orderId}`)).toMatchObject({ status: 404 })
  expect(await call(stranger, 'POST', `/orders/${orderId}/cancellation`)).toMatchObject({ status: 404 })
  expect((await call(stranger, 'POST', '/orders', accepted)).status).not.toBe(201)
  expect((await stranger.ask(link, { form: {} })).status).toBe(410)
})

test('an address entered elsewhere after the payment was authorized is not shipped to', async () => {
  const customer = createVisitor()
  const { agreedPrice } = await fillHomeCart(store, customer, { contact: { email: `rosa-${newId()}@example.com` } })
  await authorizeCard(store, customer)
  await enterContact(store, customer, {
    firstName: 'Sly',
    lastName: 'Stone',
    address1: '900 W Fulton Market',
    city: 'Chicago',
    state: 'IL',
    zip: '60607',
    email: 'sly@example.com',
    phone: '(312) 555-0199',
    phoneType: 'mobile',
  })

  const placed = await callApi(store, customer, 'POST', '/orders', { agreedPrice, termsAccepted: true })
  expect(placed).toMatchObject({
    status: 409,
    body: { code: 'OrderChanged', data: { changed: ['delivery', 'contact'] } },
  })
})

test('a price below the minimum requires a manager’s approval, and support can’t approve it', async () => {
  const path = (await sendAs(staff.support, { price: '1.00' })).split('?')[0] ?? ''
  const waiting = await (await staff.support.ask(`${store.origin}${path}`)).text()
  expect(waiting).toContain('Needs approval')
  expect(waiting).not.toContain('Approve and send')
  await staff.support.ask(`${store.origin}${path}`, { form: { intent: 'approve' } })
  const refused = await staff.support.ask(`${store.origin}${path}`, { form: { intent: 'reject', reason: 'x' } })
  expect(refused.status).toBe(403)
  expect(await (await staff.support.ask(`${store.origin}${path}`)).text()).toContain('Needs approval')

  const unsaid = await staff.manager.ask(`${store.origin}${path}`, { form: { intent: 'reject', reason: '' } })
  expect(unsaid.status).toBe(422)
  expect(await unsaid.text()).toContain('Say why.')
  await staff.manager.ask(`${store.origin}${path}`, { form: { intent: 'approve' } })
  const approved = await (await staff.manager.ask(`${store.origin}${path}`)).text()
  expect(approved).toMatch(/>(?:Sent|Delivered)</)
})

test('roles without permission can’t create, change, or send quotes', async () => {
  const path = await startAs(staff.sales)
  const fields = await fieldsOf(staff.sales, path)
  for (const intent of ['save', 'send', 'withdraw', 'version', `add-${article}`]) {
    const answer = await staff.warehouse.ask(`${store.origin}${path}`, { form: { ...fields, intent } })
    expect(answer.status, intent).toBe(403)
  }
  const guest = await createVisitor().ask(`${store.origin}${path}`, { form: { ...fields, intent: 'send' } })
  expect(guest.status).toBe(303)
  expect(guest.headers.get('location')).toBe(`/office/sign-in?back=${encodeURIComponent(path)}`)
})

test('errors are shown at their fields, and an incomplete quote can’t be sent', async () => {
  const path = await startAs(staff.sales)
  const wrong = await press(staff.sales, path, 'save', {
    email: 'rosa',
    vehicle: 'zzzz',
    goodThrough: 'soon',
    note: 'Kept.',
  })
  const html = await wrong.text()
  expect(wrong.status).toBe(422)
  for (const said of ['Please enter a valid email', 'Write the day as', 'value="zzzz"', 'Kept.'])
    expect(html).toContain(said)
  const unknown = await press(staff.sales, path, 'save', { vehicle: 'zzzz', account: 'nobody@example.com' })
  expect(await unknown.text()).toContain('No account has this email.')

  const incomplete = await press(staff.sales, path, 'send')
  const page = await (await staff.sales.ask(`${store.origin}${incomplete.headers.get('location')}`)).text()
  expect(page).toContain('Quote Could Not Be Sent')
  expect(page).toContain('Add a tire.')
})

test('of two pages saving the same draft, the second sees an error', async () => {
  const path = await startAs(staff.sales)
  const old = await fieldsOf(staff.manager, path)
  expect((await press(staff.sales, path, 'save', { note: 'First.' })).status).toBe(303)
  const late = await staff.manager.ask(`${store.origin}${path}`, { form: { ...old, note: 'Second.', intent: 'save' } })
  expect(late.status).toBe(409)
  expect(await late.text()).toContain('Second.')
})

const pageOf = async (path: string) =>
  (await (await staff.sales.ask(`${store.origin}${path}`)).text()).replaceAll('<!-- -->', '')

test('a draft shows a total for each price label, and the email and text message of the customer', async () => {
  const form = { key: newId(), name: 'Felix', email: 'felix@example.com', phone: '', account: 'felix@example.com' }
  const started = await staff.sales.ask(`${store.origin}/office/quotes/new`, { form })
  const path = started.headers.get('location') ?? ''
  await press(staff.sales, path, `add-${article}`, { label: 'Retail', fulfillment: 'home', zip: '60614' })
  const html = await pageOf(path)
  const [, retail = ''] = /name="label"[^>]*value="Retail"[^>]*><span>Retail price, (\$[\d,.]+)</.exec(html) ?? []
  const own = /name="label"[^>]*value="(?!Retail|Special Order)[^"]*"[^>]*><span>[^<]+, (\$[\d,.]+)</.exec(html)?.[1]
  const cents = (text = '') => Math.round(Number(text.replace(/[$,]/g, '')) * 100)
  expect(cents(own)).toBeLessThan(cents(retail))
  expect(html).toContain('What Felix gets')
  expect(html).toMatch(new RegExp(`Your quote Q-\\d+: \\${retail}</b>`))
  const [, length, text = ''] = /Text, (\d+) of 160<\/h3><p class="quote-text">([^<]+)</.exec(html) ?? []
  expect(text).toContain(retail)
  expect(text.length).toBe(Number(length))
})

test('a draft is good for a number of days, unless another day is entered', async () => {
  const path = await startAs(staff.sales)
  const lastDay = async () => (await fieldsOf(staff.sales, path))['goodThrough']
  const first = Temporal.PlainDate.from((await lastDay()) ?? '')
  await press(staff.sales, path, 'save', { goodFor: '3' })
  expect(await lastDay()).toBe(first.subtract({ days: 4 }).toString())
  const other = first.add({ days: 2 }).toString()
  await press(staff.sales, path, 'save', { goodThrough: other })
  expect(await lastDay()).toBe(other)
})

test('a sent quote is emailed again once per click, and at most four times', async () => {
  const path = (await sendAs(staff.sales)).split('?')[0] ?? ''
  const again = (mails: number) =>
    staff.sales.ask(`${store.origin}${path}`, { form: { intent: 'again', mails: String(mails) } })
  const shown = async () => /name="mails" value="(\d)"/.exec(await pageOf(path))?.[1]
  expect(await shown()).toBe('1')
  for (const mails of [1, 1, 2, 3]) expect((await again(mails)).headers.get('location')).toBe(`${path}?done=again`)
  expect(await shown()).toBeUndefined()
  const refused = await again(4)
  expect(refused.status).toBe(409)
  expect(await refused.text()).toContain('This quote was sent 4 times.')
  expect(await pageOf(path)).toContain('Sent again')
})

test('a sent quote is extended on its page, with the same link and price, and the form returns wrong days', async () => {
  const email = `rosa-${newId()}@example.com`
  const path = (await sendAs(staff.sales, { email })).split('?')[0] ?? ''
  const ask = (goodThrough: string) =>
    staff.sales.ask(`${store.origin}${path}`, { form: { intent: 'extend', goodThrough } })
  const html = await pageOf(path)
  expect(html).toContain('Copy link')
  const suggested = /name="goodThrough"[^>]*value="([\d-]+)"|value="([\d-]+)"[^>]*name="goodThrough"/.exec(html)
  const day = suggested?.slice(1).find(Boolean) ?? ''
  const link = /can open the quote: <code>([^<]+)</.exec(html)?.[1]
  for (const wrong of ['2026-01-01', Temporal.PlainDate.from(day).add({ days: 100 }).toString(), 'soon']) {
    const refused = await ask(wrong)
    expect(refused.status, wrong).toBe(422)
    expect(await refused.text()).toMatch(/Choose a day|Write the day/)
  }
  expect((await ask(day)).headers.get('location')).toBe(`${path}?done=extended`)
  const after = await pageOf(path)
  expect(after).toContain('Extended through')
  expect(/can open the quote: <code>([^<]+)</.exec(after)?.[1]).toBe(link)
  expect((await createVisitor().ask(linkIn(await newestMail(store, email, 'Your quote Q-'), '/quote/'))).status).toBe(
    200,
  )
  expect(
    (await staff.warehouse.ask(`${store.origin}${path}`, { form: { intent: 'extend', goodThrough: day } })).status,
  ).toBe(403)
  await staff.sales.ask(`${store.origin}${path}`, { form: { intent: 'withdraw', reason: 'Sold out.' } })
  expect((await ask(Temporal.PlainDate.from(day).add({ days: 1 }).toString())).status).toBe(409)
})

test('a draft suggests a time of its shop, which the email and the customer’s page show, and another shop drops it', async () => {
  const email = `rosa-${newId()}@example.com`
  const path = await startAs(staff.sales, email)
  const draft = { label: 'Special Order', fulfillment: 'shop', zip: '60614' }
  await press(staff.sales, path, `add-${article}`, draft)
  const shops = [...(await pageOf(path)).matchAll(/<option value="(\d+)"[^>]*>[^<]*mi</g)].map(([, id = '']) => id)
  const [shop = '', other = ''] = shops
  await press(staff.sales, path, 'save', { ...draft, shop })
  const slots = [...(await pageOf(path)).matchAll(/name="slot"[^>]*value="([^"]+)"[^>]*>\s*<span>([^<]+)</g)]
  const [[, slot = '', label = ''] = []] = slots
  expect(slots.length).toBeGreaterThan(1)
  expect((await press(staff.sales, path, 'save', { slot: 'tomorrow' })).status).toBe(422)
  await press(staff.sales, path, 'save', { slot, shop: other })
  expect((await fieldsOf(staff.sales, path))['slot'] ?? '').toBe('')
  await press(staff.sales, path, 'save', { shop })
  await press(staff.sales, path, 'save', { slot, shop })
  expect((await fieldsOf(staff.sales, path))['slot']).toBe(slot)
  // The nearest warehouse has enough for several customers, so that the time stays possible until the bays are taken.
  const one = { [`quantity-${article}`]: '1', [`price-${article}`]: '199.00' }
  expect((await press(staff.sales, path, 'send', one)).status).toBe(303)
  expect(await pageOf(path)).toContain(`${label} at `)
  const mail = await newestMail(store, email, 'Your quote Q-')
  expect(mail.text).toContain(`Suggested time: ${label} at `)
  const link = linkIn(mail, '/quote/')
  expect(await (await createVisitor().ask(link)).text()).toContain('We reserve it when you open your quote')
  const [first = createVisitor(), ...others] = Array.from({ length: 12 }, createVisitor)
  const held = await first.ask(link, { form: {} })
  expect(held.headers.get('location')).toBe(`/checkout/shipping?shop=${shop}`)
  const shown = await (await first.ask(`${store.origin}/checkout/shipping?shop=${shop}`)).text()
  expect(shown).toMatch(new RegExp(`value="${slot}"[^>]*aria-pressed="true"|aria-pressed="true"[^>]*value="${slot}"`))
  // The shop has a few bays; then the page shows that the time is taken, and others.
  let taken = ''
  for (const other of others) {
    const place = (await other.ask(link, { form: {} })).headers.get('location') ?? ''
    if (place.includes('refused=slot-taken')) taken = await (await other.ask(`${store.origin}${place}`)).text()
    if (taken !== '') break
  }
  expect(taken).toContain('Someone else took that time.')
})

test('a quote is copied into a new draft once per form, and doesn’t change', async () => {
  const path = (await sendAs(staff.sales)).split('?')[0] ?? ''
  const html = await pageOf(path)
  const key = /name="key" value="([0-9a-f-]{36})"/.exec(html)?.[1] ?? ''
  const copy = () => staff.manager.ask(`${store.origin}${path}`, { form: { intent: 'copy', key } })
  const places = (await Promise.all([copy(), copy()])).map(({ headers }) => headers.get('location'))
  const [place = ''] = new Set(places)
  expect(new Set(places).size).toBe(1)
  expect(place).not.toContain(path)
  const draft = await pageOf(place ?? '')
  for (const words of ['Quote copied', 'Rosa Whitfield', 'value="199.00"', `Copy of Q-${path.split('/').at(-1)}`])
    expect(draft, words).toContain(words)
  expect(await pageOf(path)).toMatch(/class="tag[^"]*">(?:Sent|Delivered)</)
  expect((await staff.warehouse.ask(`${store.origin}${path}`, { form: { intent: 'copy', key } })).status).toBe(403)
})

test('finds tires on the page by vehicle, with fitment results, and by size', async () => {
  const path = await startAs(staff.sales)
  await press(staff.sales, path, 'save', { vehicle: '2019 Honda CR-V EX' })
  const found = await press(staff.sales, path, 'find', { q: '' })
  const html = await (await staff.sales.ask(`${store.origin}${found.headers.get('location')}`)).text()
  expect(html).toMatch(/value="add-\d+"/)
  expect(html).toMatch(/Fits|Factory size for your/)
})

test.for(['x', '2001', '2001.AAAA', '%00', 'a'.repeat(300)])('a forged link is rejected: %s', async (token) => {
  for (const form of [undefined, {}]) {
    const answer = await createVisitor().ask(`${store.origin}/quote/${token}`, form ? { form } : {})
    if (token !== '%00') expect(answer.status, token.slice(0, 9)).toBe(404)
    expect(answer.status).toBeLessThan(500)
  }
})

test('a quote at account prices opens only for that account', async () => {
  const form = { key: newId(), name: 'Felix', email: 'felix@example.com', phone: '', account: 'felix@example.com' }
  const started = await staff.sales.ask(`${store.origin}/office/quotes/new`, { form })
  const path = started.headers.get('location') ?? ''
  await press(staff.sales, path, `add-${article}`, { fulfillment: 'home', zip: '60614' })
  await press(staff.sales, path, 'send')
  const link = linkIn(await newestMail(store, 'felix@example.com', 'Your quote'), '/quote/')
  const guest = createVisitor()
  const refused = await guest.ask(link, { form: {} })
  expect(refused.status).toBe(403)
  expect(await refused.text()).toContain('Sign in to open this quote')
  expect(guest.cookie('sw_cart')).toBeUndefined()
  const felix = createVisitor()
  await signInAt(store.origin, felix, { email: 'felix@example.com', back: '/' })
  expect((await felix.ask(link, { form: {} })).headers.get('location')).toBe('/cart')
})

test('the first visitor gets the time that staff held for a caller without an account', async () => {
  const email = `rosa-${newId()}@example.com`
  const path = await startAs(staff.sales, email)
  const draft = { label: 'Special Order', fulfillment: 'shop', vehicle: '2019 Honda CR-V EX', zip: '60614' }
  await press(staff.sales, path, `add-${article}`, draft)
  const html = await (await staff.sales.ask(`${store.origin}${path}`)).text()
  const shop = /<option value="(\d+)"[^>]*>[^<]*mi</.exec(html)?.[1] ?? ''
  await press(staff.sales, path, 'send', { ...draft, shop, [`price-${article}`]: '199.00' })
  const ask = (fields: Record<string, string>) => staff.sales.ask(`${store.origin}${path}`, { form: fields })
  const page = async () => (await (await staff.sales.ask(`${store.origin}${path}`)).text()).replaceAll('<!-- -->', '')
  expect((await ask({ intent: 'installation' })).headers.get('location')).toBe(`${path}?done=opened`)
  const slot = /<option value="(\d+ [^"]+)"/.exec(await page())?.[1] ?? ''
  expect((await ask({ intent: 'book', slot })).headers.get('location')).toBe(`${path}?done=held`)
  expect(await page()).toContain('Only the first person to open the link gets the time.')

  const link = linkIn(await newestMail(store, email, 'Your quote'), '/quote/')
  const [caller, stranger] = [createVisitor(), createVisitor()]
  const seen = async (who: Visitor) => (await who.ask(`${store.origin}/checkout/shipping`)).text()
  expect((await caller.ask(link, { form: {} })).headers.get('location')).toBe('/checkout/shipping')
  expect(await seen(caller)).toContain('is held for you')
  expect((await stranger.ask(link, { form: {} })).headers.get('location')).toBe('/cart')
  expect(await seen(stranger)).not.toContain('is held for you')
  await caller.ask(link, { form: {} })
  expect(await seen(caller)).toContain('is held for you')
  expect(await page()).not.toContain('Hold time')
  const late = await ask({ intent: 'book', slot })
  expect(late.status).toBe(409)
  expect(await late.text()).toContain('The customer opened the link and can choose a time there.')

  const unheld = `rosa-${newId()}@example.com`
  const without = (await sendAs(staff.sales, { email: unheld })).split('?')[0] ?? ''
  await staff.sales.ask(`${store.origin}${without}`, { form: { intent: 'installation' } })
  const second = linkIn(await newestMail(store, unheld, 'Your quote'), '/quote/')
  expect((await createVisitor().ask(second, { form: {} })).headers.get('location')).toBe('/cart')

  await signInAt(store.origin, caller, { email, back: '/' })
  expect(await seen(caller)).toContain('is held for you')
})

test('staff hold an installation time in the customer’s cart and order on net terms', async () => {
  const { email, visitor } = await registerVerified(store, 'Petra')
  const db = store.database.db
  const id = await giveCompany(db, email)
  const terms = { netDays: 30, creditLimitCents: 1_000_000 }
  await setTerms({ db, clock: systemClock }, { by: desk, id, terms })
  const form = { key: newId(), name: 'Petra Lindqvist', email, phone: '(312) 555-0146', account: email }
  const path = (await staff.sales.ask(`${store.origin}/office/quotes/new`, { form })).headers.get('location') ?? ''
  const address = { address1: '2450 N Halsted St', city: 'Chicago', state: 'il', zip: '60614' }
  const draft = { label: 'Special Order', fulfillment: 'shop', vehicle: '2019 Honda CR-V EX', ...address }
  await press(staff.sales, path, `add-${article}`, draft)
  const html = await (await staff.sales.ask(`${store.origin}${path}`)).text()
  const shop = /<option value="(\d+)"[^>]*>[^<]*mi</.exec(html)?.[1] ?? ''
  await press(staff.sales, path, 'send', { ...draft, shop, [`price-${article}`]: '199.00' })
  const ask = (fields: Record<string, string>) => staff.sales.ask(`${store.origin}${path}`, { form: fields })
  const page = async () => (await (await staff.sales.ask(`${store.origin}${path}`)).text()).replaceAll('<!-- -->', '')

  expect((await ask({ intent: 'terms', accepted: '1', totalCents: '100' })).status).toBe(409)
  expect((await ask({ intent: 'installation' })).headers.get('location')).toBe(`${path}?done=opened`)
  const unread = await ask({ intent: 'book', slot: 'tomorrow' })
  expect(unread.status).toBe(422)
  expect(await unread.text()).toContain('aria-invalid="true"')
  const slot = /<option value="(\d+ [^"]+)"/.exec(await page())?.[1] ?? ''
  expect((await ask({ intent: 'book', slot })).headers.get('location')).toBe(`${path}?done=held`)
  const held = await page()
  expect(held).toContain('The customer can pay from the link until then.')

  const link = linkIn(await newestMail(store, email, 'Your quote'), '/quote/')
  const { response } = await visitor.follow(link, { form: {} })
  expect(await response.text()).toContain('is held for you')
  const totalCents = /name="totalCents" value="(\d+)"|value="(\d+)" name="totalCents"/
    .exec(held)
    ?.slice(1)
    .find(Boolean)
  const unticked = await ask({ intent: 'terms', totalCents: totalCents ?? '' })
  expect(unticked.status).toBe(422)
  expect(await unticked.text()).toContain('Confirm that the customer accepts the terms of sale.')
  const placed = await ask({ intent: 'terms', accepted: '1', totalCents: totalCents ?? '' })
  expect(placed.headers.get('location')).toMatch(/^\/office\/orders\/\d+$/)
})

/** A tire that a warehouse near 60614 has. */
async function pickAtWarehouse(): Promise<number> {
  const { itemId } = await store.database.db
    .selectFrom('stock')
    .innerJoin('warehouse', 'warehouse.id', 'stock.warehouse_id')
    .innerJoin('item', 'item.id', 'stock.item_id')
    .select('item.id as itemId')
    .where('warehouse.code', '=', 'JOL')
    .where('item.active', '=', true)
    .where('on_hand', '>=', 8)
    .orderBy('item.id')
    .executeTakeFirstOrThrow()
  return itemId
}

test('staff order a warehouse pickup on net terms from the page of its quote', async () => {
  const { email } = await registerVerified(store, 'Wanda')
  const db = store.database.db
  const id = await giveCompany(db, email)
  await setTerms({ db, clock: systemClock }, { by: desk, id, terms: { netDays: 30, creditLimitCents: 1_000_000 } })
  const form = { key: newId(), name: 'Wanda Lindqvist', email, phone: '(312) 555-0146', account: email }
  const path = (await staff.sales.ask(`${store.origin}/office/quotes/new`, { form })).headers.get('location') ?? ''
  const itemId = await pickAtWarehouse()
  const address = { address1: '2450 N Halsted St', city: 'Chicago', state: 'il', zip: '60614' }
  await press(staff.sales, path, `add-${itemId}`, {
    label: 'Special Order',
    fulfillment: 'warehouse-pickup',
    ...address,
  })
  const page = async () => (await (await staff.sales.ask(`${store.origin}${path}`)).text()).replaceAll('<!-- -->', '')
  const warehouse = /<option value="(\d+)"[^>]*>[^<]* warehouse, [^<]*mi</.exec(await page())?.[1] ?? ''
  await press(staff.sales, path, 'send', { warehouse, [`price-${itemId}`]: '199.00' })
  const sent = await page()
  const total = /name="totalCents" value="(\d+)"|value="(\d+)" name="totalCents"/.exec(sent)?.slice(1).find(Boolean)
  const ordered = { intent: 'terms', accepted: '1', totalCents: total ?? '' }
  const placed = await staff.sales.ask(`${store.origin}${path}`, { form: ordered })
  expect(placed.headers.get('location')).toMatch(/^\/office\/orders\/\d+$/)
})

test('staff quote warehouse pickup by phone, and the link leads to the payment with the warehouse chosen', async () => {
  const email = `rosa-${newId()}@example.com`
  const path = await startAs(staff.sales, email)
  const itemId = await pickAtWarehouse()
  const address = { address1: '2450 N Halsted St', city: 'Chicago', state: 'il', zip: '60614' }
  const draft = { label: 'Special Order', fulfillment: 'warehouse-pickup', ...address }
  await press(staff.sales, path, `add-${itemId}`, draft)
  const page = async () => (await (await staff.sales.ask(`${store.origin}${path}`)).text()).replaceAll('<!-- -->', '')
  expect(await page()).toContain('Choose a warehouse. Save with a ZIP to see those near it.')
  const warehouse = /<option value="(\d+)"[^>]*>[^<]* warehouse, [^<]*mi</.exec(await page())?.[1] ?? ''
  const sent = await press(staff.sales, path, 'send', { warehouse, [`price-${itemId}`]: '199.00' })
  expect(sent.headers.get('location')).toContain('done=sent')
  const [, place = ''] = /<dt>Pickup<\/dt><dd>([^<]+)</.exec(await page()) ?? []
  expect(place).toMatch(/ warehouse, .*IL \d{5}$/)
  const mail = await newestMail(store, email, 'Your quote')
  expect(mail.text).toContain(`Pick up at ${place}`)

  const link = linkIn(mail, '/quote/')
  const shopper = createVisitor()
  expect((await (await shopper.ask(link)).text()).replaceAll('<!-- -->', '')).toContain(`Pick up at ${place}.`)
  expect((await shopper.ask(link, { form: {} })).headers.get('location')).toBe('/checkout/payments')
  const price = await callApi(store, shopper, 'GET', '/cart')
  expect(price.body).toMatchObject({ fulfillment: 'warehouse-pickup', pickupWarehouseId: Number(warehouse) })
})

test('staff quote carrier pickup at a listed location, and the link leads to the payment while it takes parcels', async () => {
  const email = `rosa-${newId()}@example.com`
  const path = await startAs(staff.sales, email)
  const address = { address1: '2450 N Halsted St', city: 'Chicago', state: 'il', zip: '60614' }
  await press(staff.sales, path, `add-${article}`, {
    label: 'Special Order',
    fulfillment: 'carrier-pickup',
    ...address,
  })
  const page = async () => (await (await staff.sales.ask(`${store.origin}${path}`)).text()).replaceAll('<!-- -->', '')
  const select = /<select[^>]*name="carrierLocation"[\s\S]*?<\/select>/.exec(await page())?.[0] ?? ''
  expect(select).toMatch(/^<select[^>]*><option value="" selected="">Choose a location</)
  const miles = [...select.matchAll(/([\d.]+) mi</g)].map(([, each]) => Number(each))
  expect(miles.length).toBeGreaterThan(1)
  expect(miles).toEqual(miles.toSorted((a, b) => a - b))
  const carrierLocation = /<option value="(\d+)"/.exec(select)?.[1] ?? ''
  const far = await press(staff.sales, path, 'save', { carrierLocation: '2000000000' })
  expect(far.status).toBe(422)
  expect(await far.text()).toContain('Choose a location near the ZIP.')
  await press(staff.sales, path, 'send', { carrierLocation, [`price-${article}`]: '199.00' })
  const link = linkIn(await newestMail(store, email, 'Your quote'), '/quote/')
  const shopper = createVisitor()
  expect((await shopper.ask(link, { form: {} })).headers.get('location')).toBe('/checkout/payments')
  const price = await callApi(store, shopper, 'GET', '/cart')
  expect(price.body).toMatchObject({ fulfillment: 'carrier-pickup', carrierLocationId: Number(carrierLocation) })
})

test('a withdrawn quote shows a message, and a new version closes the previous one', async () => {
  const email = `ann-${newId()}@example.com`
  const path = (await sendAs(staff.sales, { email })).split('?')[0] ?? ''
  const link = linkIn(await newestMail(store, email, 'Your quote'), '/quote/')
  const version = await staff.sales.ask(`${store.origin}${path}`, { form: { intent: 'version' } })
  const next = version.headers.get('location') ?? ''
  expect(next).not.toBe(path)
  await press(staff.sales, next, 'send')
  expect((await createVisitor().ask(link)).status).toBe(410)
  expect(await (await createVisitor().ask(link)).text()).toContain('newer version')
  await staff.sales.ask(`${store.origin}${next}`, { form: { intent: 'withdraw', reason: 'Sold out.' } })
  expect(await (await staff.sales.ask(`${store.origin}${next}`)).text()).toContain('Sold out.')
})

test('the export has one row per quote and no formulas', async () => {
  await staff.sales.ask(`${store.origin}/office/quotes/new`, {
    form: { key: newId(), name: '=HYPERLINK("x")', email: 'formula@example.com', phone: '', account: '' },
  })
  const csv = await (await staff.sales.ask(`${store.origin}/office/export/quotes?email=formula@example.com`)).text()
  expect(csv.split('\r\n')[1]).toContain(`'=HYPERLINK(""x"")`)
})
