/** The pages about the shop itself over sockets and without script: capacity, prices and people. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { typedPriceList } from '#domain/installer-portal/portal/prices.testing.ts'
import { typedCapacity } from '#domain/installer-portal/portal/capacity.testing.ts'
import { keptFields } from '#tests/support/kept-fields.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInToPortal, type Visitor } from '#tests/support/visitor.ts'

let store: RunningStore
let owner: Visitor
let technician: Visitor
/** A shop with appointments, where both users are members. */
let shop: { id: number; code: string; time_zone: string }
let booking: { id: string; starts: Temporal.Instant }
beforeAll(async () => {
  store = await startStore()
  const { db } = store.database
  const found = await db
    .selectFrom('booking')
    .innerJoin('shop', 'shop.id', 'booking.shop_id')
    .select(['booking.id', 'booking.during', 'shop.id as shop_id', 'shop.code', 'shop.time_zone'])
    .where('booking.state', '=', 'confirmed')
    .where('booking.kind', '=', 'wait')
    .orderBy('booking.during', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  shop = { id: found.shop_id, code: found.code, time_zone: found.time_zone }
  const [, start = ''] = /"([^"]+)"/.exec(found.during) ?? []
  booking = { id: found.id, starts: Temporal.Instant.from(start.replace(' ', 'T').replace(/([+-]\d{2})$/, '$1:00')) }
  for (const email of ['shop-owner@example.com', 'technician@example.com']) {
    const member = await db.selectFrom('shop_member').selectAll().where('email', '=', email).executeTakeFirstOrThrow()
    await db
      .insertInto('shop_member')
      .values({ ...member, id: crypto.randomUUID(), shop_id: shop.id })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
  ;[owner, technician] = [createVisitor(), createVisitor()]
  await signInToPortal(store.origin, owner)
  await signInToPortal(store.origin, technician, 'technician@example.com')
})
afterAll(() => store[Symbol.asyncDispose]())

const at = (page: string) => `${store.origin}/portal/${shop.code}/${page}`
const read = async (answer: Response) => (await answer.text()).replaceAll('<!-- -->', '')
const today = () => Temporal.Now.zonedDateTimeISO(shop.time_zone).toPlainDate()
const plans = () => store.database.db.selectFrom('shop_capacity').selectAll().where('shop_id', '=', shop.id).execute()

test('a closed day with an appointment is shown before it is kept, kept once, and opened again', async () => {
  const on = booking.starts.toZonedDateTimeISO(shop.time_zone).toPlainDate().toString()
  const shown = await owner.ask(at('capacity'), { form: { intent: 'close', on, reason: 'Inventory' } })
  expect(shown.status).toBe(409)
  const html = await read(shown)
  expect(html).toContain('Your change isn’t saved yet')
  expect(html).toContain('on a blackout day')
  expect(html).toContain('Before: </span>Open</s> <b>Closed</b>')
  expect(html).toContain('<dt>Appointments affected</dt>')
  expect(html).toContain(`/portal/${shop.code}/moves/${booking.id}`)
  // Shows only the first name and initial.
  expect(html).not.toContain('@example.com')
  const closures = () =>
    store.database.db
      .selectFrom('shop_closure')
      .selectAll()
      .where('shop_id', '=', shop.id)
      .where('closed_on', '=', on)
      .execute()
  expect(await closures()).toEqual([])

  const form = keptFields(html)
  expect(form).toMatchObject({ intent: 'close', on, reason: 'Inventory' })
  // A preview key that wasn't shown has no effect.
  expect((await owner.ask(at('capacity'), { form: { ...form, seen: 'x'.repeat(43) } })).status).toBe(409)
  for (const answer of await Promise.all([1, 2, 3].map(() => owner.ask(at('capacity'), { form })))) {
    expect(answer.status).toBe(303)
    expect(answer.headers.get('location')).toBe(`/portal/${shop.code}/capacity?done=kept`)
  }
  expect(await closures()).toHaveLength(1)
  const page = await read(await owner.ask(at('capacity')))
  expect(page).toContain('Appointments that do not fit')
  expect(page).toContain('Inventory')
  expect((await owner.ask(at('capacity'), { form: { intent: 'open', day: on } })).status).toBe(303)
  expect(await closures()).toEqual([])
  expect(await read(await owner.ask(at('capacity')))).not.toContain('Appointments that do not fit')
})

