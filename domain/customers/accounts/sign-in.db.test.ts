import { queuedJoinEmails } from '#domain/kernel/staff/joins.testing.ts'
import { expect, test } from 'vitest'
import { accountDeps, createFakeProvider, dana } from './accounts.testing.ts'
import {
  beginSignIn,
  findSession,
  forgetOldSignIns,
  landSignIn,
  refreshPerson,
  signOut,
  signOutEverywhere,
} from './accounts.server.ts'
import { counting } from '#domain/supply/delivery/delivery.testing.ts'
import { newId } from '#platform/ids.ts'
import { createTestDatabase } from '#tests/support/database.ts'

type Deps = ReturnType<typeof accountDeps>

async function begin(deps: Deps, browserKey?: string) {
  const begun = await beginSignIn(deps, { action: 'login', returnPath: '/cart', browserKey, from: '203.0.113.7' })
  if (!begun.ok) throw new Error(begun.reason)
  const state = new URL(begun.value.url).searchParams.get('state') ?? ''
  return { ...begun.value, userAgent: null, session: undefined, query: new URLSearchParams({ code: 'code', state }) }
}

async function signIn(deps: Deps) {
  const landed = await landSignIn(deps, await begin(deps))
  if (!landed.ok) throw new Error(landed.reason)
  return landed.value
}

test('returning from the provider gives an account and a session, and leads back', async () => {
  await using database = await createTestDatabase()
  const deps = accountDeps(database.db)
  const { cookie, returnPath, isNew, accountId } = await signIn(deps)
  expect(returnPath).toBe('/cart')
  expect(isNew).toBe(true)
  expect(await findSession(deps, cookie)).toMatchObject({
    accountId,
    name: 'Dana Ruiz',
    email: 'dana@example.com',
    isEmailVerified: true,
  })
  expect(await signIn(deps)).toMatchObject({ accountId, isNew: false })
})

test('the state sent to the provider is 32 random characters, never repeated', async () => {
  await using database = await createTestDatabase()
  const deps = accountDeps(database.db)
  await begin(deps)
  await begin(deps)
  const { begun } = deps.identity.calls
  for (const { state, codeVerifier } of begun) {
    expect(state).toMatch(/^[\w-]{32}$/)
    expect(codeVerifier).toMatch(/^[\w-]{43,128}$/)
  }
  expect(new Set(begun.flatMap(({ state, nonce, codeVerifier }) => [state, nonce, codeVerifier])).size).toBe(6)
})

test('a state is valid once, for ten minutes, in the browser that created it', async () => {
  await using database = await createTestDatabase()
  const deps = accountDeps(database.db)
  const refusal = { ok: false, reason: 'not-ours' }
  const first = await begin(deps)
  expect(await landSignIn(deps, { ...first, browserKey: undefined })).toMatchObject(refusal)
  expect(await landSignIn(deps, { ...first, browserKey: 'another' })).toMatchObject(refusal)
  expect(
    await landSignIn(deps, { ...first, query: new URLSearchParams({ code: 'code', state: 'x'.repeat(32) }) }),
  ).toMatchObject(refusal)
  expect(await landSignIn(deps, first)).toMatchObject({ ok: true })
  expect(await landSignIn(deps, first)).toMatchObject(refusal)
  const second = await begin(deps, first.browserKey)
  deps.clock.set(deps.clock.now().add({ minutes: 10, seconds: 1 }))
  expect(await landSignIn(deps, second)).toMatchObject(refusal)
})

test('passes a One Tap credential to the provider as a one-time code, and starts no sign-in if it is rejected', async () => {
  await using database = await createTestDatabase()
  const deps = accountDeps(database.db)
  const input = { action: 'login' as const, returnPath: '/', browserKey: undefined, from: '203.0.113.7' }
  expect(await beginSignIn(deps, { ...input, credential: 'good' })).toMatchObject({ ok: true })
  expect(deps.identity.calls.begun).toMatchObject([{ oneTapCode: 'one-time code' }])
  expect(await beginSignIn(deps, { ...input, credential: 'forged' })).toMatchObject({
    ok: false,
    reason: 'not-accepted',
  })
  expect(await database.db.selectFrom('sign_in_attempt').select('state').execute()).toHaveLength(1)
})

