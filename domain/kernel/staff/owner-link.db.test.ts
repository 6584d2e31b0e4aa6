import { expect, test } from 'vitest'
import { fixedClock } from '#platform/clock.testing.ts'
import { createTestDatabase } from '#tests/support/database.ts'
import {
  acceptOwnerLink,
  createOwnerLink,
  findOfficeSession,
  isOwnerLinkOpen,
  listGrants,
  openOffice,
} from './staff.server.ts'
import { signInStaff } from './staff.testing.ts'

const config = { session: { secret: 'a secret for tests only' } }
const email = 'oona@example.com'

async function emptyStore() {
  const database = await createTestDatabase()
  const clock = fixedClock('2026-11-20T15:00:00Z')
  return { db: database.db, clock, config, [Symbol.asyncDispose]: () => database[Symbol.asyncDispose]() }
}

async function linkOf(store: Parameters<typeof createOwnerLink>[0]): Promise<string> {
  const secret = await createOwnerLink(store)
  if (secret === null) throw new Error('The store has staff.')
  return secret
}

test('the person who uses the link and signs in with that verified email is the owner', async () => {
  await using store = await emptyStore()
  const secret = await linkOf(store)
  expect(await isOwnerLinkOpen(store, secret)).toBe(true)
  expect(await acceptOwnerLink(store, { secret, email })).toMatchObject({ ok: true })
  const opened = await openOffice(store, {
    issuer: 'https://id.example',
    person: { subject: 'oona', email, isEmailVerified: true, name: null },
    idToken: null,
    authenticatedAt: store.clock.now(),
    usedSecondFactor: null,
    networkKey: 'n',
    session: undefined,
  })
  if (!opened.ok) throw new Error(opened.reason)
  expect((await findOfficeSession(store, opened.value.cookie))?.roles).toEqual(['owner'])
})

test('of two people using links concurrently, one becomes the owner', async () => {
  await using store = await emptyStore()
  const secrets = [await linkOf(store), await linkOf(store)]
  const answers = await Promise.all(
    [...secrets, ...secrets].map((secret, no) => acceptOwnerLink(store, { secret, email: `person-${no}@example.com` })),
  )
  expect(answers.filter(({ ok }) => ok)).toHaveLength(1)
  expect(await listGrants(store)).toHaveLength(1)
})

test('a link works for 30 minutes, and an unknown one never', async () => {
  await using store = await emptyStore()
  const secret = await linkOf(store)
  expect(await acceptOwnerLink(store, { secret: `${secret}x`, email })).toMatchObject({ reason: 'gone' })
  store.clock.set(store.clock.now().add({ minutes: 30 }))
  expect(await isOwnerLinkOpen(store, secret)).toBe(false)
  expect(await acceptOwnerLink(store, { secret, email })).toMatchObject({ reason: 'gone' })
  expect(await listGrants(store)).toEqual([])
})

test('a store with staff makes no link, and closes those that are open', async () => {
  await using store = await emptyStore()
  const secret = await linkOf(store)
  await signInStaff(store, 'owner')
  expect(await createOwnerLink(store)).toBeNull()
  expect(await isOwnerLinkOpen(store, secret)).toBe(false)
  expect(await acceptOwnerLink(store, { secret, email })).toMatchObject({ reason: 'gone' })
})
