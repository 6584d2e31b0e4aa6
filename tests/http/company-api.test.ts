/**
 * Tests a company over the API, from its application to the last member leaving, with permissions by role, access by
 * others, and refusal codes. Over 400 lines: one company, and each test needs the previous one's members.
 */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { desk } from '#domain/kernel/staff/staff.testing.ts'
import { cursorAt } from '#api/paging.ts'
import {
  addDomain,
  decideCompany,
  inviteMember,
  listCompanies,
  listMembers,
  setBrands,
  setTerms,
} from '#domain/customers/companies/companies.server.ts'
import { systemClock } from '#platform/clock.ts'
import { eventually } from '#tests/support/eventually.ts'
import { giveCompany, registerVerified } from '#tests/support/company.ts'
import { linkIn, mailFor } from '#tests/support/mailbox.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'

let store: RunningStore
beforeAll(async () => {
  store = await startStore({ env: { API_CALLS_PER_MINUTE: '1000000' } })
})
afterAll(() => store[Symbol.asyncDispose]())

type Person = Awaited<ReturnType<typeof registerVerified>>
type Told = { status: number; code: string | null; message: string | null; body: never; text: string }

const deps = () => ({ db: store.database.db, clock: systemClock })
const register = (name: string, email?: string) => registerVerified(store, name, email)

