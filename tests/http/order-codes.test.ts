/**
 * Tests a guest who has an order's number and ZIP code and opens the rest with an emailed code, on pages and over the
 * API. Then the receipt's URL, which expires quickly if only a key opens it.
 */
import { rateLimits } from '#domain/kernel/rate-limits/rate-limits.ts'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { orderCodeMessages, orderNotFoundMessage, tooManyCodesMessage } from '#content/messages/orders.ts'
import { paths } from '#content/paths.ts'
import { orderKey, receiptKey, receiptMinutes } from '#domain/ordering/orders/order-access.server.ts'
import { readConfig } from '#platform/config.ts'
import type { Secrets } from '#platform/secrets.ts'
import { codeIn, newestMail } from '#tests/support/mailbox.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, type Visitor } from '#tests/support/visitor.ts'

type Order = { id: number; customerId: string; email: string; zip: string; street: string }

let store: RunningStore
let orders: Order[]
let secret: Secrets
beforeAll(async () => {
  store = await startStore()
  const config = readConfig({ DATABASE_URL: store.database.url })
  if (!config.ok) throw new Error('The configuration of tests is wrong.')
  secret = config.value.session.secret
  orders = await store.database.db
    .selectFrom('sales_order')
    .innerJoin('cart', 'cart.id', 'sales_order.cart_id')
    .select([
      'sales_order.id',
      'customer_id as customerId',
      'sales_order.email',
      'ship_to_zip as zip',
      'ship_to_street as street',
    ])
    .where('sales_order.state', '=', 'confirmed')
    .where('cart.account_id', 'is', null)
    .orderBy('sales_order.id', 'desc')
    .limit(4)
    .execute()
})
afterAll(() => store[Symbol.asyncDispose]())

const entities: Record<string, string> = { '&#x27;': "'", '&amp;': '&', '&quot;': '"' }

