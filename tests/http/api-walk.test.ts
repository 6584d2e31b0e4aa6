/** Calls every API operation with its documented example: requests and responses must match the document. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { desk } from '#domain/kernel/staff/staff.testing.ts'
import { addDomain, inviteMember, joinByMail, listMembers } from '#domain/customers/companies/companies.server.ts'
import { invitationKey } from '#domain/customers/companies/members.server.ts'
import { seenAppointment } from '#domain/installer-portal/appointments/appointments.ts'
import {
  nextShops,
  offerAppointmentTimes,
  waitForEarlierTime,
} from '#domain/installer-portal/appointments/appointments.server.ts'
import { insertOffer } from '#domain/installer-portal/appointments/earlier-times.sql.server.ts'
import { previewChange } from '#domain/ordering/order-changes/order-changes.server.ts'
import { canActOn } from '#domain/ordering/orders/orders.ts'
import { orderKey, readOrder, type OrderView } from '#domain/ordering/orders/orders.server.ts'
import { systemClock } from '#platform/clock.ts'
import { readConfig } from '#platform/config.ts'
import { newId } from '#platform/ids.ts'
import { connectApp } from '#tests/support/app-access.ts'
import { exampleCall, makeCall, readDocument, type ApiDocument } from '#tests/support/api-document.ts'
import { createApiShopper, type ApiShopper } from '#tests/support/api-shopper.ts'
import { giveCompany, registerVerified } from '#tests/support/company.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, sessionOf, signInAt } from '#tests/support/visitor.ts'
import { fixedTerms } from '#domain/kernel/settings/business-terms.testing.ts'

let store: RunningStore
let document: ApiDocument
let shopper: ApiShopper
beforeAll(async () => {
  store = await startStore({ env: { API_CALLS_PER_MINUTE: '1000000' } })
  document = readDocument(await (await fetch(`${store.origin}/api/openapi.json`)).json())
  const session = await sessionOf(store.origin)
  // Dana is also signed in in another browser, and has authorized an app to read there.
  const dana = createVisitor()
  await signInAt(store.origin, dana)
  const { access_token: token } = await connectApp(store.origin, dana, 'orders:read')
  await fetch(`${store.origin}/api/orders`, { headers: { authorization: `Bearer ${token}` } })
  const { db } = store.database
  await db
    .insertInto('partner')
    .values({ name: 'Lakeview Riders', code: 'RADERS24', since: Temporal.Now.instant() })
    .execute()
  await db
    .insertInto('employer_domain')
    .values({ domain: 'example.com', employer: 'Example Works', added_at: Temporal.Now.instant() })
    .execute()
  /** Operations that change someone's pricing or end a session use other people. */
  const sessions: Record<string, string> = {
    joinPartner: await sessionOf(store.origin, 'paula@example.com'),
    joinEmployees: await sessionOf(store.origin, 'erin@example.com'),
    signOut: await sessionOf(store.origin, 'sam@example.com'),
    deleteAccount: await sessionOf(store.origin, 'lee@example.com'),
  }
  const { owner, joiner, key: invitation } = await openCompany()
  shopper = createApiShopper(store, document, {
    // A program with its cart key, or the page's own script for account data.
    headersFor({ id, path, security }, { createCart: { key } = { key: '' } }) {
      // A company is applied for by someone without one, joined by a colleague, and run by its owner.
      if (path.startsWith('/webhooks')) return { cookie: owner, origin: store.origin }
      if (path.startsWith('/company') && id !== 'applyForCompany')
        return {
          cookie: ['joinCompany', 'leaveCompany', 'acceptInvitation'].includes(id) ? joiner : owner,
          origin: store.origin,
        }
      // Signed-in shoppers have their cart in the browser.
      if (id === 'useCredit') return { cookie: `${session}; sw_cart=${key}` }
      if (security.includes('cartKey') || id === 'voteHelpful') return { authorization: `Bearer ${key}` }
      return security.includes('session') ? { cookie: sessions[id] ?? session, origin: store.origin } : {}
    },
    own: { acceptInvitation: { body: { key: invitation } }, ...(await ownReturns()), ...(await ownAppointments()) },
  })
})
afterAll(() => store[Symbol.asyncDispose]())