test('a version from a day on is saved, shown to technicians, and taken back', async () => {
  const from = today().add({ days: 120 }).toString()
  const form = typedCapacity({ from, bays: '4', technicians: '3', lunchFrom: '720', lunchTo: '780', notice: '1440' })
  const saved = await owner.ask(at('capacity'), { form })
  expect(saved.status).toBe(303)
  expect(saved.headers.get('location')).toBe(`/portal/${shop.code}/capacity?done=saved`)
  expect((await plans()).map(({ technicians }) => technicians)).toEqual([null, 3])
  for (const visitor of [owner, technician]) {
    const html = await read(await visitor.ask(at('capacity')))
    for (const words of ['4, 3 cars in parallel', 'lunch 12:00 PM to 1:00 PM', '24 hours'])
      expect(html).toContain(words)
    expect(html.includes('Save the change')).toBe(visitor === owner)
  }
  expect((await technician.ask(at('capacity'), { form })).status).toBe(403)
  expect((await owner.ask(at('capacity'), { form: { intent: 'withdraw', day: from } })).status).toBe(303)
  expect((await owner.ask(at('capacity'), { form: { intent: 'withdraw', day: from } })).status).toBe(409)
  expect(await plans()).toHaveLength(1)
})

test('of two owners with one page the second sees both values, and saves theirs knowingly', async () => {
  const from = today().add({ days: 90 }).toString()
  const pageOf = async () => read(await owner.ask(at('capacity')))
  const basedOnIn = (html: string) => /name="basedOn" value="([^"]*)"/.exec(html)?.[1] ?? ''
  const basedOn = basedOnIn(await pageOf())
  const save = (change: Record<string, string>) =>
    owner.ask(at('capacity'), { form: typedCapacity({ from, bays: '4', technicians: '3', basedOn, ...change }) })
  expect((await save({})).status).toBe(303)
  expect((await save({})).status).toBe(303)
  const second = await save({ technicians: '2' })
  const html = await read(second)
  expect(second.status).toBe(409)
  for (const words of ['Another team member changed the capacity.', 'Now 3.', 'value="2"'])
    expect(html).toContain(words)
  expect(html).not.toContain('Now 4.')
  expect((await plans()).map(({ technicians }) => technicians)).toEqual([null, 3])
  expect((await save({ technicians: '2', basedOn: basedOnIn(html) })).status).toBe(303)
  expect((await plans()).map(({ technicians }) => technicians)).toEqual([null, 2])
  expect((await owner.ask(at('capacity'), { form: { intent: 'withdraw', day: from } })).status).toBe(303)
})

test('rejects invalid input at its field, with the input retained', async () => {
  const from = today().add({ days: 30 }).toString()
  const faults: [Record<string, string>, string][] = [
    [{ from: '2026-02-30' }, 'Choose a day.'],
    [{ from: today().toString() }, 'This day has already started.'],
    [{ from: '2090-01-01' }, 'Choose a day within a year.'],
    [{ bays: '21' }, 'Enter the number of bays'],
    [{ technicians: '-1' }, 'Enter how many cars'],
    [{ lunchFrom: '780', lunchTo: '720' }, 'Choose when lunch starts'],
    [{ walkIn: '99' }, 'Choose the part for walk-ins.'],
    [{ slot: '1e9' }, 'Choose how often a car may start.'],
    [{ 'opens-1': '481' }, 'Monday: choose when you open'],
    [{ lead: 'x'.repeat(3_000) }, 'Choose the notice before a car arrives.'],
  ]
  for (const [change, message] of faults) {
    const answer = await owner.ask(at('capacity'), { form: typedCapacity({ from, dropOffs: '7', ...change }) })
    const html = await read(answer)
    expect(answer.status, message).toBe(422)
    expect(html).toContain(message)
    expect(html, message).toContain('value="7"')
  }
  for (const form of [
    { intent: 'withdraw', day: "2026-01-01'; drop table shop" },
    { intent: 'open', day: '' },
    { intent: 'drop' },
    { intent: 'version' },
    { intent: 'close', on: '2090-13-41', reason: 'x' },
    { intent: 'close', on: from, reason: 'x'.repeat(61) },
  ]) {
    const { status } = await owner.ask(at('capacity'), { form })
    expect([400, 409, 422], JSON.stringify(form)).toContain(status)
  }
  expect(await plans()).toHaveLength(1)
})

