/**
 * Emails to the teams of shops, their opt-outs, and the calendar files that follow an appointment to its end. Over 400
 * lines: cases that share one shop and its team.
 */
import { noRateLimits } from '#domain/kernel/rate-limits/rate-limits.testing.ts'
import ICAL from 'ical.js'
import { sql } from 'kysely'
import nodeIcal, { type VEvent } from 'node-ical'
import { expect, test } from 'vitest'
import { makePlacedOrder, must, openTestStore } from '#domain/ordering/checkout/checkout.testing.ts'
import { stopMails } from '#domain/messaging/messages/messages.server.ts'
import { changeOrderAsShopper } from '#domain/ordering/order-changes/order-changes.server.ts'
import { askedChange, home } from '#domain/ordering/order-changes/order-changes.testing.ts'
import {
  calendarAttachments,
  cancelOrder,
  moveAppointmentAsStaff,
  offerOtherTimes,
} from '#domain/ordering/orders/orders.server.ts'
import { dana, orderOf } from '#domain/ordering/orders/staff-acts.testing.ts'
import {
  enterOwnJob,
  findPortalSession,
  moveAsShop,
  openPortal,
  readNotifications,
  saveNotifications,
  saveTextPhone,
  type PortalActor,
} from '#domain/installer-portal/portal/portal.server.ts'
import { ownJobForm } from '#domain/installer-portal/portal/portal.ts'
import { listBays } from '#domain/scheduling/booking/booking.server.ts'
import { shopEvents, type ShopChannel, type ShopEvent } from '#domain/scheduling/installers/installers.ts'
import { receiveText } from '#domain/messaging/texts/texts.server.ts'
import { moveJob } from '#domain/installer-portal/work-orders/work-orders.server.ts'
import { readConfig } from '#platform/config.ts'
import { newId } from '#platform/ids.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { lastSummary } from './shop-summaries.server.ts'
import {
  emailShopSummaries,
  notifyTeams,
  problemMessage,
  summaryMessage,
  teamMessage,
  teamText,
} from './team-emails.server.ts'

const [port = 0] = await freePorts(3)
const read = readConfig({ DATABASE_URL: 'postgres://localhost/none' })
if (!read.ok) throw new Error('The configuration of tests is wrong.')
const { value: config } = read
const owner = 'ona@example.com'
const technician = 'tess@example.com'
const kind = 'shop-booking-news'

/** An order with an appointment at a shop that has an owner and a technician. */
async function openStore() {
  const store = { ...(await openTestStore(port)), config }
  for (const [email, role] of [
    [owner, 'owner'],
    [technician, 'technician'],
  ] as const)
    await sql`insert into shop_member (id, shop_id, email, name, role, added_at, added_by)
      select gen_random_uuid(), id, ${email}, 'Member', ${role}, ${store.clock.now().toString()}::timestamptz, 'test' from shop`.execute(
      store.db,
    )
  const { orderId } = await makePlacedOrder(store)
  const { booking, shop } = await orderOf(store, orderId)
  if (!booking || !shop) throw new Error('The order of a test has no appointment.')
  return { store, orderId, bookingId: booking.id, shopId: shop.id }
}

type Store = Awaited<ReturnType<typeof openStore>>['store']

async function signIn(store: Store, email: string, shopId: number): Promise<PortalActor & { memberId: string }> {
  const opened = await openPortal(store, {
    issuer: 'https://id.example',
    person: { subject: email, email, isEmailVerified: true, name: 'Member' },
    idToken: null,
    authenticatedAt: store.clock.now(),
    session: undefined,
  })
  const session = await findPortalSession(store, must(opened).cookie)
  const member = await store.db
    .selectFrom('shop_member')
    .select('id')
    .where('shop_id', '=', shopId)
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
  return { sessionId: session?.sessionId ?? '', shopId, memberId: member.id }
}

/** Every choice of a form in which only these are checked. */
function only(...checked: readonly `${ShopEvent}-${ShopChannel}`[]) {
  return shopEvents.flatMap((event) =>
    (['email', 'text'] as const).map((channel) => ({
      event,
      channel,
      isWanted: checked.includes(`${event}-${channel}`),
    })),
  )
}

async function wantedBy(store: Store, memberId: string) {
  const { choices } = await readNotifications(store, memberId)
  return choices.flatMap(({ event, channel, isWanted }) => (isWanted ? [`${event}-${channel}`] : []))
}

