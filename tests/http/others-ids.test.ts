/**
 * Tests that a signed-in company owner who has all of another customer's IDs can neither read nor change their data.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { operations } from '#api/operations.ts'
import { addAddress, keepForAccount, listApps, listGarage } from '#domain/customers/accounts/accounts.server.ts'
import { inviteMember, listMembers } from '#domain/customers/companies/companies.server.ts'
import { addWebhookEndpoint } from '#domain/channels/webhooks/webhooks.server.ts'
import { systemClock } from '#platform/clock.ts'
import { createOutgoing } from '#platform/outgoing-http.ts'
import { connectApp } from '#tests/support/app-access.ts'
import { giveCompany } from '#tests/support/company.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInAt, type Visitor } from '#tests/support/visitor.ts'

let store: RunningStore
let dana: Visitor
let lee: Visitor
/** Dana's ids. */
let ids: {
  account: string
  session: string
  app: string
  vehicle: string
  address: string
  invitation: string
  cart: string
  order: number
  customer: string
  webhook: string
}
beforeAll(async () => {
  store = await startStore()
  ;[dana, lee] = [createVisitor(), createVisitor()]
  await signInAt(store.origin, dana)
  await signInAt(store.origin, lee, { email: 'lee@example.com' })
  const { db } = store.database
  const deps = { db, clock: systemClock }
  const companyId = await giveCompany(db, 'dana@example.com', { name: 'Dana Diggers' })
  await giveCompany(db, 'lee@example.com', { name: 'Lee Lifts' })
  const { id: account } = await db
    .selectFrom('account')
    .select('id')
    .where('email', '=', 'dana@example.com')
    .executeTakeFirstOrThrow()
  const { id: session } = await db
    .selectFrom('account_session')
    .select('id')
    .where('account_id', '=', account)
    .executeTakeFirstOrThrow()
  const order = await db
    .selectFrom('sales_order')
    .innerJoin('cart', 'cart.id', 'sales_order.cart_id')
    .select(['sales_order.id', 'customer_id', 'cart_id'])
    .where('sales_order.state', '=', 'confirmed')
    .where('sales_order.fulfillment', '=', 'shop')
    // Orders without an account, since demo people have orders too.
    .where('cart.account_id', 'is', null)
    .orderBy('sales_order.id', 'desc')
    .executeTakeFirstOrThrow()
  await db.updateTable('cart').set({ account_id: account }).where('id', '=', order.cart_id).execute()
  await db.updateTable('sales_order').set({ company_id: companyId }).where('id', '=', order.id).execute()
  const rav4 = {
    vehicleId: null,
    fitmentId: null,
    year: 2021,
    makeSlug: 'toyota',
    modelSlug: 'rav4',
    name: '2021 Toyota RAV4',
    confirmed: false,
    label: null,
  }
  await keepForAccount(deps, account, { vehicle: rav4 })
  const [vehicle] = await listGarage(deps, account)
  const place = {
    firstName: 'Dana',
    lastName: 'Ruiz',
    company: null,
    address1: '1 Elm St',
    address2: null,
    city: 'Chicago',
    state: 'IL',
    zip: '60614',
    phoneType: 'mobile' as const,
  }
  const address = await addAddress(deps, account, { ...place, phone: { digits: '3125550142', extension: null } })
  await inviteMember(deps, account, { email: 'new@example.com', role: 'buyer' })
  const [invitation] = (await listMembers(deps, companyId)).invitations
  const { access_token: token } = await connectApp(store.origin, dana, 'account:read')
  await fetch(`${store.origin}/user-details`, { headers: { authorization: `Bearer ${token}` } })
  const [app] = await listApps(deps, account)
  const person = { accountId: account, email: 'dana@example.com', isEmailVerified: true }
  const webhook = await addWebhookEndpoint({ ...deps, outgoing: createOutgoing({ trustedOrigin: null }) }, person, {
    owner: 'company',
    url: 'https://hooks.example.com/dana',
    types: ['order.placed'],
  })
  if (!vehicle || !address.ok || !invitation || !app || !webhook.ok)
    throw new Error('Dana has not everything that this test asks for.')
  ids = {
    account,
    session,
    app: app.id,
    vehicle: vehicle.id,
    address: address.value.id,
    invitation: invitation.id,
    cart: order.cart_id,
    order: order.id,
    customer: order.customer_id,
    webhook: webhook.value.id,
  }
})
afterAll(() => store[Symbol.asyncDispose]())

