/**
 * Tests own jobs, moves, the week view, the day sheet, and the version number of the shop's day over HTTP without
 * JavaScript.
 */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInToPortal, type Visitor } from '#tests/support/visitor.ts'

let store: RunningStore
let technician: Visitor
let shop: { id: number; time_zone: string; code: string }
/** Of the shop. */
let code = ''
beforeAll(async () => {
  store = await startStore()
  technician = createVisitor()
  const { db } = store.database
  // The technician also works at a shop that has appointments.
  const [busy] = await appointments().execute()
  shop = await db
    .selectFrom('shop')
    .select(['id', 'time_zone', 'code'])
    .where('id', '=', busy?.shop_id ?? 0)
    .executeTakeFirstOrThrow()
  ;({ code } = shop)
  const member = await db
    .selectFrom('shop_member')
    .selectAll()
    .where('email', '=', 'technician@example.com')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('shop_member')
    .values({ ...member, id: crypto.randomUUID(), shop_id: shop.id })
    .execute()
  await signInToPortal(store.origin, technician, 'technician@example.com')
})
afterAll(() => store[Symbol.asyncDispose]())

/** Waiting appointments on weekdays, the last first, with a weekday after them that can be booked. */
const appointments = () =>
  store.database.db
    .selectFrom('booking')
    .innerJoin('sales_order', 'sales_order.id', 'booking.order_id')
    .select([
      'booking.id',
      'booking.shop_id',
      'booking.bay_id',
      'booking.during',
      'booking.order_id',
      'sales_order.first_name',
    ])
    .where('booking.state', '=', 'confirmed')
    .where('booking.kind', '=', 'wait')
    .where('sales_order.state', '=', 'confirmed')
    .where(sql`lower(booking.during)`, '<', sql`now() + interval '9 days'`)
    .where(sql`extract(isodow from lower(booking.during))`, '<', 6)
    .orderBy('booking.during', 'desc')

const at = (path: string) => `${store.origin}${path}`
const read = async (answer: Response) => (await answer.text()).replaceAll('<!-- -->', '')
const hidden = (html: string, name: string) =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? `no ${name}`

/** Returns a day far enough ahead that it has no demo bookings. */
const emptyDay = () => Temporal.Now.plainDateISO('America/Chicago').add({ days: 200 }).toString()

async function bays(): Promise<{ id: number; kind: string }[]> {
  return store.database.db
    .selectFrom('shop_bay')
    .select(['id', 'kind'])
    .where('shop_id', '=', shop.id)
    .orderBy('kind')
    .orderBy('number')
    .execute()
}

async function formOf(path: string, change: Record<string, string>): Promise<Record<string, string>> {
  const html = await read(await technician.ask(at(path)))
  const bay = (await bays())[0]
  return {
    key: hidden(html, 'key'),
    revision: hidden(html, 'revision'),
    kind: 'phone',
    bay: String(bay?.id),
    on: emptyDay(),
    at: '09:30',
    minutes: '45',
    ...change,
  }
}

const ownJobs = () => store.database.db.selectFrom('own_job').selectAll().orderBy('made_at').execute()

test('a technician enters a phone booking, changes it, cancels it and takes that back', async () => {
  const form = await formOf(`/portal/${code}/jobs/new`, { firstName: 'Ann', phone: '312-555-0101', vehicle: 'Camry' })
  const sent = await Promise.all([1, 2, 3].map(() => technician.ask(at(`/portal/${code}/jobs/new`), { form })))
  for (const answer of sent) {
    expect(answer.status).toBe(303)
    expect(answer.headers.get('location')).toBe(`/portal/${code}?on=${form['on']}&done=own-job`)
  }
  expect(await ownJobs()).toHaveLength(1)
  const day = await read(await technician.ask(at(`/portal/${code}?on=${form['on']}`)))
  for (const words of ['9:30 AM to 10:15 AM', 'Phone booking: Ann', 'Camry', 'Add job, Bay 1', '<b>1</b> own'])
    expect(day).toContain(words)

  const [job] = await ownJobs()
  const path = `/portal/${code}/own-jobs/${job?.id}`
  const change = await formOf(path, { at: '11:00', firstName: 'Ann', note: 'Flat repair' })
  expect((await technician.ask(at(path), { form: change })).status).toBe(303)
  const stale = await technician.ask(at(path), { form: { ...change, key: crypto.randomUUID(), at: '14:00' } })
  const html = await read(stale)
  expect(stale.status).toBe(409)
  expect(html).toContain('Somebody changed this job')
  expect(html).toContain('value="14:00"')
  const canceled = await technician.ask(at(path), { form: { intent: 'cancel' } })
  expect(canceled.headers.get('location')).toBe(`${path}?done=canceled`)
  expect(await read(await technician.ask(at(path)))).toContain('Undo')
  expect((await technician.ask(at(path), { form: { intent: 'reopen' } })).status).toBe(303)
  expect((await technician.ask(at(path), { form: { intent: 'done' } })).status).toBe(303)
  expect((await ownJobs())[0]).toMatchObject({ state: 'done', note: 'Flat repair' })
})