test('a future price list is saved with field errors, visible to technicians, and can be canceled', async () => {
  const lists = () =>
    store.database.db.selectFrom('shop_price_list').selectAll().where('shop_id', '=', shop.id).execute()
  const from = today().add({ days: 10 }).toString()
  for (const [change, message] of [
    [{ 'standard-17': '' }, 'Enter a price. The agreement covers every rim size.'],
    [{ 'standard-17': '9999' }, 'Enter an amount such as 22.00.'],
    [{ 'standard-17-minutes': '4' }, 'Enter whole minutes, 5 to 60.'],
    [{ dualMinutes: '1.5' }, 'Enter whole minutes, 0 to 120.'],
    [{ 'service-rotation': 'x', 'service-rotation-minutes': '40' }, 'Enter an amount such as 22.00.'],
    [{ 'service-rotation-minutes': '40' }, 'Enter a price, or remove the minutes.'],
    [{ 'service-rotation': '40' }, 'Enter whole minutes, 5 to 240.'],
    [{ from: 'soon' }, 'Choose a day.'],
    [{ from: '2020-01-01' }, 'This day has already started.'],
  ] as [Record<string, string>, string][]) {
    const answer = await owner.ask(at('prices'), { form: typedPriceList({ from, kit: '7.25', ...change }) })
    const html = await read(answer)
    expect(answer.status, message).toBe(422)
    expect(html).toContain(message)
    expect(html, message).toContain('value="7.25"')
  }
  expect(await lists()).toHaveLength(1)
  const form = typedPriceList({ from, 'service-changeover': '64', 'service-changeover-minutes': '55' })
  expect((await technician.ask(at('prices'), { form })).status).toBe(403)
  for (const answer of await Promise.all([1, 2].map(() => owner.ask(at('prices'), { form })))) {
    expect(answer.status).toBe(303)
    expect(answer.headers.get('location')).toBe(`/portal/${shop.code}/prices?done=saved`)
  }
  expect(await lists()).toHaveLength(2)
  const html = await read(await technician.ask(at('prices')))
  for (const words of [
    '$30.00, 20 min',
    'Not taken',
    'Four tires, 17 in',
    '>85<',
    '$158.00',
    '$64.00 per vehicle, 55 min',
  ])
    expect(html).toContain(words)
  expect(html).not.toContain('Save the price list')
  expect((await owner.ask(at('prices'), { form: { intent: 'withdraw', day: from } })).status).toBe(303)
  expect((await owner.ask(at('prices'), { form: { intent: 'withdraw', day: from } })).status).toBe(409)
  for (const wrong of [{ intent: 'withdraw', day: 'x' }, { intent: 'x' }])
    expect((await owner.ask(at('prices'), { form: wrong })).status).toBe(400)
  expect(await lists()).toHaveLength(1)
})

test('an owner invites a technician, makes them an owner and ends them; the last owner stays', async () => {
  const { db } = store.database
  const members = () =>
    db
      .selectFrom('shop_member')
      .select(['id', 'email', 'role'])
      .where('shop_id', '=', shop.id)
      .where('ended_at', 'is', null)
      .execute()
  const invite = { intent: 'invite', email: 'Kai@Example.com', name: '<b>Kai</b>', role: 'technician' }
  expect((await technician.ask(at('people'), { form: invite })).status).toBe(403)
  const sent = await Promise.all([1, 2].map(() => owner.ask(at('people'), { form: invite })))
  expect(sent.map(({ status }) => String(status)).toSorted()).toEqual(['303', '422'])
  const kai = (await members()).find(({ email }) => email === 'kai@example.com')
  expect(kai?.role).toBe('technician')
  const html = await read(await owner.ask(at('people')))
  expect(html).toContain('&lt;b&gt;Kai&lt;/b&gt;')
  expect(html).toContain('has not signed in yet')
  for (const [change, message] of [
    [{ email: 'nobody' }, 'Enter an email address.'],
    [{ name: '' }, 'Enter a name.'],
    [{ role: 'admin' }, 'Choose a role.'],
  ] as [Record<string, string>, string][]) {
    const answer = await owner.ask(at('people'), { form: { ...invite, ...change } })
    expect(answer.status).toBe(422)
    expect(await read(answer)).toContain(message)
  }
  const change = (form: Record<string, string>) => owner.ask(at('people'), { form })
  expect((await change({ intent: 'role', member: kai?.id ?? '', role: 'owner' })).status).toBe(303)
  expect((await change({ intent: 'end', member: kai?.id ?? '' })).status).toBe(303)
  expect((await change({ intent: 'end', member: kai?.id ?? '' })).status).toBe(404)
  for (const wrong of [
    { intent: 'end', member: "' or 1=1" },
    { intent: 'role', member: kai?.id ?? '' },
    { intent: 'x' },
  ])
    expect((await change(wrong)).status).toBe(400)
  const me = (await members()).find(({ role }) => role === 'owner')
  const stays = await change({ intent: 'end', member: me?.id ?? '' })
  expect(stays.status).toBe(409)
  expect(await read(stays)).toContain('A shop needs at least one owner.')
  // A member of another shop has no access here.
  const stranger = await db
    .selectFrom('shop_member')
    .select('id')
    .where('shop_id', '<>', shop.id)
    .executeTakeFirstOrThrow()
  expect((await change({ intent: 'end', member: stranger.id })).status).toBe(404)
})

test('a removed role loses access immediately', async () => {
  const { db } = store.database
  const member = await db
    .selectFrom('shop_member')
    .select('id')
    .where('shop_id', '=', shop.id)
    .where('email', '=', 'technician@example.com')
    .where('ended_at', 'is', null)
    .executeTakeFirstOrThrow()
  expect((await technician.ask(at('capacity'))).status).toBe(200)
  expect((await owner.ask(at('people'), { form: { intent: 'end', member: member.id } })).status).toBe(303)
  expect((await technician.ask(at('capacity'))).status).toBe(404)
})
