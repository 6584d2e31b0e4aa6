/** Tests the link for a store's first owner while it has no staff. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createOwnerLink } from '#domain/kernel/staff/staff.server.ts'
import { systemClock } from '#platform/clock.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInToOffice } from '#tests/support/visitor.ts'

let store: RunningStore

beforeAll(async () => {
  store = await startStore({ env: { OIDC_SECURITY_URL: 'https://id.example/security' } })
  // The demo has staff, and the database protects the last owner. A new store has no staff.
  await store.database.db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx)
    await tx.deleteFrom('staff_grant').execute()
  })
})
afterAll(() => store[Symbol.asyncDispose]())

const address = (key: string) => `${store.origin}/office/first-owner?key=${key}`

test('the link leads through the sign-in to the office, once', async () => {
  const secret = (await createOwnerLink({ db: store.database.db, clock: systemClock })) ?? ''
  const visitor = createVisitor()
  const page = await visitor.ask(address(secret))
  expect(page.status).toBe(200)
  expect(page.headers.get('cache-control')).toContain('no-store')
  const wrong = await visitor.ask(address(secret), { form: { email: 'oona' } })
  expect(wrong.status).toBe(422)
  expect(await wrong.text()).toContain('value="oona"')
  const used = await visitor.ask(address(secret), { form: { email: 'Owner@Example.com' } })
  expect(used.headers.get('location')).toBe('/office/sign-in?back=%2Foffice')
  const { url } = await signInToOffice(store.origin, visitor, { email: 'owner@example.com' })
  expect(url.pathname).toBe('/office')
  expect((await visitor.ask(`${store.origin}/office/staff`)).status).toBe(200)
  // The setup and the staff page lead the owner to the page of the sign-in provider with second factors.
  await visitor.ask(`${store.origin}/office/settings`, { form: { intent: 'close' } })
  const setup = await (await visitor.ask(`${store.origin}/office/setup`)).text()
  expect(setup).toMatch(/second factor\.[^]{0,20}<a href="\/office\/staff"/)
  const account = (await (await visitor.ask(`${store.origin}/office/account`)).text()).replaceAll('&amp;', '&')
  expect(account).toContain('passkeys, and second factor')
  expect(await (await visitor.ask(`${store.origin}/office/staff`)).text()).toContain(
    'href="https://id.example/security',
  )
  const security = new URL(/href="(https:\/\/id\.example\/security[^"]*)"/.exec(account)?.[1] ?? '')
  expect(security.searchParams.get('redirect_uri')).toBe(`${store.origin}/office/account`)

  const thief = createVisitor()
  expect((await thief.ask(address(secret))).status).toBe(404)
  expect((await thief.ask(address(secret), { form: { email: 'thief@example.com' } })).status).toBe(409)
})

test.for(['', 'unknown', 'x'.repeat(5_000), '%F0%9F%9A%97'])('a made-up key (%#) is rejected', async (key) => {
  const visitor = createVisitor()
  expect((await visitor.ask(address(key))).status).toBe(404)
  expect((await visitor.ask(address(key), { form: { email: 'thief@example.com' } })).status).toBe(409)
})
