import { queuedJoinEmails } from './joins.testing.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Person } from '#domain/kernel/sign-in/identity-provider.port.ts'
import { fixedClock } from '#platform/clock.testing.ts'
import type { Database } from '#platform/db.ts'
import { readConfig } from '#platform/config.ts'
import { renderMessage } from '#domain/messaging/messages/render.server.ts'
import { createTestDatabase } from '#tests/support/database.ts'
import {
  groupBySecondFactor,
  isFreshlyAuthenticated,
  officeSessionSeconds,
  staffRoles,
  type BuiltInRole,
} from './staff.ts'
import {
  findOfficeSession,
  forgetOldOfficeSessions,
  invitationMessageValues,
  inviteStaff,
  leaveOffice,
  listAudit,
  listGrants,
  openOffice,
  requirePermission,
  revokeGrant,
  type Actor,
} from './staff.server.ts'

const issuer = 'https://id.example'
const command: Actor = { via: 'command line', name: 'tester' }

function depsOf(db: Database) {
  return { db, clock: fixedClock('2026-11-20T15:00:00Z'), config: { session: { secret: 'a secret for tests only' } } }
}
type Deps = ReturnType<typeof depsOf>

function person(name: string, change: Partial<Person> = {}): Person {
  return { subject: name, email: `${name}@example.com`, isEmailVerified: true, name, ...change }
}

async function invite(deps: Deps, name: string, role: BuiltInRole, lastDay: string | null = null) {
  const invited = await inviteStaff(deps, command, { email: `${name}@example.com`, role, lastDay })
  expect(invited).toMatchObject({ ok: true })
}

function comeIn(deps: Deps, who: Person, session?: string, usedSecondFactor: boolean | null = null) {
  return openOffice(deps, {
    issuer,
    person: who,
    idToken: 'an id token',
    authenticatedAt: deps.clock.now(),
    usedSecondFactor,
    networkKey: 'a network',
    session,
  })
}

async function enter(deps: Deps, name: string): Promise<{ cookie: string; actor: Actor }> {
  const opened = await comeIn(deps, person(name))
  if (!opened.ok) throw new Error(opened.reason)
  const { cookie, email } = opened.value
  return { cookie, actor: { via: 'office', name: email, sessionId: cookie.split('.')[0] ?? '', networkKey: 'n' } }
}

async function grantOf(deps: Deps, email: string, role = 'owner'): Promise<string> {
  const found = (await listGrants(deps)).find((grant) => grant.email === email && grant.role === role)
  return found?.id ?? ''
}

const everything = { actor: null, act: null, subject: null, from: null, until: null, before: null }

test('a grant is given to who has verified its email, and stays theirs whatever becomes of the email', async () => {
  await using database = await createTestDatabase()
  const deps = depsOf(database.db)
  await invite(deps, 'oona', 'owner')
  expect(await comeIn(deps, person('oona', { isEmailVerified: false }))).toMatchObject({ reason: 'unverified' })
  expect(await comeIn(deps, person('thief', { email: 'thief@example.com' }))).toMatchObject({ reason: 'no-grant' })
  expect(await comeIn(deps, person('oona', { email: 'Oona@Example.com' }))).toMatchObject({ ok: true })
  expect(await comeIn(deps, person('next', { email: 'oona@example.com' }))).toMatchObject({ reason: 'no-grant' })
  const opened = await comeIn(deps, person('oona', { email: 'moved@example.com', isEmailVerified: false }))
  expect(opened).toMatchObject({ ok: true, value: { email: 'oona@example.com' } })
})

test('an invitation is emailed once, with who invited, the role and its last day', async () => {
  await using database = await createTestDatabase()
  const deps = depsOf(database.db)
  await invite(deps, 'oona', 'owner')
  const { actor } = await enter(deps, 'oona')
  const invitation = { email: 'nia@example.com', role: 'catalog', lastDay: '2026-12-31' }
  expect(await inviteStaff(deps, actor, invitation)).toMatchObject({ ok: true })
  expect(await inviteStaff(deps, actor, invitation)).toMatchObject({ reason: 'granted-already' })
  const emails = (await queuedJoinEmails(database.db, 'staff-invitation')).filter(({ to }) => to === 'nia@example.com')
  expect(emails).toHaveLength(1)
  const config = readConfig({ DATABASE_URL: database.url })
  if (!config.ok) throw new Error('The configuration of tests is wrong.')
  const values = await invitationMessageValues({ db: database.db, config: config.value }, { key: emails[0]?.key ?? '' })
  const { subject, text } = await renderMessage('staff-invitation', values ?? {}, { footer: null })
  expect(subject).toBe('You’re invited to the back office of Sidewall')
  expect(text).toContain('oona@example.com gave you the role Catalog until Dec 31, 2026.')
  expect(text).toContain(`${config.value.web.origin}/office`)
})

