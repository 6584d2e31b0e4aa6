/** Tests who can order on invoice and see invoices, over the API and on company pages. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { desk } from '#domain/kernel/staff/staff.testing.ts'
import { findMembership, setTerms } from '#domain/customers/companies/companies.server.ts'
import { systemClock } from '#platform/clock.ts'
import { giveCompany } from '#tests/support/company.ts'
import { callApi, fillHomeCart } from '#tests/support/order-by-api.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInAt, type Visitor } from '#tests/support/visitor.ts'

let store: RunningStore
let sol: Visitor
beforeAll(async () => {
  store = await startStore()
  sol = await signedIn('sol@example.com')
})
afterAll(() => store[Symbol.asyncDispose]())

const at = (path: string) => `${store.origin}${path}`

async function signedIn(email: string): Promise<Visitor> {
  const visitor = createVisitor()
  await signInAt(store.origin, visitor, { email })
  return visitor
}

const contact = { firstName: 'Sol', lastName: 'Marsh', email: 'sol@example.com', phoneType: 'work' }

/** Fills a home-delivery cart, complete except for payment. Returns its price. */
const fillCart = (visitor: Visitor, poNumber?: string) =>
  fillHomeCart(store, visitor, { contact, ...(poNumber && { billing: { poNumber } }) })

async function call(visitor: Visitor, method: string, path: string, body?: unknown) {
  const reply = await callApi(store, visitor, method, path, body)
  return { status: reply.status, cache: reply.headers.get('cache-control'), body: reply.body as never }
}

const pay = (visitor: Visitor) => call(visitor, 'POST', '/cart/payment', { flow: 'net-terms' })
const place = (visitor: Visitor, agreedPrice: string) =>
  call(visitor, 'POST', '/orders', { agreedPrice, termsAccepted: true, conditionsAccepted: true })

test('the payment methods include the terms of the caller’s own company only', async () => {
  const own = await call(sol, 'GET', '/payment-methods')
  expect(own).toMatchObject({
    cache: 'private, no-store',
    body: {
      methods: expect.arrayContaining([
        expect.objectContaining({ type: 'card' }),
        expect.objectContaining({ type: 'net-terms', name: 'Net 30' }),
      ]) as unknown,
    },
  })
  const guest = await call(createVisitor(), 'GET', '/payment-methods')
  expect(guest).toMatchObject({ cache: 'public, max-age=300', body: { methods: expect.any(Array) as unknown } })
  expect(JSON.stringify(guest.body)).not.toContain('net-terms')
  expect(
    JSON.stringify((await call(await signedIn('paula@example.com'), 'GET', '/payment-methods')).body),
  ).not.toContain('net-terms')
})

test('an order on terms over the API requires a PO number and can be placed, read, and canceled', async () => {
  const { agreedPrice, dueCents } = await fillCart(sol)
  const opened = await pay(sol)
  expect(opened).toMatchObject({
    status: 201,
    body: {
      amountCents: dueCents,
      clientSecret: null,
      url: null,
      dueOn: expect.stringMatching(/^20\d\d-\d\d-\d\d$/) as string,
    },
  })
  expect((await call(sol, 'GET', '/cart/payment')).body).toEqual({
    by: 'net-terms',
    state: 'authorized',
    amountCents: dueCents,
    isProcessing: false,
    message: null,
  })
  expect(await place(sol, agreedPrice)).toMatchObject({
    status: 409,
    body: { code: 'CartIncomplete', data: { step: 'po-number' } },
  })
  await call(sol, 'PUT', '/cart/billing', { sameAsShipping: '1', poNumber: 'MER-7001' })
  const placed = await place(sol, agreedPrice)
  expect(placed.status).toBe(201)
  const { orderId } = placed.body as { orderId: number }
  expect((await call(sol, 'GET', `/orders/${orderId}`)).body).toMatchObject({
    payment: null,
    invoice: { state: 'open', amountCents: dueCents, netDays: 30, dueOn: (opened.body as { dueOn: string }).dueOn },
  })
  expect((await call(sol, 'POST', `/orders/${orderId}/cancellation`)).status).toBeLessThan(300)
  expect((await call(sol, 'GET', `/orders/${orderId}`)).body).toMatchObject({ invoice: { state: 'canceled' } })
})

test('voiding the payment method also removes the terms, and a card is required again', async () => {
  const { agreedPrice } = await fillCart(sol, 'MER-7002')
  expect((await pay(sol)).status).toBe(201)
  expect((await call(sol, 'DELETE', '/cart/payment')).status).toBe(204)
  expect((await call(sol, 'GET', '/cart/payment')).body).toBeNull()
  expect(await place(sol, agreedPrice)).toMatchObject({
    status: 409,
    body: { code: 'CartIncomplete', data: { step: 'payment' } },
  })
})

test('buyers without net terms see an error on API and page, with their input retained', async () => {
  const paula = await signedIn('paula@example.com')
  const { agreedPrice } = await fillCart(paula)
  const words = 'Your company pays when it orders. Pay by card, or ask us for net terms.'
  expect(await pay(paula)).toMatchObject({
    status: 402,
    body: { code: 'PaymentNotAuthorized', message: words, data: { why: 'no-terms' } },
  })
  expect(await place(paula, agreedPrice)).toMatchObject({ status: 409, body: { code: 'CartIncomplete' } })
  const posted = await paula.ask(at('/checkout/payments'), {
    form: { method: 'net-terms', sameAsShipping: '1', poNumber: 'kept 7' },
  })
  const html = await posted.text()
  expect(posted.status).toBe(402)
  expect(html).toContain(words)
  expect(html).toContain('value="kept 7"')
  expect((await paula.ask(at('/checkout/payments/net-terms'))).status).toBe(404)
})

