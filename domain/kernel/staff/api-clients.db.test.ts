import { expect, test } from 'vitest'
import type { AppToken, IdentityProvider } from '#domain/kernel/sign-in/identity-provider.port.ts'
import { fixedClock } from '#platform/clock.testing.ts'
import { createTestDatabase } from '#tests/support/database.ts'
import { roleForm } from './staff.ts'
import {
  addApiClient,
  addRole,
  admitApiClient,
  changeApiClient,
  listApiClients,
  retireRole,
  revokeApiClient,
} from './staff.server.ts'
import { signInStaff } from './staff.testing.ts'

const clock = fixedClock('2026-11-20T15:00:00Z')
const exporter = { name: 'Exporter', clientId: 'exporter', role: 'finance' }

/** A fake provider with tokens that are their JSON content. */
const identity = {
  issuer: 'https://id.example',
  readAccessToken: async (token: string) => ({ ok: true, value: JSON.parse(token) as AppToken }),
} as unknown as IdentityProvider
const tokenOf = (clientId: string, subject = clientId) =>
  JSON.stringify({ subject, clientId, clientName: null, scopes: ['orders.read'] })

async function opened() {
  const database = await createTestDatabase()
  const deps = { db: database.db, clock, identity }
  const owner = await signInStaff(deps, 'owner')
  return { deps, owner, [Symbol.asyncDispose]: () => database[Symbol.asyncDispose]() }
}

test('a program is admitted with its role and scopes from when it is added until it is revoked', async () => {
  await using store = await opened()
  const { deps, owner } = store
  expect(await admitApiClient(deps, tokenOf('exporter'))).toMatchObject({ reason: 'unknown' })
  const added = await addApiClient(deps, owner, exporter)
  expect(await admitApiClient(deps, tokenOf('exporter'))).toMatchObject({
    value: { name: 'Exporter', clientId: 'exporter', role: 'finance', scopes: ['orders.read'] },
  })
  expect((await listApiClients(deps))[0]?.lastUsedAt).toEqual(clock.now())
  const id = added.ok ? added.value.id : ''
  expect(await revokeApiClient(deps, owner, id)).toMatchObject({ ok: true })
  expect(await revokeApiClient(deps, owner, id)).toMatchObject({ reason: 'gone' })
  expect(await admitApiClient(deps, tokenOf('exporter'))).toMatchObject({ reason: 'unknown' })
  expect(await addApiClient(deps, owner, exporter)).toMatchObject({ ok: true })
})

test('a token that acts for a person does not open the admin API', async () => {
  await using store = await opened()
  const { deps, owner } = store
  await addApiClient(deps, owner, exporter)
  expect(await admitApiClient(deps, tokenOf('exporter', 'a person'))).toMatchObject({ reason: 'not-accepted' })
})

test('of two concurrent changes to a client, one is rejected', async () => {
  await using store = await opened()
  const { deps, owner } = store
  const reasons = (answers: readonly { ok: boolean; reason?: string }[]) =>
    answers.map((answer) => answer.reason ?? 'ok').toSorted()
  const added = await Promise.all([addApiClient(deps, owner, exporter), addApiClient(deps, owner, exporter)])
  expect(reasons(added)).toEqual(['client-taken', 'ok'])
  const [client] = await listApiClients(deps)
  const change = (role: string) =>
    changeApiClient(deps, owner, client?.id ?? '', { name: 'Exporter', role, version: 1 })
  expect(reasons(await Promise.all([change('support'), change('sales')]))).toEqual(['changed-meanwhile', 'ok'])
  expect(await change('no-such-role')).toMatchObject({ reason: 'no-role' })
})

test('only an owner who signed in recently adds a program, and a role that a program has is not retired', async () => {
  await using store = await opened()
  const { deps, owner } = store
  const manager = await signInStaff(deps, 'manager')
  expect(await addApiClient(deps, manager, exporter)).toMatchObject({ reason: 'not-allowed' })
  expect(await addApiClient({ ...deps, identity: null }, owner, exporter)).toMatchObject({ reason: 'no-provider' })
  await addRole(deps, owner, roleForm.parse({ name: 'Reader', version: '0', 'orders.read': '1' }))
  await addApiClient(deps, owner, { ...exporter, role: 'reader' })
  expect(await retireRole(deps, owner, 'reader')).toMatchObject({ reason: 'in-use', detail: { clients: 1 } })
})