async function textOf(answer: Response): Promise<string> {
  return (await answer.text()).replaceAll(/&(?:#x27|amp|quot);/g, (entity) => entities[entity] ?? entity)
}

/** Looks an order up, and answers where the form leads to; undefined where it leads nowhere. */
async function lookUp(visitor: Visitor, { id, zip }: Pick<Order, 'id' | 'zip'>): Promise<string | undefined> {
  const answer = await visitor.ask(`${store.origin}/track-your-order`, { form: { order: `S-${id}`, zip } })
  const location = answer.headers.get('location')
  if (location === null) expect(await textOf(answer)).toContain(orderNotFoundMessage)
  return location === null ? undefined : store.origin + location
}

/** Requests a code on the lookup page. Returns the next page and the emailed code. */
async function askForCode(visitor: Visitor, page: string, order: Order): Promise<{ page: string; code: string }> {
  const answer = await visitor.ask(page, { form: { intent: 'send-code' } })
  expect(answer.status).toBe(303)
  const shown = (store.origin + answer.headers.get('location')).replace('#code', '')
  return { page: shown, code: codeIn(await newestMail(store, order.email, `code for order S-${order.id}`)) }
}

function openWith(visitor: Visitor, page: string, code: string): Promise<Response> {
  return visitor.ask(page, { form: { intent: 'open-with-code', code } })
}

function next(code: string): string {
  return String((Number(code) + 1) % 1_000_000).padStart(6, '0')
}

test('number, ZIP and the code from the email open the whole order in one browser', async () => {
  const [order, other] = orders as [Order, Order]
  const [guest, stranger] = [createVisitor(), createVisitor()]
  const looked = (await lookUp(guest, order))!
  const before = await textOf(await guest.ask(looked))
  expect(before).toContain('Email me a code')
  expect(before).not.toContain(order.street)

  const { page, code } = await askForCode(guest, looked, order)
  const masked = `${order.email[0]}•••${order.email.slice(order.email.indexOf('@'))}`
  const asked = await textOf(await guest.ask(page))
  expect(asked).toContain(masked)
  expect(asked).not.toContain(order.email)
  const mail = await newestMail(store, order.email, `code for order S-${order.id}`)
  expect(mail.html).toContain(`<h1>${code}</h1>`)
  expect(mail.subject).not.toContain(code)
  expect(mail.text).toContain('It expires in 10 minutes')
  expect(mail.text).toContain('Sidewall will never ask you for this code')

  for (const [typed, message] of [
    [next(code), orderCodeMessages.wrong],
    ['12 34', orderCodeMessages.malformed],
    ['', orderCodeMessages.malformed],
  ] as const) {
    const refused = await openWith(guest, page, typed)
    expect(refused.status, typed).toBe(422)
    const text = await textOf(refused)
    expect(text).toMatch(new RegExp(`id="code-error">${message.replaceAll('.', '\\.')}<`))
    expect(text).not.toContain(order.street)
  }
  // The address and the code are not enough in another browser, nor the code for another order in this one.
  const elsewhere = await openWith(stranger, page, code)
  expect(elsewhere.status).toBe(422)
  expect(elsewhere.headers.getSetCookie()).toEqual([])
  const otherPage = (await lookUp(guest, other))!
  expect((await openWith(guest, otherPage, code)).status).toBe(422)

  const opened = await openWith(guest, page, `${code.slice(0, 3)} ${code.slice(3)}`)
  expect(opened.status).toBe(303)
  expect(new URL(opened.headers.get('location') ?? '', store.origin).pathname).toBe('/track-your-order/result')
  const whole = await textOf(await guest.ask(page))
  expect(whole).toContain(order.street)
  expect(whole).not.toContain('Email me a')
  const receipt = paths.receipt(order.id, order.customerId)
  expect(whole).toContain(`href="${receipt}"`)
  expect((await guest.ask(store.origin + receipt)).headers.get('content-type')).toBe('application/pdf')
  const { contact } = (await (
    await guest.ask(`${store.origin}/api/orders/${order.id}`, { headers: { accept: 'application/json' } })
  ).json()) as { contact: { email: string } }
  expect(contact.email).toBe(order.email)
  expect(guest.cookie('sw_order_keys')?.attributes).toMatch(/Max-Age=3600; Path=\/; HttpOnly; SameSite=Lax/)

  // Another tab in this browser redirects to the order. The code is used and can't open another page.
  expect((await openWith(guest, page, code)).status).toBe(303)
  stranger.setCookie('localhost', 'sw_order_code', guest.cookie('sw_order_code')?.value ?? '')
  const used = await openWith(stranger, page, code)
  expect(used.status).toBe(422)
  expect(await textOf(used)).toContain(orderCodeMessages.used)
  expect((await stranger.ask(store.origin + receipt)).status).toBe(404)
  const locked = await stranger.ask(`${store.origin}/track-your-order/result?order=${order.id}`)
  expect(locked.headers.get('location')).toBe(paths.trackOrder({ order: 'locked' }))
  expect((await guest.ask(store.origin + paths.receipt(other.id, other.customerId))).status).toBe(404)
})

test('without the right ZIP there is no code, and no telling whether there is such an order', async () => {
  const order = orders[1]!
  const guest = createVisitor()
  const unknown = order.id + 1_000_000
  for (const id of [order.id, unknown]) expect(await lookUp(guest, { id, zip: '99999' })).toBeUndefined()
  const answers = async (id: number) =>
    Promise.all(
      ['send-code', 'open-with-code', 'cancel'].flatMap((intent) =>
        ['', `&look=${id}-9999999999.${'x'.repeat(43)}`, '&look=x'].map(async (look) => {
          const page = `${store.origin}/track-your-order/result?order=${id}${look}`
          const answer = await guest.ask(page, { form: { intent, code: '123456' } })
          const text = await answer.text()
          return [intent, look.slice(0, 6), answer.status, answer.headers.getSetCookie(), text.includes('Sidewall')]
        }),
      ),
    )
  const known = await answers(order.id)
  expect(known.map(([, , status]) => status)).toEqual(known.map(() => 404))
  expect(await answers(unknown)).toEqual(known)
  expect(
    await store.database.db.selectFrom('order_code').select('id').where('order_id', '=', order.id).execute(),
  ).toEqual([])
})

test('repeated code requests are limited across browsers', async () => {
  const order = orders[2]!
  const guest = createVisitor()
  const page = (await lookUp(guest, order))!
  for (let count = 0; count < rateLimits['order-code'].counts.order; count += 1)
    expect((await createVisitor().ask(page, { form: { intent: 'send-code' } })).status).toBe(303)
  const refused = await guest.ask(page, { form: { intent: 'send-code' } })
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toSatisfy((seconds: number) => seconds > 3_500 && seconds <= 3_600)
  expect(await textOf(refused)).toContain(tooManyCodesMessage)
})

test('an app does the same over the API, from lookup to reading', async () => {
  const order = orders[3]!
  const call = async (path: string, body: Record<string, string>) => {
    const answer = await fetch(`${store.origin}/api${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return { status: answer.status, body: (await answer.json()) as Record<string, string> }
  }
  const number = `S-${order.id}`
  const strange = { order: `S-${order.id + 1_000_000}`, look: 'x', request: randomUUID(), code: '123456' }
  for (const path of ['/order-codes', '/order-codes/verification']) {
    const { code, ...asked } = strange
    const body = path === '/order-codes' ? asked : { ...asked, code }
    const [unknown, known] = [await call(path, body), await call(path, { ...body, order: number })]
    expect(unknown.status).toBe(404)
    expect(unknown.body['code']).toBe('OrderNotFound')
    expect({ ...known.body, instance: '' }).toEqual({ ...unknown.body, instance: '' })
  }

  const { look = '' } = (await call('/order-look-ups', { order: number, zip: order.zip })).body
  const asked = await call('/order-codes', { order: number, look })
  expect(asked.status).toBe(202)
  expect(asked.body['sentTo']).toContain('•••@')
  const ask = { order: number, look: asked.body['look'] ?? '', request: asked.body['request'] ?? '' }
  const code = codeIn(await newestMail(store, order.email, `code for order ${number}`))
  const verify = (said: Partial<typeof ask> & { code: string }) =>
    call('/order-codes/verification', { ...ask, ...said })
  expect(await verify({ code: next(code) })).toMatchObject({ status: 422, body: { code: 'CodeWrong' } })
  expect(await verify({ code, request: randomUUID() })).toMatchObject({ status: 422, body: { code: 'CodeWrong' } })
  const verified = await verify({ code })
  expect(verified.status).toBe(200)
  expect(await verify({ code })).toMatchObject({ status: 409, body: { code: 'CodeUsed' } })
  const read = async (key: string) => {
    const answer = await fetch(`${store.origin}/api/orders/${order.id}?${key}`)
    return (await answer.json()) as { contact: { email: string } | null; receipt: string | null }
  }
  expect(await read(`look=${ask.look}`)).toMatchObject({ contact: null, receipt: null })
  const { contact, receipt } = await read(`key=${verified.body['key']}`)
  expect(contact?.email).toBe(order.email)
  expect((await fetch(receipt!)).headers.get('content-type')).toBe('application/pdf')
})

test('the address of a receipt opens it for minutes, and then leads to where orders are tracked', async () => {
  const order = orders[0]!
  const now = Temporal.Now.instant()
  const receipt = (key: string, { id = order.id, customerId = order.customerId } = {}) =>
    createVisitor().ask(store.origin + paths.receipt(id, customerId, key))
  const key = orderKey(secret, order.id, now)
  // An email's link redirects to the page, which has a link with a separate key.
  const led = await receipt(key)
  expect(led.status).toBe(303)
  expect(led.headers.get('location')).toBe(paths.trackResult(order.id, { key }))
  const page = await textOf(await createVisitor().ask(store.origin + led.headers.get('location')))
  const link = /href="(\/my_customers\/pdf\/[^"]+)"/.exec(page)?.[1] ?? ''
  expect(link).not.toContain(encodeURIComponent(key))
  expect((await createVisitor().ask(store.origin + link)).headers.get('content-type')).toBe('application/pdf')
  // The receipt's key can't open other pages.
  const signed = receiptKey(secret, order.id, now)
  expect((await createVisitor().ask(store.origin + paths.trackResult(order.id, { key: signed }))).status).toBe(303)

  const old = receiptKey(secret, order.id, now.subtract({ minutes: receiptMinutes, seconds: 1 }))
  const over = await receipt(old)
  expect(over.status).toBe(303)
  expect(over.headers.get('location')).toBe(paths.trackOrder({ receipt: 'expired' }))
  const told = await createVisitor().ask(store.origin + over.headers.get('location'))
  expect(told.status).toBe(200)
  expect(await textOf(told)).toContain('That link to the receipt has expired')

  const other = orders[1]!
  for (const answer of [
    await receipt(`${signed}x`),
    await receipt(signed, { customerId: randomUUID() }),
    await receipt(signed, { id: other.id, customerId: other.customerId }),
    await receipt(old, { id: other.id, customerId: other.customerId }),
  ])
    expect(answer.status).toBe(404)
})
