/**
 * Tests fleet quotes without JavaScript from a file of VINs to an order's work order details, and with invalid files.
 */
import { rateLimits } from '#domain/kernel/rate-limits/rate-limits.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mostFleetFileBytes } from '#domain/channels/fleet-quotes/fleet-quotes.ts'
import { newId } from '#platform/ids.ts'
import { callApi } from '#tests/support/order-by-api.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInAt, signInToOffice, type Visitor } from '#tests/support/visitor.ts'

let store: RunningStore
let felix: Visitor
let vic: Visitor
let sol: Visitor
beforeAll(async () => {
  store = await startStore()
  const signedIn = async (name: string) => {
    const visitor = createVisitor()
    await signInAt(store.origin, visitor, { email: `${name}@example.com` })
    return visitor
  }
  felix = await signedIn('felix')
  vic = await signedIn('vic')
  sol = await signedIn('sol')
}, 180_000)
afterAll(() => store[Symbol.asyncDispose]())

const at = (path: string) => `${store.origin}${path}`
const read = async (answer: Response | Promise<Response>) => (await (await answer).text()).replaceAll('<!-- -->', '')
const quotes = '/account/company/vehicles/quotes'
const list =
  'Unit,VIN,Plate,State\n117,1HGCM82633A004352,P44 9021,il\n118,1FTFW1ET9DFC10312,,\n119,1FDUF5HT9GEA12345,,\n'

function upload(content: string | Uint8Array<ArrayBuffer>, key: string = newId()): FormData {
  const form = new FormData()
  form.set('key', key)
  form.set('zip', '60614')
  form.set('file', new File([content], 'vehicles.csv', { type: 'text/csv' }))
  return form
}

/** The fields of a page's form as a browser without script sends them untouched. */
function fieldsOf(html: string, intent: string): Record<string, string> {
  const form = html.split('<form').find((part) => part.includes(`value="${intent}"`)) ?? ''
  const hidden = [...form.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)]
  const selects = [...form.matchAll(/<select[^>]*name="([^"]+)"[\s\S]*?<\/select>/g)].map(([select, name = '']) => {
    const values = [...select.matchAll(/<option value="([^"]*)"/g)].flatMap(([, value = '']) => (value ? [value] : []))
    return [name, values[0] ?? ''] as const
  })
  return Object.fromEntries([...hidden.map(([, name = '', value = '']) => [name, value] as const), ...selects])
}

test('fleet quotes require packets, and buyers see the button but viewers don’t', async () => {
  expect((await felix.ask(at(quotes))).status).toBe(404)
  const desk = createVisitor()
  await signInToOffice(store.origin, desk, { email: 'owner@example.com' })
  const { id } = await store.database.db
    .selectFrom('company')
    .select('id')
    .where('name', '=', 'Grant Delivery')
    .executeTakeFirstOrThrow()
  await desk.ask(at(`/office/companies/${id}`), { form: { intent: 'fleet-packets', packets: '1' } })
  expect(await read(felix.ask(at('/account/company/vehicles')))).toContain(`href="${quotes}"`)
  expect(await read(vic.ask(at('/account/company/vehicles')))).not.toContain(`href="${quotes}"`)
  expect((await felix.ask(at(quotes))).status).toBe(200)
  expect((await vic.ask(at(quotes))).status).toBe(404)
  expect((await createVisitor().ask(at(quotes))).status).toBe(303)
})

