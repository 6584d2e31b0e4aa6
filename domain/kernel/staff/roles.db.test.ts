import { expect, test } from 'vitest'
import { fixedClock } from '#platform/clock.testing.ts'
import { createTestDatabase } from '#tests/support/database.ts'
import { roleForm, staffCan } from './staff.ts'
import {
  addRole,
  changeRole,
  findOfficeSession,
  findOwnRole,
  inviteStaff,
  listAudit,
  listGrants,
  listOwnRoles,
  openOffice,
  requirePermission,
  retireRole,
  revokeGrant,
} from './staff.server.ts'
import { desk, signInStaff } from './staff.testing.ts'

const clock = fixedClock('2026-11-20T15:00:00Z')
const config = { session: { secret: 'a secret for tests only' } }

const draft = (name: string, permissions: readonly string[], version = 0) =>
  roleForm.parse({ name, version: String(version), ...Object.fromEntries(permissions.map((each) => [each, '1'])) })

async function opened() {
  const database = await createTestDatabase()
  const deps = { db: database.db, clock }
  const owner = await signInStaff(deps, 'owner')
  return { deps, owner, [Symbol.asyncDispose]: () => database[Symbol.asyncDispose]() }
}

/** Signs a person in whom `email` is verified for; the cookie of their session. */
async function cookieOf(deps: Parameters<typeof openOffice>[0], email: string): Promise<string> {
  const entered = await openOffice(deps, {
    issuer: 'https://id.example',
    person: { subject: email, email, isEmailVerified: true, name: null },
    idToken: null,
    authenticatedAt: clock.now(),
    usedSecondFactor: null,
    networkKey: 'n',
    session: undefined,
  })
  if (!entered.ok) throw new Error(entered.reason)
  return entered.value.cookie
}

test('a custom role grants its permissions, and a role change applies immediately', async () => {
  await using store = await opened()
  const { deps, owner } = store
  const added = await addRole(deps, owner, draft('Night desk', ['orders.read', 'orders.note']))
  expect(added).toMatchObject({ ok: true, value: { slug: 'night-desk' } })
  const email = 'nia@store.example'
  expect(await inviteStaff(deps, owner, { email, role: 'night-desk', lastDay: null })).toMatchObject({ ok: true })
  const cookie = await cookieOf({ ...deps, config }, email)
  const roles = async () => (await findOfficeSession(deps, cookie))?.roles ?? []
  expect(staffCan(await roles(), 'orders.note')).toBe(true)
  expect(staffCan(await roles(), 'refunds.make')).toBe(false)

  const by = { via: 'office', name: email, sessionId: cookie.split('.')[0] ?? '', networkKey: 'n' } as const
  const may = (permission: 'orders.note' | 'refunds.make') =>
    deps.db.transaction().execute((tx) => requirePermission(tx, by, permission, clock.now()))
  expect(await may('refunds.make')).toMatchObject({ reason: 'not-allowed' })
  expect(await changeRole(deps, owner, 'night-desk', draft('Night desk', ['refunds.make'], 1))).toMatchObject({
    ok: true,
  })
  expect(await may('refunds.make')).toMatchObject({ ok: true })
  expect(await may('orders.note')).toMatchObject({ reason: 'not-allowed' })
})

test('of two owners editing a role, the second is shown the first change', async () => {
  await using store = await opened()
  const { deps, owner } = store
  await addRole(deps, owner, draft('Night desk', ['orders.read']))
  const answers = await Promise.all(
    ['stock.read', 'returns.read'].map((each) => changeRole(deps, owner, 'night-desk', draft('Night desk', [each], 1))),
  )
  expect(answers.map((answer) => (answer.ok ? 'ok' : answer.reason)).toSorted()).toEqual(['changed-meanwhile', 'ok'])
})

test('a role that someone has is not retired, and a retired role is given to no one', async () => {
  await using store = await opened()
  const { deps, owner } = store
  await addRole(deps, owner, draft('Night desk', ['orders.read']))
  await inviteStaff(deps, owner, { email: 'nia@store.example', role: 'night-desk', lastDay: null })
  expect(await retireRole(deps, owner, 'night-desk')).toMatchObject({ reason: 'in-use', detail: { people: 1 } })
  const grant = (await listGrants(deps)).find(({ role }) => role === 'night-desk')
  await revokeGrant(deps, owner, { grantId: grant?.id ?? '', reason: 'left' })
  expect(await retireRole(deps, owner, 'night-desk')).toMatchObject({ ok: true })
  expect(await findOwnRole(deps, 'night-desk')).toBeUndefined()
  expect(
    await inviteStaff(deps, owner, { email: 'ned@store.example', role: 'night-desk', lastDay: null }),
  ).toMatchObject({ reason: 'no-role' })
})

test('only an owner who signed in recently adds a role, and no role may manage staff', async () => {
  await using store = await opened()
  const { deps, owner } = store
  const manager = await signInStaff(deps, 'manager')
  expect(await addRole(deps, manager, draft('Night desk', ['orders.read']))).toMatchObject({ reason: 'not-allowed' })
  const later = { ...deps, clock: fixedClock('2026-11-20T15:11:00Z') }
  expect(await addRole(later, owner, draft('Night desk', ['orders.read']))).toMatchObject({ reason: 'not-fresh' })
  expect(roleForm.safeParse({ name: 'Night desk', 'staff.manage': '1' }).success).toBe(false)
  await expect(
    deps.db
      .insertInto('staff_role')
      .values({ slug: 'x', name: 'Xx', permissions: ['staff.manage'], changed_at: clock.now(), changed_by: 'x' })
      .execute(),
  ).rejects.toThrow('staff_role_owners_manage_staff')
  expect(await listOwnRoles(deps)).toEqual([])
})

test('the name of another role is refused, and each change is in the audit log', async () => {
  await using store = await opened()
  const { deps, owner } = store
  for (const name of ['Support', 'support']) {
    expect(await addRole(deps, desk, draft(name, ['orders.read']))).toMatchObject({ reason: 'name-taken' })
  }
  await addRole(deps, owner, draft('Night desk', ['orders.read']))
  await changeRole(deps, owner, 'night-desk', draft('Night shift', ['orders.read', 'stock.read'], 1))
  const { entries } = await listAudit(deps, {
    actor: null,
    act: 'role.changed',
    subject: null,
    from: null,
    until: null,
    before: null,
  })
  expect(entries.map(({ subject, before, after }) => ({ subject, before, after }))).toEqual([
    {
      subject: 'Night shift',
      before: { name: 'Night desk', permissions: 'orders.read' },
      after: { name: 'Night shift', permissions: 'orders.read, stock.read' },
    },
  ])
})
