/** Tests that programs change settings, payout rates, roles, and staff over the admin API, within their own permissions. */
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addAdminClient, callAdminApi, requestAdminToken } from '#tests/support/admin-client.ts'
import { newestMail } from '#tests/support/mailbox.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInToOffice } from '#tests/support/visitor.ts'

let store: RunningStore
let token: string
const owner = createVisitor()

beforeAll(async () => {
  store = await startStore({ env: { API_CALLS_PER_MINUTE: '1000000' } })
  await signInToOffice(store.origin, owner, { email: 'owner@example.com' })
  await addAdminClient(store, owner, 'owner')
  token = await requestAdminToken(
    store,
    'settings.read settings.manage pay.matrix staff.read staff.manage orders.read refunds.make',
  )
})
afterAll(() => store[Symbol.asyncDispose]())

const call = (method: string, path: string, body?: unknown) => callAdminApi(store, token, [method, path], body)
const statusOf = async (method: string, path: string, body?: unknown) => (await call(method, path, body)).status
const page = async (path: string) => (await owner.ask(`${store.origin}${path}`)).text()

test('a program changes store details, but no limit on concessions', async () => {
  const { body: read } = await call('GET', '/settings/store')
  expect(read).toMatchObject({ name: 'Sidewall', refundAlone: 75_000, discountAlone: '30', payHoldHours: 46, seen: 0 })
  const limited = await call('PUT', '/settings/store', { ...read, name: 'Rolling Stock', refundAlone: 80_000 })
  expect(limited.status).toBe(400)
  expect(limited.body.data).toEqual({ refundAlone: 'Only an owner changes this limit, in the back office.' })
  const wrong = await call('PUT', '/settings/store', { ...read, phone: '555', darkColor: '#ffffff', noShowPay: 20_000 })
  expect(wrong.body.data).toEqual({
    phone: 'Write the phone as (800) 555-0142.',
    noShowPay: 'At most $100.00.',
  })
  expect((await call('PUT', '/settings/store', { ...read, darkColor: '#ffffff' })).body.data?.['darkColor']).toContain(
    'This color is 1.0 to 1',
  )

  const changed = { ...read, name: 'Rolling Stock', noShowPay: 2_000, payHoldHours: 24 }
  expect(await statusOf('PUT', '/settings/store', changed)).toBe(204)
  expect(await page('/')).toContain('Rolling Stock')
  expect(await statusOf('PUT', '/settings/store', { ...read, name: 'Late Tires' })).toBe(412)
  const { body: now } = await call('GET', '/settings/store')
  expect(now).toEqual({ ...changed, seen: now['seen'] })
  expect(await statusOf('PUT', '/settings/store', { ...now, name: 'Sidewall' })).toBe(204)
  expect(await page('/office/settings')).toContain('Warehouse system')

  const reader = await requestAdminToken(store, 'settings.read')
  expect((await callAdminApi(store, reader, ['GET', '/settings/store'])).status).toBe(200)
  expect((await callAdminApi(store, reader, ['PUT', '/settings/store'], now)).status).toBe(403)
})