/** Runs the queued jobs, each twice, and returns the new emails to teams and the store. */
async function deliver(store: Store) {
  const { rows } = await sql<{ id: string; payload: { eventId?: number; reportId?: number } }>`
    delete from graphile_worker._private_jobs job using graphile_worker._private_tasks task
    where task.id = job.task_id and task.identifier = 'notify-teams' returning job.id, job.payload`.execute(store.db)
  const known = new Set((await teamMessages(store)).map(({ key }) => key))
  for (const { payload } of [...rows, ...rows]) await notifyTeams(store, payload)
  return (await teamMessages(store)).filter(({ key }) => !known.has(key))
}

function teamMessages(store: Store) {
  return store.db
    .selectFrom('message')
    .select(['kind', 'key', 'to_address as to', 'order_id as orderId'])
    .where('kind', 'in', ['shop-booking-news', 'shop-problem'])
    .execute()
}

/** Reads a calendar file with two independent parsers, which must agree. */
function parse({ content, contentType }: { content: string | Uint8Array; contentType: string }) {
  const text = typeof content === 'string' ? content : Buffer.from(content).toString()
  const calendar = new ICAL.Component(ICAL.parse(text))
  const event = new ICAL.Event(calendar.getFirstSubcomponent('vevent') ?? undefined)
  const other = Object.values(nodeIcal.sync.parseICS(text)).find((each): each is VEvent => each?.type === 'VEVENT')
  expect(other?.uid).toEqual(event.uid)
  expect(Number(other?.sequence)).toBe(event.sequence)
  expect(other?.method).toEqual(calendar.getFirstPropertyValue('method'))
  const method = String(calendar.getFirstPropertyValue('method'))
  expect(contentType).toBe(`text/calendar; charset=utf-8; method=${method}`)
  expect(text).toMatch(/^ORGANIZER;CN=.*mailto:/im)
  return { uid: event.uid, sequence: event.sequence, method, attendee: event.attendees[0]?.getFirstValue() ?? null }
}

async function shopFile(store: Store, message: { key: string; orderId: number | null }) {
  const content = await teamMessage(store, message)
  const [file] = content?.attachments ?? []
  if (!content || !file) throw new Error('The email of a test has no file.')
  return { headline: content.values['headline'], ...parse(file) }
}

/** Moves the appointment to the last free time but so many. */
async function move(store: Store, orderId: number, before = 0): Promise<void> {
  const days = await offerOtherTimes(store, await orderOf(store, orderId))
  const start =
    days.flatMap(({ times }) => times.filter(({ free }) => free)).at(-1 - before)?.start ?? store.clock.now()
  must(await moveAppointmentAsStaff(store, dana, { orderId, choice: { start }, reason: 'They cannot come.' }))
}

test('owners get appointment emails until they stop them, technicians once they ask, each change once', async () => {
  const { store, orderId, bookingId, shopId } = await openStore()
  await using _store = store
  const [ona, tess] = [await signIn(store, owner, shopId), await signIn(store, technician, shopId)]
  const booked = await deliver(store)
  expect(booked.map(({ to }) => to)).toEqual([owner])
  const invitation = await shopFile(store, booked[0] ?? { key: '', orderId })
  expect(await wantedBy(store, tess.memberId)).toEqual([])

  must(await saveNotifications(store, tess, { choices: only('changed-email'), summaryHour: null }))
  // By the email's unsubscribe link.
  await stopMails(store, { kind, email: owner })
  expect(await wantedBy(store, ona.memberId)).toEqual(['late-email'])
  await move(store, orderId)
  const moved = await deliver(store)
  expect(moved.map(({ to }) => to)).toEqual([technician])

  must(await saveNotifications(store, ona, { choices: only('canceled-email'), summaryHour: null }))
  must(await cancelOrder(store, { orderId, actor: 'shopper' }))
  const canceled = await deliver(store)
  expect(canceled.map(({ to }) => to)).toEqual([owner])

  const files = await Promise.all([...booked, ...moved, ...canceled].map((message) => shopFile(store, message)))
  expect(files.map(({ headline }) => headline)).toEqual([
    'New appointment',
    'Changed appointment',
    'Canceled appointment',
  ])
  expect(new Set(files.map(({ uid }) => uid))).toEqual(new Set([bookingId]))
  expect(invitation).toMatchObject({ method: 'REQUEST', sequence: 0, attendee: `MAILTO:${owner}` })
  expect(files.at(1)).toMatchObject({ attendee: `MAILTO:${technician}` })
  expect(files.at(-1)).toMatchObject({ method: 'CANCEL', sequence: 2, attendee: `MAILTO:${owner}` })
})