/** An order of the demo that was delivered, with the key that opens it; its next return gets the number after. */
async function ownReturns() {
  const { db, url } = store.database
  const config = readConfig({ DATABASE_URL: url })
  if (!config.ok) throw new Error('The configuration of tests is wrong.')
  const { id, order_id: orderId } = await db
    .selectFrom('order_return')
    .select(['id', 'order_id'])
    .where('id', '=', 1001)
    .executeTakeFirstOrThrow()
  const { item_id: itemId } = await db
    .selectFrom('order_line')
    .select('item_id')
    .where('order_id', '=', orderId)
    .where('kind', '=', 'tire')
    .executeTakeFirstOrThrow()
  const key = orderKey(config.value.session.secret, orderId, systemClock.now())
  const tires = [{ itemId, quantity: 1 }]
  const next = { values: { orderId, key, returnId: id + 1 } }
  return {
    openReturn: { values: { orderId, key }, body: { tires, reason: 'changed-mind', unmounted: true } },
    readReturn: next,
    cancelReturn: next,
  }
}

/** Returns demo orders with upcoming installations, one for each action on an appointment. */
async function ownAppointments() {
  const { db, url } = store.database
  const config = readConfig({ DATABASE_URL: url })
  if (!config.ok) throw new Error('The configuration of tests is wrong.')
  const { secret } = config.value.session
  const deps = {
    db,
    clock: systemClock,
    releaseAfterSeconds: 1_800,
    maxReleaseSeconds: 1_800,
    businessTerms: fixedTerms(),
  }
  const booked = await db
    .selectFrom('booking')
    .select('order_id')
    .where('state', '=', 'confirmed')
    .where('kind', '=', 'wait')
    .orderBy('order_id')
    .execute()
  const found: { order: OrderView; version: string; start: string | undefined; agreedPrice: string }[] = []
  for (const { order_id: orderId } of booked) {
    const order = orderId === null ? undefined : await readOrder(db, orderId)
    if (!order?.booking || !canActOn(order, 'place', systemClock.now()).can) continue
    const place = { fulfillment: 'home', shopId: null, carrierLocationId: null } as const
    const preview = await previewChange(deps, order, place)
    const days = await offerAppointmentTimes(deps, order)
    const start = days
      .flatMap(({ times }) => times.filter(({ free }) => free))
      .at(-1)
      ?.start.toString()
    if (preview.ok && start !== undefined && preview.value.settledBy !== 'payment')
      found.push({
        order,
        version: seenAppointment(order.booking),
        start,
        agreedPrice: preview.value.agreedPrice,
      })
  }
  const [one, other, third, fourth] = found
  if (!one || !other || !third || !fourth) throw new Error('The demo has no four appointments to change.')
  const valuesOf = ({ order }: { order: OrderView }) => ({
    orderId: order.id,
    key: orderKey(secret, order.id, systemClock.now()),
  })
  const { body: list, version } = await waitingList(third)
  const next = (await nextShops(deps, fourth.order))[0]
  const opening = next?.preview.days.flatMap(({ times }) => times.filter(({ free }) => free))[0]
  if (!next || !opening) throw new Error('The demo has no other shop.')
  const { agreedPrice } = next.preview
  return {
    readAppointment: { values: valuesOf(one) },
    listAppointmentTimes: { values: valuesOf(one) },
    replyToAppointment: { values: valuesOf(one), body: { version: one.version, kind: 'coming' } },
    takeAppointmentTime: { values: valuesOf(one), body: { version: one.version, start: one.start } },
    readEarlierTime: { values: valuesOf(third) },
    waitForEarlierTime: { values: valuesOf(other), body: { ...list, version: other.version } },
    stopWaiting: { values: valuesOf(other) },
    takeEarlierTime: { values: { ...valuesOf(third), offerId: await offerTo(third) }, body: { version } },
    listNextShops: { values: valuesOf(fourth) },
    takeNextShop: {
      values: { ...valuesOf(fourth), shopId: next.shopId },
      body: { agreedPrice, start: opening.start.toString() },
    },
    previewInstallationCancellation: { values: valuesOf(other) },
    cancelInstallation: { values: valuesOf(other), body: { agreedPrice: other.agreedPrice } },
  }
}

type Found = { order: OrderView; version: string; start: string | undefined }

/** Puts an appointment on its list for today, when no tires are there. */
async function waitingList({ order, version }: Found) {
  const today = systemClock.now().toZonedDateTimeISO(order.timeZone).toPlainDate()
  const days = { from: today, until: today.add({ days: 1 }) }
  const parts = ['evening'] as const
  const deps = { db: store.database.db, clock: systemClock }
  const joined = await waitForEarlierTime(deps, { orderId: order.id, seen: version, wish: { ...days, parts } })
  if (!joined.ok) throw new Error(`The appointment of a test does not wait: ${joined.reason}.`)
  return { version, body: { from: days.from.toString(), until: days.until.toString(), parts: [...parts] } }
}