test('a program sets and removes the logo, and changes phone hours', async () => {
  const picture = sharp({ create: { width: 120, height: 40, channels: 3, background: '#14161a' } })
  const send = async (type: string, bytes: Uint8Array<ArrayBuffer>) => {
    const sent = await fetch(`${store.origin}/api/admin/settings/logo`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}`, 'content-type': type },
      body: bytes,
    })
    return sent.status
  }
  expect(await send('image/png', new TextEncoder().encode('<svg/>'))).toBe(409)
  expect(await send('image/svg+xml', new TextEncoder().encode('<svg/>'))).toBe(415)
  expect(await send('image/png', new Uint8Array(1_100_000))).toBe(409)
  expect(await send('image/png', new Uint8Array(await picture.png().toBuffer()))).toBe(204)
  const { path } = (await call('GET', '/settings/logo')).body
  expect(await page('/')).toContain(String(path))
  expect(await statusOf('POST', '/settings/logo/remove')).toBe(204)
  expect((await call('GET', '/settings/logo')).body).toEqual({ path: null })

  const { body: read } = await call('GET', '/settings/hours')
  expect(read).toMatchObject({ zone: 'America/New_York', holidays: '' })
  const week = [{ weekday: '1', opens: '07:30', closes: '16:00' }]
  const hours = { ...read, zone: 'America/Chicago', week }
  const late = { ...hours, week: [{ ...week[0], closes: '07:00' }] }
  expect(Object.keys((await call('PUT', '/settings/hours', late)).body.data ?? {})).toEqual(['opens-1'])
  expect(await statusOf('PUT', '/settings/hours', hours)).toBe(204)
  expect(await page('/contact')).toContain('Mon 7:30am–4pm CT')
  expect(await statusOf('PUT', '/settings/hours', read)).toBe(412)
  const { seen, ...now } = (await call('GET', '/settings/hours')).body
  expect(now).toEqual({ zone: 'America/Chicago', holidays: '', week, startsAt: null })
  const startsAt = '2027-03-01T09:00'
  expect(await statusOf('PUT', '/settings/hours', { ...read, seen, startsAt })).toBe(204)
  expect((await call('GET', '/business-settings')).body['scheduledHours']).toMatchObject([
    { zone: 'America/New_York', startsAt: '2027-03-01T14:00:00Z' },
  ])
  const { seen: later } = (await call('GET', '/settings/hours')).body
  expect(await statusOf('PUT', '/settings/hours', { ...read, seen: later })).toBe(204)
})

type Plan = {
  terms: { name: string; value: number | string }[]
  scheduled: { change: number; name: string; value: number | string; startsAt: string }[]
}
const readPlan = async () => (await call('GET', '/business-settings')).body as unknown as Plan

test('a program reads all business settings, schedules changes, and cancels them', async () => {
  for (const section of ['shipping', 'orders', 'discounts', 'protection', 'services']) {
    const { body: read } = await call('GET', `/business-settings/${section}`)
    const values = Object.fromEntries((await readPlan()).terms.map(({ name, value }) => [name, value]))
    expect(values).toMatchObject(
      Object.fromEntries(Object.entries(read).filter(([name]) => Object.hasOwn(values, name))),
    )
    expect(await statusOf('PUT', `/business-settings/${section}`, read), section).toBe(204)
  }
  const { body: read } = await call('GET', '/business-settings/discounts')
  expect(read).toMatchObject({ 'military-ppm': '5', 'referrer-reward-cents': 1_000, 'starts-discounts': null })
  const wrong = { ...read, 'military-ppm': '51', 'install-discount-tires': 0, 'starts-discounts': '2020-01-01T09:00' }
  expect((await call('PUT', '/business-settings/discounts', wrong)).body.data).toEqual({
    'military-ppm': 'From 0% to 50%.',
    'install-discount-tires': 'From 1 tire to 20 tires.',
  })
  const past = await call('PUT', '/business-settings/discounts', {
    ...read,
    'military-ppm': '6',
    'starts-discounts': '2020-01-01T09:00',
  })
  expect(past.body.data).toEqual({ 'starts-discounts': 'Choose a time from now to two years ahead.' })

  const start = Temporal.Now.zonedDateTimeISO('America/New_York').add({ days: 30 }).with({ hour: 9, minute: 0 })
  const startsAt = start.toPlainDateTime().toString({ smallestUnit: 'minute' })
  const planned = { ...read, 'military-ppm': '7.5', 'referrer-reward-cents': 3_050, 'starts-discounts': startsAt }
  expect(await statusOf('PUT', '/business-settings/discounts', planned)).toBe(204)
  expect(await statusOf('PUT', '/business-settings/discounts', { ...read, 'military-ppm': '8' })).toBe(412)
  const { scheduled } = await readPlan()
  const instant = start.with({ second: 0, millisecond: 0, microsecond: 0, nanosecond: 0 }).toInstant().toString()
  expect(scheduled).toMatchObject([
    { name: 'military-ppm', value: '7.5', startsAt: instant, by: 'Warehouse system' },
    { name: 'referrer-reward-cents', value: 3_050, startsAt: instant },
  ])
  for (const { change } of scheduled) expect(await statusOf('POST', '/business-settings/cancel', { change })).toBe(204)
  expect(await statusOf('POST', '/business-settings/cancel', { change: scheduled[0]?.change })).toBe(404)
  expect((await readPlan()).scheduled).toEqual([])

  const freeFrom = 'shipping-hi-free-from-cents'
  const { body: never } = await call('GET', '/business-settings/shipping')
  expect(never).toMatchObject({ [freeFrom]: null })
  expect((await call('PUT', '/business-settings/shipping', { ...never, [freeFrom]: 50 })).body.data).toEqual({
    [freeFrom]: 'From $1.00 to $99,999.99.',
  })
  expect(await statusOf('PUT', '/business-settings/shipping', { ...never, [freeFrom]: 80_000 })).toBe(204)
  const { body: from } = await call('GET', '/business-settings/shipping')
  expect(from).toMatchObject({ [freeFrom]: 80_000 })
  expect((await readPlan()).terms).toContainEqual(expect.objectContaining({ name: freeFrom, value: 80_000 }))
  expect(await statusOf('PUT', '/business-settings/shipping', { ...from, [freeFrom]: null })).toBe(204)
  expect((await call('GET', '/business-settings/shipping')).body).toMatchObject({ [freeFrom]: null })

  const { body: orders } = await call('GET', '/business-settings/orders')
  expect(await statusOf('PUT', '/business-settings/orders', { ...orders, 'return-days': 60 })).toBe(204)
  expect((await call('GET', '/business-settings/orders')).body).toMatchObject({ 'return-days': 60 })
  expect(await page('/office/business-settings')).toContain('60 days')
})

test('a program changes a payout rate from a day on', async () => {
  const startsOn = Temporal.Now.plainDateISO('America/New_York').add({ days: 30 }).toString()
  const rate = { job: 'run-flat', band: '4', state: 'IL', amount: 2_350, startsOn }
  expect((await call('POST', '/payout-rates', { ...rate, amount: 2_500, band: '5' })).body.data).toEqual({
    amount: 'From $15.00 to $24.00 a tire.',
    band: 'Choose the rims.',
  })
  expect((await call('POST', '/payout-rates', { ...rate, startsOn: '2026-01-01' })).body.data).toEqual({
    startsOn: 'Choose a day after today.',
  })
  for (const attempt of [1, 2]) expect(await statusOf('POST', '/payout-rates', rate), `${attempt}`).toBe(201)
  expect(await statusOf('POST', '/payout-rates', { ...rate, amount: 2_000 })).toBe(409)
  const { rates } = (await call('GET', '/payout-rates')).body as unknown as { rates: object[] }
  expect(rates).toContainEqual({ ...rate, endsOn: null })
})

test('a program adds, changes and retires a role within its own permissions', async () => {
  const draft = { name: 'Order desk', permissions: ['orders.read'] }
  const beyond = await call('POST', '/roles', { ...draft, permissions: ['orders.read', 'stock.read', 'refunds.make'] })
  expect(beyond.status).toBe(409)
  expect(beyond.body.data?.['permissions']).toContain(
    'Programs can’t give these permissions: refunds.make, stock.read.',
  )
  expect(await statusOf('POST', '/roles', { ...draft, permissions: ['staff.manage'] })).toBe(400)
  expect(await statusOf('POST', '/roles', { ...draft, permissions: [] })).toBe(400)
  const added = await call('POST', '/roles', draft)
  expect(added).toMatchObject({ status: 201, body: { id: 'order-desk' } })
  expect((await call('POST', '/roles', draft)).body.data).toEqual({
    name: 'Another role has or had this name. Choose another name.',
  })
  const { body: read } = await call('GET', '/roles/order-desk')
  expect(read).toEqual({ ...draft, version: 1, people: 0, clients: 0 })
  const { rows } = (await call('GET', '/roles')).body as unknown as { rows: object[] }
  expect(rows).toContainEqual({ id: 'order-desk', label: 'Order desk' })
  expect(rows).toContainEqual({ id: 'support', label: 'Support (built in)' })
  const renamed = { name: 'Front desk', permissions: ['orders.read'], version: 1 }
  expect(await statusOf('PUT', '/roles/order-desk', renamed)).toBe(204)
  expect(await statusOf('PUT', '/roles/order-desk', renamed)).toBe(412)
  expect(await statusOf('PUT', '/roles/support', renamed)).toBe(404)

  const { id } = (await call('POST', '/staff', { email: 'new@example.com', role: 'order-desk' })).body
  expect((await newestMail(store, 'new@example.com', '')).text).toContain('Front desk')
  const inUse = await call('POST', '/roles/order-desk/retire')
  expect(inUse.body.detail).toBe('1 person has this role. Revoke it first.')
  expect(await statusOf('POST', '/staff/revoke', { grant: id, reason: 'A test' })).toBe(204)
  expect(await statusOf('POST', '/staff/revoke', { grant: id, reason: 'A test' })).toBe(404)
  expect(await statusOf('POST', '/roles/order-desk/retire')).toBe(204)
  expect(await statusOf('POST', '/roles/order-desk/retire')).toBe(404)
})

test('a program makes no one an owner, and revokes no owner’s role', async () => {
  const { rows } = (await call('GET', '/staff')).body as unknown as {
    rows: { id: string; fields: Record<string, string | null> }[]
  }
  const owning = rows.find(({ fields }) => fields['email'] === 'owner@example.com')
  const revoked = await call('POST', '/staff/revoke', { grant: owning?.id, reason: 'A test' })
  expect(revoked).toMatchObject({ status: 409 })
  expect(revoked.body.detail).toBe('Only an owner can revoke an owner’s role, in the back office.')
  for (const role of ['owner', 'support', 'warehouse']) {
    const given = await call('POST', '/staff', { email: 'new@example.com', role })
    expect(given.status, role).toBe(409)
    expect(given.body.data?.['role'], role).toContain('Programs can’t give these permissions')
  }
  expect((await call('POST', '/staff', { email: 'new@example.com', role: 'emperor' })).body.data).toEqual({
    role: 'Choose a role from the list.',
  })
  expect(await page('/office/staff')).not.toContain('new@example.com, ')
})

test('a program adds, reads, changes, and removes shipping zones and exceptions', async () => {
  const seen = async () => (await call('GET', '/business-settings/shipping')).body['seen']
  const zone = {
    name: 'Islands',
    states: 'PR, VI',
    zips: '967-968, 96701',
    tire: 3_000,
    oversize: 2_000,
    handling: 0,
    free: null,
  }
  expect((await call('POST', '/shipping-zones', { ...zone, states: 'XX', seen: await seen() })).body.data).toEqual({
    states: 'Enter states by their two letters, such as IL, IN, WI.',
  })
  expect((await call('POST', '/shipping-zones', { ...zone, zips: '968-967', seen: await seen() })).body.data).toEqual({
    zips: 'Enter the first three to five digits, such as 967, 995-999, or 00601.',
  })
  const added = await call('POST', '/shipping-zones', { ...zone, seen: await seen() })
  expect(added.status).toBe(201)
  const zonePath = `/shipping-zones/${String(added.body['id'])}`
  const { body: read } = await call('GET', zonePath)
  expect(read).toEqual({ ...zone, seen: await seen() })
  expect(await statusOf('PUT', zonePath, { ...read, tire: 3_100 })).toBe(204)
  expect(await statusOf('PUT', zonePath, { ...read, tire: 3_200 })).toBe(412)

  const exception = { above: 90, where: `zone-${String(added.body['id'])}`, kind: 'less', amount: 500, until: null }
  const exceptionAdded = await call('POST', '/shipping-exceptions', { ...exception, seen: await seen() })
  expect(exceptionAdded.status).toBe(201)
  const exceptionPath = `/shipping-exceptions/${String(exceptionAdded.body['id'])}`
  expect((await call('GET', exceptionPath)).body).toMatchObject(exception)
  expect(await page('/shipping-cost')).toContain('Islands')
  expect(await statusOf('POST', `${zonePath}/remove`, { seen: await seen() })).toBe(409)
  expect(await statusOf('POST', `${exceptionPath}/remove`, { seen: await seen() })).toBe(204)
  expect(await statusOf('POST', `${zonePath}/remove`, { seen: await seen() })).toBe(204)
  expect(await statusOf('GET', zonePath)).toBe(404)
  expect(await statusOf('POST', `${zonePath}/remove`, { seen: await seen() })).toBe(404)
})