test('two tabs of one browser can both return', async () => {
  await using database = await createTestDatabase()
  const deps = accountDeps(database.db)
  const first = await begin(deps)
  const second = await begin(deps, first.browserKey)
  expect(await landSignIn(deps, first)).toMatchObject({ ok: true })
  expect(await landSignIn(deps, second)).toMatchObject({ ok: true })
})

test('of a duplicate simultaneous answer, one is accepted', async () => {
  await using database = await createTestDatabase()
  const deps = accountDeps(database.db)
  const begun = await begin(deps)
  const landed = await Promise.all(Array.from({ length: 5 }, () => landSignIn(deps, begun)))
  expect(landed.filter(({ ok }) => ok)).toHaveLength(1)
})

test('canceling at the provider is declined and makes no account', async () => {
  await using database = await createTestDatabase()
  const deps = accountDeps(database.db)
  const begun = await begin(deps)
  begun.query.set('error', 'access_denied')
  expect(await landSignIn(deps, begun)).toMatchObject({
    ok: false,
    reason: 'declined',
    detail: { returnPath: '/cart' },
  })
  expect(await database.db.selectFrom('account').select('id').execute()).toEqual([])
})

test('a verified email joins an account once, from another issuer; an unverified one never does', async () => {
  await using database = await createTestDatabase()
  const deps = accountDeps(database.db)
  const owner = await signIn(deps)
  deps.identity.person = { ...dana, subject: 'stranger', isEmailVerified: false }
  const stranger = await signIn(deps)
  expect(stranger.accountId).not.toBe(owner.accountId)
  // Another person of the same provider, who now has Dana's old address.
  deps.identity.person = { ...dana, subject: 'another dana' }
  const another = await signIn(deps)
  expect(another.accountId).not.toBe(owner.accountId)
  expect(await findSession(deps, another.cookie)).toMatchObject({ email: dana.email, isEmailVerified: false })
  const moved = { ...deps, identity: Object.assign(createFakeProvider(), { issuer: 'https://new-provider.example' }) }
  moved.identity.person = { ...dana, subject: 'dana at work', email: 'Dana@Example.com' }
  expect((await signIn(moved)).accountId).toBe(owner.accountId)
  expect((await signIn(moved)).accountId).toBe(owner.accountId)
  moved.identity.person = { ...dana, subject: 'a third dana' }
  expect((await signIn(moved)).accountId).not.toBe(owner.accountId)
  expect(await database.db.selectFrom('audit_entry').select(['act', 'via', 'subject', 'after']).execute()).toEqual([
    { act: 'account.joined', via: 'sign-in', subject: dana.email, after: { issuer: 'https://new-provider.example' } },
  ])
  expect((await queuedJoinEmails(database.db)).map(({ to }) => to)).toEqual([dana.email])
})

test('an earlier unverified claim doesn’t block the owner or gain access by verifying later', async () => {
  await using database = await createTestDatabase()
  const deps = accountDeps(database.db)
  deps.identity.person = { ...dana, subject: 'early', isEmailVerified: false }
  const early = await signIn(deps)
  deps.identity.person = dana
  const owner = await signIn(deps)
  expect(owner.accountId).not.toBe(early.accountId)
  deps.identity.person = { ...dana, subject: 'early' }
  const again = await signIn(deps)
  expect(again.accountId).toBe(early.accountId)
  expect(await findSession(deps, again.cookie)).toMatchObject({ isEmailVerified: false })
  expect(await findSession(deps, owner.cookie)).toMatchObject({ isEmailVerified: true })
})

test('two simultaneous first sign-ins of one person make one account', async () => {
  await using database = await createTestDatabase()
  const deps = accountDeps(database.db)
  const begun = await Promise.all(Array.from({ length: 5 }, () => begin(deps)))
  const landed = await Promise.all(begun.map((one) => landSignIn(deps, one)))
  expect(new Set(landed.map((one) => one.ok && one.value.accountId)).size).toBe(1)
  expect(await database.db.selectFrom('account').select('id').execute()).toHaveLength(1)
})