/** All of Dana's stored data, and what relates to it. */
async function everything(): Promise<unknown> {
  const { db } = store.database
  const of = { account_id: ids.account }
  return Promise.all([
    db.selectFrom('account_vehicle').selectAll().where('account_id', '=', of.account_id).execute(),
    db.selectFrom('account_address').selectAll().where('account_id', '=', of.account_id).execute(),
    db.selectFrom('account_session').select(['id', 'revoked_at']).where('account_id', '=', of.account_id).execute(),
    db.selectFrom('account_app').select(['id', 'revoked_at']).where('account_id', '=', of.account_id).execute(),
    db.selectFrom('company_member').selectAll().where('account_id', '=', of.account_id).execute(),
    db.selectFrom('company_invitation').selectAll().where('id', '=', ids.invitation).execute(),
    db.selectFrom('webhook_endpoint').selectAll().where('id', '=', ids.webhook).execute(),
    db.selectFrom('webhook_delivery').selectAll().where('endpoint_id', '=', ids.webhook).execute(),
    db.selectFrom('sales_order').select(['id', 'state']).where('id', '=', ids.order).execute(),
  ])
}

/** Operations with a personal object in their path, with a valid body. */
const personalOperations: Record<string, () => { path: string; body?: unknown }> = {
  readOrder: () => ({ path: `/orders/${ids.order}` }),
  confirmOrder: () => ({ path: `/orders/${ids.order}/confirmation` }),
  cancelOrder: () => ({ path: `/orders/${ids.order}/cancellation` }),
  readAppointment: () => ({ path: `/orders/${ids.order}/appointment` }),
  listAppointmentTimes: () => ({ path: `/orders/${ids.order}/appointment/times` }),
  replyToAppointment: () => ({
    path: `/orders/${ids.order}/appointment/reply`,
    body: { version: 'x.0', kind: 'coming' },
  }),
  takeAppointmentTime: () => ({
    path: `/orders/${ids.order}/appointment/time`,
    body: { version: 'x.0', start: '2026-11-24T15:30:00Z' },
  }),
  readEarlierTime: () => ({ path: `/orders/${ids.order}/appointment/earlier-time` }),
  waitForEarlierTime: () => ({
    path: `/orders/${ids.order}/appointment/earlier-time`,
    body: { version: 'x.0', from: '2026-11-24', until: '2026-11-25', parts: ['evening'] },
  }),
  stopWaiting: () => ({ path: `/orders/${ids.order}/appointment/earlier-time` }),
  takeEarlierTime: () => ({
    path: `/orders/${ids.order}/appointment/earlier-time/01890000-0000-7000-8000-000000000000`,
    body: { version: 'x.0' },
  }),
  listNextShops: () => ({ path: `/orders/${ids.order}/installation/shops` }),
  takeNextShop: () => ({
    path: `/orders/${ids.order}/installation/shops/2`,
    body: { agreedPrice: 'x', start: '2026-11-24T15:30:00Z' },
  }),
  previewInstallationCancellation: () => ({ path: `/orders/${ids.order}/installation/cancellation` }),
  cancelInstallation: () => ({
    path: `/orders/${ids.order}/installation/cancellation`,
    body: { agreedPrice: 'x' },
  }),
  openReturn: () => ({
    path: `/orders/${ids.order}/returns`,
    body: { tires: [{ itemId: 1, quantity: 1 }], reason: 'changed-mind', unmounted: true },
  }),
  readReturn: () => ({ path: `/orders/${ids.order}/returns/1001` }),
  cancelReturn: () => ({ path: `/orders/${ids.order}/returns/1001/cancellation` }),
  endSession: () => ({ path: `/users/me/sessions/${ids.session}` }),
  revokeApp: () => ({ path: `/users/me/apps/${ids.app}/access` }),
  allowApp: () => ({ path: `/users/me/apps/${ids.app}/access` }),
  noteReadings: () => ({
    path: `/garage/${ids.vehicle}/readings`,
    body: { mileage: 1, rotatedOn: '2026-01-01', rotatedMileage: 1, wantsReminder: false },
  }),
  removeVehicle: () => ({ path: `/garage/${ids.vehicle}` }),
  removeAddress: () => ({ path: `/addresses/${ids.address}` }),
  withdrawInvitation: () => ({ path: `/company/invitations/${ids.invitation}` }),
  setMemberRole: () => ({ path: `/company/members/${ids.account}/role`, body: { role: 'viewer' } }),
  removeMember: () => ({ path: `/company/members/${ids.account}` }),
  showWebhookSecret: () => ({ path: `/webhooks/${ids.webhook}/secret` }),
  rotateWebhookSecret: () => ({ path: `/webhooks/${ids.webhook}/secret/rotation` }),
  testWebhook: () => ({ path: `/webhooks/${ids.webhook}/test` }),
  listWebhookDeliveries: () => ({ path: `/webhooks/${ids.webhook}/deliveries` }),
  replayWebhook: () => ({ path: `/webhooks/${ids.webhook}/replays`, body: { deliveryId: null } }),
  changeWebhook: () => ({ path: `/webhooks/${ids.webhook}`, body: { isPaused: true } }),
  deleteWebhook: () => ({ path: `/webhooks/${ids.webhook}` }),
}