/** Enters a shop job of one hour, or blocked time, on the first bay. */
async function enter(
  store: Store,
  by: PortalActor,
  { kind, on, hour }: { kind: string; on: Temporal.PlainDate; hour: number },
) {
  const [bay] = await listBays(store.db, by.shopId)
  const { time_zone: timeZone } = await store.db
    .selectFrom('shop')
    .select('time_zone')
    .where('id', '=', by.shopId)
    .executeTakeFirstOrThrow()
  const at = new Temporal.PlainTime(hour).toString({ smallestUnit: 'minute' })
  const typed = ownJobForm.parse({
    key: newId(),
    kind,
    bay: String(bay?.id),
    on: on.toString(),
    at,
    minutes: '60',
    vehicle: 'Camry',
  })
  must(await enterOwnJob(store, by, { typed, ownJobId: null, timeZone }))
}

/** Moves the appointment in the portal to another bay, at the same time. */
async function moveInPortal(
  store: Store,
  by: PortalActor,
  { bookingId, orderId }: { bookingId: string; orderId: number },
) {
  const { booking, timeZone } = await orderOf(store, orderId)
  if (!booking) throw new Error('The order of a test has no appointment.')
  const { shopId } = by
  const { bayId } = await store.db
    .selectFrom('booking')
    .select('bay_id as bayId')
    .where('id', '=', bookingId)
    .executeTakeFirstOrThrow()
  const to = booking.end.add({ hours: 24 })
  const bay = (await listBays(store.db, shopId, { from: booking.start, to })).find(
    ({ kind, id }) => kind === 'bay' && id !== bayId,
  )
  const start = booking.start.toZonedDateTimeISO(timeZone)
  const typed = { bay: bay?.id ?? 0, on: start.toPlainDate(), at: start.toPlainTime(), reason: null }
  must(await moveAsShop(store, by, { bookingId, typed, timeZone, who: 'ona' }))
}

test('a change in the portal is emailed to the team, except the member who made it', async () => {
  const { store, orderId, bookingId, shopId } = await openStore()
  await using _store = store
  const [ona, tess] = [await signIn(store, owner, shopId), await signIn(store, technician, shopId)]
  must(await saveNotifications(store, tess, { choices: only('changed-email', 'canceled-email'), summaryHour: null }))
  await deliver(store)
  await moveInPortal(store, ona, { bookingId, orderId })
  const [moved, ...more] = await deliver(store)
  expect(more).toEqual([])
  expect(moved).toMatchObject({ kind, to: technician })
  expect(await shopFile(store, moved ?? { key: '', orderId })).toMatchObject({
    headline: 'Changed appointment',
    method: 'REQUEST',
    sequence: 1,
  })
  must(await moveJob(store, tess, { bookingId, to: 'refused', reason: 'A rim is bent or cracked' }))
  const canceled = await deliver(store)
  expect(canceled.map(({ to }) => to).toSorted()).toEqual([owner, config.store.email].toSorted())
})

test('a confirmed phone is texted once about each event its owner chose, without the customer’s name', async () => {
  const { store, orderId, shopId } = await openStore()
  await using _store = store
  const tess = await signIn(store, technician, shopId)
  const texts = () =>
    store.db
      .selectFrom('text_message')
      .select(['kind', 'key', 'order_id as orderId'])
      .where('kind', '=', 'shop-news')
      .execute()
  const phone = '(312) 555-0177'
  const asked = { phone, words: 'May text me', networkKey: 'test' }
  expect(await saveTextPhone({ ...store, rateLimits: noRateLimits }, tess, asked)).toEqual({
    ok: true,
    value: { mustConfirm: true },
  })
  must(await saveNotifications(store, tess, { choices: only('changed-text'), summaryHour: null }))
  await deliver(store)
  await move(store, orderId)
  await deliver(store)
  // Not confirmed yet.
  expect(await texts()).toEqual([])

  await receiveText(store, { ref: 'SM1', from: '+13125550177', body: 'YES' })
  await move(store, orderId, 1)
  await deliver(store)
  const [text, ...more] = await texts()
  expect(more).toEqual([])
  // It isn't linked to the customer's own texts.
  expect(text).toMatchObject({ orderId: null })
  const content = await teamText(store, { key: text?.key ?? '' })
  expect(content?.body).toContain('changed appointment at')
  const { firstName, lastName } = await orderOf(store, orderId)
  expect(content?.body).not.toContain(firstName)
  expect(content?.body).not.toContain(lastName)

  await receiveText(store, { ref: 'SM2', from: '+13125550177', body: 'STOP' })
  must(await cancelOrder(store, { orderId, actor: 'shopper' }))
  await deliver(store)
  expect(await texts()).toHaveLength(1)
})