test('an unknown, expired or live session costs one statement, as does an unexpected answer', async () => {
  await using database = await createTestDatabase()
  const { db, count } = counting(database.db)
  const deps = { ...accountDeps(db) }
  const live = await signIn(deps)
  const over = await signIn(deps)
  await signOut(deps, { cookie: over.cookie, cartId: undefined, returnUrl: 'https://store.example/' })
  const stranger = `${newId()}.${'x'.repeat(43)}`
  for (const cookie of [live.cookie, over.cookie, stranger, `${live.cookie.split('.')[0]}.${'x'.repeat(43)}`]) {
    const before = count()
    await findSession(deps, cookie)
    expect(count() - before).toBe(1)
  }
  const begun = await begin(deps)
  for (const [browserKey, state] of [
    ['another', begun.query.get('state') ?? ''],
    [begun.browserKey, 'x'.repeat(32)],
  ] as const) {
    const before = count()
    expect(
      await landSignIn(deps, {
        browserKey,
        userAgent: null,
        session: undefined,
        query: new URLSearchParams({ code: 'x', state }),
      }),
    ).toMatchObject({
      reason: 'not-ours',
    })
    expect(count() - before).toBe(1)
  }
})

test('a session is invalid if revoked, with a wrong secret, or after 30 days', async () => {
  await using database = await createTestDatabase()
  const deps = accountDeps(database.db)
  const { cookie, accountId } = await signIn(deps)
  const other = await signIn(deps)
  const [id, secret = ''] = cookie.split('.')
  for (const wrong of [
    undefined,
    '',
    id,
    `${id}.`,
    `${id}.${'x'.repeat(43)}`,
    `${other.cookie.split('.')[0]}.${secret}`,
    `${cookie}.x`,
  ])
    expect(await findSession(deps, wrong)).toBeUndefined()

  expect(await signOut(deps, { cookie, cartId: undefined, returnUrl: 'https://store.example/' })).toContain(
    'logout?id_token_hint=id%200',
  )
  expect(deps.identity.calls.forgotten).toEqual([{ access: 'access 0', refresh: 'refresh 0', id: 'id 0' }])
  expect(await findSession(deps, cookie)).toBeUndefined()
  expect(await signOut(deps, { cookie, cartId: undefined, returnUrl: 'https://store.example/' })).toBeUndefined()
  expect(await findSession(deps, other.cookie)).toMatchObject({ accountId })

  expect(await signOutEverywhere(deps, accountId)).toBe(1)
  expect(await findSession(deps, other.cookie)).toBeUndefined()

  const last = await signIn(deps)
  deps.clock.set(deps.clock.now().add({ hours: 24 * 30, seconds: 1 }))
  expect(await findSession(deps, last.cookie)).toBeUndefined()
})

test('signing in again replaces the session and invalidates the old one', async () => {
  await using database = await createTestDatabase()
  const deps = accountDeps(database.db)
  const [first, elsewhere] = [await signIn(deps), await signIn(deps)]
  const again = await landSignIn(deps, { ...(await begin(deps)), session: first.cookie })
  expect(again).toMatchObject({ ok: true, value: { accountId: first.accountId } })
  expect(await findSession(deps, first.cookie)).toBeUndefined()
  expect(await findSession(deps, elsewhere.cookie)).toBeDefined()
  // A refused response ends no session.
  expect(
    await landSignIn(deps, { ...(await begin(deps)), browserKey: 'another', session: elsewhere.cookie }),
  ).toMatchObject({ ok: false })
  expect(await findSession(deps, elsewhere.cookie)).toBeDefined()
})

test('the database has neither session secrets nor readable tokens', async () => {
  await using database = await createTestDatabase()
  const deps = accountDeps(database.db)
  const { cookie } = await signIn(deps)
  const row = await database.db.selectFrom('account_session').selectAll().executeTakeFirstOrThrow()
  const kept = Object.values(row)
    .map((value) => (Buffer.isBuffer(value) ? value.toString('latin1') : String(value)))
    .join(' ')
  expect(kept).not.toContain(cookie.split('.')[1])
  expect(kept).not.toContain('refresh 0')
})

test('a session records activity at most once an hour', async () => {
  await using database = await createTestDatabase()
  const deps = accountDeps(database.db)
  const { cookie } = await signIn(deps)
  const seen = async () => {
    await findSession(deps, cookie)
    return (
      await database.db.selectFrom('account_session').select('last_seen_at').executeTakeFirstOrThrow()
    ).last_seen_at.toString()
  }
  deps.clock.set('2026-11-20T15:59:00Z')
  expect(await seen()).toBe('2026-11-20T15:00:00Z')
  deps.clock.set('2026-11-20T16:00:01Z')
  expect(await seen()).toBe('2026-11-20T16:00:01Z')
})