/** Calls like the page's own script; as a guest if no session is given. */
async function call(
  person: Person | null,
  method: string,
  path: string,
  body?: unknown,
  key: string = randomUUID(),
): Promise<Told> {
  const answer = await fetch(`${store.origin}/api${path}`, {
    method,
    headers: {
      ...(person && { cookie: person.visitor.cookieFor(store.origin), origin: store.origin }),
      ...(method === 'POST' && { 'idempotency-key': key }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  const told = (text === '' ? null : JSON.parse(text)) as { code?: string; message?: string } | null
  return { status: answer.status, code: told?.code ?? null, message: told?.message ?? null, body: told as never, text }
}

const application = { kind: 'fleet', name: 'Annex Vans', phone: '(312) 555-0142', vehicles: 12 }

/** Creates an approved company with one member per role, and an open invitation. */
async function staffed(name: string) {
  const people = [
    await register(`${name}Owner`),
    await register(`${name}Buyer`),
    await register(`${name}Viewer`),
  ] as const
  const [owner, buyer, viewer] = people
  const id = await giveCompany(store.database.db, owner.email, { name: `${name} Works` })
  for (const [{ accountId }, role] of [
    [buyer, 'buyer'],
    [viewer, 'viewer'],
  ] as const)
    await store.database.db
      .insertInto('company_member')
      .values({ account_id: accountId, company_id: id, role, joined_at: systemClock.now() })
      .execute()
  await inviteMember(deps(), owner.accountId, { email: `${name}guest@example.com`.toLowerCase(), role: 'buyer' })
  const [invited] = (await listMembers(deps(), id)).invitations
  return { id, owner, buyer, viewer, invitation: invited?.id ?? '' }
}

test('a company applies, is approved, invites a member, requires PO numbers and is left', async () => {
  const ann = await register('Ann')
  const nothing = { status: 'none', name: null, offer: null, membership: null }
  expect(await call(ann, 'GET', '/company')).toMatchObject({ status: 200, body: nothing })
  expect(await call(ann, 'POST', '/company/application', { ...application, vehicles: 0 })).toMatchObject({
    status: 400,
    code: 'BadRequest',
    message: 'Enter how many vehicles you buy tires for, from 1 to 100,000.',
  })
  const key = randomUUID()
  const applied = { status: 'applied', name: 'Annex Vans', offer: null, membership: null }
  for (let time = 1; time <= 2; time += 1)
    expect(await call(ann, 'POST', '/company/application', application, key)).toMatchObject({
      status: 201,
      body: applied,
    })
  expect(await call(ann, 'POST', '/company/application', application)).toMatchObject({
    status: 409,
    code: 'AlreadyThere',
    message: 'Your account is in a company already.',
  })
  expect(await call(ann, 'GET', '/company/members')).toMatchObject({ status: 404, code: 'NoCompany' })
  const waiting = (await listCompanies(deps(), 'applied')).find(({ name }) => name === 'Annex Vans')
  const id = waiting?.id ?? ''
  await decideCompany(deps(), { id, decision: 'approve', by: desk })
  const own = {
    kind: 'fleet',
    role: 'owner',
    may: { manage: true, order: true, seeAllOrders: true },
    poRule: { rule: 'optional', mask: null },
  }
  expect((await call(ann, 'GET', '/company')).body).toEqual({
    ...applied,
    status: 'approved',
    membership: { ...own, terms: null, brands: null },
  })

  await setTerms(deps(), { by: desk, id, terms: { netDays: 30, creditLimitCents: 500_000 } })
  await setBrands(deps(), { of: 'company', id }, { slugs: ['tarn'], by: desk })
  expect((await call(ann, 'GET', '/company')).body).toMatchObject({
    membership: {
      terms: { netDays: 30, limitCents: 500_000, openCents: 0, overdueCents: 0, leftCents: 500_000 },
      brands: ['Tarn'],
    },
  })
  expect((await call(ann, 'PUT', '/company/po-rule', { rule: 'required', mask: 'PO-####' })).body).toEqual({
    rule: 'required',
    mask: 'PO-####',
  })
  expect((await call(ann, 'GET', '/company')).body).toMatchObject({
    membership: { poRule: { rule: 'required', mask: 'PO-####' } },
  })
  expect(await call(ann, 'PUT', '/company/po-rule', { rule: 'required', mask: '(a+)+' })).toMatchObject({
    status: 400,
    message: 'Use letters, digits, # ? * and . / _ - only.',
  })
  expect((await call(ann, 'PUT', '/company/po-rule', { rule: 'off', mask: null })).body).toEqual({
    rule: 'off',
    mask: null,
  })

  const bob = await register('Bob')
  const invite = (as = 'buyer') => call(ann, 'POST', '/company/invitations', { email: 'Bob@example.com', role: as })
  expect(await invite('viewer')).toMatchObject({ status: 201, body: [{ email: 'bob@example.com', role: 'viewer' }] })
  const taken = (await invite()).body as { id: string }[]
  expect(taken).toHaveLength(1)
  expect(await call(ann, 'DELETE', `/company/invitations/${taken[0]?.id}`)).toMatchObject({ status: 204 })
  expect(await call(ann, 'DELETE', `/company/invitations/${taken[0]?.id}`)).toMatchObject({
    status: 404,
    code: 'NotYours',
    message: 'This invitation was accepted, taken back, or is too old.',
  })
  const [open] = (await invite()).body as { id: string }[]
  expect((await call(ann, 'GET', '/company/members')).body).toMatchObject({
    members: [{ accountId: ann.accountId, role: 'owner', isMe: true }],
    invitations: [{ id: open?.id, email: 'bob@example.com', role: 'buyer' }],
  })
  const invitation = await keyOf(bob, open?.id ?? '')
  const eve = await register('Eve')
  expect(await call(eve, 'POST', '/company/invitations/accepted', { key: invitation })).toMatchObject({
    status: 403,
    code: 'Forbidden',
    message: 'This invitation is for bob@example.com. Sign in with that address, verified.',
  })
  for (let time = 1; time <= 2; time += 1)
    expect(await call(bob, 'POST', '/company/invitations/accepted', { key: invitation })).toMatchObject({
      status: 200,
      body: {
        status: 'approved',
        name: 'Annex Vans',
        membership: { role: 'buyer', may: { manage: false, order: true, seeAllOrders: false } },
      },
    })
  for (const key of [invitation, 'x', ''])
    expect(await call(eve, 'POST', '/company/invitations/accepted', { key })).toMatchObject({
      status: 410,
      code: 'Gone',
      message: 'This invitation was accepted, taken back, or is too old. Ask for a new one.',
    })
  expect(await invite()).toMatchObject({
    status: 409,
    code: 'AlreadyThere',
    message: 'Someone with this email is a member already.',
  })

  const roleOf = (person: Person, as: string) =>
    call(ann, 'PUT', `/company/members/${person.accountId}/role`, { role: as })
  expect(await roleOf(bob, 'viewer')).toMatchObject({
    status: 200,
    body: [{ role: 'owner' }, { accountId: bob.accountId, role: 'viewer', isMe: false }],
  })
  for (const refused of [await roleOf(ann, 'buyer'), await call(ann, 'DELETE', `/company/members/${ann.accountId}`)])
    expect(refused).toMatchObject({
      status: 409,
      code: 'LastOwner',
      message: 'A company needs an owner. Make someone else one first.',
    })
  expect(await call(ann, 'DELETE', '/company/membership')).toMatchObject({
    status: 409,
    code: 'LastOwner',
    message: 'You are the only owner. Make someone else an owner first.',
  })
  expect(await roleOf(eve, 'buyer')).toMatchObject({
    status: 404,
    code: 'NotYours',
    message: 'This member was already removed.',
  })
  await roleOf(bob, 'owner')
  expect(await call(ann, 'DELETE', '/company/membership')).toMatchObject({ status: 204 })
  expect(await call(ann, 'DELETE', '/company/membership')).toMatchObject({ status: 404, code: 'NoCompany' })
  expect((await call(ann, 'GET', '/company')).body).toEqual(nothing)
  expect((await call(bob, 'GET', '/company/members')).body).toMatchObject({
    members: [{ accountId: bob.accountId, role: 'owner' }],
  })
})

/** The invitation key from its mail. */
function keyOf({ email }: { email: string }, invitationId: string): Promise<string> {
  return eventually(`the mail of an invitation to ${email}`, async () => {
    const mails = (await mailFor(store, email)).filter(({ text }) => text.includes('invitation?key='))
    const keys = mails.map((mail) => new URL(linkIn(mail, 'invitation?key=')).searchParams.get('key') ?? '')
    return keys.find((key) => key.startsWith(invitationId))
  })
}

test('of two owners stepping down, one remains', async () => {
  const { id, owner, viewer } = await staffed('Two')
  expect(await call(owner, 'PUT', `/company/members/${viewer.accountId}/role`, { role: 'owner' })).toMatchObject({
    status: 200,
  })
  const left = await Promise.all([owner, viewer].map((person) => call(person, 'DELETE', '/company/membership')))
  expect(new Set(left.map(({ status, code }) => `${status} ${code}`))).toEqual(new Set(['204 null', '409 LastOwner']))
  expect((await listMembers(deps(), id)).members.filter(({ role }) => role === 'owner')).toHaveLength(1)
})

test('people join once by work email, and others can’t', async () => {
  const [boss, hal, ivy] = [
    await register('Boss'),
    await register('Hal', 'hal@gravel.example'),
    await register('Ivy', 'ivy@elsewhere.example'),
  ]
  const id = await giveCompany(store.database.db, boss.email, { name: 'Boss Gravel' })
  await addDomain(deps(), { id, domain: 'gravel.example', role: 'viewer', by: desk })
  expect((await call(hal, 'GET', '/company')).body).toMatchObject({ status: 'none', offer: 'Boss Gravel' })
  const gone = { status: 410, code: 'Gone', message: 'This offer is no longer available.' }
  expect(await call(ivy, 'POST', '/company/membership')).toMatchObject(gone)
  await store.database.db
    .updateTable('account')
    .set({ email_verified_at: null })
    .where('id', '=', hal.accountId)
    .execute()
  expect((await call(hal, 'GET', '/company')).body).toMatchObject({ offer: null })
  expect(await call(hal, 'POST', '/company/membership')).toMatchObject(gone)
  await store.database.db
    .updateTable('account')
    .set({ email_verified_at: systemClock.now() })
    .where('id', '=', hal.accountId)
    .execute()
  for (let time = 1; time <= 2; time += 1)
    expect(await call(hal, 'POST', '/company/membership')).toMatchObject({
      status: 201,
      body: { name: 'Boss Gravel', membership: { role: 'viewer' } },
    })
  // An employee who owns another company stays there.
  const jay = await register('Jay', 'jay@gravel.example')
  await giveCompany(store.database.db, jay.email, { name: 'Jay Own' })
  expect(await call(jay, 'POST', '/company/membership')).toMatchObject({
    status: 409,
    code: 'AlreadyThere',
    message: 'Your account is in a company already.',
  })
  expect((await call(jay, 'GET', '/company')).body).toMatchObject({ name: 'Jay Own' })
})

test('neither an application nor a closed company works as a company', async () => {
  const { id, owner } = await staffed('Shut')
  await decideCompany(deps(), { id, decision: 'close', by: desk })
  expect((await call(owner, 'GET', '/company')).body).toEqual({
    status: 'closed',
    name: 'Shut Works',
    offer: null,
    membership: null,
  })
  for (const path of ['members', 'orders', 'invoices', 'exemptions'])
    expect((await call(owner, 'GET', `/company/${path}`)).code, path).toBe('NoCompany')
  expect(await call(owner, 'PUT', '/company/po-rule', { rule: 'off', mask: '' })).toMatchObject({ code: 'NoCompany' })
  expect(await call(owner, 'POST', '/company/invitations', { email: 'x@example.com', role: 'buyer' })).toMatchObject({
    code: 'NoCompany',
  })
  const lou = await register('Lou')
  await call(lou, 'POST', '/company/application', { ...application, name: 'Lou Lost' })
  const waiting = (await listCompanies(deps(), 'applied')).find(({ name }) => name === 'Lou Lost')
  await decideCompany(deps(), { id: waiting?.id ?? '', decision: 'refuse', by: desk })
  expect((await call(lou, 'GET', '/company')).body).toMatchObject({ status: 'refused', name: 'Lou Lost' })
  expect(await call(lou, 'POST', '/company/application', { ...application, name: 'Lou Again' })).toMatchObject({
    status: 201,
    body: { name: 'Lou Again' },
  })
})

test('each operation responds by role: buyer, viewer, owner of another company, no company, guest', async () => {
  const ours = await staffed('Table')
  const [outsider, rival] = [await register('Outsider'), await staffed('Rival')]
  const callers = { buyer: ours.buyer, viewer: ours.viewer, rival: rival.owner, outsider, guest: null }
  const before = await everythingOf(ours)
  const no = 'NoCompany'
  // In the order of `callers`; null if allowed.
  const table: [method: string, path: string, body: unknown, expected: (string | null)[]][] = [
    ['GET', '', undefined, [null, null, null, null, 'Unauthorized']],
    ['PUT', '/po-rule', { rule: 'required', mask: 'R-##' }, ['Forbidden', 'Forbidden', null, no, 'Unauthorized']],
    ['POST', '/membership', undefined, ['Gone', 'Gone', 'Gone', 'Gone', 'Unauthorized']],
    ['GET', '/members', undefined, [null, null, null, no, 'Unauthorized']],
    [
      'POST',
      '/invitations',
      { email: 'someone@else.example', role: 'owner' },
      ['Forbidden', 'Forbidden', null, no, 'Unauthorized'],
    ],
    [
      'DELETE',
      `/invitations/${ours.invitation}`,
      undefined,
      ['Forbidden', 'Forbidden', 'NotYours', no, 'Unauthorized'],
    ],
    [
      'POST',
      '/invitations/accepted',
      { key: `${ours.invitation}.x` },
      ['Gone', 'Gone', 'Gone', 'Gone', 'Unauthorized'],
    ],
    [
      'PUT',
      `/members/${ours.owner.accountId}/role`,
      { role: 'viewer' },
      ['Forbidden', 'Forbidden', 'NotYours', no, 'Unauthorized'],
    ],
    [
      'PUT',
      `/members/${ours.buyer.accountId}/role`,
      { role: 'owner' },
      ['Forbidden', 'Forbidden', 'NotYours', no, 'Unauthorized'],
    ],
    [
      'DELETE',
      `/members/${ours.owner.accountId}`,
      undefined,
      ['Forbidden', 'Forbidden', 'NotYours', no, 'Unauthorized'],
    ],
    ['GET', '/orders', undefined, [null, null, null, no, 'Unauthorized']],
    ['GET', '/invoices', undefined, ['Forbidden', null, null, no, 'Unauthorized']],
    ['GET', '/exemptions', undefined, [null, null, null, no, 'Unauthorized']],
    ['POST', '/application', application, ['AlreadyThere', 'AlreadyThere', 'AlreadyThere', null, 'Unauthorized']],
  ]
  for (const [method, path, body, expected] of table)
    for (const [place, [who, person]] of Object.entries(callers).entries()) {
      const { status, code, text } = await call(person, method, `/company${path}`, body)
      expect(code, `${method} ${path} ${who}`).toEqual(expected[place])
      expect(status < 300, `${method} ${path} ${who}`).toBe(expected[place] === null)
      if (person !== ours.buyer && person !== ours.viewer)
        expect(text, `${method} ${path} ${who}`).not.toMatch(/Table|table/)
    }
  expect((await call(ours.buyer, 'GET', '/company/members')).body).toMatchObject({ invitations: null })
  expect(await everythingOf(ours)).toEqual(before)
  for (const [person, status] of [
    [null, 401],
    [ours.viewer, 204],
    [ours.buyer, 204],
  ] as const)
    expect((await call(person, 'DELETE', '/company/membership')).status).toBe(status)
})

/** The company data that others must not change. */
async function everythingOf({ id }: { id: string }): Promise<unknown> {
  const { db } = store.database
  return Promise.all([
    db.selectFrom('company').selectAll().where('id', '=', id).execute(),
    db.selectFrom('company_member').selectAll().where('company_id', '=', id).orderBy('account_id').execute(),
    db.selectFrom('company_invitation').selectAll().where('company_id', '=', id).orderBy('id').execute(),
  ])
}

test('owners and viewers read all orders of the company, buyers their own, in pages; a viewer cannot cancel', async () => {
  const ours = await staffed('Orders')
  const rival = await staffed('Other')
  const { db } = store.database
  const placed = await db
    .selectFrom('sales_order')
    .innerJoin('cart', 'cart.id', 'sales_order.cart_id')
    .select(['sales_order.id', 'sales_order.cart_id'])
    .where('cart.state', '=', 'ordered')
    .where('sales_order.state', '=', 'confirmed')
    .orderBy('sales_order.id', 'desc')
    .limit(23)
    .execute()
  const [newest] = placed
  if (!newest || placed.length < 23) throw new Error('The demo data has too few orders.')
  await db
    .updateTable('sales_order')
    .set({ company_id: ours.id })
    .where(
      'id',
      'in',
      placed.map(({ id }) => id),
    )
    .execute()
  await db
    .updateTable('cart')
    .set({ account_id: ours.owner.accountId })
    .where(
      'id',
      'in',
      placed.map(({ cart_id: id }) => id),
    )
    .execute()
  await db.updateTable('cart').set({ account_id: ours.buyer.accountId }).where('id', '=', newest.cart_id).execute()

  type Page = { orders: { orderId: number; placedBy: string }[]; next: string | null }
  const read = async (person: Person, cursor?: string | null) =>
    (await call(person, 'GET', `/company/orders${cursor ? `?cursor=${cursor}` : ''}`)).body as Page
  for (const person of [ours.owner, ours.viewer]) {
    const first = await read(person)
    const second = await read(person, first.next)
    expect([...first.orders, ...second.orders].map(({ orderId }) => orderId)).toEqual(placed.map(({ id }) => id))
    expect(first.orders).toHaveLength(20)
    expect(first.orders[0]?.placedBy).toBe('OrdersBuyer')
    expect(second.next).toBeNull()
  }
  expect((await read(ours.buyer)).orders.map(({ orderId }) => orderId)).toEqual([newest.id])
  expect((await read(rival.owner)).orders).toEqual([])

  // A cursor from another query, or a forged one, is invalid.
  const { next } = await read(ours.owner)
  for (const cursor of [
    cursorAt('x', { companyId: ours.id, accountId: null }),
    cursorAt('0', { companyId: ours.id, accountId: null }),
  ])
    expect(await call(ours.owner, 'GET', `/company/orders?cursor=${cursor}`)).toMatchObject({
      status: 400,
      code: 'BadRequest',
    })
  expect((await call(ours.owner, 'GET', `/orders?cursor=${cursorAt('x', ours.owner.accountId)}`)).status).toBe(400)
  for (const person of [ours.buyer, rival.owner])
    expect((await call(person, 'GET', `/company/orders?cursor=${next}`)).status).toBe(400)

  await db
    .updateTable('sales_order')
    .set({ cancel_until: systemClock.now().add({ minutes: 30 }), released_at: null })
    .where('id', '=', newest.id)
    .execute()
  const of = (person: Person | null) => call(person, 'GET', `/orders/${newest.id}`)
  expect((await of(ours.owner)).body).toMatchObject({
    canCancel: true,
    contact: { email: expect.any(String) as string },
  })
  expect((await of(ours.viewer)).body).toMatchObject({
    canCancel: false,
    contact: { email: expect.any(String) as string },
  })
  for (const person of [rival.owner, rival.viewer, null])
    expect(await of(person)).toMatchObject({ status: 404, code: 'OrderNotFound' })
  for (const person of [ours.viewer, rival.owner, null])
    expect(await call(person, 'POST', `/orders/${newest.id}/cancellation`)).toMatchObject({
      status: 404,
      code: 'OrderNotFound',
    })
  const [other] = placed.slice(1)
  expect(await call(ours.buyer, 'GET', `/orders/${other?.id}`)).toMatchObject({ status: 404 })
})

test('invoices are paged, with open ones by due date, then paid ones', async () => {
  const ours = await staffed('Invoices')
  const { db } = store.database
  await db.transaction().execute(async (tx) => {
    // Placing fifty-two orders on terms would take a minute, so these are copies, without credit limit checks.
    await sql`set local session_replication_role = replica`.execute(tx)
    await sql`
      insert into sales_order overriding system value
      select (jsonb_populate_record(null::sales_order, to_jsonb(sample) || jsonb_build_object('id', 800000 + n, 'cart_id', gen_random_uuid(), 'company_id', ${ours.id}::text))).*
      from (select * from sales_order order by id limit 1) sample, generate_series(1, 52) n`.execute(tx)
    await sql`
      insert into invoice (order_id, amount_cents, net_days, issued_on, due_on, state, paid_cents, settled_at, settled_by, reference)
      select 800001, 10000, 30, date '2026-01-01', date '2026-01-31', 'open', 0, null, null, null
      union all select 800000 + n, 10000, 30, date '2026-01-01', date '2026-01-31', 'paid', 10000, now(), 'test', 'check 7' from generate_series(2, 52) n`.execute(
      tx,
    )
  })
  type Page = {
    invoices: { state: string; isOverdue: boolean; settledAt: string | null; orderNumber: string }[]
    next: string | null
  }
  const read = async (cursor = '') =>
    (await call(ours.viewer, 'GET', `/company/invoices${cursor && `?cursor=${cursor}`}`)).body as Page
  const first = await read()
  const second = await read(first.next ?? '')
  expect(first.invoices).toHaveLength(50)
  expect(second.invoices).toHaveLength(2)
  expect(second.next).toBeNull()
  expect(first.invoices[0]).toMatchObject({ state: 'open', isOverdue: true, settledAt: null })
  expect(new Set([...first.invoices, ...second.invoices].map(({ orderNumber }) => orderNumber)).size).toBe(52)
  expect(second.invoices[0]).toMatchObject({
    state: 'paid',
    isOverdue: false,
    settledAt: expect.stringMatching(/Z$/) as string,
  })
  expect(
    await call(ours.viewer, 'GET', `/company/invoices?cursor=${cursorAt('0', { invoicesOf: ours.id })}`),
  ).toMatchObject({ status: 400 })
})

test('a company over its daily invitation limit can continue the next day', async () => {
  const { owner, id } = await staffed('Many')
  const { db } = store.database
  await sql`
    insert into company_invitation (id, company_id, email, role, invited_by, created_at, expires_at)
    select gen_random_uuid(), ${id}::uuid, 'n' || n || '@example.com', 'buyer', ${owner.accountId}::uuid, now(), now() + interval '1 day' from generate_series(1, 49) n`.execute(
    db,
  )
  expect(await call(owner, 'POST', '/company/invitations', { email: 'more@example.com', role: 'buyer' })).toMatchObject(
    {
      status: 429,
      code: 'TooManyAttempts',
      message: 'Your company has sent many invitations today. Go on tomorrow, or call us.',
    },
  )
})

test('an invitation sent twice under one key is delivered once', async () => {
  const { owner, id } = await staffed('Once')
  const key = randomUUID()
  const send = () => call(owner, 'POST', '/company/invitations', { email: 'once@example.com', role: 'viewer' }, key)
  const [first, second] = [await send(), await send()]
  expect(first.status).toBe(201)
  expect(second.text).toEqual(first.text)
  const rows = await store.database.db
    .selectFrom('company_invitation')
    .select('id')
    .where('company_id', '=', id)
    .where('email', '=', 'once@example.com')
    .execute()
  expect(rows).toHaveLength(1)
})
