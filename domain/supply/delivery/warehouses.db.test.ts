import { expect, test } from 'vitest'
import { signInStaff } from '#domain/kernel/staff/staff.testing.ts'
import { fixedClock } from '#platform/clock.testing.ts'
import { ok } from '#platform/outcome.ts'
import { weekValues } from '#platform/week-hours.ts'
import { createTestDatabase } from '#tests/support/database.ts'
import {
  addWarehouse,
  changeWarehouse,
  createLiveDeliveryTimes,
  findCarriers,
  findPickupWarehouse,
  findPickupWarehouses,
  findWarehouse,
  listWarehouses,
  readDeliveryTimes,
  warehousePromises,
} from './delivery.server.ts'
import { standardDeliveryTimes, warehouseForm } from './delivery.ts'

const clock = fixedClock('2026-11-20T15:00:00Z')
const typed = { code: 'jol', name: 'Prairie Dock', street: '1 Dock Road', zip: '60436', cutoff: '16:00' }
const draft = (change: Record<string, string> = {}) => warehouseForm.parse({ ...typed, ...change })

const weekdays = (opens: string, closes: string) => [1, 2, 3, 4, 5].map((weekday) => ({ weekday, opens, closes }))

async function newStore() {
  const database = await createTestDatabase({ from: 'new' })
  const deps = { db: database.db, clock }
  return {
    deps,
    manager: await signInStaff(deps, 'manager'),
    support: await signInStaff(deps, 'support'),
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  }
}

test('the first warehouse of a new store has the city and time zone of its ZIP, and its pickup hours', async () => {
  await using store = await newStore()
  const { deps, manager } = store
  const hours = weekValues([...weekdays('08:00', '17:30'), { weekday: 6, opens: '09:00', closes: '13:00' }])
  expect(await addWarehouse(deps, manager, draft(hours))).toMatchObject({ ok: true, value: { id: 1 } })
  const [one] = await listWarehouses(deps)
  expect(one).toMatchObject({ code: 'JOL', city: 'Joliet', state: 'IL', timeZone: 'America/Chicago', cutoff: '16:00' })
  expect(one?.hours.map(({ weekday, opens }) => `${weekday} ${opens}`)).toEqual([
    ...[1, 2, 3, 4, 5].map((day) => `${day} 08:00`),
    '6 09:00',
  ])
})

test('turning pickup off leaves the pickup hours of a warehouse', async () => {
  await using store = await newStore()
  const { deps, manager } = store
  const hours = weekValues(weekdays('08:00', '17:30'))
  await addWarehouse(deps, manager, draft({ ...hours, pickup: 'off' }))
  expect(await findWarehouse(deps, 1)).toMatchObject({
    offersPickup: false,
    hours: [1, 2, 3, 4, 5].map((weekday) => ({ weekday })),
  })
  expect(await findPickupWarehouse(deps, 1)).toBeUndefined()
  await changeWarehouse(deps, manager, 1, draft({ ...hours, pickup: 'on', version: '1' }))
  expect(await findPickupWarehouse(deps, 1)).toMatchObject({ code: 'JOL' })
  const acts = await deps.db.selectFrom('audit_entry').select('after').where('act', '=', 'warehouse.changed').execute()
  expect(acts).toMatchObject([{ after: { offersPickup: true } }])
  await changeWarehouse(deps, manager, 1, draft({ version: '2' }))
  expect(await findWarehouse(deps, 1)).toMatchObject({ offersPickup: false })
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
  const { deps, manager, support } = store
  const both = await Promise.all([addWarehouse(deps, manager, draft()), addWarehouse(deps, manager, draft())])
  expect(both.map((answer) => (answer.ok ? 'ok' : answer.reason))).toEqual(expect.arrayContaining(['ok', 'code-taken']))
  expect(await addWarehouse(deps, manager, draft({ code: 'X1', zip: '00000' }))).toMatchObject({
    reason: 'zip-unknown',
  })
  expect(await addWarehouse(deps, support, draft({ code: 'X2' }))).toMatchObject({ reason: 'not-allowed' })
  expect(await changeWarehouse(deps, support, 1, draft({ version: '1' }))).toMatchObject({ reason: 'not-allowed' })
  expect(await changeWarehouse(deps, manager, 99, draft({ version: '1' }))).toMatchObject({ reason: 'gone' })
  expect(await listWarehouses(deps)).toHaveLength(1)
})

