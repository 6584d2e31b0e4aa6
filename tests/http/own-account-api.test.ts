/** Tests signing out, exporting data, deleting the account, claiming orders, and joining programs over the API. */
import { rateLimits } from '#domain/kernel/rate-limits/rate-limits.ts'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { desk } from '#domain/kernel/staff/staff.testing.ts'
import { addEmployer } from '#domain/customers/programs/programs.server.ts'
import { systemClock } from '#platform/clock.ts'
import { payWithFields } from '#sandbox/test-sandbox.ts'
import { giveCompany } from '#tests/support/company.ts'
import { linkIn, newestMail } from '#tests/support/mailbox.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, registerAt, sessionOf, signInAt, type Visitor } from '#tests/support/visitor.ts'

let store: RunningStore
beforeAll(async () => {
  store = await startStore({ env: { API_CALLS_PER_MINUTE: '1000000' } })
})
afterAll(() => store[Symbol.asyncDispose]())

type Sent = { body?: unknown; headers?: Record<string, string> }

async function call(who: Visitor | string, what: string, { body, headers = {} }: Sent = {}) {
  const [method = '', path = ''] = what.split(' ')
  const answer = await fetch(`${store.origin}/api${path}`, {
    method,
    headers: {
      cookie: typeof who === 'string' ? who : who.cookieFor(store.origin),
      origin: store.origin,
      ...(method === 'POST' && { 'idempotency-key': randomUUID() }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  if (typeof who !== 'string') who.keep(answer, new URL(store.origin))
  const text = await answer.text()
  expect(answer.headers.get('cache-control'), what).toBe('private, no-store')
  return { status: answer.status, body: (text === '' ? null : JSON.parse(text)) as never, headers: answer.headers }
}

async function newcomer(name: string, email?: string): Promise<Visitor> {
  const visitor = createVisitor()
  await registerAt(store.origin, visitor, name, email === undefined ? {} : { email })
  return visitor
}

const refusal = (status: number, code: string, message: string | RegExp = /\w/) => ({
  status,
  body: { code, statusCode: status, message: expect.stringMatching(message) as string },
})

const accountOf = (email: string) =>
  store.database.db.selectFrom('account').select('id').where('email', '=', email).executeTakeFirst()

const own: [what: string, body?: unknown][] = [
  ['GET /users/me/sessions'],
  ['DELETE /users/me/sessions'],
  ['DELETE /users/me/sessions/01937b5e-0000-7000-8000-000000000000'],
  ['DELETE /users/session'],
  ['GET /users/me/data'],
  ['DELETE /users/me?sure=yes'],
  ['GET /orders/unclaimed'],
  ['POST /orders/claims'],
  ['POST /membership/payment', { flow: 'hosted' }],
  ['POST /membership'],
  ['PUT /membership/reminders', { wantsReminders: true }],
  ['DELETE /membership/renewal'],
  ['DELETE /membership'],
  ['POST /partner-program/membership', { code: 'AAAAAAAA' }],
  ['POST /employees/membership'],
]

test.for(own)('%s requires signing in, and this site', async ([what, body]) => {
  for (const cookie of ['', 'sw_session=x', 'sw_zip=60614'])
    expect(await call(cookie, what, { body })).toMatchObject(refusal(401, 'Unauthorized'))
  // A cart key doesn't identify an account.
  expect(await call('', what, { body, headers: { authorization: `Bearer ${randomUUID()}` } })).toMatchObject(
    refusal(401, 'Unauthorized'),
  )
  if (what.startsWith('GET')) return
  const noa = await sessionOf(store.origin, 'noa@example.com')
  expect(await call(noa, what, { body, headers: { origin: 'https://evil.test' } })).toMatchObject(
    refusal(403, 'Forbidden'),
  )
  expect((await call(noa, 'GET /users/session')).status).toBe(200)
})

test('a session ended over the API is over; other accounts cannot end it', async () => {
  const [here, there, third] = [createVisitor(), createVisitor(), createVisitor()]
  for (const visitor of [there, third, here]) await signInAt(store.origin, visitor, { email: 'mona@example.com' })
  const lee = await sessionOf(store.origin, 'lee@example.com')
  const idOf = (visitor: Visitor) => visitor.cookie('sw_session')?.value.split('.')[0] ?? ''
  const listed = await call(here, 'GET /users/me/sessions')
  const sessions = listed.body as { id: string; browser: string | null; isThis: boolean }[]
  expect(sessions.map(({ id }) => id).toSorted()).toEqual([here, there, third].map(idOf).toSorted())
  expect(sessions.filter(({ isThis }) => isThis).map(({ id }) => id)).toEqual([idOf(here)])
  expect(JSON.stringify(sessions)).not.toContain(here.cookie('sw_session')?.value.split('.')[1])

  expect(await call(lee, `DELETE /users/me/sessions/${idOf(there)}`)).toMatchObject(refusal(404, 'NotYours'))
  expect((await call(there, 'GET /user-details')).status).toBe(200)
  expect(await call(here, 'DELETE /users/me/sessions/x')).toMatchObject(
    refusal(400, 'BadRequest', 'sessionId must be an id'),
  )
  expect((await call(here, `DELETE /users/me/sessions/${idOf(there)}`)).status).toBe(204)
  expect(await call(there, 'GET /user-details')).toMatchObject(refusal(401, 'Unauthorized'))
  expect(await call(here, `DELETE /users/me/sessions/${idOf(there)}`)).toMatchObject(refusal(404, 'NotYours'))

  expect(await call(here, 'DELETE /users/me/sessions')).toMatchObject({ status: 200, body: { ended: 1 } })
  expect((await call(third, 'GET /user-details')).status).toBe(401)
  expect((await call(here, 'GET /user-details')).status).toBe(200)
  expect((await call(lee, 'GET /user-details')).status).toBe(200)
})

test('signing out over the API retains the cart and returns the sign-in service’s URL', async () => {
  const visitor = await newcomer('Olga')
  await visitor.ask(`${store.origin}/zip`, { form: { zip: '60614', back: '/' } })
  const cart = (await call('', 'POST /cart', { body: { lines: [] } })).body as { key: string }
  visitor.setCookie('localhost', 'sw_cart', cart.key)
  visitor.setCookie('localhost', 'sw_recent', '[["a","/a"]]')
  const cookie = visitor.cookieFor(store.origin)
  const out = await call(visitor, 'DELETE /users/session')
  const url = new URL((out.body as { url: string }).url)
  expect(out.status).toBe(200)
  expect(url.origin).toBe(store.sandboxOrigin)
  expect(url.searchParams.get('post_logout_redirect_uri')).toBe(`${store.origin}/`)
  expect(visitor.cookie('sw_session')).toBeUndefined()
  expect(visitor.cookie('sw_recent')).toBeUndefined()
  expect(visitor.cookie('sw_cart')?.value).toBe(cart.key)
  // The session itself is gone, not just the cookie.
  expect(await call(cookie, 'GET /user-details')).toMatchObject(refusal(401, 'Unauthorized'))
})

test('an account’s data equals the page’s download and is private', async () => {
  const dana = await sessionOf(store.origin)
  const file: unknown = await (await fetch(`${store.origin}/account/data.json`, { headers: { cookie: dana } })).json()
  const answer = await call(dana, 'GET /users/me/data')
  expect(answer).toMatchObject({ status: 200, body: { account: { name: 'Dana Ruiz', email: 'dana@example.com' } } })
  expect(answer.body).toEqual(file)
  const lee = await sessionOf(store.origin, 'lee@example.com')
  expect(JSON.stringify((await call(lee, 'GET /users/me/data')).body)).not.toContain('dana@example.com')
})

test('an account is deleted on confirmation, but not while a company would lose its only owner', async () => {
  const visitor = await newcomer('Quin')
  const colleague = await newcomer('Rhea')
  const cookie = visitor.cookieFor(store.origin)
  for (const sure of ['', '?sure=', '?sure=no', '?sure=1', '?sure=yes&sure=yes'])
    expect(await call(visitor, `DELETE /users/me${sure}`), sure).toMatchObject(
      refusal(400, 'BadRequest', 'Send sure=yes to confirm.'),
    )

  const companyId = await giveCompany(store.database.db, 'quin@example.com')
  const rhea = await accountOf('rhea@example.com')
  await store.database.db
    .insertInto('company_member')
    .values({ account_id: rhea?.id ?? '', company_id: companyId, role: 'buyer', joined_at: Temporal.Now.instant() })
    .execute()
  expect(await call(visitor, 'DELETE /users/me?sure=yes')).toMatchObject(
    refusal(409, 'LastOwner', 'Make someone else an owner first.'),
  )
  expect((await call(visitor, 'GET /user-details')).status).toBe(200)

  await store.database.db
    .updateTable('company_member')
    .set({ role: 'owner' })
    .where('account_id', '=', rhea?.id ?? '')
    .execute()
  visitor.setCookie('localhost', 'sw_vehicle', 'x')
  const gone = await call(visitor, 'DELETE /users/me?sure=yes')
  expect(gone.status).toBe(200)
  expect(new URL((gone.body as { url: string }).url).origin).toBe(store.sandboxOrigin)
  expect(visitor.cookie('sw_session')).toBeUndefined()
  expect(visitor.cookie('sw_vehicle')).toBeUndefined()
  expect(await call(cookie, 'GET /user-details')).toMatchObject(refusal(401, 'Unauthorized'))
  expect(await accountOf('quin@example.com')).toBeUndefined()
  expect((await call(colleague, 'GET /user-details')).status).toBe(200)
})

test('guest orders are claimed by their verified email, once', async () => {
  const { db } = store.database
  const order = await db
    .selectFrom('sales_order')
    .innerJoin('cart', 'cart.id', 'cart_id')
    .select(['sales_order.id', 'customer_id'])
    .where('account_id', 'is', null)
    .orderBy('sales_order.id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  // An account with a verified email has a separate customer. This one takes over its email.
  const orderedBy = async (email: string) => {
    const other = `other-${randomUUID()}@example.com`
    await db
      .updateTable('customer')
      .set({ email: other })
      .where('email', '=', email)
      .where('id', '<>', order.customer_id)
      .execute()
    await db.updateTable('customer').set({ email }).where('id', '=', order.customer_id).execute()
  }
  const [dana, lee] = [await sessionOf(store.origin), await sessionOf(store.origin, 'lee@example.com')]
  await orderedBy('lee@example.com')
  expect(await call(lee, 'GET /orders/unclaimed')).toMatchObject({
    status: 200,
    body: { orders: 0, isEmailVerified: false },
  })
  expect(await call(lee, 'POST /orders/claims')).toMatchObject({ status: 200, body: { claimed: 0 } })

  await orderedBy('dana@example.com')
  const { orders } = (await call(dana, 'GET /orders/unclaimed')).body as { orders: number }
  expect(orders).toBeGreaterThan(0)
  expect(await call(dana, `GET /orders/${order.id}`)).toMatchObject(refusal(404, 'OrderNotFound'))
  const headers = { 'idempotency-key': randomUUID() }
  for (const isReplayed of [null, 'true']) {
    const claimed = await call(dana, 'POST /orders/claims', { headers })
    expect(claimed.status).toBe(200)
    expect(claimed.body).toEqual({ claimed: orders })
    expect(claimed.headers.get('idempotent-replayed')).toBe(isReplayed)
  }
  expect(await call(dana, 'POST /orders/claims')).toMatchObject({ status: 200, body: { claimed: 0 } })
  expect(await call(dana, 'GET /orders/unclaimed')).toMatchObject({ body: { orders: 0, isEmailVerified: true } })
  expect((await call(dana, `GET /orders/${order.id}`)).status).toBe(200)
})

test('a membership is bought once with a separate payment, and refundable while unused', async () => {
  const visitor = await newcomer('Tess')
  const other = await newcomer('Udo')
  expect(
    await call(visitor, 'POST /membership/payment', { body: { flow: 'hosted' }, headers: { 'idempotency-key': '' } }),
  ).toMatchObject({ status: 400 })
  expect(
    await call(visitor, 'POST /membership/payment', { body: { flow: 'hosted', returnPath: '//evil.test' } }),
  ).toMatchObject(refusal(400, 'BadRequest'))
  expect(await call(visitor, 'POST /membership')).toMatchObject(
    refusal(402, 'PaymentNotAuthorized', 'Create one first.'),
  )
  expect(await call(visitor, 'DELETE /membership')).toMatchObject(refusal(404, 'NoMembership'))
  expect(await call(visitor, 'PUT /membership/reminders', { body: { wantsReminders: false } })).toMatchObject(
    refusal(404, 'NoMembership'),
  )

  const opened = await call(visitor, 'POST /membership/payment', {
    body: { flow: 'hosted', returnPath: '/membership' },
  })
  const { url, amountCents, clientSecret } = opened.body as {
    url: string
    amountCents: number
    clientSecret: string | null
  }
  expect(opened.status).toBe(201)
  expect(amountCents).toBe(3_900)
  expect(clientSecret).toBeNull()
  expect(new URL(url).origin).toBe(store.sandboxOrigin)
  expect(await call(visitor, 'POST /membership')).toMatchObject(
    refusal(402, 'PaymentNotAuthorized', 'You haven’t been charged'),
  )
  const paid = await visitor.ask(url, {
    form: { number: '4242424242424242', expiry: '12/39', cvc: '123', zip: '60614', email: '' },
  })
  expect(new URL(paid.headers.get('location') ?? '').href).toMatch(new RegExp(`^${store.origin}/membership\\?payment=`))
  // A payment is valid only for its payer.
  expect(await call(other, 'POST /membership')).toMatchObject(refusal(402, 'PaymentNotAuthorized'))
  for (const isNew of [true, false])
    expect(await call(visitor, 'POST /membership')).toMatchObject({ status: 201, body: { isNew } })
  expect(await call(visitor, 'GET /users/me/terms')).toMatchObject({ body: { accountType: 'Retail Member' } })
  expect(await call(visitor, 'POST /membership/payment', { body: { flow: 'hosted' } })).toMatchObject(
    refusal(409, 'TooEarly', 'from 30 days before the end'),
  )
  for (const wantsReminders of [false, true])
    expect(await call(visitor, 'PUT /membership/reminders', { body: { wantsReminders } })).toMatchObject({
      status: 200,
      body: { wantsReminders },
    })

  expect(await call(visitor, 'DELETE /membership/renewal')).toMatchObject({ status: 204 })
  await expect.poll(async () => (await call(visitor, 'DELETE /membership')).status, { timeout: 20_000 }).toBe(204)
  expect(await call(visitor, 'GET /users/me/terms')).toMatchObject({ body: { accountType: 'Retail' } })
  expect(await call(visitor, 'DELETE /membership')).toMatchObject(refusal(404, 'NoMembership'))
})

test('membership payments in the fields are blocked after five declined cards, as on the page; others can pay', async () => {
  const visitor = await newcomer('Vera')
  const sandbox = { origin: store.sandboxOrigin, storeOrigin: store.origin }
  const open = (who: Visitor) => call(who, 'POST /membership/payment', { body: { flow: 'fields' } })
  const { clientSecret } = (await open(visitor)).body as { clientSecret: string }
  for (let count = 0; count < rateLimits['card-decline'].counts.payer; count += 1)
    await payWithFields(sandbox, clientSecret, '4000000000000002')
  await expect.poll(async () => (await open(visitor)).status, { timeout: 20_000 }).toBe(429)
  const refused = await open(visitor)
  expect(refused).toMatchObject(refusal(429, 'TooManyAttempts', 'Wait an hour'))
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_400)

  const other = await newcomer('Walt')
  const fields = (await open(other)).body as { clientSecret: string }
  expect(await payWithFields(sandbox, fields.clientSecret, '4242424242424242')).toMatchObject({ status: 'authorized' })
  expect(await call(other, 'POST /membership')).toMatchObject({ status: 201, body: { isNew: true } })
})

const applicationsPerHour = 5

test('a business applies once, and its people buy at the partner price by its code', async () => {
  const { db } = store.database
  const asked = {
    business: 'Lakeview Riders',
    name: 'Pat Lee',
    email: 'pat@example.com',
    phone: '312 555 0100',
    people: 40,
  }
  const apply = (change = {}) => call('', 'POST /partner-program/applications', { body: { ...asked, ...change } })
  const wrong = await apply({ email: 'pat', people: 0 })
  expect(wrong).toMatchObject(refusal(400, 'BadRequest'))
  expect(wrong.body).toMatchObject({
    data: { email: 'Please enter a valid email', people: 'Please enter about how many people, from 1' },
  })
  for (let times = 0; times < 2; times += 1)
    expect(await apply()).toMatchObject({ status: 201, body: { isReceived: true } })
  const received = () =>
    db.selectFrom('partner_application').select(['business', 'phone', 'people', 'message']).orderBy('id').execute()
  expect(await received()).toEqual([{ business: 'Lakeview Riders', phone: '3125550100', people: 40, message: '' }])
  for (let count = 1; count < applicationsPerHour; count += 1)
    expect((await apply({ business: `Club ${count}`, email: `club${count}@example.com` })).status).toBe(201)
  const tooMany = await apply({ business: 'Club 9', email: 'club9@example.com' })
  expect(tooMany).toMatchObject(refusal(429, 'TooManyAttempts', 'many applications'))
  expect(tooMany.headers.get('retry-after')).toBe('3600')
  expect(await received()).toHaveLength(applicationsPerHour)

  await db
    .insertInto('partner')
    .values({ name: 'Lakeview Riders', code: 'LAKEVEW2', since: Temporal.Now.instant() })
    .execute()
  const visitor = await newcomer('Xeno')
  const join = (who: Visitor | string, code: string) =>
    call(who, 'POST /partner-program/membership', { body: { code } })
  expect(await join(visitor, 'AAAAAAAA')).toMatchObject(
    refusal(422, 'CodeNotFound', 'We couldn’t find this partner code.'),
  )
  expect(await call(visitor, 'GET /users/me/terms')).toMatchObject({ body: { accountType: 'Retail' } })
  expect(await join(visitor, ' lakevew2 ')).toMatchObject({ status: 201, body: { partner: 'Lakeview Riders' } })
  expect(await call(visitor, 'GET /users/me/terms')).toMatchObject({ body: { accountType: 'Partner Program' } })
  expect(await call(visitor, 'POST /membership/payment', { body: { flow: 'hosted' } })).toMatchObject(
    refusal(409, 'OtherPrices', 'you don’t need one'),
  )
  const fleet = await newcomer('Yara')
  await giveCompany(db, 'yara@example.com', { name: 'Yara Yards' })
  expect(await join(fleet, 'LAKEVEW2')).toMatchObject(refusal(409, 'OtherPrices', 'buys on other terms already'))
})

test('a verified work email gets employee prices; signing out of them leaves no cart and returns to the employees’ page', async () => {
  await addEmployer(
    { db: store.database.db, clock: systemClock },
    { by: desk, domain: 'work.example', employer: 'Sidewall Works' },
  )
  const join = (who: Visitor | string) => call(who, 'POST /employees/membership')
  expect(await join(await sessionOf(store.origin))).toMatchObject(
    refusal(409, 'NoWorkEmail', 'dana@example.com is not a work email we know.'),
  )
  const visitor = await newcomer('Zoe', 'zoe@work.example')
  expect(await join(visitor)).toMatchObject(refusal(409, 'NoWorkEmail', 'Your email is not verified yet.'))
  await visitor.ask(linkIn(await newestMail(store, 'zoe@work.example'), 'verify-email'))
  expect(await join(visitor)).toMatchObject({ status: 201, body: { employer: 'Sidewall Works' } })
  expect(await call(visitor, 'GET /users/me/terms')).toMatchObject({ body: { accountType: 'EPP' } })

  visitor.setCookie('localhost', 'sw_cart', randomUUID())
  const out = await call(visitor, 'DELETE /users/session')
  expect(new URL((out.body as { url: string }).url).searchParams.get('post_logout_redirect_uri')).toBe(
    `${store.origin}/dt-employees`,
  )
  expect(visitor.cookie('sw_session')).toBeUndefined()
  expect(visitor.cookie('sw_cart')).toBeUndefined()
})
