/**
 * Tests every portal action with and without permission, and every ID of other shops, which can never be read or
 * changed. Pages by role are in portal.test.ts.
 */
import { glob, readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allRoutes as routes } from '#tests/support/routes.ts'
import { tableOwners } from '#db/table-owners.ts'
import type { DB } from '#db/types.ts'
import type { ShopRole } from '#domain/scheduling/installers/installers.ts'
import { startJobPay } from '#domain/installer-portal/payouts/payouts.server.ts'
import { portalCan } from '#domain/installer-portal/portal/portal.ts'
import { bringToToday } from '#domain/installer-portal/work-orders/work-orders.testing.ts'
import { newId } from '#platform/ids.ts'
import { portalActs, type PortalAct, type PortalSubject } from '#tests/support/portal-acts.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInToPortal, type Visitor } from '#tests/support/visitor.ts'

const newCode = 'SW-99001'
const doors = ['portal-sign-in', 'portal-sign-out']
const roles = ['owner', 'technician'] as const
/** Users outside of the shop and their response: 404, or a redirect to sign in. */
const strangers = { other: 404, ended: 404, left: 303, guest: 303 } as const
type Who = ShopRole | keyof typeof strangers
const emails: Record<Exclude<Who, 'guest'>, string> = {
  owner: 'shop-owner@example.com',
  technician: 'technician@example.com',
  other: 'dana@example.com',
  ended: 'erin@example.com',
  left: 'felix@example.com',
}

let store: RunningStore
const people = {} as Record<Who, Visitor>
/** The owner's and technician's shop, and another user's shop with all its data. */
let ours: PortalSubject
let theirs: PortalSubject
const db = () => store.database.db
const at = (path: string) => `${store.origin}${path}`
const read = async (answer: Response | Promise<Response>) => (await (await answer).text()).replaceAll('<!-- -->', '')
const post = (who: Who, { path, intent, form }: PortalAct, subject: PortalSubject) =>
  people[who].ask(at(path(subject)), { form: { ...form?.(subject), ...(intent !== '' && { intent }) } })

/** Jobs that are still to come, by shop. */
const jobs = () =>
  db()
    .selectFrom('booking')
    .innerJoin('shop', 'shop.id', 'booking.shop_id')
    .innerJoin('sales_order', 'sales_order.id', 'booking.order_id')
    .select(['booking.id', 'booking.order_id as orderId', 'shop.id as shopId', 'shop.code'])
    .where('booking.state', '=', 'confirmed')
    .where('sales_order.state', '=', 'confirmed')
    .orderBy('booking.during', 'desc')
    .execute()

