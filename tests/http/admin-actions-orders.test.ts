/** Tests that programs change orders, returns, refunds, claims, messages and quotes over the admin API. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { contactSubjects } from '#domain/messaging/support/support.ts'
import { officePaths } from '#content/office-paths.ts'
import { systemClock } from '#platform/clock.ts'
import { newId } from '#platform/ids.ts'
import { storeDay } from '#platform/store-zone.ts'
import { eventually } from '#tests/support/eventually.ts'
import { addAdminClient, callAdminApi, requestAdminToken } from '#tests/support/admin-client.ts'
import { oneTireItem, placeHomeOrder } from '#tests/support/order-by-api.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInToOffice } from '#tests/support/visitor.ts'

let store: RunningStore
const owner = createVisitor()

beforeAll(async () => {
  store = await startStore({ env: { API_CALLS_PER_MINUTE: '1000000', SANDBOX_CARRIER_PACE_SECONDS: '600' } })
  await signInToOffice(store.origin, owner, { email: 'owner@example.com' })
  await addAdminClient(store, owner, 'owner')
}, 120_000)
afterAll(() => store[Symbol.asyncDispose]())

const db = () => store.database.db
const office = async (path: string) =>
  (await (await owner.ask(`${store.origin}${path}`)).text()).replaceAll('<!-- -->', '')

/** A program with a token for these permissions. The result returns the body of an answer with this status. */
async function programWith(scope: string) {
  const token = await requestAdminToken(store, scope)
  return async (method: string, path: string, status: number, body?: unknown) => {
    const answer = await callAdminApi(store, token, [method, path], body)
    expect(answer.status, `${method} ${path} ${JSON.stringify(answer.body)}`).toBe(status)
    return answer.body
  }
}

test('a program receives, inspects and refunds a return, and needs staff to refuse a tire', async () => {
  const call = await programWith('returns.receive returns.inspect returns.refund')
  const path = '/returns/1001'
  await call('POST', '/returns/999999/receive', 404, { tires: [1] })
  await call('POST', '/returns/x/receive', 404, { tires: [1] })
  await call('POST', `${path}/receive`, 409, { tires: [] })
  await call('POST', `${path}/receive`, 400, { tires: [1001] })
  await call('POST', `${path}/receive`, 204, { tires: [3] })
  const inspection = { tire: 1, outcome: 'restock', finding: '10/32 in', dot: 'SDWL 3126', isDotMatch: true }
  const sentBack = { ...inspection, tire: 2, outcome: 'send-back', refusal: 'It was mounted.' }
  expect((await call('POST', `${path}/inspect`, 409, sentBack)).detail).toBe('Add our own photo of what you found.')
  await call('POST', `${path}/inspect`, 400, { ...inspection, outcome: 'burn' })
  await call('POST', `${path}/inspect`, 204, inspection)
  await call('POST', `${path}/inspect`, 409, inspection)
  await call('POST', `${path}/accept`, 409, { tires: [1, 3] })
  await call('POST', `${path}/accept`, 204, { tires: [2, 3] })
  const refund = { fee: 'due', agreed: 1 }
  const { detail = '' } = await call('POST', `${path}/refund`, 409, refund)
  const [, dollars = '', cents = ''] = /^The refund is now \$([\d,]+)\.(\d\d)\./.exec(detail) ?? []
  const agreed = Number(`${dollars.replaceAll(',', '')}${cents}`)
  await call('POST', `${path}/hold`, 400, { reason: '' })
  await call('POST', `${path}/hold`, 204, { reason: 'The tread looks worn.' })
  await call('POST', `${path}/refund`, 409, { ...refund, agreed })
  // Another team member has to look, and the owner added the program.
  await call('POST', `${path}/release`, 409, { result: 'Measured again.' })
  const manager = createVisitor()
  await signInToOffice(store.origin, manager, { email: 'manager@example.com' })
  const release = { form: { intent: 'release', result: 'Measured again.' } }
  expect((await owner.ask(`${store.origin}/office/returns/1001`, release)).status).toBe(409)
  expect((await manager.ask(`${store.origin}/office/returns/1001`, release)).status).toBe(303)
  await call('POST', `${path}/refund`, 204, { ...refund, agreed })
  await call('POST', `${path}/refund`, 409, { ...refund, agreed })
  expect(await office('/office/returns/1001')).toContain('matches what was sold')
})

