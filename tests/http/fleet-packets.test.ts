/**
 * Tests fleet work order details without JavaScript for the office, each company role, other accounts, and the shop.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { joinShop, bringToToday } from '#domain/installer-portal/work-orders/work-orders.testing.ts'
import { callApi, fillHomeCart } from '#tests/support/order-by-api.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInAt, signInToOffice, signInToPortal, type Visitor } from '#tests/support/visitor.ts'

let store: RunningStore
let felix: Visitor
let tilda: Visitor
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
  tilda = await signedIn('tilda')
  vic = await signedIn('vic')
  sol = await signedIn('sol')
}, 180_000)
afterAll(() => store[Symbol.asyncDispose]())

const at = (path: string) => `${store.origin}${path}`
const read = async (answer: Response | Promise<Response>) => (await (await answer).text()).replaceAll('<!-- -->', '')
const packetOf = (orderId: number) => `/account/company/orders/${orderId}`
const fields = { unit: '117', driver: 'Ray Ortiz', vin: '1HGCM82633A004352', plate: 'p44 9021', plateState: 'il' }

/** Orders on the company's terms to be installed at a shop; its id. */
async function placeAtShop(visitor: Visitor, name: string): Promise<number> {
  const email = `${name.toLowerCase()}@example.com`
  const contact = { firstName: name, lastName: 'Grant', email, phoneType: 'work', vehicleNote: '2021 Ford Transit' }
  await fillHomeCart(store, visitor, { contact, billing: { poNumber: 'GD-118' } })
  const call = async (method: string, path: string, body?: unknown) => {
    const reply = await callApi(store, visitor, method, path, body)
    expect(reply.status, `${path} ${JSON.stringify(reply.body)}`).toBeLessThan(300)
    return reply.body as never
  }
  // The account's own car takes other tires.
  await call('PUT', '/cart/vehicle', { vehicle: null })
  const shops: { shop: { id: number }; openings: { start: string }[] }[] = await call('GET', '/cart/shops')
  const free = shops.find(({ openings }) => openings.length > 0)
  const held = { shopId: free?.shop.id, start: free?.openings[0]?.start }
  await call('POST', '/cart/hold', held)
  await call('PUT', '/cart/delivery', { fulfillment: 'shop', shopId: held.shopId })
  const { agreedPrice }: { agreedPrice: string } = await call('GET', '/cart/price')
  await call('POST', '/cart/payment', { flow: 'net-terms' })
  const terms = { agreedPrice, termsAccepted: true, conditionsAccepted: true }
  const { orderId }: { orderId: number } = await call('POST', '/orders', terms)
  return orderId
}

test('staff turn packets on; orders then ask for a PO number, and the company reads why', async () => {
  const desk = createVisitor()
  await signInToOffice(store.origin, desk, { email: 'owner@example.com' })
  const { id } = await store.database.db
    .selectFrom('company')
    .select('id')
    .where('name', '=', 'Grant Delivery')
    .executeTakeFirstOrThrow()
  expect(await read(felix.ask(at('/account/company/vehicles')))).toContain('ask for fleet packets')
  const set = await desk.ask(at(`/office/companies/${id}`), { form: { intent: 'fleet-packets', packets: '1' } })
  expect(set.status).toBe(303)
  expect(set.headers.get('location')).toBe(`/office/companies/${id}?done=fleet-packets`)
  expect(await read(desk.ask(at(`/office/companies/${id}`)))).toMatch(/name="packets"[^>]*checked/)
  const terms = await read(felix.ask(at('/account/company')))
  expect(terms).toContain('Fleet packets')
  expect(terms).toContain('Required')
  const contact = { firstName: 'Felix', lastName: 'Grant', email: 'felix@example.com', phoneType: 'work' }
  const { agreedPrice } = await fillHomeCart(store, felix, { contact })
  await callApi(store, felix, 'POST', '/cart/payment', { flow: 'net-terms' })
  const order = { agreedPrice, termsAccepted: true, conditionsAccepted: true }
  const refused = await callApi(store, felix, 'POST', '/orders', order)
  expect(refused.status).toBeGreaterThanOrEqual(400)
  expect(refused.status).toBeLessThan(500)
  expect(JSON.stringify(refused.body)).toMatch(/PO number|po-number/)
})