test('a summary comes once a day at its hour, of the day in the morning and of the next in the evening', async () => {
  const { store, orderId, shopId } = await openStore()
  await using _store = store
  const { booking, timeZone } = await orderOf(store, orderId)
  const day = (booking?.start ?? store.clock.now()).toZonedDateTimeISO(timeZone).toPlainDate()
  const tess = await signIn(store, technician, shopId)
  const sent = () =>
    store.db
      .selectFrom('message')
      .select(['kind', 'key', 'to_address as to'])
      .where('kind', '=', 'shop-daily-summary')
      .orderBy('id')
      .execute()
  const at = (on: Temporal.PlainDate, hour: number) => ({
    ...store,
    clock: { now: () => on.toZonedDateTime({ timeZone, plainTime: { hour, minute: 5 } }).toInstant() },
  })
  must(await saveNotifications(store, tess, { choices: only(), summaryHour: 18 }))
  const eve = day.subtract({ days: 1 })
  await emailShopSummaries(at(eve, 17))
  const before = (await sent()).length
  for (let again = 0; again < 2; again++) await emailShopSummaries(at(eve, 18))
  const [summary, ...more] = (await sent()).slice(before)
  expect(more).toEqual([])
  expect(summary).toMatchObject({ to: technician, key: `shop-daily-summary:${tess.memberId}:${day.toString()}` })
  const message = { key: summary?.key ?? '' }
  const content = await summaryMessage(at(eve, 18), message)
  expect(content?.values).toMatchObject({ summary: '1 appointment, 4 tires' })
  expect(JSON.stringify(content?.values['rows'])).toContain('delivered')
  // No email is sent for a day without appointments, or after the summary was turned off.
  const later = { key: `shop-daily-summary:${tess.memberId}:${day.add({ days: 200 }).toString()}` }
  expect(await summaryMessage(store, later)).toBeNull()
  // Blocked time isn't work.
  const free = day.add({ days: 1 })
  const ownDay = { key: `shop-daily-summary:${tess.memberId}:${free.toString()}` }
  await enter(store, tess, { kind: 'block', on: free, hour: 7 })
  expect(await summaryMessage(store, ownDay)).toBeNull()
  await enter(store, tess, { kind: 'walk-in', on: free, hour: 9 })
  const ofOwnDay = await summaryMessage(store, ownDay)
  expect(ofOwnDay?.values).toMatchObject({ summary: '1 shop job' })
  expect(JSON.stringify(ofOwnDay?.values['rows'])).toContain('Walk-in')
  must(await saveNotifications(store, tess, { choices: only(), summaryHour: null }))
  expect(await summaryMessage(store, message)).toBeNull()
})

test('the last summary is that of the shop’s clock on days that change it', () => {
  const timeZone = 'America/Chicago'
  const last = (hour: number, now: string) => {
    const { at, day } = lastSummary({ hour, timeZone }, Temporal.Instant.from(now))
    return [at.toString(), day.toString()]
  }
  // On March 14, 2027 the clock goes from 2 to 3; on November 7 from 2 back to 1.
  expect(last(2, '2027-03-14T08:00:00Z')).toEqual(['2027-03-14T08:00:00Z', '2027-03-14'])
  expect(last(7, '2027-03-14T12:00:00Z')).toEqual(['2027-03-14T12:00:00Z', '2027-03-14'])
  expect(last(7, '2027-03-14T11:59:00Z')).toEqual(['2027-03-13T13:00:00Z', '2027-03-13'])
  expect(last(1, '2027-11-07T07:30:00Z')).toEqual(['2027-11-07T06:00:00Z', '2027-11-07'])
  expect(last(18, '2027-11-08T00:00:00Z')).toEqual(['2027-11-08T00:00:00Z', '2027-11-08'])
})