test('a program opens a return once, with the rules of customers', async () => {
  const call = await programWith('returns.open')
  const { id } = await db()
    .selectFrom('sales_order')
    .innerJoin('shipment', 'shipment.order_id', 'sales_order.id')
    .leftJoin('order_return', 'order_return.order_id', 'sales_order.id')
    .select('sales_order.id')
    .where('order_return.id', 'is', null)
    .where('sales_order.state', '=', 'confirmed')
    .where('fulfillment', '=', 'home')
    .where('shipment.state', '=', 'delivered')
    .orderBy('delivered_at', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  const path = `/orders/S-${id}/returns`
  const asked = { lines: [{ lineNo: '1', quantity: 1 }], reason: 'changed-mind', seq: 1, note: 'Called at noon' }
  const mounted = await call('POST', path, 400, asked)
  expect(mounted.data).toEqual({ unmounted: 'Please confirm that they have never been mounted.' })
  await call('POST', path, 400, { ...asked, reason: 'bored' })
  const opened = await call('POST', path, 201, { ...asked, unmounted: true })
  expect(await call('POST', path, 201, { ...asked, unmounted: true })).toEqual(opened)
  expect(await office(officePaths.officeReturn(Number(opened['id'])))).toContain('Called at noon')
  await call('POST', '/orders/S-999999999/returns', 404, asked)
})

test('a program changes, writes about, and cancels an order', async () => {
  const scope =
    'orders.address orders.note orders.cancel orders.cancel-lines orders.emails orders.codes requests.answer'
  const call = await programWith(scope)
  const email = 'dana.orders@example.com'
  const path = `/orders/S-${await placeHomeOrder(store, createVisitor(), { email })}`
  const page = `/office${path.replace('S-', '')}`
  const address = { address1: '14 Halsted Street', city: 'Chicago', state: 'IL', zip: '60614' }
  expect((await call('POST', `${path}/address`, 400, { ...address, zip: 'abc' })).data).toHaveProperty('reason')
  await call('POST', `${path}/address`, 204, { ...address, reason: 'Typo' })
  const key = newId()
  await call('POST', `${path}/note`, 204, { key, body: 'Gate code 4411' })
  await call('POST', `${path}/note`, 204, { key, body: 'Gate code 4411' })
  expect((await call('POST', `${path}/note`, 409, { key: newId(), body: ' ' })).data).toHaveProperty('body')
  expect((await call('POST', `${path}/vin`, 409, { vin: 'x' })).data).toHaveProperty('vin')
  await call('POST', `${path}/write`, 204, { as: 'email', message: 'Leaving today.', once: newId() })
  await call('POST', `${path}/write`, 409, { as: 'text', message: 'Leaving today.', once: newId() })
  expect((await call('POST', `${path}/assign`, 409, { to: 'stranger@example.com' })).data).toHaveProperty('to')
  await call('POST', `${path}/assign`, 204, { to: 'support@example.com' })
  await call('POST', '/orders/S-999999999/assign', 404, { to: 'support@example.com' })
  await call('POST', `${path}/text-again`, 409, { text: newId(), once: newId() })
  await call('POST', `${path}/send-codes`, 409, { once: newId() })
  await call('POST', `${path}/confirm`, 403, { reason: 'Called' })
  const shown = await office(page)
  for (const words of ['14 Halsted Street', 'Gate code 4411', 'Leaving today.']) expect(shown).toContain(words)
  const notes = await db().selectFrom('order_note').select('id').where('body', '=', 'Gate code 4411').execute()
  expect(notes).toHaveLength(1)

  expect(await call('GET', `${path}/lines`, 200)).toEqual({ lines: [], seen: 0 })
  const lines = { lines: [{ lineNo: '1', units: 1 }], seen: 0, key: newId(), reason: 'Too many' }
  await call('POST', `${path}/lines/cancel`, 409, lines)
  await call('POST', `${path}/cancel`, 400, {})
  await call('POST', `${path}/cancel`, 204, { reason: 'The customer called.' })
  await call('POST', `${path}/address`, 409, { ...address, reason: 'Typo' })
  for (const id of ['S-0', '999999999', 'x', '9'.repeat(30), '%27'])
    await call('POST', `/orders/${id}/cancel`, 404, { reason: 'No' })
})

test('a program refunds an order within its limit, once per key', async () => {
  const call = await programWith('refunds.make refunds.approve')
  const { id } = await db()
    .selectFrom('payment')
    .innerJoin('sales_order', 'sales_order.id', 'payment.order_id')
    .select('sales_order.id')
    .where('payment.state', '=', 'captured')
    .where('sales_order.state', '=', 'confirmed')
    .where('refunded_cents', '=', 0)
    .orderBy('captured_cents', 'desc')
    .executeTakeFirstOrThrow()
  const path = `/orders/S-${id}/refunds`
  const refund = { key: newId(), amount: 1_250, agreed: 1_250, reason: 'late', bearer: 'carrier' }
  expect((await call('POST', path, 400, { ...refund, reason: 'other' })).data).toEqual({
    note: 'Say what the reason is.',
  })
  await call('POST', path, 409, { ...refund, agreed: 1_251 })
  const made = await call('POST', path, 201, refund)
  expect(await call('POST', path, 201, refund)).toEqual(made)
  const drafts = () => db().selectFrom('concession').select('id').where('state', '=', 'requested').execute()
  const before = await drafts()
  const most = { ...refund, key: newId(), amount: 76_000, agreed: 76_000 }
  expect((await call('POST', path, 409, most)).detail).toMatch(/^Your approval threshold per order is \$/)
  expect(await drafts()).toEqual(before)
  expect(await office(`/office/orders/${id}`)).toContain('$12.50')
  await call('POST', `/refunds/${String(made['id'])}/decline`, 409)
  // Retries are accepted until the payout.
  await eventually('payout', async () => {
    const open = db()
      .selectFrom('charge_refund')
      .innerJoin('payment', 'payment.id', 'payment_id')
      .select('charge_refund.id')
    return (
      (await open.where('order_id', '=', id).where('charge_refund.state', '<>', 'done').execute()).length === 0 ||
      undefined
    )
  })
  await call('POST', `/refunds/${String(made['id'])}/retry`, 409)
  for (const other of [newId(), 'x']) {
    await call('POST', `/refunds/${other}/decline`, 404)
    await call('POST', `/refunds/${other}/retry`, 404)
  }
})

test('a program decides price guarantee requests, and finds no unknown claim', async () => {
  const call = await programWith('guarantees.decide claims.decide')
  const { year, month, day } = storeDay(systemClock.now())
  const file = async (price: string) => {
    const form = {
      competitor: 'Other Tires',
      link: 'https://othertires.com/alltide',
      price,
      shipping: '1',
      seenOn: `${month}/${day}/${year}`,
      email: 'guest@example.com',
      item: await oneTireItem(store),
      quantity: '4',
    }
    const filed = await createVisitor().ask(`${store.origin}/price-guarantee`, { form })
    return `/guarantees/G-${filed.headers.get('location')?.split('=')[1] ?? ''}`
  }
  const [one, other] = [await file('20.00'), await file('21.00')]
  expect((await call('POST', `${one}/approve`, 400, { amount: 0 })).data).toHaveProperty('amount')
  await call('POST', `${one}/approve`, 204, { amount: 512 })
  await call('POST', `${one}/approve`, 409, { amount: 512 })
  await call('POST', `${one}/retry`, 409)
  expect(await office(`/office${one}`)).toContain('$5.12')
  await call('POST', `${other}/refuse`, 204, { reason: 'That store is a marketplace.' })
  expect(await office(`/office${other}`)).toContain('That store is a marketplace.')
  for (const id of ['C-999999', 'C-0', 'x', '9'.repeat(30)]) {
    await call('POST', `/claims/${id}/approve`, 404, { amount: 100 })
    await call('POST', `/claims/${id}/refuse`, 404, { reason: 'No' })
    await call('POST', `/claims/${id}/retry`, 404)
  }
})

test('a program answers, notes, assigns, closes and reopens a message', async () => {
  const call = await programWith('requests.answer')
  await createVisitor().ask(`${store.origin}/contact`, {
    form: {
      firstName: 'Ann',
      lastName: 'Asker',
      email: 'ann.api@example.net',
      phone: '3125550142',
      subject: contactSubjects[0],
      message: 'Where is my order?',
    },
  })
  const { id } = await db()
    .selectFrom('support_request')
    .select('id')
    .where('email', '=', 'ann.api@example.net')
    .executeTakeFirstOrThrow()
  const path = `/messages/${id}`
  const once = newId()
  await call('POST', `${path}/answer`, 400, { body: ' ', once })
  await call('POST', `${path}/answer`, 204, { body: 'It ships today.', once })
  await call('POST', `${path}/answer`, 204, { body: 'It ships today.', once })
  await call('POST', `${path}/note`, 204, { body: 'Asked the warehouse.', once: newId() })
  expect((await call('POST', `${path}/assign`, 409, { to: 'stranger@example.com' })).data).toHaveProperty('to')
  await call('POST', `${path}/assign`, 204, { to: 'support@example.com' })
  await call('POST', `${path}/close`, 204)
  await call('POST', `${path}/close`, 409)
  await call('POST', `${path}/answer`, 409, { body: 'Again', once: newId() })
  await call('POST', `${path}/reopen`, 204)
  const page = await office(`/office${path}`)
  for (const words of ['Asked the warehouse.', 'support@example.com']) expect(page).toContain(words)
  expect(page.match(/class="office-words">It ships today\./g)).toHaveLength(1)
  for (const other of ['0', 'x', '999999999']) await call('POST', `/messages/${other}/close`, 404)
})

test('a program drafts, changes, sends, replaces and withdraws a quote', async () => {
  const call = await programWith('quotes.write')
  const draft = { key: newId(), name: 'Rosa Diaz', email: 'rosa.api@example.net' }
  expect((await call('POST', '/quotes', 409, { ...draft, account: 'no-one@example.net' })).data).toHaveProperty(
    'account',
  )
  const { id } = await call('POST', '/quotes', 201, draft)
  expect(await call('POST', '/quotes', 201, draft)).toEqual({ id })
  const path = `/quotes/${String(id)}`
  const read = await call('GET', path, 200)
  expect(read).toMatchObject({ name: 'Rosa Diaz', label: 'Retail', lines: [], account: null })
  expect((await call('POST', `${path}/send`, 409, { revision: read['revision'] })).detail).toBeTruthy()
  const { itemId } = await db()
    .selectFrom('stock')
    .innerJoin('item', 'item.id', 'stock.item_id')
    .select('item.id as itemId')
    .where('item.active', '=', true)
    .where('on_hand', '>', 20)
    .orderBy('item.id')
    .executeTakeFirstOrThrow()
  const saved = { itemId: String(itemId), quantity: 4, axle: 'all', coverage: false }
  // Retail quotes have today's price, whatever is sent.
  const line = { ...saved, price: 1 }
  const change = { ...read, fulfillment: 'home', zip: '60614' }
  expect((await call('PUT', path, 400, { ...change, lines: [{ ...line, quantity: 99 }] })).data).toHaveProperty(
    `quantity-${itemId}`,
  )
  expect((await call('PUT', path, 400, { ...change, lines: [{ ...line, itemId: '999999' }] })).data).toEqual({
    'quantity-999999': 'This tire is no longer sold.',
  })
  await call('PUT', path, 204, { ...change, lines: [line] })
  await call('PUT', path, 412, { ...change, lines: [line] })
  const pickup = { ...(await call('GET', path, 200)), fulfillment: 'warehouse-pickup', warehouse: 1 }
  await call('PUT', path, 204, pickup)
  const picked = await call('GET', path, 200)
  expect(picked).toMatchObject({ fulfillment: 'warehouse-pickup', warehouse: 1, shop: null, carrierLocation: null })
  const unlisted = { ...picked, fulfillment: 'carrier-pickup', carrierLocation: 2_000_000_000 }
  expect((await call('PUT', path, 400, unlisted)).data).toEqual({ carrierLocation: 'Choose a location near the ZIP.' })
  await call('PUT', path, 204, { ...picked, fulfillment: 'home' })
  const one = await call('GET', path, 200)
  const second = { ...saved, itemId: `2-${itemId}`, quantity: 2 }
  const vehicles = [{ number: '2', vehicle: '2018 Toyota Camry LE' }]
  const unknown = { ...one, vehicles: [{ number: '2', vehicle: 'zzzz' }] }
  expect((await call('PUT', path, 400, unknown)).data).toHaveProperty('vehicle-2')
  await call('PUT', path, 204, { ...one, vehicles, lines: [line, { ...second, price: 1 }] })
  const both = await call('GET', path, 200)
  expect(both).toMatchObject({ vehicles, lines: [saved, second] })
  await call('PUT', path, 204, { ...both, vehicles: [], lines: [line] })
  const changed = await call('GET', path, 200)
  expect(changed).toMatchObject({ zip: '60614', lines: [saved] })
  await call('POST', `${path}/versions`, 409, { key: newId() })
  await call('POST', `${path}/send`, 204, { revision: changed['revision'] })
  await call('PUT', path, 409, changed)
  const version = await call('POST', `${path}/versions`, 201, { key: newId() })
  expect(await call('GET', `/quotes/${String(version['id'])}`, 200)).toMatchObject({ lines: [saved] })
  const copy = { key: newId() }
  const copied = await call('POST', `${path}/copies`, 201, copy)
  expect(await call('POST', `${path}/copies`, 201, copy)).toEqual(copied)
  expect(copied['id']).not.toBe(version['id'])
  expect(await call('GET', `/quotes/${String(copied['id'])}`, 200)).toMatchObject({ name: 'Rosa Diaz', lines: [saved] })
  const lastDay = Temporal.PlainDate.from(String(changed['goodThrough']))
  const later = lastDay.add({ days: 3 }).toString()
  await call('POST', `${path}/extend`, 400, { goodThrough: 'soon' })
  expect(
    (await call('POST', `${path}/extend`, 409, { goodThrough: lastDay.subtract({ days: 1 }).toString() })).data,
  ).toHaveProperty('goodThrough')
  for (let time = 0; time < 2; time++) await call('POST', `${path}/extend`, 204, { goodThrough: later })
  expect(await call('GET', path, 200)).toMatchObject({ goodThrough: later })
  await call('POST', `${path}/reject`, 403, { reason: 'No' })
  await call('POST', `${path}/withdraw`, 204, { reason: 'The customer called.' })
  await call('POST', `${path}/withdraw`, 204, { reason: 'Sent again' })
  await call('POST', `${path}/send`, 409, { revision: changed['revision'] })
  for (const other of ['0', 'x', '999999999']) {
    await call('GET', `/quotes/${other}`, 404)
    await call('POST', `/quotes/${other}/withdraw`, 404, { reason: 'No' })
  }
})

test('a program schedules and ends a lender offer, and finds no unknown record of other work lists', async () => {
  const scope = [
    'promotions.edit held-orders.decide parcels.ship pickups.hand-over charges.resolve disputes.answer',
    'suppliers.answer suppliers.source shop-reports.answer reconciliation.resolve companies.decide',
  ].join(' ')
  const call = await programWith(scope)
  const offer = {
    formKey: newId(),
    method: 'affirm',
    percent: '8',
    fundedBy: 'lender',
    startsAt: '2030-01-01T00:00',
    endsAt: '2030-02-01T00:00',
  }
  expect((await call('POST', '/pay-later-offers', 409, { ...offer, endsAt: '2029-12-01T00:00' })).data).toEqual({
    endsAt: 'Enter a time after the start.',
  })
  const { id } = await call('POST', '/pay-later-offers', 201, offer)
  const { rows } = await call('GET', '/pay-later-offers', 200)
  expect(rows).toContainEqual({ id, label: 'Affirm, 8%' })
  await call('POST', `/pay-later-offers/${String(id)}/end`, 204, { reason: 'Over budget' })
  for (const [path, body] of [
    ['/pay-later-offers/%/end', { reason: 'Over budget' }],
    ['/held-orders/%/accept', {}],
    ['/held-orders/%/cancel', {}],
    ['/parcels/%/quote-label'],
    ['/parcels/%/buy'],
    ['/parcels/%/ship-own', { carrier: 'UPS', tracking: '1Z999' }],
    ['/pickups/%/ready'],
    ['/pickups/%/missed', { key: newId() }],
    ['/charges/%/take'],
    ['/charges/%/capture'],
    ['/disputes/%/accept'],
    ['/disputes/%/submit', { notes: '' }],
    ['/purchases/%/accepted', { reference: 'R-1' }],
    ['/purchases/%/again'],
    ['/shop-reports/%/answer', { answer: 'On its way.' }],
    ['/shop-reports/%/close'],
  ] as const)
    for (const other of ['0', 'x', '-1', '9'.repeat(30), newId()])
      await call('POST', path.replace('%', other), 404, body)
  for (const other of ['x', newId()])
    await call('POST', `/purchasing-systems/${other}/again`, 409, { document: newId() })
  await call('POST', '/purchases/999999/elsewhere', 409, { warehouse: 1 })
  await call('POST', '/reconciliation/x/resolve', 404, { note: 'Fee' })
  await call('POST', '/reconciliation/stripe-2020-01-01/resolve', 409, { note: 'Fee' })
})
