/** Emails to the teams of shops, their opt-outs, and the calendar files that follow an appointment to its end. */
import ICAL from 'ical.js'
import { sql } from 'kysely'
import nodeIcal, { type VEvent } from 'node-ical'
import { expect, test } from 'vitest'
import { makePlacedOrder, must, openTestStore } from '#domain/checkout/checkout.testing.ts'
import { stopMails } from '#domain/messages/messages.server.ts'
import { changeOrderAsShopper } from '#domain/order-changes/order-changes.server.ts'
import { askedChange, home } from '#domain/order-changes/order-changes.testing.ts'
import {
  calendarAttachments,
  cancelOrder,
  moveAppointmentAsStaff,
  offerOtherTimes,
} from '#domain/orders/orders.server.ts'
import { dana, orderOf } from '#domain/orders/staff-acts.testing.ts'
import {
  findPortalSession,
  openPortal,
  readTeamEmails,
  saveTeamEmails,
  type PortalActor,
} from '#domain/portal/portal.server.ts'
import { moveJob } from '#domain/work-orders/work-orders.server.ts'
import { readConfig } from '#platform/config.ts'
import { newId } from '#platform/ids.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { notifyTeams, teamMessage } from './team-emails.server.ts'

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
  return { uid: event.uid, sequence: event.sequence, method }
}

async function shopFile(store: Store, message: { key: string; orderId: number | null }) {
  const content = await teamMessage(store, { ...message, kind })
  const [file] = content?.attachments ?? []
  if (!content || !file) throw new Error('The email of a test has no file.')
  return { headline: content.values['headline'], ...parse(file) }
}

async function move(store: Store, orderId: number): Promise<void> {
  const days = await offerOtherTimes(store, await orderOf(store, orderId))
  const start = days.flatMap(({ times }) => times.filter(({ free }) => free)).at(-1)?.start ?? store.clock.now()
  must(await moveAppointmentAsStaff(store, dana, { orderId, choice: { start }, reason: 'They cannot come.' }))
}

test('owners get appointment emails until they stop them, technicians once they ask, each change once', async () => {
  const { store, orderId, bookingId, shopId } = await openStore()
  await using _store = store
  const [ona, tess] = [await signIn(store, owner, shopId), await signIn(store, technician, shopId)]
  const booked = await deliver(store)
  expect(booked.map(({ to }) => to)).toEqual([owner])
  expect((await readTeamEmails(store, tess.memberId)).kinds.map(({ isWanted }) => isWanted)).toEqual([false, false])

  must(await saveTeamEmails(store, tess, [kind]))
  // Through the email's unsubscribe link.
  await stopMails(store, { kind, email: owner })
  expect((await readTeamEmails(store, ona.memberId)).kinds).toEqual([
    { kind, isWanted: false },
    { kind: 'shop-appointment-news', isWanted: true },
  ])
  await move(store, orderId)
  const moved = await deliver(store)
  expect(moved.map(({ to }) => to)).toEqual([technician])

  must(await saveTeamEmails(store, ona, [kind]))
  must(await saveTeamEmails(store, tess, []))
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
  expect(files.at(-1)).toMatchObject({ method: 'CANCEL', sequence: 2 })
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
  expect(await saveTeamEmails(store, { ...tess, shopId: other.id }, [kind])).toMatchObject({
    ok: false,
    reason: 'not-allowed',
  })
  must(await saveTeamEmails(store, tess, [kind]))
  await end(shopId)
  expect(await saveTeamEmails(store, tess, [])).toMatchObject({ ok: false, reason: 'not-allowed' })
  expect((await readTeamEmails(store, tess.memberId)).kinds[0]).toEqual({ kind, isWanted: true })
})

test('the store is emailed when a shop refuses a job, and the shop is not', async () => {
  const { store, orderId, bookingId, shopId } = await openStore()
  await using _store = store
  await deliver(store)
  const by = await signIn(store, technician, shopId)
  must(await moveJob(store, by, { bookingId, to: 'refused', reason: 'A rim is bent or cracked' }))
  const news = await deliver(store)
  expect(news).toMatchObject([{ kind: 'shop-problem', to: config.store.email, orderId }])
  const content = await teamMessage(store, { kind: 'shop-problem', orderId, key: news[0]?.key ?? '' })
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
  expect(before).toEqual([['order-received', { uid: bookingId, sequence: 0, method: 'PUBLISH' }]])
  const asked = { ...(await askedChange(store, orderId, home)), key: newId() }
  must(await changeOrderAsShopper(store, asked))
  expect(await customerFiles(store, orderId)).toContainEqual([
    'order-changed',
    { uid: bookingId, sequence: 1, method: 'CANCEL' },
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
    { uid: bookingId, sequence: 1, method: 'CANCEL' },
  ])
})