test('bad input is said by its field and kept; no text makes it fail', async () => {
  const path = `/portal/${code}/jobs/new`
  const good = await formOf(path, { on: emptyDay() })
  const wrong: Record<string, string>[] = [
    { at: '25:00' },
    { on: '2026-02-31' },
    { minutes: '7' },
    { minutes: '9'.repeat(300) },
    { bay: '999999999' },
    { bay: "1' or 1=1" },
    { phone: '<script>' },
    { firstName: 'x'.repeat(41) },
    { note: 'x'.repeat(301) },
    { kind: 'party' },
    { reason: 'because' },
    { on: '2099-01-01' },
  ]
  for (const change of wrong) {
    const answer = await technician.ask(at(path), { form: { ...good, ...change } })
    const [name = ''] = Object.keys(change)
    expect(answer.status, JSON.stringify(change)).toBe(422)
    expect(await read(answer), JSON.stringify(change)).toContain(`${name}-error`)
  }
  for (const change of [{ key: 'x' }, { revision: 'x' }])
    expect((await technician.ask(at(path), { form: { ...good, ...change } })).status).toBe(422)
  expect((await technician.ask(at(path), { form: {} })).status).toBe(422)
  const before = await ownJobs()
  expect(before.filter(({ state }) => state === 'planned')).toEqual([])
})

test('looking up a license plate fills in walk-in vehicles and the VIN on work orders, and the plate isn’t stored or logged', async () => {
  const path = `/portal/${code}/jobs/new`
  const typed = await formOf(path, { on: emptyDay(), firstName: 'Ann' })
  const before = await ownJobs()
  const lookUp = (where: string, lookupPlate: string, lookupState = 'IL', form: Record<string, string> = typed) =>
    technician.ask(at(where), { form: { ...form, lookupPlate, lookupState, intent: 'plate' } })

  const found = await lookUp(path, 'crv-2019')
  expect(found.status).toBe(200)
  expect(found.headers.get('cache-control')).toBe('private, no-store')
  const filled = await read(found)
  for (const text of ['The plate is for a 2019 Honda CR-V EX. Its VIN ends in KH612345.', 'value="2019 Honda CR-V EX"'])
    expect(filled).toContain(text)
  for (const [name, value] of Object.entries({ firstName: 'Ann', key: typed['key'], lookupPlate: '' }))
    expect(filled).toMatch(new RegExp(`name="${name}"[^>]* value="${value}"`))
  for (const [plate, state, name, message] of [
    ['UNSEEN', 'IL', 'lookupPlate', 'We didn’t find this plate.'],
    ['CRV/2019', 'IL', 'lookupPlate', 'Enter the plate’s letters and numbers, up to 8.'],
    ['CRV2019', 'Ontario', 'lookupState', 'Choose the state on the plate.'],
    ['DOWN1', 'IL', 'lookupPlate', 'We can’t look up license plates right now. Enter the vehicle instead.'],
  ] as const) {
    const answer = await lookUp(path, plate, state)
    expect({ plate, status: answer.status }).toEqual({ plate, status: 422 })
    const html = await read(answer)
    for (const text of [message, `id="${name}-error"`, 'value="Ann"', `value="${plate}"`]) expect(html).toContain(text)
  }
  expect(await ownJobs()).toEqual(before)

  const [job] = await appointments().where('booking.shop_id', '=', shop.id).execute()
  const card = `/portal/${code}/jobs/${job?.id}`
  const ours = await read(await lookUp(card, 'CRV2019', 'IL', { odometer: '41,836' }))
  expect(ours).toContain('Its VIN ends in KH612345. Compare it with the car.')
  for (const [name, value] of Object.entries({ vin: 'KH612345', odometer: '41,836', lookupPlate: '' }))
    expect(ours).toMatch(new RegExp(`name="${name}"[^>]* value="${value}"`))
  await technician.ask(at(card), { form: { intent: 'save', vin: 'KH612345' } })
  expect(await read(await technician.ask(at(card)))).toMatch(/name="vin"[^>]* value="KH612345"/)

  // Shoppers and shops at one network share its lookups, because each costs money.
  for (let lookup = 0; lookup < 6; lookup += 1) await lookUp(path, 'UNSEEN')
  const refused = await lookUp(path, 'CRV2019')
  expect(refused.status).toBe(429)
  expect(refused.headers.get('retry-after')).not.toBeNull()
  expect(await read(refused)).toContain('value="Ann"')
  expect(store.output('web')).not.toMatch(/CRV.?2019|UNSEEN|2HKRW2H53KH612345/i)
})