test('changing the handling days moves the next quote and is in the audit log', async () => {
  await using store = await newStore()
  const { deps, manager } = store
  await addWarehouse(deps, manager, draft())
  const arrival = async () => {
    const quoted = await warehousePromises(deps, { zip: '60614', releaseAfter: 1_800 })
    return quoted.ok ? quoted.value.get(1)?.arrivesOn.toString() : quoted.reason
  }
  expect(await findWarehouse(deps, 1)).toMatchObject({ handlingDays: 0 })
  expect(await arrival()).toBe('2026-11-24')
  expect(await changeWarehouse(deps, manager, 1, draft({ handlingDays: '3', version: '1' }))).toEqual(ok(null))
  expect(await arrival()).toBe('2026-11-30') // ships on Wednesday, before Thanksgiving
  const acts = await deps.db
    .selectFrom('audit_entry')
    .select(['before', 'after'])
    .where('act', '=', 'warehouse.changed')
    .execute()
  expect(acts).toMatchObject([{ before: { handlingDays: 0 }, after: { handlingDays: 3 } }])
})

test('an earlier cutoff on Fridays moves a quote on Friday, and is in the audit log', async () => {
  await using store = await newStore()
  const { deps, manager } = store
  await addWarehouse(deps, manager, draft())
  const arrival = async () => {
    const quoted = await warehousePromises(deps, { zip: '60614', releaseAfter: 1_800 })
    return quoted.ok ? quoted.value.get(1)?.arrivesOn.toString() : quoted.reason
  }
  expect(await arrival()).toBe('2026-11-24')
  const change = { 'cutoff-5': '06:30', 'cutoff-6': '10:00', version: '1' }
  expect(await changeWarehouse(deps, manager, 1, draft(change))).toEqual(ok(null))
  expect(await findWarehouse(deps, 1)).toMatchObject({
    cutoff: '16:00',
    dayCutoffs: [null, null, null, null, '06:30', '10:00', null],
  })
  expect(await arrival()).toBe('2026-11-25')
  const acts = await deps.db
    .selectFrom('audit_entry')
    .select(['before', 'after'])
    .where('act', '=', 'warehouse.changed')
    .execute()
  expect(acts).toMatchObject([{ before: { dayCutoffs: '' }, after: { dayCutoffs: 'Fri 06:30, Sat 10:00' } }])
  await changeWarehouse(deps, manager, 1, draft({ version: '2' }))
  expect(await findWarehouse(deps, 1)).toMatchObject({ dayCutoffs: [] })
})

test('ship days and closed days move the next quote and the pickup time, and are in the audit log', async () => {
  await using store = await newStore()
  const { deps, manager } = store
  const week = weekValues([...weekdays('08:00', '17:00'), { weekday: 6, opens: '09:00', closes: '13:00' }])
  await addWarehouse(deps, manager, draft(week))
  const promised = async () => {
    const quoted = await warehousePromises(deps, { zip: '60614', releaseAfter: 1_800 })
    return quoted.ok ? quoted.value.get(1)?.shipsOn.toString() : quoted.reason
  }
  const ready = async () => {
    const [near] = await findPickupWarehouses(deps, { zip: '60614', lines: [], releaseAfter: 1_800 })
    return near?.readyAt.toZonedDateTimeISO('America/Chicago').toPlainDateTime().toString({ smallestUnit: 'minute' })
  }
  expect(await promised()).toBe('2026-11-20')
  expect(await ready()).toBe('2026-11-21T09:30')
  const change = { ...week, 'ships-1': '1', 'ships-6': '1', closedDays: '2026-11-21, 2026-11-20', version: '1' }
  expect(await changeWarehouse(deps, manager, 1, draft(change))).toEqual(ok(null))
  expect(await findWarehouse(deps, 1)).toMatchObject({ shipDays: [1, 6], closedDays: ['2026-11-20', '2026-11-21'] })
  expect(await promised()).toBe('2026-11-23')
  expect(await ready()).toBe('2026-11-23T08:00')
  const acts = await deps.db
    .selectFrom('audit_entry')
    .select(['before', 'after'])
    .where('act', '=', 'warehouse.changed')
    .execute()
  expect(acts).toMatchObject([
    {
      before: { shipDays: '1, 2, 3, 4, 5', closedDays: '' },
      after: { shipDays: '1, 6', closedDays: '2026-11-20, 2026-11-21' },
    },
  ])
})

