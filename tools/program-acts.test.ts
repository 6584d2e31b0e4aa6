/** Tests what programs of the admin API can do with a scope where people need a recent sign-in. */
import { expect, test } from 'vitest'
import { concessionKinds } from '#domain/kernel/concessions/concessions.ts'
import { freshOrScopedActs } from '#domain/kernel/staff/acts.ts'
import { permissionsGivenByPeople } from '#domain/kernel/staff/permissions.ts'
import { callersOf, sources } from './call-sites.testing.ts'

/** The use cases that programs can do with a scope. Each prevents a program from extending anyone's rights. */
const openToPrograms = [
  'domain/installer-portal/payouts/matrix.server.ts',
  'domain/kernel/settings/business-terms.server.ts',
  'domain/kernel/settings/settings.server.ts',
  'domain/kernel/settings/shipping-plan.server.ts',
  'domain/kernel/staff/grants.server.ts',
  'domain/kernel/staff/roles.server.ts',
]

test('only the listed use cases take a program’s scope instead of a recent sign-in', async () => {
  const all = await sources()
  expect(callersOf('requireFreshOrScope', all).toSorted()).toEqual(openToPrograms)
  for (const act of freshOrScopedActs) {
    const found = all.filter(({ text }) => text.includes(`act: '${act}'`)).map(({ file }) => file)
    expect(found.length, act).toBeGreaterThan(0)
    for (const file of found) expect(openToPrograms, act).toContain(file)
  }
})

test('programs give no permission that approves, concedes, or needs a recent sign-in', async () => {
  const all = await sources()
  const approvals = Object.values(concessionKinds).map(({ approval }) => approval)
  const named = (pattern: RegExp, files: readonly string[]) =>
    all
      .filter(({ file }) => files.includes(file))
      .flatMap(({ text }) => [...text.matchAll(pattern)].map(([, permission = '']) => permission))
  const fresh = named(/requireFreshPermission\(tx, by, '([\w.-]+)'/g, callersOf('requireFreshPermission', all))
  const conceding = named(/requirePermission\(tx, by, '([\w.-]+)'/g, callersOf('authorizeConcession', all))
  expect(fresh.length).toBeGreaterThan(5)
  expect(conceding.length).toBeGreaterThan(10)
  for (const permission of new Set([...approvals, ...fresh, ...conceding]))
    expect(permissionsGivenByPeople).toContain(permission)
})
