/** What programs may manage with their scopes, and what stays with people. */
import { expect, test } from 'vitest'
import {
  changePhoneHours,
  changeSettings,
  changeTerms,
  closeStore,
  readSettings,
} from '#domain/kernel/settings/settings.server.ts'
import { hoursForm, limitFields, settingsForm } from '#domain/kernel/settings/settings.ts'
import { fixedClock } from '#platform/clock.testing.ts'
import { createTestDatabase } from '#tests/support/database.ts'
import { permissionsGivenByPeople, permissionsOf } from './permissions.ts'
import { permissions, roleForm, staffRoles, type Permission } from './staff.ts'
import {
  addApiClient,
  addRole,
  changeApiClient,
  changeRole,
  inviteStaff,
  listGrants,
  recordExport,
  requireFreshOrScope,
  requireFreshPermission,
  retireRole,
  revokeApiClient,
  revokeGrant,
  type Actor,
} from './staff.server.ts'
import { signInStaff } from './staff.testing.ts'

const clock = fixedClock('2026-11-20T15:00:00Z')
const everything = Object.keys(permissions) as Permission[]
const configured = {
  name: 'Sidewall',
  phone: '(800) 555-0142',
  email: 'help@sidewall.example',
  address: '100 Sample Street, Chicago, IL 60601',
} as Parameters<typeof readSettings>[0]['configured']

/** A store with an owner, and a program with the owner role. */
async function opened() {
  const database = await createTestDatabase()
  const deps = { db: database.db, clock, configured, identity: { issuer: 'https://id.example' } }
  const owner = await signInStaff(deps, 'owner')
  const added = await addApiClient(deps, owner, { name: 'Setup program', clientId: 'setup', role: 'owner' })
  if (!added.ok) throw new Error(added.reason)
  const withScopes = (scopes: readonly Permission[]): Actor => ({
    via: 'api',
    name: 'Setup program',
    clientId: added.value.id,
    scopes,
  })
  return {
    deps,
    owner,
    clientId: added.value.id,
    withScopes,
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  }
}

const draft = (name: string, given: readonly Permission[], version = 0) =>
  roleForm.parse({ name, version: String(version), ...Object.fromEntries(given.map((each) => [each, '1'])) })
const invitation = (role: string, email = `${role}@store.example`) => ({ email, role, lastDay: null })
const reasonOf = (outcome: { ok: boolean; reason?: string }) => outcome.reason ?? 'ok'

test('a program adds only its own permissions to a role, without those that only people give', async () => {
  await using store = await opened()
  const { deps, withScopes } = store
  const program = withScopes(['staff.manage', 'orders.read', 'refunds.approve'])
  expect(await addRole(deps, program, draft('Reader', ['orders.read', 'stock.read']))).toMatchObject({
    reason: 'not-given-by-programs',
    detail: ['stock.read'],
  })
  expect(await addRole(deps, program, draft('Approver', ['orders.read', 'refunds.approve']))).toMatchObject({
    reason: 'not-given-by-programs',
    detail: ['refunds.approve'],
  })
  expect(await addRole(deps, program, draft('Reader', ['orders.read']))).toMatchObject({ ok: true })
  expect(await changeRole(deps, program, 'reader', draft('Reader', ['stock.read'], 1))).toMatchObject({
    reason: 'not-given-by-programs',
  })
  for (const permission of permissionsGivenByPeople.filter((each) => each !== 'staff.manage')) {
    const role = draft('Reader', ['orders.read', permission], 1)
    expect(await changeRole(deps, withScopes(everything), 'reader', role), permission).toMatchObject({
      reason: 'not-given-by-programs',
      detail: [permission],
    })
  }
  expect(await changeRole(deps, program, 'reader', draft('Order reader', ['orders.read'], 1))).toMatchObject({
    ok: true,
  })
  expect(await retireRole(deps, program, 'reader')).toMatchObject({ ok: true })
})

test('a program can send a role with other permissions back unchanged, but can’t change an API client’s role', async () => {
  await using store = await opened()
  const { deps, owner, clientId, withScopes } = store
  const program = withScopes(['staff.manage', 'orders.read'])
  await addRole(deps, owner, draft('Night desk', ['refunds.make']))
  expect(
    await changeRole(deps, program, 'night-desk', draft('Night', ['refunds.make', 'orders.read'], 1)),
  ).toMatchObject({ ok: true })
  await addApiClient(deps, owner, { name: 'Exporter', clientId: 'exporter', role: 'night-desk' })
  expect(await changeRole(deps, program, 'night-desk', draft('Night', ['orders.read'], 2))).toMatchObject({
    reason: 'has-clients',
  })
  expect(await changeRole(deps, owner, 'night-desk', draft('Night', ['orders.read'], 2))).toMatchObject({ ok: true })
  await changeApiClient(deps, owner, clientId, { name: 'Setup program', role: 'manager', version: 1 })
  expect(await retireRole(deps, program, 'night-desk')).toMatchObject({ reason: 'not-allowed' })
})