test('fewer ship days a week lengthen the longest handling that the store names', async () => {
  await using store = await newStore()
  const { deps, manager } = store
  const handling = async (days: Record<string, string>) => {
    await addWarehouse(deps, manager, draft({ code: `W${Object.keys(days).length}`, ...days }))
    return (await readDeliveryTimes(deps.db)).handling
  }
  expect(await handling({})).toEqual({ min: 0, max: 0 })
  expect(await handling({ 'ships-1': '1', 'ships-3': '1', 'ships-5': '1' })).toEqual({ min: 0, max: 2 })
  expect(await handling({ 'ships-6': '1' })).toEqual({ min: 0, max: 5 })
})

test('the carriers of a warehouse are saved in their order and in the audit log', async () => {
  await using store = await newStore()
  const { deps, manager } = store
  await addWarehouse(deps, manager, draft())
  expect(await findWarehouse(deps, 1)).toMatchObject({ carriers: [] })
  const chosen = { 'carrier-UPS': '1', 'carrier-OnTrac': '1', 'place-FedEx': '2', version: '1' }
  const limited = draft({ ...chosen, 'place-UPS': '2', 'place-OnTrac': '1' })
  expect(await changeWarehouse(deps, manager, 1, limited)).toEqual(ok(null))
  expect(await findWarehouse(deps, 1)).toMatchObject({ carriers: ['OnTrac', 'UPS'] })
  const acts = await deps.db
    .selectFrom('audit_entry')
    .select(['before', 'after'])
    .where('act', '=', 'warehouse.changed')
    .execute()
  expect(acts).toMatchObject([{ before: { carriers: '' }, after: { carriers: 'OnTrac, UPS' } }])
  for (const place of ['2', '0', '5', 'x'])
    expect(
      warehouseForm.safeParse({ ...typed, ...chosen, 'place-UPS': '2', 'place-OnTrac': place }).error?.issues,
    ).toMatchObject([{ path: ['place-OnTrac'], message: 'Choose a different place for each carrier.' }])
})

test('a zone has its own first carrier', async () => {
  await using store = await newStore()
  const { deps, manager } = store
  await addWarehouse(deps, manager, draft())
  expect(await findCarriers(deps.db, 1, '99501')).toEqual([])
  const chosen = { 'carrier-UPS': '1', 'carrier-USPS': '1', carrierAlaska: 'USPS', version: '1' }
  expect(await changeWarehouse(deps, manager, 1, draft(chosen))).toEqual(ok(null))
  expect(await findCarriers(deps.db, 1, '99501')).toEqual(['USPS', 'UPS'])
  expect(await findCarriers(deps.db, 1, '60614')).toEqual(['UPS', 'USPS'])
  expect(warehouseForm.safeParse({ ...typed, ...chosen, carrierAlaska: 'OnTrac' }).error?.issues).toMatchObject([
    { path: ['carrierAlaska'], message: 'Turn OnTrac on above, or choose another carrier.' },
  ])
})

test('a warehouse has the time zone that staff chose, or that its ZIP code has', async () => {
  await using store = await newStore()
  const { deps, manager } = store
  await addWarehouse(deps, manager, draft({ timeZone: 'America/Denver' }))
  expect(await findWarehouse(deps, 1)).toMatchObject({ timeZone: 'America/Denver' })
  expect(await changeWarehouse(deps, manager, 1, draft({ timeZone: '', version: '1' }))).toEqual(ok(null))
  expect(await findWarehouse(deps, 1)).toMatchObject({ timeZone: 'America/Chicago' })
  expect(warehouseForm.safeParse({ ...typed, timeZone: 'Mars/Olympus' }).success).toBe(false)
})

test('a process sees the delivery times of the store’s open warehouses, and rereads its catalog', async () => {
  await using store = await newStore()
  const { deps, manager } = store
  const live = createLiveDeliveryTimes(deps.db)
  await live.read()
  let changes = 0
  live.onChange(() => changes++)
  expect(live.current).toEqual(standardDeliveryTimes)
  await addWarehouse(deps, manager, draft({ handlingDays: '1' }))
  await addWarehouse(deps, manager, draft({ code: 'TOL' }))
  await live.read()
  expect(live.current.handling).toEqual({ min: 0, max: 1 })
  expect(live.current.arrival).toEqual({ min: 2, max: 5 })
  expect(changes).toBe(1)
  const rereads = () => deps.db.selectFrom('stock_change').selectAll().where('item_id', 'is', null).execute()
  const before = (await rereads()).length
  const changed = { handlingDays: '4', transitNear: '5', transitFar: '3', transitAlaska: '9', version: '1' }
  await changeWarehouse(deps, manager, 1, draft(changed))
  await live.read()
  expect(live.current).toMatchObject({
    handling: { min: 0, max: 4 },
    transit: { CONUS: { min: 2, max: 5 }, AK: { min: 7, max: 9 }, HI: { min: 7, max: 7 } },
    arrival: { min: 2, max: 9 },
  })
  expect(await rereads()).toHaveLength(before + 1)
})