test("another shop's bay, job and appointment do not exist, and neither does nonsense", async () => {
  const { db } = store.database
  const other = await db.selectFrom('shop_bay').select('id').where('shop_id', '<>', shop.id).executeTakeFirstOrThrow()
  const path = `/portal/${code}/jobs/new`
  const form = await formOf(path, { bay: String(other.id) })
  expect((await technician.ask(at(path), { form })).status).toBe(422)
  const theirs = await db
    .selectFrom('booking')
    .select('id')
    .where('shop_id', '<>', shop.id)
    .where('state', '=', 'confirmed')
    .executeTakeFirstOrThrow()
  for (const each of [`moves/${theirs.id}`, 'moves/x', `own-jobs/${theirs.id}`, 'own-jobs/%27', 'own-jobs/x']) {
    const address = at(`/portal/${code}/${each}`)
    expect((await technician.ask(address)).status, each).toBe(404)
    expect((await technician.ask(address, { form })).status, each).toBe(404)
  }
})

/** A waiting appointment that is still to come, at the shop in which the technician works too. */
async function anAppointment() {
  const found = await appointments().where('booking.shop_id', '=', shop.id).executeTakeFirstOrThrow()
  const [, start = '', end = ''] = /^\["?([^",]+)"?,"?([^")]+)"?\)$/.exec(found.during) ?? []
  const instant = (value: string) => Temporal.Instant.from(value.replace(' ', 'T'))
  return { ...found, start: instant(start).toZonedDateTimeISO(shop.time_zone), end: instant(end) }
}

test('a walk-in over an online booking requires a reason and retains both', async () => {
  const booking = await anAppointment()
  const path = `/portal/${code}/jobs/new`
  const on = booking.start.toPlainDate().toString()
  expect(await read(await technician.ask(at(`/portal/${code}/week?on=${on}`)))).toContain(`href="${path}"`)
  const time = booking.start.toPlainTime().toString({ smallestUnit: 'minute' })
  const form = await formOf(path, { on, at: time, bay: String(booking.bay_id), minutes: '15', kind: 'walk-in' })
  const asked = await technician.ask(at(path), { form })
  const html = await read(asked)
  expect(asked.status).toBe(409)
  for (const words of [
    'Online on this bay then',
    booking.first_name,
    orderNumber(booking.order_id ?? 0),
    'id="reason"',
  ])
    expect(html).toContain(words)
  const answered = { ...form, seen: hidden(html, 'seen'), reason: 'second-technician' }
  expect((await technician.ask(at(path), { form: answered })).status).toBe(303)
  const day = await read(await technician.ask(at(`/portal/${code}?on=${on}`)))
  expect(day).toContain('(A second technician does it)')
  const kept = await store.database.db.selectFrom('own_job_overlap').select(['booking_id', 'reason']).execute()
  expect(kept).toEqual([{ booking_id: booking.id, reason: 'second-technician' }])
})