test('a program gives only built-in roles without approvals and concessions, and revokes no owner’s role', async () => {
  await using store = await opened()
  const { deps, withScopes } = store
  const given = Object.fromEntries(
    await Promise.all(
      staffRoles.map(async (role) => [
        role,
        reasonOf(await inviteStaff(deps, withScopes(everything), invitation(role, 'new@store.example'))),
      ]),
    ),
  ) as Record<string, string>
  expect(given).toEqual({
    support: 'not-given-by-programs',
    sales: 'not-given-by-programs',
    finance: 'not-given-by-programs',
    manager: 'not-given-by-programs',
    owner: 'not-given-by-programs',
    warehouse: 'ok',
    catalog: 'ok',
  })
  const narrow = withScopes(['staff.manage', ...permissionsOf('warehouse').slice(1)])
  expect(await inviteStaff(deps, narrow, invitation('warehouse', 'other@store.example'))).toMatchObject({
    reason: 'not-given-by-programs',
    detail: permissionsOf('warehouse').slice(0, 1),
  })
  const revoke = async (role: string) => {
    const grant = (await listGrants(deps)).find((each) => each.role === role && each.revokedAt === null)
    return reasonOf(await revokeGrant(deps, narrow, { grantId: grant?.id ?? '', reason: 'A test' }))
  }
  expect(await revoke('owner')).toBe('owner')
  expect(await revoke('warehouse')).toBe('ok')
})

test('a program changes settings, but no concession limits', async () => {
  await using store = await opened()
  const { deps, owner, withScopes } = store
  const program = withScopes(['settings.manage'])
  const typed = {
    name: 'Sidewall',
    phone: '(800) 555-0142',
    email: 'help@sidewall.example',
    returnAddress: '100 Sample Street, Chicago, IL 60601',
    refundAlone: '750.00',
    dailyAlone: '5000.00',
    discountAlone: '30',
    quoteMarginFloor: '10',
    noShowPay: '15.00',
    payHoldHours: '46',
    payDisputeDays: '7',
    payAlone: '100.00',
  }
  const change = async (by: Actor, changed: Partial<typeof typed>) => {
    const { version } = await readSettings(deps)
    const input = settingsForm.parse({ ...typed, seen: String(version), ...changed })
    return changeSettings(deps, by, { input, file: null })
  }
  for (const [name, field] of Object.entries(limitFields))
    for (const value of ['1', '20'])
      expect(await change(program, { name: 'Other', [field]: value }), field).toMatchObject({
        reason: 'limits',
        detail: [name],
      })
  expect(await change(program, { name: 'Other' })).toMatchObject({ ok: true, value: { changed: 1 } })
  expect(await change(withScopes(['settings.read']), { name: 'Third' })).toMatchObject({ reason: 'not-allowed' })
  expect(await change(owner, { name: 'Other', refundAlone: '800.00' })).toMatchObject({ ok: true })
  const { version } = await readSettings(deps)
  const hours = hoursForm.parse({
    zone: 'America/Chicago',
    seen: String(version),
    'opens-1': '08:00',
    'closes-1': '17:00',
  })
  expect(await changePhoneHours(deps, program, hours)).toMatchObject({ ok: true })
})

test('people need a recent sign-in for what programs do with a scope', async () => {
  await using store = await opened()
  const { deps, owner, withScopes } = store
  const later = { ...deps, clock: fixedClock('2026-11-20T15:11:00Z') }
  const terms = { group: 'orders', input: { values: { 'return-days': 30 }, startsAt: null, seen: 0 } } as const
  for (const outcome of [
    await inviteStaff(later, owner, invitation('catalog')),
    await revokeGrant(later, owner, { grantId: '00000000-0000-7000-8000-000000000000', reason: 'A test' }),
    await addRole(later, owner, draft('Reader', ['orders.read'])),
    await changeTerms(later, owner, terms),
  ])
    expect(outcome).toMatchObject({ reason: 'not-fresh' })
  expect(await changeTerms(later, withScopes(['settings.manage']), terms)).toMatchObject({ ok: true })
})

test('what needs a recent sign-in otherwise is refused to a program with every permission', async () => {
  await using store = await opened()
  const { deps, clientId, withScopes } = store
  const program = withScopes(everything)
  for (const permission of everything) {
    const [fresh, scoped] = await deps.db
      .transaction()
      .execute(async (tx) => [
        await requireFreshPermission(tx, program, permission, clock.now()),
        await requireFreshOrScope(tx, program, permission, clock.now()),
      ])
    expect(reasonOf(fresh), permission).toBe('not-fresh')
    expect(reasonOf(scoped), permission).toBe('ok')
  }
  for (const outcome of [
    await closeStore(deps, program),
    await addApiClient(deps, program, { name: 'Second', clientId: 'second', role: 'owner' }),
    await changeApiClient(deps, program, clientId, { name: 'Setup', role: 'owner', version: 1 }),
    await revokeApiClient(deps, program, clientId),
    await recordExport(deps, program, { list: 'staff', permission: 'staff.read', filters: '' }),
  ])
    expect(outcome).toMatchObject({ reason: 'not-fresh' })
})