test('changing the transit days of a warehouse moves its next quote and is in the audit log', async () => {
  await using store = await newStore()
  const { deps, manager } = store
  await addWarehouse(deps, manager, draft())
  const transitTo = async (zip: string) => {
    const quoted = await warehousePromises(deps, { zip })
    return quoted.ok ? quoted.value.get(1)?.transitDays : quoted.reason
  }
  const zips = ['60614', '89431', '99501']
  expect(await Promise.all(zips.map(transitTo))).toEqual([2, 4, 7])
  const change = { transitNear: '1', transitFar: '6', transitAlaska: '12', version: '1' }
  expect(await changeWarehouse(deps, manager, 1, draft(change))).toEqual(ok(null))
  expect(await Promise.all(zips.map(transitTo))).toEqual([1, 6, 12])
  const acts = await deps.db
    .selectFrom('audit_entry')
    .select(['before', 'after'])
    .where('act', '=', 'warehouse.changed')
    .execute()
  expect(acts).toMatchObject([
    { before: { transitDays: '2, 3, 4, 7, 7, 10' }, after: { transitDays: '1, 3, 6, 12, 7, 10' } },
  ])
})

test('a warehouse ships to no zone that is off, which needs no days, until it is on again', async () => {
  await using store = await newStore()
  const { deps, manager } = store
  const off = { zoneAlaska: 'off', transitAlaska: '', zoneFar: 'off', transitFar: '6' }
  await addWarehouse(deps, manager, draft(off))
  const shippingTo = async (zip: string) => {
    const quoted = await warehousePromises(deps, { zip })
    return quoted.ok ? [...quoted.value.keys()] : quoted.reason
  }
  const zips = ['60614', '89431', '99501', '96813']
  expect(await Promise.all(zips.map(shippingTo))).toEqual([[1], [], [], [1]])
  const times = await readDeliveryTimes(deps.db)
  expect(times.transit.CONUS).toEqual({ min: 2, max: 3 })
  expect(times.transit.AK).toEqual(standardDeliveryTimes.transit.AK)
  expect(await changeWarehouse(deps, manager, 1, draft({ version: '1' }))).toEqual(ok(null))
  expect(await Promise.all(zips.map(shippingTo))).toEqual([[1], [1], [1], [1]])
})

test.for([
  [{ cutoff: '24:00' }, 'cutoff'],
  [{ 'cutoff-5': '24:00' }, 'cutoff-5'],
  [{ 'cutoff-1': 'noon' }, 'cutoff-1'],
  [{ handlingDays: '11' }, 'handlingDays'],
  [{ handlingDays: '-1' }, 'handlingDays'],
  [{ handlingDays: 'two' }, 'handlingDays'],
  [{ handlingDays: '1.5' }, 'handlingDays'],
  [{ handlingDays: '' }, 'handlingDays'],
  [{ transitNear: '0' }, 'transitNear'],
  [{ transitTerritories: '31' }, 'transitTerritories'],
  [{ transitAlaska: '' }, 'transitAlaska'],
  [{ zoneAlaska: 'maybe' }, 'zoneAlaska'],
  [{ code: 'a b' }, 'code'],
  [{ zip: '6043' }, 'zip'],
  [{ pickup: 'on' }, 'pickup'],
  [{ pickup: 'maybe' }, 'pickup'],
  [{ 'opens-7': '09:00' }, 'opens-7'],
  [{ 'opens-2': '17:00', 'closes-2': '08:00' }, 'opens-2'],
  [{ 'closes-5': '25:00' }, 'opens-5'],
  [{ closedDays: '2026-12-24\n2026-13-01' }, 'closedDays'],
  [{ closedDays: Array.from({ length: 61 }, (_, day) => `20${10 + day}-01-02`).join('\n') }, 'closedDays'],
] as const)('%j is refused at its field', ([change, field]) => {
  const checked = warehouseForm.safeParse({ ...typed, ...change })
  expect(checked.error?.issues.map(({ path }) => path[0])).toEqual([field])
})