async function join(shopId: number, who: keyof typeof emails, role: ShopRole): Promise<void> {
  const row = { id: newId(), shop_id: shopId, email: emails[who], name: who, role, added_by: 'a test' }
  const added = { ...row, added_at: Temporal.Now.instant() }
  // Those who sign in elsewhere already are known; the others are bound by their first sign-in.
  const known = await db()
    .selectFrom('shop_member')
    .select(['issuer', 'subject', 'bound_at'])
    .where('email', '=', emails[who])
    .where('bound_at', 'is not', null)
    .executeTakeFirst()
  await db()
    .insertInto('shop_member')
    .values({ ...added, ...known })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** A shop with a job, an own job that one of its people enters, and pay. */
async function subjectAt(who: Who, job: { id: string; shopId: number; code: string }): Promise<PortalSubject> {
  const { id: bay } = await db()
    .selectFrom('shop_bay')
    .select('id')
    .where('shop_id', '=', job.shopId)
    .where('kind', '=', 'bay')
    .orderBy('number')
    .executeTakeFirstOrThrow()
  const subject = { code: job.code, newCode, booking: job.id, bay: String(bay), ownJob: '', jobPay: '' }
  const enter = portalActs.find(({ module }) => module === 'own-job-new')
  if (!enter) throw new Error('No act enters an own job.')
  const form = { ...enter.form?.(subject), at: '09:30', note: `Only for ${job.code}` }
  expect((await people[who].ask(at(enter.path(subject)), { form })).status).toBe(303)
  const made = await db().selectFrom('own_job').select('id').where('shop_id', '=', job.shopId).executeTakeFirstOrThrow()
  const finished = { bookingId: job.id, kind: 'finished', at: Temporal.Now.instant() } as const
  const paid = await db()
    .transaction()
    .execute((tx) => startJobPay(tx, finished))
  if (!paid.ok) throw new Error(paid.reason)
  return { ...subject, ownJob: made.id, jobPay: paid.value.jobPayId }
}

beforeAll(async () => {
  store = await startStore()
  for (const who of ['owner', 'technician', ...Object.keys(strangers)] as Who[]) people[who] = createVisitor()
  for (const role of roles) await signInToPortal(store.origin, people[role], emails[role])
  const booked = await jobs()
  const [mine] = booked
  const their = booked.find(({ shopId }) => shopId !== mine?.shopId)
  if (!mine || !their) throw new Error('The demo has jobs at one shop only.')
  const { id: setUpId } = await db()
    .selectFrom('shop')
    .select('id')
    .where('code', '=', newCode)
    .executeTakeFirstOrThrow()
  for (const role of roles) for (const shopId of [mine.shopId, setUpId]) await join(shopId, role, role)
  await join(their.shopId, 'other', 'owner')
  await join(their.shopId, 'ended', 'owner')
  for (const who of ['ended', 'left'] as const) for (const id of [mine.shopId, setUpId]) await join(id, who, 'owner')
  for (const who of ['other', 'ended', 'left'] as const) await signInToPortal(store.origin, people[who], emails[who])
  const { status } = await people.left.ask(at(`/portal/${mine.code}`))
  if (status !== 200) throw new Error(`Before the membership ends, the day answers ${status}.`)
  await db()
    .updateTable('shop_member')
    .set({ ended_at: Temporal.Now.instant() })
    .where('email', 'in', [emails.ended, emails.left])
    .where('shop_id', '<>', their.shopId)
    .execute()
  await bringToToday(store.database, mine.id, Temporal.Now.instant())
  ours = await subjectAt('owner', mine)
  await receive('owner', ours)
  theirs = await subjectAt('other', their)
}, 180_000)
afterAll(() => store[Symbol.asyncDispose]())

/** Receives a job's tires, as its shop does before the check-in. */
async function receive(who: Who, { code, booking }: PortalSubject): Promise<void> {
  const lines = await db()
    .selectFrom('order_line')
    .innerJoin('booking', 'booking.order_id', 'order_line.order_id')
    .select(['line_no as lineNo', 'quantity'])
    .where('booking.id', '=', booking)
    .where('order_line.kind', '=', 'tire')
    .execute()
  for (const { lineNo, quantity } of lines)
    for (let count = 0; count < quantity; count += 1) {
      const form = { intent: 'more', line: String(lineNo) }
      expect((await people[who].ask(at(`/portal/${code}/jobs/${booking}`), { form })).status).toBe(303)
    }
}

/** All tables that the portal writes, and the audit log. */
const written = (Object.keys(tableOwners) as (keyof DB)[]).filter(
  (table) =>
    (/^domain\/[\w-]+\/(?:booking|work-orders|payouts|portal|installers|orders)$/.test(tableOwners[table]) &&
      table !== 'portal_session' &&
      // Written by the worker.
      table !== 'payout_wait') ||
    table === 'audit_entry',
)

/** One digest of it all, by table. */
async function digest(): Promise<Record<string, string>> {
  const all: Record<string, string> = {}
  for (const table of written) {
    const { rows } = await sql<{ of: string }>`
      select md5(coalesce(string_agg(md5(t::text), '' order by md5(t::text)), '')) as of from ${sql.table(table)} t`.execute(
      db(),
    )
    all[table] = rows[0]?.of ?? ''
  }
  return all
}

test('the table names every action of the portal and every button of its forms', async () => {
  const modules = new Set<string>()
  for (const { path = '', file } of routes) {
    if (!/^portal(?:\/|$)/.test(path)) continue
    const source = await readFile(new URL(`../../app/${file}`, import.meta.url), 'utf8')
    if (/export (?:async function|function|const) action\b/.test(source))
      modules.add(basename(file).replace(/\.tsx?$/, ''))
  }
  expect([...modules].toSorted()).toEqual(
    [...new Set([...doors, ...portalActs.map(({ module }) => module)])].toSorted(),
  )

  const buttons = new Set<string>()
  for await (const name of glob('app/{routes,ui}/portal/*.{ts,tsx}')) {
    const source = await readFile(name, 'utf8')
    for (const [, intent = ''] of source.matchAll(/name="intent"\s+value="([\w-]+)"/g)) buttons.add(intent)
    const [, cases = ''] = /switch \((?:intent|fields\.get\('intent'\))\) \{([\s\S]*?)\bdefault:/.exec(source) ?? []
    for (const [, intent = ''] of cases.matchAll(/case '([\w-]+)'/g)) buttons.add(intent)
    const [, acts = ''] = /new Map<string, Act>\(\[([\s\S]*?)\n\]\)/.exec(source) ?? []
    for (const [, intent = ''] of acts.matchAll(/^ {2}\['([\w-]+)'/gm)) buttons.add(intent)
  }
  expect(buttons.size).toBeGreaterThan(20)
  expect([...buttons].filter((intent) => !portalActs.some((act) => act.intent === intent))).toEqual([])
})

describe.for(portalActs)('$module $intent', (act) => {
  test('rejects unauthorized users without changes', async () => {
    const before = await digest()
    for (const role of roles.filter((each) => !portalCan(each, act.permission)))
      expect((await post(role, act, ours)).status, role).toBe(403)
    for (const [who, status] of Object.entries(strangers) as [keyof typeof strangers, number][]) {
      const answer = await post(who, act, ours)
      expect(answer.status, who).toBe(status)
      if (status === 303) expect(answer.headers.get('location')).toMatch(/^\/portal\/sign-in\?back=/)
    }
    // At the other shop's address, and with the other shop's ids at one's own.
    for (const role of roles) {
      const there = { ...theirs, newCode: theirs.code }
      expect((await post(role, act, there)).status, role).toBe(404)
    }
    expect(await digest()).toEqual(before)
  })
})

/** Actions with an ID of the shop in their URL or form, other than the shop's code. */
const marks = { code: 'code', newCode: 'code', booking: '~', ownJob: '~', bay: '~', jobPay: '~' }
const naming = portalActs.filter((act) => `${act.path(marks)}${JSON.stringify(act.form?.(marks))}`.includes('~'))

test.for(naming)('with an id of another shop, $module $intent has no effect', async (act) => {
  const before = await digest()
  for (const role of roles.filter((each) => portalCan(each, act.permission))) {
    const { status } = await post(role, act, { ...theirs, code: ours.code })
    expect([404, 422], role).toContain(status)
  }
  expect(await digest()).toEqual(before)
})

test('other shops’ data isn’t visible by ID, in lists, statements, or the feed', async () => {
  const others = (await jobs()).filter(({ code }) => code !== ours.code)
  expect(others).not.toEqual([])
  const ownJobs = await db()
    .selectFrom('own_job')
    .select('id')
    .where('shop_id', '=', await idOf(theirs.code))
    .execute()
  expect(ownJobs).not.toEqual([])
  const monday = weekOf(Temporal.Now.plainDateISO('America/Chicago'))
  const before = await digest()
  for (const role of roles) {
    for (const { id, code } of others)
      for (const path of [`jobs/${id}`, `moves/${id}`]) {
        expect((await people[role].ask(at(`/portal/${ours.code}/${path}`))).status, path).toBe(404)
        expect((await people[role].ask(at(`/portal/${code}/${path}`))).status, path).toBe(404)
      }
    for (const { id } of ownJobs)
      for (const code of [ours.code, theirs.code])
        expect((await people[role].ask(at(`/portal/${code}/own-jobs/${id}`))).status).toBe(404)
    for (const path of ['', '/feed', '/week', '/day-sheet', '/day/version', '/pay', `/pay/${monday}`])
      expect((await people[role].ask(at(`/portal/${theirs.code}${path}`))).status, path).toBe(404)
  }
  for (const file of ['statement.csv', 'statement.pdf'])
    expect((await people.owner.ask(at(`/portal/${theirs.code}/pay/${monday}/${file}`))).status).toBe(404)
  expect(await digest()).toEqual(before)

  const alien = [...others.flatMap(({ id, orderId }) => [id, `${orderId}-1`]), theirs.ownJob, theirs.jobPay, 'Only for']
  const words = alien.filter((word) => word !== '' && word !== `Only for ${ours.code}`)
  const pages = ['/pay', `/pay/${monday}`, `/pay/${monday}/statement.csv`, `/week?on=${day}`, `/day-sheet?on=${day}`]
  for (const path of [...pages, `?on=${day}`, ...(await daysOf(others))]) {
    const html = (await read(people.owner.ask(at(`/portal/${ours.code}${path}`)))).replaceAll(
      `Only for ${ours.code}`,
      '',
    )
    expect(
      words.filter((word) => html.includes(word)),
      path,
    ).toEqual([])
  }
  const made = await read(people.owner.ask(at(`/portal/${ours.code}/feed`), { form: { intent: 'make', seen: '' } }))
  const feed = /https?:[^<\s"]+\/portal\/feed\/[\w-]{43}\.ics/.exec(made)?.[0] ?? ''
  const file = await (await fetch(feed)).text()
  expect(file).toContain(ours.booking)
  expect(words.filter((word) => file.includes(word))).toEqual([])
  await people.owner.ask(at(`/portal/${ours.code}/feed`), { form: { intent: 'end' } })
}, 120_000)

const day = Temporal.Now.plainDateISO('America/Chicago').add({ days: 200 }).toString()
const weekOf = (date: Temporal.PlainDate) => date.subtract({ days: date.dayOfWeek - 1 }).toString()

async function idOf(code: string): Promise<number> {
  return (await db().selectFrom('shop').select('id').where('code', '=', code).executeTakeFirstOrThrow()).id
}

/** Returns bookings' day pages. */
async function daysOf(bookings: readonly { id: string }[]): Promise<string[]> {
  const starts = await db()
    .selectFrom('booking')
    .select(({ fn }) => fn<Temporal.Instant>('lower', ['during']).as('start'))
    .where(
      'id',
      'in',
      bookings.map(({ id }) => id),
    )
    .execute()
  return [
    ...new Set(starts.map(({ start }) => start.toZonedDateTimeISO('America/Chicago').toPlainDate().toString())),
  ].map((on) => `?on=${on}`)
}

describe('authorized users get the listed response', () => {
  test.for(portalActs)('$module $intent', async (act) => {
    const [first, ...others] = roles.filter((role) => portalCan(role, act.permission))
    if (first === undefined) throw new Error('Nobody may do it.')
    const answer = await post(first, act, ours)
    const alert = /<[^>]*role="alert"[^>]*>[\s\S]{0,300}/.exec(await answer.text())?.[0] ?? ''
    expect(answer.status, `${first} ${alert}`).toBe(act.answer)
    expect(answer.headers.get('location') ?? '').not.toContain('/sign-in')
    for (const role of others) {
      const { status } = await post(role, act, ours)
      expect([403, 404], role).not.toContain(status)
      expect(status, role).toBeLessThan(500)
    }
  })
})
