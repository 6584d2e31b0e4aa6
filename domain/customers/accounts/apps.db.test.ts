/** Apps that act for an account, covering token acceptance and access revocation. */
import { expect, test } from 'vitest'
import { accountDeps, signInAs } from './accounts.testing.ts'
import { deleteAccount } from '#domain/operations/personal-data/personal-data.server.ts'
import { findApp, listApps, setAppAccess } from './accounts.server.ts'
import { counting } from '#domain/supply/delivery/delivery.testing.ts'
import { newTimedId } from '#platform/ids.ts'
import { createTestDatabase } from '#tests/support/database.ts'

const token = 'dana;fleet-tool;orders:read account:read openid'

test("a token acts for its person's account with the known scopes, and the app is listed", async () => {
  await using database = await createTestDatabase()
  const deps = accountDeps(database.db)
  expect(await findApp(deps, token)).toMatchObject({ ok: false, reason: 'no-account' })
  const { accountId } = await signInAs(deps)
  const found = await findApp(deps, token)
  expect(found).toMatchObject({
    ok: true,
    value: { scopes: ['account:read', 'orders:read'], signedIn: { accountId, email: 'dana@example.com' } },
  })
  const now = deps.clock.now()
  expect(await listApps(deps, accountId)).toEqual([
    {
      id: expect.any(String) as string,
      name: 'fleet-tool',
      scopes: ['account:read', 'orders:read'],
      firstUsedAt: now,
      lastUsedAt: now,
      revokedAt: null,
    },
  ])
  expect(await findApp(deps, 'nothing')).toMatchObject({ ok: false, reason: 'not-accepted' })
  expect(await findApp({ ...deps, identity: null }, token)).toMatchObject({ ok: false, reason: 'not-accepted' })
  deps.identity.away = true
  expect(await findApp(deps, token)).toMatchObject({ ok: false, reason: 'unavailable' })
})

test('revoked access applies to all tokens of the app until restored, and not to other apps', async () => {
  await using database = await createTestDatabase()
  const deps = accountDeps(database.db)
  const { accountId } = await signInAs(deps)
  await findApp(deps, token)
  await findApp(deps, 'dana;other;orders:read')
  const app = (await listApps(deps, accountId)).find(({ name }) => name === 'fleet-tool')
  expect(await setAppAccess(deps, newTimedId(), app?.id ?? '', { isAllowed: false })).toBe(false)
  expect(await findApp(deps, token)).toMatchObject({ ok: true })

  const revokedAt = deps.clock.now()
  expect(await setAppAccess(deps, accountId, app?.id ?? '', { isAllowed: false })).toBe(true)
  deps.clock.set(revokedAt.add({ hours: 3 }))
  // A renewed token with more scopes is the same app.
  for (const each of [token, 'dana;fleet-tool;orders:write'])
    expect(await findApp(deps, each)).toMatchObject({ ok: false, reason: 'revoked' })
  expect(await setAppAccess(deps, accountId, app?.id ?? '', { isAllowed: false })).toBe(true)
  expect((await listApps(deps, accountId)).find(({ id }) => id === app?.id)).toMatchObject({
    scopes: ['account:read', 'orders:read'],
    revokedAt,
  })
  expect(await findApp(deps, 'dana;other;orders:read')).toMatchObject({ ok: true })

  expect(await setAppAccess(deps, accountId, app?.id ?? '', { isAllowed: true })).toBe(true)
  expect(await findApp(deps, 'dana;fleet-tool;orders:write')).toMatchObject({
    ok: true,
    value: { scopes: ['orders:write'] },
  })
  await deleteAccount(deps, accountId)
  expect(await findApp(deps, token)).toMatchObject({ ok: false, reason: 'no-account' })
})

test('an app costs one query per call and is recorded hourly, and once on concurrent first use', async () => {
  await using database = await createTestDatabase()
  const deps = accountDeps(database.db)
  const { accountId } = await signInAs(deps)
  const answers = await Promise.all(Array.from({ length: 8 }, () => findApp(deps, token)))
  expect(answers.map(({ ok }) => ok)).toEqual(Array(8).fill(true))
  expect(await listApps(deps, accountId)).toHaveLength(1)

  const first = deps.clock.now()
  const { db, count } = counting(database.db)
  for (const [minutes, noted] of [
    [59, 0],
    [61, 61],
    [119, 61],
  ] as const) {
    deps.clock.set(first.add({ minutes }))
    await findApp({ ...deps, db }, token)
    expect((await listApps(deps, accountId))[0]?.lastUsedAt).toEqual(first.add({ minutes: noted }))
  }
  expect(count()).toBe(3)
})
