/** Quotes with several vehicles, in the office without script, from the email, and over the admin API. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '#platform/ids.ts'
import { linkIn, newestMail } from '#tests/support/mailbox.ts'
import { agree, authorizeCard, callApi } from '#tests/support/order-by-api.ts'
import { quoteFormOf } from '#tests/support/quote-form.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInToOffice, type Visitor } from '#tests/support/visitor.ts'

let store: RunningStore
const sales = createVisitor()
beforeAll(async () => {
  store = await startStore()
  await signInToOffice(store.origin, sales, { email: 'sales@example.com' })
})
afterAll(() => store[Symbol.asyncDispose]())

const article = 100_001
const { fieldsOf, press } = quoteFormOf(() => store)
const pageOf = async (path: string, who: Visitor = sales) =>
  (await (await who.ask(path.startsWith('http') ? path : `${store.origin}${path}`)).text()).replaceAll('<!-- -->', '')

const address = { address1: '2450 N Halsted St', city: 'Chicago', state: 'IL' }

/** Composes a quote for two cars, each at another price. */
async function compose(email: string): Promise<string> {
  const form = { key: newId(), name: 'Rosa Whitfield', email, phone: '(312) 555-0146', account: '' }
  const started = await sales.ask(`${store.origin}/office/quotes/new`, { form })
  const path = started.headers.get('location') ?? ''
  const base = { label: 'Special Order', fulfillment: 'home', zip: '60614', ...address }
  await press(sales, path, `add-${article}`, { ...base, vehicle: '2019 Honda CR-V EX' })
  await press(sales, path, 'another', { [`price-${article}`]: '189.00' })
  await press(sales, path, `add-2-${article}`)
  await press(sales, path, 'save', { [`price-2-${article}`]: '199.00', 'vehicle-2': '2018 Toyota Camry LE' })
  return path
}

test('a vehicle is added, found tires for, and removed without losing input', async () => {
  const path = await compose(`rosa-${newId()}@example.com`)
  const html = await pageOf(path)
  expect(html).toContain('What Rosa gets')
  for (const text of ['Vehicle 1</h2>', 'Vehicle 2</h2>', '2018 Toyota Camry', 'value="drop-2"'])
    expect(html).toContain(text)

  // An error at the second vehicle loses no input.
  const typed = { 'vehicle-2': 'zzzz', note: 'Both cars in one visit.' }
  const many = await (await press(sales, path, 'another', { ...typed, [`quantity-2-${article}`]: '99' })).text()
  for (const kept of ['value="zzzz"', 'value="99"', 'Both cars in one visit.', `quantity-2-${article}-error`])
    expect(many).toContain(kept)
  const wrong = await press(sales, path, 'another', typed)
  expect(wrong.status).toBe(422)
  expect((await wrong.text()).replaceAll('<!-- -->', '')).toContain('Vehicle 2: Enter year, make and model')

  const found = await press(sales, path, 'find', { qVehicle: '2', q: '' })
  expect(found.headers.get('location')).toBe(`${path}?q=vehicle&v=2`)
  expect(await pageOf(`${path}?q=vehicle&v=2`)).toMatch(/value="add-2-\d+"/)

  // Without the first vehicle, the second is the first.
  expect((await press(sales, path, 'drop-1', { note: 'One car.' })).status).toBe(303)
  const fields = await fieldsOf(sales, path)
  expect(fields).toMatchObject({ [`price-${article}`]: '199.00', note: 'One car.' })
  expect(fields['vehicle']).toContain('2018 Toyota Camry')
  expect(Object.keys(fields).filter((name) => /-2(?:-|$)/.test(name))).toEqual([])
})

test('the customer orders each vehicle from the link, and the office shows the ordered and open ones', async () => {
  const email = `rosa-${newId()}@example.com`
  const path = await compose(email)
  expect((await press(sales, path, 'send')).headers.get('location')).toBe(`${path}?done=sent`)
  const mail = await newestMail(store, email, 'Your quote Q-')
  for (const text of ['2019 Honda CR-V', '2018 Toyota Camry', 'Total for 2 vehicles']) expect(mail.text).toContain(text)
  const link = linkIn(mail, '/quote/')

  const shopper = createVisitor()
  const shown = await pageOf(link, shopper)
  expect(shown).toMatch(/\$[\d,.]+ for 2 vehicles, in separate orders/)
  expect([...shown.matchAll(/<button[^>]*value="(\d)"/g)].map(([, position]) => position)).toEqual(['1', '2'])
  expect(shown).not.toMatch(/margin|floor/i)

  const opened = await shopper.ask(link, { form: { vehicle: '2' } })
  expect(opened.headers.get('location')).toBe('/checkout/payments')
  expect(await pageOf('/cart', shopper)).toContain('$199.00')
  expect(await callApi(store, shopper, 'PUT', '/cart/billing', { sameAsShipping: '1' })).toMatchObject({ status: 200 })
  await authorizeCard(store, shopper)
  const { agreedPrice } = (await callApi(store, shopper, 'GET', '/cart/price')).body as { agreedPrice: string }
  await agree(store, shopper, agreedPrice)

  const half = await pageOf(path)
  expect(half).toContain('1 of 2 ordered')
  expect(half).toContain('value="extend"')
  expect(await pageOf('/office/quotes')).toContain('1 of 2 ordered')
  const page = await pageOf(link, shopper)
  expect(page).toContain('Ordered</span>')
  expect([...page.matchAll(/<button[^>]*value="(\d)"/g)].map(([, position]) => position)).toEqual(['1'])
  expect((await shopper.ask(link, { form: { vehicle: '2' } })).status).toBe(410)
  for (const vehicle of ['3', 'x', '99999'])
    expect((await shopper.ask(link, { form: { vehicle } })).status, vehicle).toBe(404)

  // A stranger with the link sees no address in the cart of the other vehicle.
  const stranger = createVisitor()
  expect((await stranger.ask(link, { form: { vehicle: '1' } })).headers.get('location')).toBe('/cart')
  expect(await pageOf('/checkout/shipping-confirmation', stranger)).not.toContain('2450 N Halsted')

  const ended = await press(sales, path, 'withdraw', { reason: 'Sold out.' })
  expect(ended.headers.get('location')).toBe(`${path}?done=withdrawn`)
  expect((await shopper.ask(link)).status).toBe(410)
})

test('the vehicles after the first have a page for booking and ordering by phone', async () => {
  const path = await compose(`rosa-${newId()}@example.com`)
  await press(sales, path, 'send')
  const id = Number(path.split('/').at(-1))
  const part = /<a href="\/office\/quotes\/(\d+)">Book or order/.exec(await pageOf(path))?.[1] ?? ''
  expect(Number(part)).toBeGreaterThan(id)
  const html = await pageOf(`/office/quotes/${part}`)
  expect(html).toContain(`Quote Q-${id}, 2018 Toyota Camry`)
  expect(html).toContain('value="installation"')
  for (const intent of ['withdraw', 'extend', 'version', 'again', 'copy'])
    expect(html).not.toContain(`value="${intent}"`)
  const refused = await sales.ask(`${store.origin}/office/quotes/${part}`, {
    form: { intent: 'withdraw', reason: 'No' },
  })
  expect(refused.status).toBe(404)
  const opened = await sales.ask(`${store.origin}/office/quotes/${part}`, { form: { intent: 'installation' } })
  expect(opened.headers.get('location')).toBe(`/office/quotes/${part}?done=opened`)
})