test('the vehicle can be entered with the payment and starts the packet', async () => {
  const contact = { firstName: 'Felix', lastName: 'Grant', email: 'felix@example.com', phoneType: 'work' }
  const { agreedPrice } = await fillHomeCart(store, felix, { contact, billing: { poNumber: 'GD-9' } })
  const page = await read(felix.ask(at('/checkout/payments')))
  expect(page).toContain('Unit number')
  const form = { sameAsShipping: '1', poNumber: 'GD-9', method: 'net-terms' }
  const wrong = await felix.ask(at('/checkout/payments'), { form: { ...form, ...fields, vin: '1HGCM82633A004353' } })
  const html = await read(wrong)
  expect(wrong.status).toBe(422)
  expect(html).toContain('wrong check digit')
  expect(html).toContain('value="117"')
  const saved = await felix.ask(at('/checkout/payments'), { form: { ...form, ...fields } })
  expect(saved.status).toBe(303)
  expect(saved.headers.get('location')).toBe('/checkout/order-summary')
  const order = { agreedPrice, termsAccepted: true, conditionsAccepted: true }
  const placed = await callApi(store, felix, 'POST', '/orders', order)
  const { orderId } = placed.body as { orderId: number }
  const packet = await read(felix.ask(at(packetOf(orderId))))
  for (const words of ['117', 'Ray Ortiz', '1HGCM82633A004352', 'P449021', 'GD-9']) expect(packet).toContain(words)
  expect(packet).not.toContain('Still missing: Unit')
})

test('each role sees and changes what it may; wrong and hostile fields are said by their field and kept', async () => {
  const orderId = await placeAtShop(tilda, 'Tilda')
  const ofFelix = await placeAtShop(felix, 'Felix')
  const path = packetOf(orderId)
  for (const [who, visitor, own, other] of [
    ['owner', felix, 200, 200],
    ['buyer', tilda, 200, 404],
    ['viewer', vic, 200, 200],
    ['another company', sol, 404, 404],
  ] as const)
    for (const file of ['', '/packet.json']) {
      expect((await visitor.ask(at(path + file))).status, who).toBe(own)
      expect((await visitor.ask(at(packetOf(ofFelix) + file))).status, who).toBe(other)
    }
  const guest = await createVisitor().ask(at(path))
  expect(guest.status).toBe(303)
  expect(guest.headers.get('location')).toMatch(/^\/sign-in\?back=/)
  expect(await read(tilda.ask(at('/account/company/orders')))).toContain(`href="${path}"`)

  const form = await read(tilda.ask(at(path)))
  expect(form).toContain('Still missing: Unit number, Driver')
  expect(await read(vic.ask(at(path)))).not.toContain('name="unit"')
  expect((await vic.ask(at(path), { form: fields })).status).toBe(403)
  expect((await sol.ask(at(path), { form: fields })).status).toBe(404)
  const wrong = await tilda.ask(at(path), {
    form: { unit: 'x'.repeat(21), driver: '<b>', vin: '1HGCM82633A004353', plate: '123456789', plateState: 'Illinois' },
  })
  const html = await read(wrong)
  expect(wrong.status).toBe(422)
  for (const words of [
    'Fix 5 fields',
    'up to 20 letters',
    'wrong check digit',
    'up to 8 letters',
    '&lt;b&gt;',
    'Illinois',
  ])
    expect(html).toContain(words)
  for (const value of ["';--", '\0', 'x'.repeat(5_000), '\u202e', '{{x}}', '=1+1'])
    for (const name of Object.keys(fields))
      expect(
        (await tilda.ask(at(path), { form: { [name]: value } })).status,
        `${name} ${value.slice(0, 9)}`,
      ).toBeLessThan(500)
  for (const order of ['x', '0', '-1', '9'.repeat(15), '9'.repeat(40), '%00'])
    expect([400, 404]).toContain((await felix.ask(at(`/account/company/orders/${order}`))).status)

  const saved = await tilda.ask(at(path), { form: fields })
  expect(saved.status).toBe(303)
  expect(saved.headers.get('location')).toBe(`${path}?done=saved`)
  const packet = (await (await felix.ask(at(`${path}/packet.json`))).json()) as object
  expect(packet).toMatchObject({
    company: 'Grant Delivery',
    poNumber: 'GD-118',
    unit: '117',
    driver: 'Ray Ortiz',
    plate: 'P449021',
    plateState: 'IL',
    vin: '1HGCM82633A004352',
    mileage: null,
    tires: [],
  })
})