test('an appointment’s bay changes immediately, and its time only with a reason and an email', async () => {
  const booking = await anAppointment()
  const path = `/portal/${code}/moves/${booking.id}`
  const page = await read(await technician.ask(at(path)))
  expect(page).toContain(`Move ${booking.first_name}`)
  const on = booking.start.toPlainDate().toString()
  const time = booking.start.toPlainTime().toString({ smallestUnit: 'minute' })
  const form = { on, at: time, bay: String(booking.bay_id), reason: '' }
  const [dropOff] = (await bays()).filter(({ kind }) => kind === 'drop-off')
  const wrong = await technician.ask(at(path), { form: { ...form, bay: String(dropOff?.id) } })
  expect(wrong.status).toBe(409)
  expect(await read(wrong)).toContain('does not take this kind')
  const noReason = await technician.ask(at(path), { form: { ...form, at: '10:00', on: nextOpenDay(booking.start) } })
  expect(noReason.status).toBe(422)
  expect(await read(noReason)).toContain('Another time needs a reason')
  const closed = await technician.ask(at(path), {
    form: { ...form, at: '03:00', on: nextOpenDay(booking.start), reason: 'equipment-down' },
  })
  expect(closed.status).toBe(409)
  expect(await read(closed)).toContain('The shop is closed then')

  // A taken bay offers the next free times, each as a form filled in with it and any free bay.
  const { db } = store.database
  const next = nextOpenDay(booking.start)
  const walkIn = {
    on: next,
    at: time,
    bay: String(booking.bay_id),
    minutes: '60',
    kind: 'walk-in',
    firstName: 'Kim',
  }
  const added = await technician.ask(at(`/portal/${code}/jobs/new`), {
    form: await formOf(`/portal/${code}/jobs/new`, walkIn),
  })
  expect(added.status).toBe(303)
  const taken = await technician.ask(at(path), { form: { ...form, on: next, reason: 'technician-away' } })
  expect(taken.status).toBe(409)
  const said = await read(taken)
  for (const words of ['This time is taken on that bay', 'Free times', 'portal-from-to']) expect(said).toContain(words)
  const [, link = ''] = /portal-others.*?href="([^"]+)"/s.exec(said) ?? []
  const free = new URL(link.replaceAll('&amp;', '&'), store.origin)
  const filled = await read(await technician.ask(free.href))
  expect(filled).toContain('<span>To</span>')
  expect(filled).toContain('Any free bay</span>')
  // At the same time, any bay is the one it has.
  expect((await technician.ask(at(path), { form: { ...form, bay: '' } })).status).toBe(303)

  const offered = { ...form, ...Object.fromEntries(free.searchParams), bay: '', reason: 'technician-away' }
  expect((await technician.ask(at(path), { form: offered })).status).toBe(303)
  const mails = await db
    .selectFrom('message')
    .select('kind')
    .where('order_id', '=', booking.order_id)
    .where('kind', '=', 'order-rescheduled')
    .execute()
  expect(mails).toHaveLength(1)
  const events = await db
    .selectFrom('booking_event')
    .select(['actor', 'note'])
    .where('booking_id', '=', booking.id)
    .execute()
  expect(events.at(-1)).toMatchObject({
    note: 'A technician is away',
    actor: expect.stringMatching(/^shop:/) as unknown,
  })
})

const nextOpenDay = (start: Temporal.ZonedDateTime) => {
  const next = start.toPlainDate().add({ days: 1 })
  return (next.dayOfWeek >= 6 ? next.add({ days: 8 - next.dayOfWeek }) : next).toString()
}

test('the number changes with the calendar, and costs a short answer while it does not', async () => {
  const path = at(`/portal/${code}/day/version`)
  const first = await technician.ask(path)
  const etag = first.headers.get('etag') ?? ''
  expect(first.status).toBe(200)
  expect(`"${await first.text()}"`).toBe(etag)
  const same = await technician.ask(path, { headers: { 'if-none-match': etag } })
  expect(same.status).toBe(304)
  expect(await same.text()).toBe('')
  const day = await read(await technician.ask(at(`/portal/${code}`)))
  expect(day).toContain(`data-version="${etag.slice(1, -1)}"`)
  const form = await formOf(`/portal/${code}/jobs/new`, { at: '16:00', kind: 'block', note: 'Lift service' })
  expect((await technician.ask(at(`/portal/${code}/jobs/new`), { form })).status).toBe(303)
  expect((await technician.ask(path, { headers: { 'if-none-match': etag } })).status).toBe(200)
})

test('the week counts each day, and the day sheet has everything in order', async () => {
  const on = emptyDay()
  const week = await read(await technician.ask(at(`/portal/${code}/week?on=${on}`)))
  for (const words of ['Today', 'Lift service', 'Bay 1', 'Times in ', '%</span>']) expect(week).toContain(words)
  const sheet = await read(await technician.ask(at(`/portal/${code}/day-sheet?on=${on}`)))
  expect(sheet.indexOf('Phone booking: Ann')).toBeLessThan(sheet.indexOf('Lift service'))
  expect(sheet).toContain('data-print')
})