test('from the file to the order of one vehicle, with its packet filled in', async () => {
  const started = await felix.ask(at(quotes), { form: upload(list) })
  const path = started.headers.get('location') ?? ''
  expect(started.status).toBe(303)
  expect(path.startsWith(`${quotes}/`)).toBe(true)
  const page = await read(felix.ask(at(path)))
  for (const words of ['Unit 118', '2013 Ford F-150', '2016 Ford F-550', 'Vehicles we ask about'])
    expect(page).toContain(words)

  const answers = fieldsOf(page, 'answer')
  const unknown = Object.keys(answers).includes('vehicle-4')
  expect(unknown).toBe(false)
  const wrong = await felix.ask(at(path), { form: { ...answers, 'vehicle-4': '<b>what</b>' } })
  const html = await read(wrong)
  expect(wrong.status).toBe(422)
  expect(html).toContain('We do not know this')
  expect(html).toContain('&lt;b&gt;what')
  const saved = await felix.ask(at(path), { form: { intent: 'answer', 'vehicle-4': '225/70R19.5' } })
  expect(saved.status).toBe(303)
  expect(saved.headers.get('location')).toBe(`${path}?done=answered`)

  const tires = await read(felix.ask(at(path)))
  const held = await felix.ask(at(path), { form: fieldsOf(tires, 'hold') })
  expect(held.status).toBe(303)
  expect(held.headers.get('location')).toBe(`${path}?done=held`)
  const quote = await read(felix.ask(at(path)))
  for (const words of ['Your quote', 'Tires together', 'Order for Unit 117', 'plate P449021 IL'])
    expect(quote).toContain(words)

  const ordered = await felix.ask(at(path), { form: { intent: 'order', line: '2' } })
  expect(ordered.status).toBe(303)
  expect(ordered.headers.get('location')).toBe('/cart')
  expect(await read(felix.ask(at('/cart')))).toContain('Quoted price')
  const contact = { firstName: 'Felix', lastName: 'Grant', email: 'felix@example.com', phoneType: 'work' }
  const address = { phone: '3125550146', address1: '120 W Fullerton Ave', city: 'Chicago', state: 'IL', zip: '60614' }
  await callApi(store, felix, 'PUT', '/cart/delivery', { fulfillment: 'home' })
  const entered = await callApi(store, felix, 'PUT', '/cart/contact', { ...contact, ...address })
  const { data } = entered.body as { data?: { key?: string } }
  if (data?.key) await callApi(store, felix, 'PUT', '/cart/contact', { ...contact, ...address, keepAddress: data.key })
  const checkout = await read(felix.ask(at('/checkout/payments')))
  for (const value of ['117', '1HGCM82633A004352', 'P449021', 'IL']) expect(checkout).toContain(`value="${value}"`)
  expect(await read(felix.ask(at(path)))).toContain('Go on with the order for Unit 117')

  // On the company's terms, as each of its orders.
  const terms = { sameAsShipping: '1', poNumber: 'GD-117', method: 'net-terms', unit: '117', driver: 'Ray Ortiz' }
  const vehicle = { vin: '1HGCM82633A004352', plate: 'P449021', plateState: 'IL' }
  const kept = await felix.ask(at('/checkout/payments'), { form: { ...terms, ...vehicle } })
  expect(kept.status).toBe(303)
  expect(kept.headers.get('location')).toBe('/checkout/order-summary')
  const { body } = await callApi(store, felix, 'GET', '/cart/price')
  const { agreedPrice } = body as { agreedPrice: string }
  const accepted = { agreedPrice, termsAccepted: true, conditionsAccepted: true }
  const placed = await callApi(store, felix, 'POST', '/orders', accepted)
  expect(placed.status).toBe(201)
  expect(placed.body).toMatchObject({ orderId: expect.any(Number) as number })
  const { orderId } = placed.body as { orderId: number }
  const packet = await read(felix.ask(at(`/account/company/orders/${orderId}`)))
  for (const words of ['117', '1HGCM82633A004352', 'P449021', 'GD-117']) expect(packet).toContain(words)
  expect(await read(felix.ask(at('/account/company/vehicles')))).toContain(`/account/company/orders/${orderId}`)
  expect(await read(felix.ask(at(path)))).toContain('Ordered.')
})

test('rejects hostile files by line and restores the input', async () => {
  const utf16 = new Uint8Array([0xff, 0xfe, ...Buffer.from(list, 'utf16le')])
  const cases: [string | Uint8Array<ArrayBuffer>, string][] = [
    [new Uint8Array(mostFleetFileBytes + 1).fill(65), 'larger than'],
    [new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 1, 2]), 'not a text file'],
    [utf16, 'UTF-16'],
    [`VIN\n${'1HGCM82633A004352\n'.repeat(1_000)}`, 'more than 100 vehicles'],
    ['VIN,Unit\n=HYPERLINK(1),1\n', 'Line 2'],
    ['VIN\n"1HGCM82633A004352', 'cannot be read as CSV'],
  ]
  for (const [content, words] of cases) {
    const answer = await felix.ask(at(quotes), { form: upload(content) })
    expect(answer.status, words).toBe(422)
    expect(await read(answer)).toContain(words)
  }
  const form = { key: newId(), zip: 'x', lines: '1HGCM82633A004353,117' }
  const typed = await felix.ask(at(quotes), { form: { ...form, zip: '60614' } })
  const html = await read(typed)
  expect(typed.status).toBe(422)
  expect(html).toContain('wrong check digit')
  expect(html).toContain('1HGCM82633A004353,117')
  expect((await felix.ask(at(quotes), { form })).status).toBe(422)
})

test('other companies’ ids are not there, one press is one quote, and a day has its end', async () => {
  const key = newId()
  const [first, second] = await Promise.all([1, 2].map(() => felix.ask(at(quotes), { form: upload(list, key) })))
  expect(first?.headers.get('location')).toBe(second?.headers.get('location'))
  const path = first?.headers.get('location') ?? ''
  for (const visitor of [sol, vic]) {
    expect((await visitor.ask(at(path))).status).toBe(404)
    for (const intent of ['answer', 'hold', 'order'])
      expect((await visitor.ask(at(path), { form: { intent, line: '2' } })).status).toBe(404)
  }
  for (const id of ['1', 'x', newId(), '%00', '9'.repeat(40)])
    expect([400, 404]).toContain((await felix.ask(at(`${quotes}/${id}`))).status)
  const statuses = []
  for (let count = 0; count < rateLimits['fleet-list'].counts.company; count += 1)
    statuses.push((await felix.ask(at(quotes), { form: upload(list) })).status)
  expect(statuses[0]).toBe(303)
  expect(statuses.at(-1)).toBe(429)
})
