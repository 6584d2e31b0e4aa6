/** The appointment of a shopper without an account, over sockets and without script: its link, its acts and its API. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStartedStore, type StartedStore } from '#tests/faults/started-store.ts'
import { linkIn, newestMail } from '#tests/support/mailbox.ts'
import { createVisitor, type Visitor } from '#tests/support/visitor.ts'
import { cancelBooking } from '#domain/scheduling/booking/booking.server.ts'
import { appointmentToken, orderKey } from '#domain/ordering/orders/order-access.server.ts'
import { moveToToday } from '#domain/installer-portal/work-orders/work-orders.testing.ts'
import { systemClock } from '#platform/clock.ts'
import { readConfig } from '#platform/config.ts'
import type { Secrets } from '#platform/secrets.ts'
import { phoneText } from '#platform/phone-text.ts'

let store: StartedStore
let secret: Secrets = ''
beforeAll(async () => {
  store = await openStartedStore()
  const config = readConfig({ DATABASE_URL: 'postgres://localhost/none' })
  if (!config.ok) throw new Error('The configuration of tests is wrong.')
  secret = config.value.session.secret
}, 120_000)
afterAll(() => store[Symbol.asyncDispose]())

const textOf = async (answer: Response | Promise<Response>) =>
  (await (await answer).text()).replaceAll('<!-- -->', '').replaceAll('&#x27;', '’')

async function place(): Promise<number> {
  const placed = await store.press(await store.prepare())
  if (!('orderId' in placed)) throw new Error(placed.text)
  return placed.orderId
}

const tokenOf = (orderId: number) => appointmentToken(secret, orderId, systemClock.now())
const pageOf = (orderId: number, query = '') => `${store.origin}/appointment/${tokenOf(orderId)}${query}`
const hidden = (page: string, name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? ''
const timesIn = (page: string) => [...page.matchAll(/value="([^"]+Z)" name="time"/g)].map(([, value = '']) => value)
const bookingOf = (orderId: number) =>
  store.db
    .selectFrom('booking')
    .select(['id', 'state', 'during'])
    .where('order_id', '=', orderId)
    .orderBy('created_at', 'desc')
    .executeTakeFirstOrThrow()
const countOf = async (table: 'appointment_reply' | 'booking_event', bookingId: string) =>
  (await store.db.selectFrom(table).selectAll().where('booking_id', '=', bookingId).execute()).length

async function pressTwenty(visitor: Visitor, address: string, form: Record<string, string>) {
  const answers = await Promise.all(Array.from({ length: 20 }, () => visitor.ask(address, { form })))
  return [...new Set(answers.map(({ status }) => status))]
}

test('the page shows shop, time, and tires without script, and opening its links has no effect', async () => {
  const orderId = await place()
  const shopper = createVisitor()
  const before = await bookingOf(orderId)
  const events = await countOf('booking_event', before.id)
  const answer = await shopper.ask(pageOf(orderId))
  const page = await textOf(answer)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('cache-control')).toContain('no-store')
  expect(page).not.toContain('<script')
  for (const words of [
    'Please confirm',
    'Yes, I’ll be there',
    'Reschedule',
    'Directions',
    'Add to calendar',
    'wait at the shop',
    'Due at the shop',
    'noindex',
  ])
    expect(page).toContain(words)
  // Contains only the shopper's order and no other personal data.
  for (const words of ['Reyes', '@example.com', '1430 N Halsted St, Apt']) expect(page).not.toContain(words)
  const times = await textOf(shopper.ask(pageOf(orderId, '?show=times')))
  const [first = ''] = timesIn(times)
  for (const query of [
    '?show=times',
    '?show=cancel',
    '?show=shops&shop=2',
    `?to=${encodeURIComponent(first)}`,
    '?to=x&day=x&show=x&done=x',
    '?done=moved&show=shops&shop=999999999',
  ])
    expect((await shopper.ask(pageOf(orderId, query))).status, query).toBe(200)
  const file = await textOf(shopper.ask(`${store.origin}/appointment/${tokenOf(orderId)}/calendar.ics`))
  expect(file).toContain('BEGIN:VEVENT')
  expect(await bookingOf(orderId)).toEqual(before)
  expect(await countOf('booking_event', before.id)).toBe(events)
})

test('twenty presses confirm once, move once and cancel the installation once', async () => {
  const orderId = await place()
  const shopper = createVisitor()
  const { id } = await bookingOf(orderId)
  const seen = hidden(await textOf(shopper.ask(pageOf(orderId))), 'seen')
  expect(await pressTwenty(shopper, pageOf(orderId), { intent: 'coming', seen })).toEqual([303])
  expect(await countOf('appointment_reply', id)).toBe(1)
  expect(await textOf(shopper.ask(pageOf(orderId, '?done=coming')))).toContain('You’re set for')

  const events = await countOf('booking_event', id)
  const times = await textOf(shopper.ask(pageOf(orderId, '?show=times')))
  const time = timesIn(times).at(-1) ?? ''
  expect(await pressTwenty(shopper, pageOf(orderId), { intent: 'take', seen, time })).toEqual([303])
  expect(await countOf('booking_event', id)).toBe(events + 1)
  // The stale page has no effect and shows the current state.
  const other = timesIn(times).at(-2) ?? ''
  const stale = await shopper.ask(pageOf(orderId, '?show=times'), { form: { intent: 'take', seen, time: other } })
  expect(stale.status).toBe(409)
  expect(await textOf(stale)).toContain('was just updated')
  expect(await countOf('booking_event', id)).toBe(events + 1)

  const cancel = await textOf(shopper.ask(pageOf(orderId, '?show=cancel')))
  for (const words of ['Cancel the installation, keep the tires', 'Your Visa ending in 4242 is charged', 'Total'])
    expect(cancel).toContain(words)
  const form = { intent: 'change', to: 'home', agreed: hidden(cancel, 'agreed'), once: hidden(cancel, 'once') }
  const cheaper = await shopper.ask(pageOf(orderId, '?show=cancel'), {
    form: { ...form, agreed: 'x', once: crypto.randomUUID() },
  })
  expect(cheaper.status).toBe(409)
  expect(await textOf(cheaper)).toContain('The price changed. Review the new price below.')
  expect(await pressTwenty(shopper, pageOf(orderId), form)).toEqual([303])
  expect((await bookingOf(orderId)).state).toBe('canceled')
  const changes = await store.db.selectFrom('order_change').select('state').where('order_id', '=', orderId).execute()
  expect(changes).toEqual([{ state: 'done' }])
  expect(await textOf(shopper.ask(pageOf(orderId)))).toContain('No appointment scheduled')
})

test('within the notice period, page and API show the shop’s phone, and cancellation is rejected', async () => {
  const orderId = await place()
  const shopper = createVisitor()
  const page = await textOf(shopper.ask(pageOf(orderId, '?show=cancel')))
  const form = { intent: 'change', to: 'home', agreed: hidden(page, 'agreed'), once: hidden(page, 'once') }
  const { id } = await bookingOf(orderId)
  await moveToToday(store.database, id, systemClock.now(), 0)
  const { name, phone } = await store.db
    .selectFrom('shop')
    .innerJoin('booking', 'booking.shop_id', 'shop.id')
    .select(['shop.name', 'shop.phone'])
    .where('booking.id', '=', id)
    .executeTakeFirstOrThrow()
  const words = `An installation can be canceled here until an hour before it starts. Call ${name} at ${phoneText(phone)}`
  const refused = await shopper.ask(pageOf(orderId, '?show=cancel'), { form })
  expect(refused.status).toBe(409)
  expect(await textOf(refused)).toContain(words)
  expect(await textOf(shopper.ask(pageOf(orderId, '?show=cancel')))).toContain(words)
  expect(await textOf(shopper.ask(pageOf(orderId)))).not.toContain('Cancel the installation')
  const at = `${store.origin}/api/orders/${orderId}/installation/cancellation?key=${encodeURIComponent(store.keyOf(orderId))}`
  const headers = { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() }
  const body = JSON.stringify({ agreedPrice: form.agreed })
  for (const answer of [await fetch(at), await fetch(at, { method: 'POST', headers, body })]) {
    const told = (await answer.json()) as { code: string; detail: string }
    expect(answer.status).toBe(409)
    expect(told.code).toBe('NoticeOver')
    expect(told.detail).toContain(words)
  }
  expect((await bookingOf(orderId)).state).toBe('confirmed')
})

test('a released time offers others immediately, and an emailed link books one by its button only', async () => {
  const orderId = await place()
  const shopper = createVisitor()
  const { id } = await bookingOf(orderId)
  await cancelBooking({ db: store.db, clock: systemClock }, { bookingId: id, actor: 'shop' })
  const page = await textOf(shopper.ask(pageOf(orderId)))
  for (const words of ['Pick a new one', 'Pick one of these times', 'Or another shop']) expect(page).toContain(words)
  const [time = ''] = timesIn(page)
  const link = pageOf(orderId, `?to=${encodeURIComponent(time)}`)
  const single = await textOf(shopper.ask(link))
  expect(single).toContain('Take this time')
  expect(timesIn(single)).toEqual([time])
  expect((await bookingOf(orderId)).id).toBe(id)
  const seen = hidden(single, 'seen')
  expect(await pressTwenty(shopper, link, { intent: 'take', seen, time })).toEqual([303])
  expect(await bookingOf(orderId)).toMatchObject({ state: 'confirmed' })
  const { email } = await store.db
    .selectFrom('sales_order')
    .select('email')
    .where('id', '=', orderId)
    .executeTakeFirstOrThrow()
  const mail = await newestMail(store, email, 'New time')
  expect((await shopper.ask(linkIn(mail, '/appointment/'))).status).toBe(200)
})

test('the shop is rated after the work, once, with every fault named by its field', async () => {
  const { id: orderId } = await store.db
    .selectFrom('booking')
    .innerJoin('sales_order', 'sales_order.id', 'booking.order_id')
    .select('sales_order.id')
    .where('booking.state', '=', 'done')
    .where('sales_order.state', '=', 'confirmed')
    .executeTakeFirstOrThrow()
  const shopper = createVisitor()
  expect(await textOf(shopper.ask(pageOf(orderId)))).toContain('Rate the shop')
  const refused = await shopper.ask(pageOf(orderId), { form: { intent: 'rate', stars: '4', wasOnTime: 'maybe' } })
  const told = await textOf(refused)
  expect(refused.status).toBe(422)
  for (const words of ['wasOnTime-error', 'cameBack-error', 'value="4"']) expect(told).toContain(words)
  expect(told).toMatch(/<input[^>]*name="stars"[^>]*checked=""[^>]*value="4"|value="4"[^>]*checked=""/)
  const form = { intent: 'rate', stars: '4', wasOnTime: 'yes', cameBack: 'no' }
  expect(await pressTwenty(shopper, pageOf(orderId), form)).toEqual([303])
  expect(await store.db.selectFrom('shop_rating').select('stars').execute()).toEqual([{ stars: 4 }])
  expect(await textOf(shopper.ask(pageOf(orderId, '?done=rated')))).not.toContain('Rate the shop')
})

test('rejects forged, foreign, and old links and malformed forms', async () => {
  const orderId = await place()
  const stranger = createVisitor()
  const token = tokenOf(orderId)
  const old = appointmentToken(secret, orderId, systemClock.now().subtract({ hours: 24 * 61 }))
  const texts = [
    token.replace(String(orderId), String(orderId + 1)),
    `${token}x`,
    token.slice(0, -1),
    old,
    orderKey(secret, orderId, systemClock.now()),
    'x'.repeat(4_000),
    '%00',
    '1-9999999999.x',
  ]
  for (const text of texts) {
    const address = `${store.origin}/appointment/${encodeURIComponent(text)}`
    expect((await stranger.ask(address)).status).toBe(404)
    expect((await stranger.ask(`${address}/calendar.ics`)).status).toBe(404)
    expect((await stranger.ask(address, { form: { intent: 'coming', seen: '' } })).status).toBe(404)
  }
  // The link opens no more of the order.
  const more = `${store.origin}/track-your-order/result?order=${orderId}&key=${encodeURIComponent(token)}`
  expect((await stranger.ask(more)).status).toBe(303)
  const page = pageOf(orderId)
  const statuses = [
    await stranger.ask(page, { form: {} }),
    await stranger.ask(page, { form: { intent: 'late', minutes: '15', seen: 'x' } }),
    await stranger.ask(page, { form: { intent: 'change', to: 'shop:x', once: 'x' } }),
    await stranger.ask(page, { form: { intent: 'take', time: "';--", seen: 'x' } }),
    await stranger.ask(page, { form: { intent: 'take', time: '2026-02-31|AM', seen: 'x' } }),
    await stranger.ask(page, { form: { intent: 'late', minutes: '20', seen: 'x'.repeat(3_000) } }),
    await stranger.ask(page, { form: { intent: 'change', to: 'shop:1', once: crypto.randomUUID(), agreed: 'x' } }),
  ].map(({ status }) => status)
  expect(statuses).toEqual([400, 400, 400, 422, 422, 409, 422])
})

test('the tracking page leads to the appointment, as does the API with the key', async () => {
  const orderId = await place()
  const key = encodeURIComponent(store.keyOf(orderId))
  const shopper = createVisitor()
  const track = await textOf(shopper.ask(`${store.origin}/track-your-order/result?order=${orderId}&key=${key}`))
  expect(track).toContain(`href="/appointment/${orderId}-`)
  const api = async (path: string, body?: object, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${store.origin}/api/orders/${orderId}/${path}`, {
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
      headers: { 'content-type': 'application/json', ...headers },
    })
    return {
      status: answer.status,
      type: answer.headers.get('content-type'),
      body: (await answer.json()) as Record<string, unknown>,
    }
  }
  expect(await api('appointment')).toMatchObject({ status: 404, body: { code: 'OrderNotFound' } })
  const read = await api(`appointment?key=${key}`)
  expect(read).toMatchObject({ status: 200, body: { stage: 'settled', reply: null, canTakeTime: true } })
  const { version } = read.body
  const once = () => ({ 'idempotency-key': crypto.randomUUID() })
  expect(await api(`appointment/reply?key=${key}`, { version, kind: 'coming' })).toMatchObject({ status: 400 })
  expect(await api(`appointment/reply?key=${key}`, { version, kind: 'coming' }, once())).toMatchObject({
    status: 200,
    body: { reply: { kind: 'coming' } },
  })
  expect(await api(`appointment/reply?key=${key}`, { version, kind: 'late' }, once())).toMatchObject({ status: 400 })
  const late = await api(`appointment/reply?key=${key}`, { version, kind: 'late', minutesLate: 20 }, once())
  expect(late).toMatchObject({ status: 409, body: { code: 'AppointmentOver' } })
  expect(late.type).toContain('application/problem+json')
  const { openings } = (await api(`appointment/times?key=${key}`)).body as {
    openings: { kind: string; start: string }[]
  }
  const start = openings.filter(({ kind }) => kind === 'wait').at(-1)?.start
  const same = once()
  const moved = [
    await api(`appointment/time?key=${key}`, { version, start }, same),
    await api(`appointment/time?key=${key}`, { version, start }, same),
  ]
  expect(moved[1]?.body).toEqual(moved[0]?.body)
  expect(moved[0]).toMatchObject({ status: 200, body: { appointment: { start } } })
  const stale = await api(`appointment/time?key=${key}`, { version, start: openings[0]?.start }, once())
  expect(stale).toMatchObject({ status: 409, body: { code: 'AppointmentChanged' } })
  const preview = await api(`installation/cancellation?key=${key}`)
  const { agreedPrice, afterCents } = preview.body
  expect(await api(`installation/cancellation?key=${key}`, { agreedPrice: 'x' }, once())).toMatchObject({
    status: 409,
    body: { code: 'PriceChanged' },
  })
  for (let time = 0; time < 2; time += 1)
    expect(await api(`installation/cancellation?key=${key}`, { agreedPrice }, once())).toMatchObject({
      status: 200,
      body: { isDone: true, totalCents: afterCents, payAt: null },
    })
})

test('a shopper joins and leaves the waitlist without script, and an expired link shows a notice', async () => {
  const orderId = await place()
  const shopper = createVisitor()
  const page = await textOf(shopper.ask(pageOf(orderId, '?show=list')))
  expect(page).toContain('Tell me about an earlier time')
  const form = { intent: 'wait', seen: hidden(page, 'seen'), from: '2020-01-01', until: '2099-01-01', morning: '1' }
  const at = pageOf(orderId, '?show=times')
  const empty = await shopper.ask(at, { form: { ...form, morning: '', from: 'soon' } })
  expect(empty.status).toBe(422)
  expect(await textOf(empty)).toContain('Enter the first day.')
  const unticked = await shopper.ask(at, {
    form: { intent: 'wait', seen: form.seen, from: form.from, until: form.until },
  })
  expect(unticked.status).toBe(422)
  expect(await textOf(unticked)).toContain('Pick at least one time of day.')
  const stale = await shopper.ask(at, { form: { ...form, seen: 'x.0' } })
  expect(stale.status).toBe(409)
  expect(await pressTwenty(shopper, at, form)).toEqual([303])
  const waiting = await textOf(shopper.ask(pageOf(orderId, '?show=list')))
  expect(waiting).toContain('You wait for an earlier time')
  expect(waiting).toContain('mornings')
  expect(await textOf(shopper.ask(pageOf(orderId, '?show=offer')))).toContain('This offer has expired.')
  const nobodys = { intent: 'take-offer', seen: form.seen, offer: crypto.randomUUID() }
  expect((await shopper.ask(at, { form: nobodys })).status).toBe(409)
  expect(await pressTwenty(shopper, at, { intent: 'leave-list' })).toEqual([303])
  expect(await textOf(shopper.ask(pageOf(orderId, '?done=left')))).toContain('You left the waitlist.')
})

test('the API supports joining and leaving the waitlist and accepting an offer', async () => {
  const orderId = await place()
  const key = encodeURIComponent(store.keyOf(orderId))
  const api = async (method: string, path: string, body?: object) => {
    const answer = await fetch(`${store.origin}/api/orders/${orderId}/appointment${path}?key=${key}`, {
      method,
      ...(body && { body: JSON.stringify(body) }),
      headers: { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() },
    })
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
  }
  const { version } = (await api('GET', '')).body
  expect(await api('GET', '/earlier-time')).toMatchObject({ body: { canWait: true, wish: null, offer: null } })
  const wish = { version, from: '2020-01-01', until: '2099-01-01', parts: ['morning', 'evening'] }
  expect(await api('PUT', '/earlier-time', { ...wish, from: '2026-02-31' })).toMatchObject({
    status: 400,
    body: { code: 'BadRequest', data: { from: 'Send a day such as 2026-11-24.' } },
  })
  expect(await api('PUT', '/earlier-time', { ...wish, until: '2020-01-02' })).toMatchObject({ status: 400 })
  expect(await api('PUT', '/earlier-time', { ...wish, version: 'x.0' })).toMatchObject({
    status: 409,
    body: { code: 'AppointmentChanged' },
  })
  for (let time = 0; time < 2; time += 1)
    expect(await api('PUT', '/earlier-time', wish)).toMatchObject({
      status: 200,
      body: { wish: { parts: ['morning', 'evening'] } },
    })
  expect(await api('POST', `/earlier-time/${crypto.randomUUID()}`, { version })).toMatchObject({
    status: 410,
    body: { code: 'Gone' },
  })
  for (let time = 0; time < 2; time += 1)
    expect(await api('DELETE', '/earlier-time')).toMatchObject({ status: 200, body: { wish: null } })
})

test('after a time is released, order page, API, and texts no longer mention it', async () => {
  const orderId = await place()
  const shopper = createVisitor()
  const { id } = await bookingOf(orderId)
  const key = encodeURIComponent(orderKey(secret, orderId, systemClock.now()))
  const pages = ['/checkout/order-confirmation', '/track-your-order/result'] as const
  const page = (path: string) => textOf(shopper.ask(`${store.origin}${path}?order=${orderId}&key=${key}`))
  const api = async () =>
    (await (await fetch(`${store.origin}/api/orders/${orderId}?key=${key}`)).json()) as { installation: string }
  expect(await api()).toMatchObject({ installation: 'booked' })
  const time = /\w{3}, \w{3} \d+, \d+:\d\d [AP]M/.exec(
    (await page(pages[1])).split('wait at the shop')[0]?.slice(-40) ?? '',
  )?.[0]
  if (time === undefined) throw new Error('The page of a test names no time.')
  for (const path of pages) expect(await page(path), path).toContain(time)
  await cancelBooking({ db: store.db, clock: systemClock }, { bookingId: id, actor: 'system' })
  expect(await api()).toMatchObject({ installation: 'unbooked' })
  for (const path of pages) {
    const after = await page(path)
    expect(after, path).toContain('No time is booked.')
    expect(after, path).not.toContain(time)
  }
})
