/** Tests one-click unsubscribe from a mail program with one POST without origin or cookies (RFC 8058). */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inviteFriends, referralCodeOf } from '#domain/customers/programs/programs.server.ts'
import { systemClock } from '#platform/clock.ts'
import { newId } from '#platform/ids.ts'
import { joinShop } from '#domain/installer-portal/work-orders/work-orders.testing.ts'
import { eventually } from '#tests/support/eventually.ts'
import { linkIn, mailFor, newestMail } from '#tests/support/mailbox.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInToOffice, signInToPortal } from '#tests/support/visitor.ts'

let store: RunningStore
let deps: { db: RunningStore['database']['db']; clock: typeof systemClock }
beforeAll(async () => {
  store = await startStore()
  deps = { db: store.database.db, clock: systemClock }
})
afterAll(() => store[Symbol.asyncDispose]())

async function invite(email: string): Promise<number> {
  const accountId = newId()
  const row = {
    id: accountId,
    email: `${accountId}@example.com`,
    email_verified_at: systemClock.now(),
    name: 'Ray Park',
    created_at: systemClock.now(),
  }
  await deps.db.insertInto('account').values(row).execute()
  await referralCodeOf(deps, accountId)
  const invited = await inviteFriends(deps, { accountId, emails: [email] })
  return invited.ok ? invited.value.sent : -1
}

const press = (address: string, headers: Record<string, string> = {}) =>
  fetch(address, {
    method: 'POST',
    body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
    headers,
    redirect: 'manual',
  })

test('the email names its sender and how to unsubscribe; one click in the email program unsubscribes, in any spelling', async () => {
  expect(await invite('kim@example.com')).toBe(1)
  const mail = await newestMail(store, 'kim@example.com')
  expect(mail.text).toContain('Sidewall, 100 Sample Street, Chicago, IL 60601')
  expect(mail.headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click')
  const address = mail.headers['list-unsubscribe']?.replaceAll(/[<>\s]/g, '') ?? ''
  expect(address).toContain(`${store.origin}/stop-mails?of=`)
  expect(address).not.toContain('kim')
  expect(linkIn(mail, '/stop-mails')).toBe(address)

  // A GET does not unsubscribe, since link checkers open all links.
  const page = await fetch(address)
  expect(page.status).toBe(200)
  expect(await page.text()).toContain('Stop these emails?')
  expect(await invite('kim@example.com')).toBe(1)

  const pressed = await press(address)
  expect(pressed.status).toBe(200)
  expect(pressed.headers.get('set-cookie')).toBeNull()
  expect(await pressed.text()).toContain('You get no more invitations from friends.')
  expect((await press(address, { origin: store.origin })).status).toBe(200)
  expect(await invite('kim@example.com')).toBe(0)
  expect(await invite('KIM+tires@example.com')).toBe(0)
  expect(await invite('lou@example.com')).toBe(1)
  await newestMail(store, 'lou@example.com')
  expect(await mailFor(store, 'kim+tires@example.com')).toEqual([])
})

test('an appointment email’s link unsubscribes the shop’s owner, who can resubscribe in the portal', async () => {
  const owner = 'shop-owner@example.com'
  const booked = await deps.db
    .selectFrom('booking')
    .innerJoin('sales_order', 'sales_order.id', 'booking.order_id')
    .innerJoin('shop', 'shop.id', 'booking.shop_id')
    .select(['booking.order_id as orderId', 'shop.id as shopId', 'shop.code'])
    .where('booking.state', '=', 'confirmed')
    .where('booking.kind', '=', 'wait')
    .where('sales_order.state', '=', 'confirmed')
    .orderBy('booking.during', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  await joinShop(store.database, { shopId: booked.shopId, email: owner })
  const [sales, member] = [createVisitor(), createVisitor()]
  await signInToOffice(store.origin, sales, { email: 'sales@example.com' })
  await signInToPortal(store.origin, member, owner)
  const moves = `${store.origin}/office/orders/${booked.orderId}/appointment`
  /** Moves the appointment to the last free time but so many. */
  const move = async (before: number) => {
    const times = [...(await (await sales.ask(moves)).text()).matchAll(/\?slot=([^"#]+Z)#/g)]
    const moved = await sales.ask(moves, {
      form: { slot: decodeURIComponent(times.at(-1 - before)?.[1] ?? ''), reason: 'They asked for it.' },
    })
    expect(moved.status).toBe(303)
  }
  const emails = `${store.origin}/portal/${booked.code}/emails`
  const isWanted = async () =>
    /<input[^>]*name="changed-email"[^>]*>/.exec(await (await member.ask(emails)).text())?.[0].includes('checked')

  await move(0)
  const mail = await newestMail(store, owner, 'Changed appointment')
  const link = linkIn(mail, '/stop-mails')
  expect(link).toBe(mail.headers['list-unsubscribe']?.replaceAll(/[<>\s]/g, ''))
  expect(await (await fetch(link)).text()).toContain('emails about new, changed and canceled appointments at your shop')
  expect(await isWanted()).toBe(true)
  expect((await press(link)).status).toBe(200)
  expect(await isWanted()).toBe(false)

  const sent = (await mailFor(store, owner)).length
  await move(1)
  await eventually('the worker has decided who is emailed about the move', async () => {
    const { rows } = await sql<{ waiting: number }>`
      select count(*)::int as waiting from graphile_worker._private_jobs job
        join graphile_worker._private_tasks task on task.id = job.task_id where task.identifier = 'notify-teams'`.execute(
      deps.db,
    )
    return rows[0]?.waiting === 0
  })
  expect((await member.ask(emails, { form: { intent: 'save', summary: 'off', 'changed-email': 'on' } })).status).toBe(
    303,
  )
  expect(await isWanted()).toBe(true)
  await move(2)
  // The last move's email has arrived, and the earlier one wasn't sent.
  await eventually('the email of the last move', async () => (await mailFor(store, owner)).length > sent)
  expect((await mailFor(store, owner)).length).toBe(sent + 1)
})

test.for([
  ['nothing', ''],
  ['an empty text', '?of='],
  ['a short text', '?of=AAAA'],
  ['a long text', `?of=${'A'.repeat(4_000)}`],
  ['a script', '?of=%3Cscript%3E'],
] as const)('a URL with %s, which we did not issue, does not unsubscribe', async ([, query]) => {
  expect((await fetch(`${store.origin}/stop-mails${query}`)).status).toBe(404)
  expect((await press(`${store.origin}/stop-mails${query}`)).status).toBe(404)
})
