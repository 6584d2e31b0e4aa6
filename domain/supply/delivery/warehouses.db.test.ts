import { expect, test } from 'vitest'
import { signInStaff } from '#domain/kernel/staff/staff.testing.ts'
import { fixedClock } from '#platform/clock.testing.ts'
import { createTestDatabase } from '#tests/support/database.ts'
import { addWarehouse, changeWarehouse, findWarehouse, listWarehouses } from './delivery.server.ts'
import { warehouseForm } from './delivery.ts'

const clock = fixedClock('2026-11-20T15:00:00Z')
const typed = { code: 'jol', name: 'Prairie Dock', street: '1 Dock Road', zip: '60436', cutoff: '16:00' }
const draft = (change: Record<string, string> = {}) => warehouseForm.parse({ ...typed, ...change })

async function newStore() {
  const database = await createTestDatabase({ from: 'new' })
  const deps = { db: database.db, clock }
  return {
    deps,
    manager: await signInStaff(deps, 'manager'),
    packer: await signInStaff(deps, 'warehouse'),
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  }
}

test('the first warehouse of a new store has the city and time zone of its ZIP, and its pickup hours', async () => {
  await using store = await newStore()
  const { deps, manager } = store
  const hours = { weekdaysOpens: '08:00', weekdaysCloses: '17:30', saturdayOpens: '09:00', saturdayCloses: '13:00' }
  expect(await addWarehouse(deps, manager, draft(hours))).toMatchObject({ ok: true, value: { id: 1 } })
  const [one] = await listWarehouses(deps)
  expect(one).toMatchObject({ code: 'JOL', city: 'Joliet', state: 'IL', timeZone: 'America/Chicago', cutoff: '16:00' })
  expect(one?.hours.map(({ weekday, opens }) => `${weekday} ${opens}`)).toEqual([
    ...[1, 2, 3, 4, 5].map((day) => `${day} 08:00`),
    '6 09:00',
  ])
})

test('of two managers editing a warehouse, the second is shown the first one’s changes', async () => {
  await using store = await newStore()
  const { deps, manager } = store
  await addWarehouse(deps, manager, draft())
  const answers = await Promise.all(
    ['One', 'Other'].map((name) => changeWarehouse(deps, manager, 1, draft({ name, version: '1' }))),
  )
  expect(answers.map((answer) => (answer.ok ? 'ok' : answer.reason))).toEqual(
    expect.arrayContaining(['ok', 'changed-meanwhile']),
  )
  expect(await findWarehouse(deps, 1)).toMatchObject({ version: 2 })
})

test('a code that is taken, an unknown ZIP, and a role without the permission are refused', async () => {
  await using store = await newStore()
  const { deps, manager, packer } = store
  const both = await Promise.all([addWarehouse(deps, manager, draft()), addWarehouse(deps, manager, draft())])
  expect(both.map((answer) => (answer.ok ? 'ok' : answer.reason))).toEqual(expect.arrayContaining(['ok', 'code-taken']))
  expect(await addWarehouse(deps, manager, draft({ code: 'X1', zip: '00000' }))).toMatchObject({
    reason: 'zip-unknown',
  })
  expect(await addWarehouse(deps, packer, draft({ code: 'X2' }))).toMatchObject({ reason: 'not-allowed' })
  expect(await changeWarehouse(deps, packer, 1, draft({ version: '1' }))).toMatchObject({ reason: 'not-allowed' })
  expect(await changeWarehouse(deps, manager, 99, draft({ version: '1' }))).toMatchObject({ reason: 'gone' })
  expect(await listWarehouses(deps)).toHaveLength(1)
})

test.for([
  [{ cutoff: '24:00' }, 'cutoff'],
  [{ code: 'a b' }, 'code'],
  [{ zip: '6043' }, 'zip'],
  [{ sundayOpens: '09:00' }, 'sundayCloses'],
  [{ weekdaysOpens: '17:00', weekdaysCloses: '08:00' }, 'weekdaysCloses'],
] as const)('%j is refused at its field', ([change, field]) => {
  const checked = warehouseForm.safeParse({ ...typed, ...change })
  expect(checked.error?.issues.map(({ path }) => path[0])).toEqual([field])
})
