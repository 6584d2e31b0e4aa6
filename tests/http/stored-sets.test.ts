/** A service with storage over HTTP: order pages, tracking, API, portal, and office, from the booking to the pickup. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { moveToToday } from '#domain/installer-portal/work-orders/work-orders.testing.ts'
import { addAdminClient, callAdminApi, requestAdminToken } from '#tests/support/admin-client.ts'
import { eventually } from '#tests/support/eventually.ts'
import { callApi, placeServiceOrder } from '#tests/support/order-by-api.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInToOffice, signInToPortal, type Visitor } from '#tests/support/visitor.ts'

let store: RunningStore
const shopper = createVisitor()
const technician = createVisitor()
const support = createVisitor()
beforeAll(async () => {
  store = await startStore({ env: { RELEASE_AFTER_SECONDS: '1' } })
  await signInToPortal(store.origin, technician, 'technician@example.com')
  await signInToOffice(store.origin, support, { email: 'owner@example.com' })
}, 180_000)
afterAll(() => store[Symbol.asyncDispose]())

const at = (path: string) => `${store.origin}${path}`
const read = async (answer: Response | Promise<Response>) => (await (await answer).text()).replaceAll('<!-- -->', '')
const portal = '/portal/SW-00001/storage'
const change = (form: Record<string, string>, who: Visitor = technician) => who.ask(at(portal), { form })

/** Finishes an order's job today, as its technician does. */
async function finish(orderId: number): Promise<void> {
  const { id } = await store.database.db
    .selectFrom('booking')
    .select('id')
    .where('order_id', '=', orderId)
    .executeTakeFirstOrThrow()
  await moveToToday(store.database, id, Temporal.Now.instant())
  const job = at(`/portal/SW-00001/jobs/${id}`)
  for (const form of [
    { intent: 'arrived' },
    { intent: 'finish', odometer: '41,836', signedName: 'Dana Ruiz', signed: 'yes' },
  ]) {
    const answer = await technician.ask(job, { form })
    expect(answer.status, form.intent).toBe(303)
  }
}

/** The tracking page opened with an order number and ZIP. */
async function readStatus(orderId: number): Promise<string> {
  const visitor = createVisitor()
  const found = await visitor.ask(at('/track-your-order'), { form: { order: `S-${orderId}`, zip: '60614' } })
  return read(visitor.ask(at(found.headers.get('location') ?? '')))
}

test('a set is stored by the finished job, tracked, placed, and picked up', async () => {
  const orderId = await placeServiceOrder(store, shopper, 'changeover-storage')
  const track = at(`/track-your-order/result?order=${orderId}`)
  const booked = await read(shopper.ask(track))
  expect(booked).toContain('Steps of your service')
  expect(booked).toContain('Stored for 6 months from the day of the changeover')
  expect(await read(technician.ask(at(portal)))).not.toContain(`S-${orderId}`)
  const readProgress = async () => (await callApi(store, shopper, 'GET', `/orders/${orderId}`)).body
  await eventually('the charge', async () => {
    const order = (await readProgress()) as { progress: string }
    return order.progress === 'booked'
  })
  await finish(orderId)

  const stored = await read(shopper.ask(track))
  expect(stored).toMatch(/Stored at Halsted Tire until \w{3} \d+, \d{4}/)
  const status = await readStatus(orderId)
  for (const step of ['Booked', 'Charged', 'At the shop', 'In storage']) expect(status).toContain(step)
  expect(status).not.toMatch(/Halsted|\$\d/)
  expect(await readProgress()).toMatchObject({ progress: 'done', storage: { returnedAt: null } })

  const order = String(orderId)
  const place = `place-${orderId}`
  const long = 'x'.repeat(41)
  const refused = await change({ intent: 'place', order, [place]: long })
  expect(refused.status).toBe(422)
  const page = await read(refused)
  expect(page).toContain('Use up to 40 characters.')
  expect(page).toContain(`value="${long}"`)
  expect((await change({ intent: 'place', order, [place]: ' Rack 4 ' })).headers.get('location')).toBe(
    `${portal}?done=saved`,
  )
  const saved = await read(technician.ask(at(`${portal}?done=saved`)))
  expect(saved).toContain('Saved.')
  expect(saved).toContain('value="Rack 4"')
  expect(await read(support.ask(at(`/office/orders/${orderId}`)))).toContain('Rack 4')

  const number = `S-${orderId}`
  const owner = createVisitor()
  await signInToOffice(store.origin, owner, { email: 'owner@example.com' })
  const list = (who: Visitor, query = '') => read(who.ask(at(`/office/stored-sets${query}`)))
  await addAdminClient(store, owner, 'owner')
  const token = await requestAdminToken(store, 'orders.read customers.read')
  const found = await callAdminApi(store, token, ['GET', `/stored-sets/${number}`])
  expect(found.body).toMatchObject({ id: number, fields: { location: 'Rack 4', customer: 'Dana Ruiz' } })
  const shown = await list(owner, '?shop=halsted')
  for (const text of [number, 'Dana Ruiz', '2019 Honda CR-V', 'Halsted Tire', 'Rack 4', `/office/orders/${orderId}`])
    expect(shown).toContain(text)
  for (const query of ['?state=picked-up', '?state=ended', '?shop=no-such'])
    expect(await list(owner, query)).not.toContain(number)
  expect(await read(owner.ask(at('/office/export/stored-sets')))).toMatch(
    new RegExp(`${number},Dana Ruiz,2019 Honda CR-V,Halsted Tire,Rack 4,\\d{4}-\\d\\d-\\d\\d,\\d{4}-\\d\\d-\\d\\d,`),
  )
  const warehouse = createVisitor()
  await signInToOffice(store.origin, warehouse, { email: 'warehouse@example.com' })
  const hidden = await list(warehouse)
  expect(hidden).toContain(number)
  expect(hidden).not.toContain('Dana Ruiz')

  expect((await change({ intent: 'return', order })).status).toBe(303)
  expect((await change({ intent: 'return', order })).status).toBe(409)
  expect(await read(shopper.ask(track))).toMatch(/Picked up \w{3} \d+, \d{4}/)
  expect(await list(owner)).not.toContain(number)
  expect(await list(owner, '?state=picked-up')).toContain(number)
}, 120_000)

test('unknown orders and buttons change nothing', async () => {
  for (const order of ['1', '999999999999999'])
    expect((await change({ intent: 'return', order })).status, order).toBe(409)
  for (const order of ['', '-1', 'x', '1e3', '9'.repeat(20)])
    expect((await change({ intent: 'return', order })).status, order).toBe(400)
  expect((await change({ intent: 'constructor', order: '1' })).status).toBe(400)
  expect((await change({ intent: 'return', order: '1' }, createVisitor())).status).toBe(303)
})