test('a team change between two attempts emails each member once', async () => {
  const { store, shopId } = await openStore()
  await using _store = store
  const { rows } = await sql<{ payload: { eventId: number } }>`
    select job.payload from graphile_worker._private_jobs job join graphile_worker._private_tasks task on task.id = job.task_id
    where task.identifier = 'notify-teams'`.execute(store.db)
  const first = await deliver(store)
  expect(first.map(({ to }) => to)).toEqual([owner])
  // Comes first in the list, before who has the email already.
  await sql`insert into shop_member (id, shop_id, email, name, role, added_at, added_by)
    values (gen_random_uuid(), ${shopId}, 'abe@example.com', 'Abe', 'owner', ${store.clock.now().toString()}::timestamptz, 'test')`.execute(
    store.db,
  )
  for (const { payload } of rows) await notifyTeams(store, payload)
  expect((await teamMessages(store)).map(({ to }) => to).toSorted()).toEqual(['abe@example.com', owner])
})

test('a technician manages only their own shop’s emails, until they leave', async () => {
  const { store, shopId } = await openStore()
  await using _store = store
  const tess = await signIn(store, technician, shopId)
  const end = (at: number) =>
    store.db
      .updateTable('shop_member')
      .set({ ended_at: store.clock.now() })
      .where('email', '=', technician)
      .where('shop_id', '=', at)
      .execute()
  const other = await store.db
    .selectFrom('shop')
    .select('id')
    .where('id', '<>', shopId)
    .orderBy('id')
    .limit(1)
    .executeTakeFirstOrThrow()
  await end(other.id)
  const chosen = { choices: only('booked-email'), summaryHour: null }
  expect(await saveNotifications(store, { ...tess, shopId: other.id }, chosen)).toMatchObject({
    ok: false,
    reason: 'not-allowed',
  })
  must(await saveNotifications(store, tess, chosen))
  await end(shopId)
  expect(await saveNotifications(store, tess, { choices: only(), summaryHour: null })).toMatchObject({
    ok: false,
    reason: 'not-allowed',
  })
  expect(await wantedBy(store, tess.memberId)).toEqual(['booked-email'])
})

test('the store is emailed when a shop refuses a job', async () => {
  const { store, orderId, bookingId, shopId } = await openStore()
  await using _store = store
  await deliver(store)
  const by = await signIn(store, technician, shopId)
  must(await moveJob(store, by, { bookingId, to: 'refused', reason: 'A rim is bent or cracked' }))
  const news = (await deliver(store)).filter((each) => each.kind === 'shop-problem')
  expect(news).toMatchObject([{ to: config.store.email, orderId }])
  const content = await problemMessage(store, { orderId, key: news[0]?.key ?? '' })
  expect(content?.values['headline']).toContain("can't do an installation")
  expect(content?.values['problem']).toContain('A rim is bent or cracked')
})

/** The files of the customer's emails about an order, in the order of the emails. */
async function customerFiles(store: Store, orderId: number) {
  const messages = await store.db
    .selectFrom('message')
    .select(['kind', 'key', 'order_id as orderId'])
    .where('order_id', '=', orderId)
    .orderBy('id')
    .execute()
  const files = await Promise.all(
    messages.map(async (message) => {
      const attached = await calendarAttachments(store, message as Parameters<typeof calendarAttachments>[1])
      return attached.map((file) => [message.kind, parse(file)] as const)
    }),
  )
  return files.flat()
}

test('a removed installation leaves the calendars of customer and shop', async () => {
  const { store, orderId, bookingId } = await openStore()
  await using _store = store
  const before = await customerFiles(store, orderId)
  expect(before).toEqual([['order-received', { uid: bookingId, sequence: 0, method: 'PUBLISH', attendee: null }]])
  const asked = { ...(await askedChange(store, orderId, home)), key: newId() }
  must(await changeOrderAsShopper(store, asked))
  expect(await customerFiles(store, orderId)).toContainEqual([
    'order-changed',
    { uid: bookingId, sequence: 1, method: 'CANCEL', attendee: null },
  ])
  const last = (await deliver(store)).at(-1)
  expect(await shopFile(store, { key: last?.key ?? '', orderId })).toMatchObject({
    uid: bookingId,
    sequence: 1,
    method: 'CANCEL',
  })
})

test('a canceled order leaves the calendar of the customer', async () => {
  const { store, orderId, bookingId } = await openStore()
  await using _store = store
  must(await cancelOrder(store, { orderId, actor: 'shopper' }))
  expect(await customerFiles(store, orderId)).toContainEqual([
    'order-canceled',
    { uid: bookingId, sequence: 1, method: 'CANCEL', attendee: null },
  ])
})