/** Creates the offer for a free time, as the worker does during shop hours. */
async function offerTo({ order, start }: Found): Promise<string> {
  const from = Temporal.Instant.from(start ?? '')
  const now = systemClock.now()
  const id = newId()
  const time = { choice: { start: from }, start: from, end: from.add({ minutes: 30 }), kind: 'wait' as const }
  const about = { bookingId: order.booking?.id ?? '', shopId: order.shop?.id ?? 0 }
  await store.database.db
    .transaction()
    .execute((tx) => insertOffer(tx, { ...time, ...about, id, now, expiresAt: now.add({ hours: 1 }) }))
  return id
}

/**
 * An approved company with an owner and a member, which another person may join by email domain or by invitation key.
 */
async function openCompany(): Promise<{ owner: string; joiner: string; key: string }> {
  const { db, url } = store.database
  const deps = { db, clock: systemClock }
  const config = readConfig({ DATABASE_URL: url })
  if (!config.ok) throw new Error('The configuration of tests is wrong.')
  const [ora, max, jo] = [
    await registerVerified(store, 'Ora'),
    await registerVerified(store, 'Max'),
    await registerVerified(store, 'Jo'),
  ]
  const id = await giveCompany(db, ora.email)
  await addDomain(deps, { id, domain: 'example.com', role: 'buyer', by: desk })
  await joinByMail(deps, max)
  await inviteMember(deps, ora.accountId, { email: jo.email, role: 'viewer' })
  const [invited] = (await listMembers(deps, id)).invitations
  return {
    owner: ora.visitor.cookieFor(store.origin),
    joiner: jo.visitor.cookieFor(store.origin),
    key: invitationKey({ config: config.value }, invited?.id ?? ''),
  }
}

/** Operations in a shopper's order, from a cart to its order, with a held and released time and a voided payment. */
const purchase = `
  createCart readCart addToCart setQuantity removeLine setPart acceptPrices setCartZip setCartVehicle enterCoupon removeCoupon useCredit judgeCart priceCart
  listShopChoices listTimes holdSlot readHold extendHold releaseHold listPickupLocations listPickupWarehouses chooseDelivery
  saveContact saveBilling chooseServices readDetails openPayment dropPayment openPayment readPayment priceCart
  placeOrder readOrder lookUpOrder requestOrderCode verifyOrderCode listOrders confirmOrder cancelOrder forgetSearches
  keepVehicle noteReadings removeVehicle saveAddress removeAddress
  openMembershipPayment joinMembership readMembership remindOfMembership giveMembershipBack listApps revokeApp allowApp listSessions endSession endOtherSessions`
  .trim()
  .split(/\s+/)

/** Operations for military exchanges only, tested in cxml/exchange.db.test.ts. */
const ofOthers = new Set(['requestExchangeOrder'])

test('every operation works as documented when called with its example', async () => {
  const inOrder = [
    ...purchase.map(shopper.operationOf),
    ...document.operations.filter(({ id }) => !purchase.includes(id) && !ofOthers.has(id)),
  ]
  const complaints: unknown[] = []
  for (const operation of inOrder) {
    if (operation.id === 'giveMembershipBack') await moneyIsIn()
    const answer = await shopper.make(operation)
    if (answer.status >= 300) complaints.push([operation.id, answer.status, answer.text.slice(0, 300)])
    for (const complaint of document.complaints(operation, answer)) complaints.push([operation.id, complaint])
    for (const number of longDecimals(answer.text)) complaints.push([operation.id, number])
  }
  expect(complaints).toEqual([])
})

/** Returns numbers with more than six decimals, a coordinate's precision. No measured or paid value has more. */
function longDecimals(json: string): string[] {
  return json.match(/(?<=[:[,])-?\d+\.\d{7,}(?=[,}\]])/g) ?? []
}

/** A membership can be refunded once its payment is captured. */
async function moneyIsIn(): Promise<void> {
  const payments = store.database.db.selectFrom('payment').select('state').where('membership_term_id', 'is not', null)
  await expect
    .poll(async () => (await payments.execute()).every(({ state }) => state === 'captured'), { timeout: 20_000 })
    .toBe(true)
}

