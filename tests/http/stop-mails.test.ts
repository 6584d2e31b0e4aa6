/** One-click unsubscribe from a mail program (RFC 8058): one POST, without origin or cookies. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inviteFriends, referralCodeOf } from '#domain/programs/programs.server.ts'
import { systemClock } from '#platform/clock.ts'
import { newId } from '#platform/ids.ts'
import { linkIn, mailFor, newestMail } from '#tests/support/mailbox.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'

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
  expect([page.status, (await page.text()).includes('Stop these emails?')]).toEqual([200, true])
  expect(await invite('kim@example.com')).toBe(1)

  const pressed = await press(address)
  expect([pressed.status, pressed.headers.get('set-cookie')]).toEqual([200, null])
  expect(await pressed.text()).toContain('You get no more invitations from friends.')
  expect((await press(address, { origin: store.origin })).status).toBe(200)
  expect([await invite('kim@example.com'), await invite('KIM+tires@example.com')]).toEqual([0, 0])
  expect(await invite('lou@example.com')).toBe(1)
  await newestMail(store, 'lou@example.com')
  expect(await mailFor(store, 'kim+tires@example.com')).toEqual([])
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