test('a session lasts twelve hours, and ends with the sign-out, with another sign-in there, and with the grant', async () => {
  await using database = await createTestDatabase()
  const deps = depsOf(database.db)
  await invite(deps, 'oona', 'owner')
  await invite(deps, 'sal', 'sales')
  const first = await enter(deps, 'sal')
  expect(await findOfficeSession(deps, first.cookie)).toMatchObject({ email: 'sal@example.com', roles: ['sales'] })
  expect(await findOfficeSession(deps, `${first.cookie.split('.')[0]}.forged`)).toBeUndefined()
  const opened = await comeIn(deps, person('sal'), first.cookie)
  expect(await findOfficeSession(deps, first.cookie)).toBeUndefined()
  const second = opened.ok ? opened.value.cookie : ''
  expect(await leaveOffice(deps, { cookie: second, networkKey: 'n' })).toBe('an id token')
  expect(await findOfficeSession(deps, second)).toBeUndefined()
  const third = await enter(deps, 'sal')
  deps.clock.set(deps.clock.now().add({ seconds: officeSessionSeconds - 1 }))
  expect(await findOfficeSession(deps, third.cookie)).toBeDefined()
  deps.clock.set(deps.clock.now().add({ seconds: 1 }))
  expect(await findOfficeSession(deps, third.cookie)).toBeUndefined()
  const fourth = await enter(deps, 'sal')
  await forgetOldOfficeSessions(deps)
  expect(await findOfficeSession(deps, fourth.cookie)).toBeDefined()
  await revokeGrant(deps, command, { grantId: await grantOf(deps, 'sal@example.com', 'sales'), reason: 'left' })
  expect(await findOfficeSession(deps, fourth.cookie)).toBeUndefined()
  await invite(deps, 'sal', 'sales')
  await enter(deps, 'sal')
  expect(await findOfficeSession(deps, fourth.cookie)).toBeUndefined()
})

test('a role is over at the end of its last day on the store’s clock, and can be given again', async () => {
  await using database = await createTestDatabase()
  const deps = depsOf(database.db)
  await invite(deps, 'tim', 'support', '2026-11-20')
  deps.clock.set(Temporal.Instant.from('2026-11-21T04:59:59Z'))
  const { cookie } = await enter(deps, 'tim')
  expect(await findOfficeSession(deps, cookie)).toBeDefined()
  deps.clock.set(Temporal.Instant.from('2026-11-21T05:00:00Z'))
  expect(await findOfficeSession(deps, cookie)).toBeUndefined()
  expect(
    await inviteStaff(deps, command, { email: 'tim@example.com', role: 'support', lastDay: '2026-11-20' }),
  ).toMatchObject({ reason: 'past' })
  await invite(deps, 'tim', 'support')
  await enter(deps, 'tim')
})

test('of two owners revoking each other, one remains', async () => {
  await using database = await createTestDatabase()
  const deps = depsOf(database.db)
  await invite(deps, 'oona', 'owner')
  await invite(deps, 'ola', 'owner')
  const [oona, ola] = [await enter(deps, 'oona'), await enter(deps, 'ola')]
  const [first, second] = await Promise.all([
    revokeGrant(deps, oona.actor, { grantId: await grantOf(deps, 'ola@example.com'), reason: 'a quarrel' }),
    revokeGrant(deps, ola.actor, { grantId: await grantOf(deps, 'oona@example.com'), reason: 'a quarrel' }),
  ])
  expect([first, second].filter(({ ok }) => ok)).toHaveLength(1)
  expect([first, second].find(({ ok }) => !ok)).toMatchObject({ reason: 'not-allowed' })
  expect((await listGrants(deps)).filter(({ revokedAt }) => revokedAt === null)).toHaveLength(1)
})