test('the shop sees the packet, finishes only with all fields, and the vehicles are listed with their tires', async () => {
  const orderId = await placeAtShop(tilda, 'Tilda')
  const booking = await store.database.db
    .selectFrom('booking')
    .innerJoin('shop', 'shop.id', 'booking.shop_id')
    .select(['booking.id', 'booking.shop_id as shopId', 'shop.code'])
    .where('order_id', '=', orderId)
    .executeTakeFirstOrThrow()
  await joinShop(store.database, { shopId: booking.shopId })
  const technician = createVisitor()
  await signInToPortal(store.origin, technician, 'technician@example.com')
  const path = `/portal/${booking.code}/jobs/${booking.id}`
  const send = (form: Record<string, string>) => technician.ask(at(path), { form })
  await bringToToday(store.database, booking.id, Temporal.Now.instant())
  const html = await read(technician.ask(at(path)))
  for (const words of ['Fleet packet', 'name="unit"', 'name="plateState"', 'License plate'])
    expect(html).toContain(words)
  const line = /name="line" value="(\d+)"/.exec(html)?.[1] ?? ''
  for (let count = 0; count < 4; count += 1) await send({ intent: 'more', line })
  expect((await send({ intent: 'arrived' })).status).toBe(303)
  const names = [...html.matchAll(/name="((?:tin|tread)-\d+-\d+)"/g)].map(([, name]) => name ?? '')
  const tires = Object.fromEntries(names.map((name) => [name, name.startsWith('tin') ? '7B3 KXYZ92 0126' : '4']))
  const signed = { signedName: 'Iris Vale', signed: 'yes' }
  const typed = { intent: 'finish', ...tires, odometer: '41,836', ...signed, unit: '12', driver: '=cmd()' }
  const lacking = await send(typed)
  const said = await read(lacking)
  expect(lacking.status).toBe(422)
  expect(said).toContain('Saved, and not finished: 3 things are missing.')
  expect((await send({ ...typed, plate: '<script>' })).status).toBe(422)
  const finished = await send({ ...typed, vin: '3A004352', plate: 'P1', plateState: 'WI' })
  expect(finished.status).toBe(303)
  expect(finished.headers.get('location')).toBe(`${path}?done=finished`)

  const vehicles = await read(vic.ask(at('/account/company/vehicles')))
  for (const words of ['Unit 12', '41,836 miles', 'TIN 7B3 KXYZ92 0126', 'VIN 3A004352', 'plate P1 WI', 'Unit 117'])
    expect(vehicles).toContain(words)
  const file = await felix.ask(at('/account/company/vehicles.csv'))
  const rows = (await read(file)).split('\r\n')
  expect(file.headers.get('content-type')).toContain('text/csv')
  const fitted = rows.filter((row) => row.startsWith('12,'))
  expect(fitted).toHaveLength(4)
  expect(fitted[0]).toContain(`12,'=cmd(),3A004352,P1,WI,`)
  expect(fitted[0]).toContain(',41836,LF,7B3KXYZ920126,')
  expect((await read(sol.ask(at('/account/company/vehicles.csv')))).trim().split('\r\n')).toHaveLength(1)
  expect((await tilda.ask(at(packetOf(orderId)), { form: fields })).status).toBe(409)
  expect(await read(tilda.ask(at(packetOf(orderId))))).not.toContain('name="unit"')
})