test("a 401 renews the tokens once and retries, and the provider's answer is stored", async () => {
  await using database = await createTestDatabase()
  const deps = accountDeps(database.db)
  deps.identity.person = { ...dana, isEmailVerified: false }
  const { cookie } = await signIn(deps)
  const session = await findSession(deps, cookie)
  deps.identity.goodToken = 'another'
  deps.identity.person = { ...dana, name: 'Dana R.' }
  expect(await refreshPerson(deps, session?.sessionId ?? '')).toEqual({
    ok: true,
    value: { email: 'dana@example.com', isEmailVerified: true },
  })
  expect(deps.identity.calls.refresh).toBe(1)
  expect(await findSession(deps, cookie)).toMatchObject({ name: 'Dana R.', isEmailVerified: true })
})

test("returns stored data with a new, separately verified address, and no other account’s's address", async () => {
  await using database = await createTestDatabase()
  const deps = accountDeps(database.db)
  await signIn(deps)
  deps.identity.person = { ...dana, subject: 'early', email: 'boss@work.example', isEmailVerified: false }
  const { cookie } = await signIn(deps)
  const { sessionId = '' } = (await findSession(deps, cookie)) ?? {}
  deps.identity.person = { ...deps.identity.person, email: dana.email, isEmailVerified: true }
  expect(await refreshPerson(deps, sessionId)).toEqual({
    ok: true,
    value: { email: 'boss@work.example', isEmailVerified: false },
  })
  deps.identity.person = { ...deps.identity.person, email: 'early@example.com' }
  expect(await refreshPerson(deps, sessionId)).toEqual({
    ok: true,
    value: { email: 'early@example.com', isEmailVerified: true },
  })
})

test('of calls that fail together one renews, and all get an answer', async () => {
  await using database = await createTestDatabase()
  const deps = accountDeps(database.db)
  const { cookie } = await signIn(deps)
  const session = await findSession(deps, cookie)
  deps.identity.goodToken = 'another'
  const answers = await Promise.all(Array.from({ length: 5 }, () => refreshPerson(deps, session?.sessionId ?? '')))
  expect(answers.every(({ ok }) => ok)).toBe(true)
  expect(deps.identity.calls.refresh).toBe(1)
})

test('a session the provider no longer renews ends here too', async () => {
  await using database = await createTestDatabase()
  const deps = accountDeps(database.db)
  const { cookie } = await signIn(deps)
  const session = await findSession(deps, cookie)
  Object.assign(deps.identity, { goodToken: 'another', isOver: true })
  const answers = await Promise.all([1, 2].map(() => refreshPerson(deps, session?.sessionId ?? '')))
  expect(answers).toMatchObject([
    { ok: false, reason: 'signed-out' },
    { ok: false, reason: 'signed-out' },
  ])
  expect(await findSession(deps, cookie)).toBeUndefined()
})

test('sessions continue during a provider outage', async () => {
  await using database = await createTestDatabase()
  const deps = accountDeps(database.db)
  const { cookie } = await signIn(deps)
  const session = await findSession(deps, cookie)
  deps.identity.away = true
  expect(await refreshPerson(deps, session?.sessionId ?? '')).toMatchObject({ ok: false, reason: 'unavailable' })
  Object.assign(deps.identity, { away: false, goodToken: 'another' })
  expect(await refreshPerson(deps, session?.sessionId ?? '')).toMatchObject({ ok: true })
  expect(await findSession(deps, cookie)).toBeDefined()
})

test('deletes unfinished sign-ins and expired sessions', async () => {
  await using database = await createTestDatabase()
  const deps = accountDeps(database.db)
  await signIn(deps)
  await begin(deps)
  deps.clock.set(deps.clock.now().add({ hours: 25 }))
  await forgetOldSignIns(deps)
  const count = async (table: 'sign_in_attempt' | 'account_session') =>
    (await database.db.selectFrom(table).select('created_at').execute()).length
  expect(await count('sign_in_attempt')).toBe(0)
  expect(await count('account_session')).toBe(1)
  deps.clock.set(deps.clock.now().add({ hours: 24 * 30 }))
  await forgetOldSignIns(deps)
  expect(await count('account_session')).toBe(0)
})