test('every optional parameter is accepted with its example', async () => {
  const complaints: unknown[] = []
  for (const operation of document.operations.filter(({ method }) => method === 'GET')) {
    for (const { name, in: where, required, example } of operation.parameters) {
      if (where !== 'query' || required || example === undefined) continue
      const answer = await makeCall(store.origin, await shopper.callOf(operation, { [name]: example }))
      if (answer.status >= 300) complaints.push([operation.id, name, answer.status, answer.text.slice(0, 200)])
      for (const complaint of document.complaints(operation, answer)) complaints.push([operation.id, name, complaint])
    }
  }
  expect(complaints).toEqual([])
})

test('anonymous callers are refused by operations on personal data, in the documented format', async () => {
  const complaints: unknown[] = []
  for (const operation of document.operations.filter(({ security }) => security.length > 0)) {
    const call = await shopper.callOf(operation)
    const { authorization: _, cookie: __, ...headers } = call.headers
    // An order can also be opened by a mail key, so without one it is not found rather than refused.
    const path = call.path.replaceAll(/(?<=[?&])(?:key|look)=[^&]*&?/g, '')
    const answer = await makeCall(store.origin, { ...call, path, headers })
    if (![401, 404].includes(answer.status)) complaints.push([operation.id, answer.status])
    for (const complaint of document.complaints(operation, answer)) complaints.push([operation.id, complaint])
  }
  expect(complaints).toEqual([])
})

test('every operation refuses undocumented parameters and invalid bodies', async () => {
  const complaints: unknown[] = []
  for (const operation of document.operations) {
    const call = await shopper.callOf(operation)
    const asked = await makeCall(store.origin, {
      ...call,
      path: `${call.path}${call.path.includes('?') ? '&' : '?'}zq9x=1`,
    })
    if (asked.status !== 400) complaints.push([operation.id, asked.status])
    for (const complaint of document.complaints(operation, asked)) complaints.push([operation.id, complaint])
    if (operation.body === null) continue
    for (const [body, type, status] of [
      ['{"a":', 'application/json', 400],
      ['[[]]', 'application/json', 400],
      ['{"zq9x":1}', 'application/json', 400],
      ['zq9x=b', 'application/x-www-form-urlencoded', operation.takesForm ? 400 : 415],
      ['zq9x=b', 'multipart/form-data', 415],
      // A return's photos are part of the request.
      [JSON.stringify('x'.repeat(operation.id === 'openReturn' ? 8 * 1024 * 1024 : 70_000)), 'application/json', 413],
    ] as const) {
      const answer = await makeCall(store.origin, {
        ...call,
        body,
        headers: { ...call.headers, 'content-type': type, 'idempotency-key': randomUUID() },
      }).catch((error: unknown) => {
        // A body that is too large isn't read, so a client that continues to write can see a closed connection.
        if (status === 413 && isClosed(error)) return undefined
        throw error
      })
      if (!answer) continue
      if (answer.status !== status) complaints.push([operation.id, body.slice(0, 20), answer.status])
      for (const complaint of document.complaints(operation, answer)) complaints.push([operation.id, complaint])
    }
  }
  expect(complaints).toEqual([])
})

test('a response that does not match the document is noticed', () => {
  const operation = document.operations.find(({ id }) => id === 'findPlace')
  if (!operation) throw new Error('There is no findPlace.')
  const headers = new Headers({ 'content-type': 'application/json', 'x-request-id': 'x', ratelimit: 'x' })
  const place = {
    zip: '60614',
    city: 'Chicago',
    state: 'IL',
    latitude: 41.9,
    longitude: -87.6,
    region: 'CONUS',
    timeZone: 'America/Chicago',
  }
  const complaintsOf = (status: number, body: unknown) =>
    document.complaints(operation, { status, headers, text: JSON.stringify(body) })
  expect(complaintsOf(200, place)).toEqual([])
  expect(complaintsOf(200, { ...place, zip: 60614 })).toHaveLength(1)
  expect(complaintsOf(200, { ...place, more: 1 })).toHaveLength(1)
  expect(complaintsOf(418, place)).toEqual(['status 418 is not described'])
  expect(() =>
    exampleCall(document, {
      ...operation,
      parameters: [{ name: 'zip', in: 'path', required: true, schema: { type: 'string' } }],
    }),
  ).toThrow('no example')
})

function isClosed(error: unknown): boolean {
  const cause = error instanceof TypeError ? error.cause : undefined
  return cause instanceof Error && 'code' in cause && (cause.code === 'EPIPE' || cause.code === 'ECONNRESET')
}
