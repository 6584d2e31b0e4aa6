/** Tests transit days by ZIP prefix. */
import { expect, test } from 'vitest'
import { signInStaff } from '#domain/kernel/staff/staff.testing.ts'
import { fixedClock } from '#platform/clock.testing.ts'
import { ok } from '#platform/outcome.ts'
import { createTestDatabase } from '#tests/support/database.ts'
import {
  addWarehouse,
  changeWarehouse,
  importTransit,
  listTransit,
  readDeliveryTimes,
  removeTransit,
  warehousePromises,
} from './delivery.server.ts'
import { warehouseForm } from './delivery.ts'

const clock = fixedClock('2026-11-20T15:00:00Z')
const typed = { code: 'jol', name: 'Prairie Dock', street: '1 Dock Road', zip: '60436', cutoff: '16:00' }

test('imported days apply to their prefixes, replace earlier ones, and need the permission', async () => {
  await using database = await createTestDatabase({ from: 'new' })
  const deps = { db: database.db, clock }
  const manager = await signInStaff(deps, 'manager')
  await addWarehouse(deps, manager, warehouseForm.parse(typed))
  const daysTo = async (zip: string) => {
    const promises = await warehousePromises(deps, { zip })
    return promises.ok ? promises.value.get(1)?.transitDays : promises.reason
  }
  const send = (text: string, by = manager, id = 1) =>
    importTransit(deps, by, { id, text: `ZIP prefix,Transit days\n${text}` })
  expect(await daysTo('60614')).toBe(2)
  expect(await send('606,1\n995,9\n')).toEqual(ok({ prefixes: 2, changed: true }))
  expect(await daysTo('60614')).toBe(1)
  expect(await daysTo('60134')).toBe(2)
  expect(await daysTo('99501')).toBe(9)
  const { transit, arrival } = await readDeliveryTimes(deps.db)
  expect(transit).toMatchObject({ CONUS: { min: 1, max: 4 }, AK: { min: 7, max: 9 }, HI: { min: 7, max: 7 } })
  expect(arrival).toEqual({ min: 1, max: 4 })

  // A form that was opened before the import is outdated.
  const stale = warehouseForm.parse({ ...typed, version: '1' })
  expect(await changeWarehouse(deps, manager, 1, stale)).toMatchObject({ reason: 'changed-meanwhile' })
  expect(await send('606,1\n995,9\n')).toEqual(ok({ prefixes: 2, changed: false }))
  expect(await send('606,1\n606,2\n')).toMatchObject({ reason: 'faults', detail: [expect.stringContaining('Line 3')] })
  expect(await send('601,3\n')).toEqual(ok({ prefixes: 1, changed: true }))
  expect(await listTransit(deps.db, 1)).toEqual([{ prefix: '601', days: 3 }])
  expect(await daysTo('60614')).toBe(2)

  const support = await signInStaff(deps, 'support')
  expect(await send('606,1\n', support)).toMatchObject({ reason: 'not-allowed' })
  expect(await removeTransit(deps, support, 1)).toMatchObject({ reason: 'not-allowed' })
  expect(await send('606,1\n', manager, 9)).toMatchObject({ reason: 'gone' })
  expect(await removeTransit(deps, manager, 1)).toEqual(ok(null))
  expect(await daysTo('60134')).toBe(2)
})