test('every operation with a path parameter is listed as public, protected by the cart key, or tested here', () => {
  const named = operations.filter(
    ({ path, audience }) => path.includes('{') && audience !== 'anyone' && audience !== 'cart',
  )
  expect(named.map(({ id }) => id).toSorted()).toEqual(Object.keys(personalOperations).toSorted())
})

test.for(Object.entries(personalOperations))(
  'the operation %s returns no data to others, signed in or not, or with another cart’s key',
  async ([id, call]) => {
    const { method = 'get' } = operations.find((each) => each.id === id) ?? {}
    const { path, body } = call()
    const before = await everything()
    const callers = {
      lee: { cookie: lee.cookieFor(store.origin) },
      guest: {},
      key: { authorization: `Bearer ${randomUUID()}` },
      made: { cookie: `sw_orders=${ids.order}.x` },
    }
    for (const [who, headers] of Object.entries(callers)) {
      const answer = await fetch(`${store.origin}/api${path}`, {
        method: method.toUpperCase(),
        headers: {
          ...headers,
          ...(who === 'lee' && { origin: store.origin }),
          'idempotency-key': randomUUID(),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const isOfAccounts = operations.find((each) => each.id === id)?.audience === 'account'
      expect(answer.status, who).toBe(isOfAccounts && who !== 'lee' ? 401 : 404)
      expect(await answer.text()).not.toMatch(/Dana|Elm St|RAV4/)
    }
    expect(await everything()).toEqual(before)
  },
)

test('order pages open only for authorized visitors, whatever the URL', async () => {
  const files = [
    `/checkout/order-confirmation/calendar.ics?order=${ids.order}`,
    `/my_customers/pdf/${ids.order}/${ids.customer}/Receipt_${ids.order}.pdf`,
  ]
  const pages = [
    `/checkout/confirm-order/${ids.order}`,
    `/track-your-order/delay/${ids.order}`,
    `/checkout/order-confirmation?order=${ids.order}`,
    `/track-your-order/result?order=${ids.order}`,
    ...files,
  ]
  const refusal = (path: string) => (files.includes(path) ? [404, null] : [303, '/track-your-order?order=locked'])
  for (const path of pages) {
    expect((await dana.ask(store.origin + path)).status, path).not.toBe(404)
    for (const visitor of [lee, createVisitor()])
      for (const more of ['', 'key=x', `key=${ids.order}.x`, `look=${ids.cart}`]) {
        const answer = await visitor.ask(`${store.origin}${path}${more && (path.includes('?') ? '&' : '?')}${more}`)
        const [status, location] = refusal(path)
        expect(answer.status, `${path} ${more}`).toBe(status)
        expect(answer.headers.get('location'), `${path} ${more}`).toBe(location)
      }
  }
  // An order that does not exist is answered alike.
  for (const path of [
    '/track-your-order/result?order=1',
    '/track-your-order/wo?order=1',
    '/track-your-order/return?order=1',
    '/track-your-order/recall/1',
    '/track-your-order/result',
    '/track-your-order/wo',
    '/checkout/order-confirmation',
  ])
    expect((await lee.ask(store.origin + path)).headers.get('location'), path).toBe('/track-your-order?order=locked')
  const lookUp = await (await lee.ask(`${store.origin}/track-your-order?order=locked`)).text()
  expect(lookUp).toContain('That page opens from the link in our email')
  // One's own receipt under another customer, and another order under one's own.
  expect(
    (await dana.ask(`${store.origin}/my_customers/pdf/${ids.order}/${randomUUID()}/Receipt_${ids.order}.pdf`)).status,
  ).toBe(404)
  expect(
    (await dana.ask(`${store.origin}/my_customers/pdf/${ids.order}/${ids.customer}/Receipt_${ids.order + 1}.pdf`))
      .status,
  ).toBe(404)
  const before = await everything()
  for (const path of [pages[1], files[1]])
    expect((await lee.ask(`${store.origin}${path}`, { form: { intent: 'cancel' } })).status).toBeGreaterThanOrEqual(400)
  expect(await everything()).toEqual(before)
})

test('account and company forms with foreign IDs have no effect', async () => {
  const before = await everything()
  const posts: [path: string, form: Record<string, string>][] = [
    ['/account', { session: ids.session }],
    ['/account/my-garage', { vehicle: ids.vehicle, intent: 'remove' }],
    ['/account/my-garage', { vehicle: ids.vehicle, intent: 'use' }],
    ['/account/my-garage', { vehicle: ids.vehicle, intent: 'note', mileage: '5', rotatedOn: '', rotatedMileage: '' }],
    ['/account/addresses', { remove: ids.address }],
    ['/account/apps', { revoke: ids.app }],
    ...['show', 'rotate', 'test', 'pause', 'remove', 'replay-all'].map((intent): [string, { intent: string }] => [
      `/account/webhooks/${ids.webhook}`,
      { intent },
    ]),
    ['/account/company/members', { intent: 'remove', member: ids.account }],
    ['/account/company/members', { intent: 'role', member: ids.account, role: 'viewer' }],
    ['/account/company/members', { intent: 'withdraw', invitation: ids.invitation }],
  ]
  for (const [path, form] of posts) {
    const answer = await lee.ask(store.origin + path, { form })
    expect(await answer.text(), `${path} ${form['intent']}`).not.toMatch(/Dana|Elm St|RAV4/)
    expect(answer.headers.getSetCookie(), `${path} ${form['intent']}`).toEqual([])
  }
  expect(await everything()).toEqual(before)
  for (const path of [
    '/account/my-orders',
    '/account/company/orders',
    '/account/data.json',
    '/api/company/orders',
    '/api/company/members',
  ]) {
    const text = await (await lee.ask(store.origin + path, { headers: { accept: '*/*' } })).text()
    expect(text, path).not.toContain(String(ids.order))
    expect(text, path).not.toContain('Dana')
  }
})