test('the database protects the last owner from concurrent revoking, deleting, and role changes', async () => {
  await using database = await createTestDatabase()
  const deps = depsOf(database.db)
  await invite(deps, 'oona', 'owner')
  await invite(deps, 'ola', 'owner')
  await enter(deps, 'oona')
  await enter(deps, 'ola')
  const statements = ['oona', 'ola'].map((name) =>
    sql`update staff_grant set role = 'support' where email = ${`${name}@example.com`}`.execute(database.db),
  )
  const settled = await Promise.allSettled(statements)
  expect(settled.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  await expect(sql`delete from staff_grant where role = 'owner'`.execute(database.db)).rejects.toThrow('an owner')
})

test('the last owner who has signed in is not revoked, even where another is invited', async () => {
  await using database = await createTestDatabase()
  const deps = depsOf(database.db)
  await invite(deps, 'oona', 'owner')
  const { actor } = await enter(deps, 'oona')
  await invite(deps, 'late', 'owner')
  expect(
    await revokeGrant(deps, actor, { grantId: await grantOf(deps, 'oona@example.com'), reason: 'going' }),
  ).toMatchObject({ reason: 'last-owner' })
  expect(
    await revokeGrant(deps, actor, { grantId: await grantOf(deps, 'late@example.com'), reason: 'a mistake' }),
  ).toMatchObject({ ok: true })
})

test('without staff management permission no change is made or logged', async () => {
  await using database = await createTestDatabase()
  const deps = depsOf(database.db)
  await invite(deps, 'oona', 'owner')
  await invite(deps, 'manny', 'manager')
  const { actor } = await enter(deps, 'manny')
  const before = (await listAudit(deps, everything)).entries.length
  expect(await inviteStaff(deps, actor, { email: 'friend@example.com', role: 'owner', lastDay: null })).toMatchObject({
    reason: 'not-allowed',
  })
  expect(
    await revokeGrant(deps, actor, { grantId: await grantOf(deps, 'oona@example.com'), reason: 'a coup' }),
  ).toMatchObject({ reason: 'not-allowed' })
  expect((await listAudit(deps, everything)).entries).toHaveLength(before)
})

test('an email grants its roles to one person, even after that person’s email changes', async () => {
  await using database = await createTestDatabase()
  const deps = depsOf(database.db)
  await invite(deps, 'oona', 'owner')
  await enter(deps, 'oona')
  await invite(deps, 'oona', 'sales')
  expect(await comeIn(deps, person('oona', { subject: 'another oona' }))).toMatchObject({ reason: 'no-grant' })
  expect(await comeIn(deps, person('oona', { email: 'new@example.com' }))).toMatchObject({ ok: true })
  const grants = await listGrants(deps)
  expect(grants.map(({ role, boundAt }) => [role, boundAt !== null])).toEqual([
    ['owner', true],
    ['sales', true],
  ])
  expect((await queuedJoinEmails(database.db)).map(({ to }) => to)).toEqual(['oona@example.com', 'oona@example.com'])
})

test('names the provider as the cause if it never reports verification', async () => {
  await using database = await createTestDatabase()
  const deps = depsOf(database.db)
  await invite(deps, 'oona', 'owner')
  const silent = person('oona', { isEmailVerified: false, isVerificationUnstated: true })
  expect(await comeIn(deps, silent)).toMatchObject({ reason: 'verification-unstated' })
})

test('the append-only log records who changed what, for whom, why, and from where', async () => {
  await using database = await createTestDatabase()
  const deps = depsOf(database.db)
  await invite(deps, 'oona', 'owner')
  const { actor } = await enter(deps, 'oona')
  await inviteStaff(deps, actor, { email: 'sal@example.com', role: 'sales', lastDay: '2026-12-31' })
  await revokeGrant(deps, actor, { grantId: await grantOf(deps, 'sal@example.com', 'sales'), reason: 'changed teams' })
  const { entries } = await listAudit(deps, everything)
  expect(entries.map(({ act }) => act)).toEqual([
    'staff.revoked',
    'staff.invited',
    'office.signed-in',
    'staff.bound',
    'staff.invited',
  ])
  expect(entries[0]).toMatchObject({
    actor: 'oona@example.com',
    via: 'office',
    networkKey: 'n',
    subject: 'sal@example.com',
    before: { role: 'sales' },
    reason: 'changed teams',
  })
  expect(entries[1]).toMatchObject({ after: { role: 'sales', lastDay: '2026-12-31' } })
  expect(entries[4]).toMatchObject({ actor: 'tester', via: 'command line', networkKey: null })
  for (const statement of [
    sql`update audit_entry set reason = 'nothing'`,
    sql`delete from audit_entry`,
    sql`delete from audit_entry where false`,
    sql`truncate audit_entry`,
  ])
    await expect(statement.execute(database.db)).rejects.toThrow('only added to')
  expect((await listAudit(deps, everything)).entries).toHaveLength(5)
})

test('the log is searched by who, what, subject and day, and read page by page', async () => {
  await using database = await createTestDatabase()
  const deps = depsOf(database.db)
  for (let number = 0; number < 51; number += 1) await invite(deps, `sal${number}`, 'sales')
  deps.clock.set(deps.clock.now().add({ hours: 24 }))
  await invite(deps, 'oona', 'owner')
  await enter(deps, 'oona')
  const first = await listAudit(deps, everything)
  expect(first.entries).toHaveLength(50)
  const second = await listAudit(deps, { ...everything, before: first.next })
  expect(second.entries).toHaveLength(4)
  expect(second.next).toBeNull()
  const found = async (query: Partial<typeof everything> | object) =>
    (await listAudit(deps, { ...everything, ...query })).entries.length
  expect(await found({ actor: 'oona@example.com' })).toBe(2)
  expect(await found({ act: 'office.signed-in' })).toBe(1)
  expect(await found({ subject: 'sal7@example.com' })).toBe(1)
  expect(await found({ from: deps.clock.now().subtract({ hours: 1 }) })).toBe(3)
  expect(await found({ until: deps.clock.now().subtract({ hours: 1 }), subject: 'oona@example.com' })).toBe(0)
})

test('fresh is who showed the provider who they are within ten minutes; a provider cannot say so of times to come', async () => {
  await using database = await createTestDatabase()
  const deps = depsOf(database.db)
  await invite(deps, 'oona', 'owner')
  const now = deps.clock.now()
  const opened = await openOffice(deps, {
    issuer,
    person: person('oona'),
    idToken: null,
    authenticatedAt: now.add({ hours: 5 }),
    usedSecondFactor: null,
    networkKey: 'n',
    session: undefined,
  })
  const session = await findOfficeSession(deps, opened.ok ? opened.value.cookie : '')
  if (!session) throw new Error('The office is closed.')
  expect(isFreshlyAuthenticated(session, now.add({ minutes: 9, seconds: 59 }))).toBe(true)
  expect(isFreshlyAuthenticated(session, now.add({ minutes: 10 }))).toBe(false)
})

test('a person’s last sign-in sets the second factor of all their roles, and an unreported one is unknown', async () => {
  await using database = await createTestDatabase()
  const deps = depsOf(database.db)
  await invite(deps, 'oona', 'owner')
  await invite(deps, 'oona', 'sales')
  await invite(deps, 'sal', 'sales')
  await invite(deps, 'nia', 'catalog')
  const groups = async () => groupBySecondFactor(await listGrants(deps), deps.clock.now())
  expect(await groups(), 'before the first sign-in').toEqual({ without: [], unknown: [] })

  const signIn = (name: string, used: boolean | null) => comeIn(deps, person(name), undefined, used)
  await signIn('sal', false)
  await signIn('oona', false)
  await signIn('nia', null)
  expect(await groups()).toEqual({
    without: [
      { email: 'oona@example.com', roles: ['Owner', 'Sales'] },
      { email: 'sal@example.com', roles: ['Sales'] },
    ],
    unknown: [{ email: 'nia@example.com', roles: ['Catalog'] }],
  })

  const usedAt = deps.clock.now()
  await signIn('oona', true)
  expect((await groups()).without).toEqual([{ email: 'sal@example.com', roles: ['Sales'] }])
  deps.clock = fixedClock(usedAt.add({ hours: 1 }).toString())
  await signIn('oona', null)
  expect((await groups()).unknown.map(({ email }) => email)).toEqual(['oona@example.com', 'nia@example.com'])
  const grants = await listGrants(deps)
  expect(grants.find(({ email }) => email === 'oona@example.com')?.secondFactorAt).toEqual(usedAt)
})

test('database roles match the permissions table', async () => {
  await using database = await createTestDatabase()
  const deps = depsOf(database.db)
  for (const role of staffRoles) await invite(deps, role, role)
  expect(await listGrants(deps)).toHaveLength(staffRoles.length)
})

test('a permission is checked again in the transaction, and a revocation waits for it', async () => {
  await using database = await createTestDatabase()
  const deps = depsOf(database.db)
  await invite(deps, 'oona', 'owner')
  await invite(deps, 'sal', 'sales')
  await enter(deps, 'oona')
  const sal = await enter(deps, 'sal')
  const grantId = await grantOf(deps, 'sal@example.com', 'sales')
  const at = deps.clock.now()
  let revoked: ReturnType<typeof revokeGrant> | undefined
  await deps.db.transaction().execute(async (tx) => {
    expect(await requirePermission(tx, sal.actor, 'orders.read', at)).toMatchObject({ ok: true })
    expect(await requirePermission(tx, sal.actor, 'staff.manage', at)).toMatchObject({ reason: 'not-allowed' })
    let isDone = false
    revoked = revokeGrant(deps, command, { grantId, reason: 'left' }).finally(() => {
      isDone = true
    })
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(isDone).toBe(false)
  })
  expect(await revoked).toMatchObject({ ok: true })
  await deps.db.transaction().execute(async (tx) => {
    expect(await requirePermission(tx, sal.actor, 'orders.read', at)).toMatchObject({ reason: 'not-allowed' })
    expect(await requirePermission(tx, command, 'orders.read', at)).toMatchObject({ ok: true })
  })
})
