/** The form of the price guarantee, as a browser without script sends it, and as one with script does. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import { storeDay } from '#platform/store-zone.ts'
import { oneTireItem, placeOnTerms } from '#tests/support/order-by-api.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInAt, type Visitor } from '#tests/support/visitor.ts'

let store: RunningStore
let sol: Visitor
let orderId: number
const email = 'sol@example.com'
beforeAll(async () => {
  store = await startStore()
  sol = createVisitor()
  await signInAt(store.origin, sol, { email })
  orderId = await placeOnTerms(store, sol)
})
afterAll(() => store[Symbol.asyncDispose]())

const page = '/price-guarantee'
const at = (path: string) => `${store.origin}${path}`
const requests = () => store.database.db.selectFrom('price_guarantee_request').selectAll().orderBy('id').execute()
const forgetNetwork = () =>
  store.database.db.updateTable('price_guarantee_request').set({ network_key: null }).execute()

const { year, month, day } = storeDay(systemClock.now())
const offer = (fields: Record<string, string> = {}) => ({
  competitor: 'Other Tires',
  link: 'https://othertires.com/alltide',
  price: '20.00',
  shipping: '1',
  seenOn: `${month}/${day}/${year}`,
  ...fields,
})

function send(
  visitor: Visitor,
  fields: Record<string, string>,
  { file, headers }: { file?: { name: string; bytes: Uint8Array<ArrayBuffer> }; headers?: Record<string, string> } = {},
): Promise<Response> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  if (file) form.append('attachment', new File([file.bytes], file.name))
  return visitor.ask(at(page), { form, ...(headers && { headers }) })
}

test('the page has its text, is shareable, and includes the form', async () => {
  const answer = await createVisitor().ask(at(page))
  const html = await answer.text()
  expect(answer.status).toBe(200)
  expect(answer.headers.get('cache-control')).toBe('public, s-maxage=600')
  for (const words of ['What we match', 'What we do not match', 'Our own price falls', 'id="ask"', 'Send request'])
    expect(html).toContain(words)
})

test('a signed-in shopper enters only the order number and gets a request number', async () => {
  const account = createVisitor()
  await signInAt(store.origin, account, { email })
  const asked = offer({ orderNumber: `S-${orderId}` })
  const answer = await send(account, asked)
  const [kept] = await requests()
  expect(answer.status).toBe(303)
  expect(answer.headers.get('location')).toBe(`${page}/thanks?request=${kept?.id}`)
  expect(kept).toMatchObject({ order_id: orderId, email, state: 'open', their_each_cents: 2_000 })
  const thanks = await (await account.ask(at(`${page}/thanks?request=${kept?.id}`))).text()
  expect(thanks).toContain(`G-${kept?.id}`)
  expect(thanks).not.toContain('Other Tires')
  // Sent twice it is the same request.
  const again = await send(account, asked)
  expect(again.headers.get('location')).toBe(answer.headers.get('location'))
  expect(await requests()).toHaveLength(1)
})

test('with script the same form is sent in the background, and leads to the same place', async () => {
  const answer = await send(sol, offer({ orderNumber: `S-${orderId}`, price: '20.01' }), {
    headers: { accept: '*/*', 'x-requested-with': 'fetch' },
  })
  expect(answer.status).toBe(303)
  expect(answer.headers.get('location')).toMatch(/^\/price-guarantee\/thanks\?request=\d+$/)
})

test('a guest verifies the order by email or ZIP, and sees no details without it', async () => {
  const number = `S-${orderId}`
  const before = (await requests()).length
  const stranger = createVisitor()
  await forgetNetwork()
  for (const [proof, words] of [
    [{}, 'Enter the email or the ZIP code of this order too'],
    [{ zip: '99501' }, 'Please review. Order ID &amp; ZIP Code do not match.'],
    [{ email: 'me@example.com' }, 'Please review. Order ID &amp; email do not match.'],
  ] as const) {
    const answer = await send(stranger, offer({ orderNumber: number, ...proof }))
    const html = await answer.text()
    expect(answer.status).toBe(422)
    expect(html).toContain(words)
    expect(html).not.toContain(email)
  }
  expect((await requests()).length).toBe(before)
  expect((await send(stranger, offer({ orderNumber: number, zip: '60614', price: '21.00' }))).status).toBe(303)
  expect((await send(stranger, offer({ orderNumber: number, email, price: '22.00' }))).status).toBe(303)
  // The answer goes to the order's own address.
  expect(new Set((await requests()).map((request) => request.email))).toEqual(new Set([email]))
  await forgetNetwork()
})

test('the browser that placed an order needs only its number', async () => {
  const sameBrowser = createVisitor()
  sameBrowser.setCookie('localhost', 'sw_orders', sol.cookie('sw_orders')?.value ?? '')
  expect((await send(sameBrowser, offer({ orderNumber: String(orderId), price: '23.00' }))).status).toBe(303)
  expect((await send(createVisitor(), offer({ orderNumber: String(orderId), price: '23.00' }))).status).toBe(422)
  await forgetNetwork()
})

test('before purchase, ineligible requests are rejected at their field with picture and input retained', async () => {
  const guest = createVisitor()
  const asked = offer({ email: 'guest@example.com', item: await oneTireItem(store), quantity: '4' })
  const { shipping: _, ...withoutShipping } = asked
  const refused = await send(guest, {
    ...withoutShipping,
    link: 'https://www.ebay.com/itm/1',
    price: '9000',
    competitor: 'Keep <this> & that',
  })
  const html = await refused.text()
  expect(refused.status).toBe(422)
  for (const words of [
    'not marketplaces and auctions',
    'We compare prices out the door.',
    'with what this price includes, which is not more.',
    'Keep &lt;this&gt; &amp; that',
  ])
    expect(html).toContain(words)
  const withFile = (bytes: Uint8Array<ArrayBuffer>) => send(guest, asked, { file: { name: 'offer.pdf', bytes } })
  expect(await (await withFile(new Uint8Array(2 * 1024 * 1024))).text()).toContain('File size is greater than 1MB')
  expect(await (await withFile(new TextEncoder().encode('%PDF-1.7 cut'))).text()).toContain(
    'An error has occured while reading the file.',
  )
  expect((await withFile(new TextEncoder().encode('%PDF-1.7\n%%EOF\n'))).status).toBe(303)
  expect((await requests()).at(-1)).toMatchObject({ order_id: null, email: 'guest@example.com', quantity: 4 })
  await forgetNetwork()
})

test('a bot is thanked without storing data, limits show a message, and failures retain the input', async () => {
  const guest = createVisitor()
  const asked = (price: string) => ({ email: 'many@example.com', ...offer({ price }) })
  const item = await oneTireItem(store)
  const before = (await requests()).length
  const program = await send(guest, { ...asked('1.00'), website: 'x' })
  expect(program.status).toBe(303)
  expect(program.headers.get('location')).toBe(`${page}/thanks`)
  expect((await requests()).length).toBe(before)
  const statuses: number[] = []
  for (let count = 1; count <= 6; count++)
    statuses.push((await send(guest, { ...asked(`${count}.00`), item, quantity: '4' })).status)
  expect(statuses).toEqual([303, 303, 303, 303, 303, 429])
  await forgetNetwork()
})