test('an order over the limit is refused with the remaining credit, and the page offers the card', async () => {
  const email = 'will@example.com'
  const will = await signedIn(email)
  const { db } = store.database
  const companyId = await giveCompany(db, email, { name: 'Tran Fleet' })
  await setTerms(
    { db, clock: systemClock },
    { by: desk, id: companyId, terms: { netDays: 15, creditLimitCents: 1_000 } },
  )
  await fillCart(will)
  expect(await pay(will)).toMatchObject({ status: 402, body: { data: { why: 'over-limit', leftCents: 1_000 } } })
  const page = await (await will.ask(at('/checkout/payments'))).text()
  expect(page).toContain('This order is over what your company has left on its terms, $10.00.')
  expect(/<input[^>]*value="net-terms"[^>]*>/.exec(page)?.[0]).toContain('disabled')
  const posted = await will.ask(at('/checkout/payments'), { form: { method: 'net-terms', sameAsShipping: '1' } })
  expect(posted.status).toBe(402)
  expect(await posted.text()).toContain('$10.00')
})

test('owners and viewers see company invoices, buyers see the remaining credit, and others see neither', async () => {
  const { agreedPrice } = await fillCart(sol, 'MER-7003')
  await pay(sol)
  const { orderId } = (await place(sol, agreedPrice)).body as { orderId: number }
  const read = async (visitor: Visitor, path = '/account/company/invoices') => {
    const answer = await visitor.ask(at(path))
    return {
      status: answer.status,
      cache: answer.headers.get('cache-control'),
      to: answer.headers.get('location'),
      html: (await answer.text()).replaceAll('<!-- -->', ''),
    }
  }
  const own = await read(sol)
  expect(own.cache).toBe('private, no-store')
  expect(own.html).toContain(`S-${orderId}`)
  expect(own.html).toContain('PO MER-7003')
  for (const page of ['0', '-1', '99999', 'x', '2.5'])
    expect((await read(sol, `/account/company/invoices?page=${page}`)).status).toBe(200)
  expect((await read(sol, '/account/company/invoices?page=2')).html).not.toContain(`S-${orderId}`)
  expect((await read(createVisitor())).to).toMatch(/^\/sign-in\?back=/)

  const { db } = store.database
  const solId = (
    await db.selectFrom('account').select('id').where('email', '=', 'sol@example.com').executeTakeFirstOrThrow()
  ).id
  const companyId = (await findMembership({ db }, solId))?.company.id ?? ''
  const { id: erinId } = await db
    .selectFrom('account')
    .select('id')
    .where('email', '=', 'erin@example.com')
    .executeTakeFirstOrThrow()
  const erin = await signedIn('erin@example.com')
  expect((await read(erin)).to).toBe('/account/company')
  const api = async (visitor: Visitor) => {
    const { status, body } = await call(visitor, 'GET', '/company/invoices')
    const { invoices = [], code = null } = body as {
      invoices?: { orderId: number; poNumber: string }[]
      code?: string | null
    }
    return { status, code, listed: invoices.filter((each) => each.orderId === orderId) }
  }
  expect(await api(sol)).toMatchObject({
    status: 200,
    listed: [{ orderNumber: `S-${orderId}`, state: 'open', isOverdue: false, poNumber: 'MER-7003' }],
  })
  expect(await api(erin)).toEqual({ status: 404, code: 'NoCompany', listed: [] })
  const joined = { account_id: erinId, company_id: companyId, joined_at: Temporal.Now.instant() }
  await db
    .insertInto('company_member')
    .values({ ...joined, role: 'buyer' })
    .execute()
  const buyer = await read(erin)
  expect(buyer.html).toContain('Left to spend')
  expect(buyer.html).not.toContain(`S-${orderId}`)
  expect(await api(erin)).toEqual({ status: 403, code: 'Forbidden', listed: [] })
  await db.updateTable('company_member').set({ role: 'viewer' }).where('account_id', '=', erinId).execute()
  expect((await read(erin)).html).toContain(`S-${orderId}`)
  expect((await api(erin)).listed).toHaveLength(1)
})

test('an overdue invoice appears on the owner’s account overview', async () => {
  const { db } = store.database
  const { agreedPrice } = await fillCart(sol, 'MER-7009')
  expect((await pay(sol)).status).toBe(201)
  const placed = await place(sol, agreedPrice)
  expect(placed.status).toBe(201)
  const { orderId } = placed.body as { orderId: number }
  const overview = async () => (await sol.ask(at('/account'))).text()
  expect(await overview()).not.toContain('invoices overdue')
  await db
    .updateTable('invoice')
    .set((eb) => ({ issued_on: sql`${eb.ref('issued_on')} - 31`, due_on: sql`${eb.ref('due_on')} - 31` }))
    .where('order_id', '=', orderId)
    .execute()
  expect(await overview()).toContain('Your company has invoices overdue: $')
  expect((await call(sol, 'GET', '/company')).body).toMatchObject({
    membership: { terms: { netDays: 30, leftCents: 0 } },
  })
})
