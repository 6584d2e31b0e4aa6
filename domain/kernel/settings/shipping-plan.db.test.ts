/** Tests shipping zones and exceptions, and the shipping charges of earlier and later orders. */
import { expect, test } from 'vitest'
import {
  makePaidCart,
  makePlacedOrder,
  must,
  openTestStore,
  type TestStore,
} from '#domain/ordering/checkout/checkout.testing.ts'
import { placeOrder } from '#domain/ordering/checkout/checkout.server.ts'
import { priceShipping } from '#domain/supply/delivery/delivery.ts'
import { storeDay } from '#platform/store-zone.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import {
  readPlanRows,
  readShippingPlan,
  removeShippingException,
  removeShippingZone,
  saveShippingException,
  saveShippingZone,
} from './settings.server.ts'
import { shippingRatesOf, type ExceptionInput, type ZoneInput } from './settings.ts'

const [port = 0] = await freePorts(3)
const owner = { via: 'command line', name: 'owner' } as const

const seenIn = async (store: TestStore) => (await readShippingPlan(store)).version

async function saveZone(store: TestStore, changed: Partial<ZoneInput> = {}, id: number | null = null) {
  const zone = { name: 'Midwest', states: ['IL', 'WI'], zips: [], tire: 500, oversize: 0, handling: 0, free: null }
  return saveShippingZone(store, owner, { ...zone, seen: await seenIn(store), ...changed }, id)
}

async function saveException(store: TestStore, changed: Partial<ExceptionInput> = {}, id: number | null = null) {
  const exception = { above: null, where: null, kind: 'rate', amount: 900, until: null } as const
  return saveShippingException(store, owner, { ...exception, seen: await seenIn(store), ...changed }, id)
}

/** The shipping cost of one tire to a state, or a ZIP code there, now or at `at`. */
async function costTo(
  store: TestStore,
  state: string,
  at?: Temporal.Instant,
  zip: string | null = null,
): Promise<number> {
  await store.businessTerms.read()
  const terms = at ? store.businessTerms.at(at) : store.businessTerms.current
  return priceShipping(shippingRatesOf(terms), { state, zip }, [{ quantity: 1, weightLb: 20, unitCents: 10_000 }])
    .totalCents
}

test('an order keeps the shipping of its time, and one priced before a new zone is priced again', async () => {
  await using store = await openTestStore(port)
  const first = await makePlacedOrder(store)
  const stale = await makePaidCart(store, { openingAt: 1, email: 'stale@example.com' })
  const before = store.clock.now()
  store.clock.set(before.add({ seconds: 1 }))
  must(await saveZone(store))
  expect(await placeOrder(store, stale)).toMatchObject({ ok: false })
  expect(await costTo(store, 'IL')).toBe(500)
  expect(await costTo(store, 'IL', before)).toBe(0)
  const second = await makePlacedOrder(store, { openingAt: 2, email: 'new@example.com' })
  expect(second.totalCents).toBeGreaterThan(first.totalCents)
})

test('an exception ends after its last day, also in a process that read it before', async () => {
  await using store = await openTestStore(port)
  const today = store.clock.now().toZonedDateTimeISO('America/New_York').toPlainDate()
  must(await saveException(store, { until: today.add({ days: 1 }).toString() }))
  expect(await costTo(store, 'IL')).toBe(900)
  const end = today.add({ days: 2 }).toZonedDateTime('America/New_York').toInstant()
  store.clock.set(end.subtract({ seconds: 1 }))
  expect(
    priceShipping(shippingRatesOf(store.businessTerms.current), { state: 'IL', zip: null }, tires).totalCents,
  ).toBe(900)
  store.clock.set(end)
  expect(
    priceShipping(shippingRatesOf(store.businessTerms.current), { state: 'IL', zip: null }, tires).totalCents,
  ).toBe(0)
  expect((await readShippingPlan(store)).plan.exceptions).toEqual([])
  expect(await saveException(store, { until: today.toString() })).toMatchObject({ reason: 'ends-in-past' })
})

const tires = [{ quantity: 1, weightLb: 20, unitCents: 10_000 }]

test('a state is in one zone, and a zone with exceptions stays', async () => {
  await using store = await openTestStore(port)
  const { id } = must(await saveZone(store))
  const lakes = must(await saveZone(store, { name: 'Lakes', states: ['MI', 'WI'], tire: 600 }))
  expect(lakes.moved).toEqual(['WI'])
  expect(await costTo(store, 'WI')).toBe(600)
  expect(await costTo(store, 'IL')).toBe(500)
  expect(await saveZone(store, { name: 'Lakes', states: ['IL'] }, lakes.id)).toMatchObject({
    reason: 'zone-emptied',
    detail: 'Midwest',
  })
  must(await removeShippingZone(store, owner, { id: lakes.id, seen: await seenIn(store) }))
  expect(await saveZone(store, { name: 'midwest', states: ['MI'] })).toMatchObject({ reason: 'name-taken' })
  expect(await saveException(store, { where: 'zone-999' })).toMatchObject({ reason: 'zone-unknown' })
  const exception = must(await saveException(store, { where: `zone-${id}`, amount: 700 }))
  expect(await removeShippingZone(store, owner, { id, seen: await seenIn(store) })).toMatchObject({
    reason: 'zone-in-use',
  })
  must(await removeShippingException(store, owner, { id: exception, seen: await seenIn(store) }))
  must(await saveZone(store, { states: ['IL'], tire: 800 }, id))
  expect(await costTo(store, 'IL')).toBe(800)
  expect(await costTo(store, 'WI')).toBe(0)
  must(await removeShippingZone(store, owner, { id, seen: await seenIn(store) }))
  expect(await costTo(store, 'IL')).toBe(0)
  expect(await removeShippingZone(store, owner, { id, seen: await seenIn(store) })).toMatchObject({
    reason: 'not-found',
  })
  const audit = await store.db.selectFrom('audit_entry').select('subject').where('act', '=', 'terms.changed').execute()
  expect(audit).toHaveLength(8)
})

test('a ZIP code is once in a zone with as many digits, and more exact ZIP codes come first', async () => {
  await using store = await openTestStore(port)
  const { id } = must(await saveZone(store, { states: [], zips: ['600-608'] }))
  expect(await costTo(store, 'IL', undefined, '60614')).toBe(500)
  expect(await costTo(store, 'IL')).toBe(0)
  const city = { name: 'Chicago', states: [], zips: ['606'] }
  expect(await saveZone(store, city)).toMatchObject({ reason: 'zips-taken', detail: '600-608 in the zone Midwest' })
  expect(await saveZone(store, { ...city, zips: [] })).toMatchObject({ reason: 'zone-empty' })
  must(await saveZone(store, { ...city, zips: ['60601-60661'], tire: 700 }))
  expect(await costTo(store, 'IL', undefined, '60614')).toBe(700)
  expect(await costTo(store, 'IL', undefined, '60007')).toBe(500)
  must(await saveZone(store, { states: ['IL'], zips: ['600-608'] }, id))
  // A zone that loses all states stays if it has ZIP codes.
  expect(must(await saveZone(store, { name: 'Lakes', states: ['IL'], tire: 600 })).moved).toEqual(['IL'])
  expect(await costTo(store, 'IL', undefined, '62701')).toBe(600)
  const twice = {
    zones: [
      { states: [], zips: ['600-608'] },
      { states: [], zips: ['605'] },
    ],
    exceptions: [],
  }
  const row = { plan: JSON.stringify(twice), valid_from: store.clock.now(), set_by: 'owner' }
  await expect(store.db.insertInto('shipping_plan').values(row).execute()).rejects.toThrow('shipping_plan_zip_once')
})

test('an order ships at the rate of its ZIP code', async () => {
  await using store = await openTestStore(port)
  const near = await makePlacedOrder(store, { fulfillment: 'home' })
  must(await saveZone(store, { states: [], zips: ['606'], tire: 700 }))
  await store.businessTerms.read()
  store.clock.set(store.clock.now().add({ seconds: 1 }))
  const charged = await makePlacedOrder(store, { fulfillment: 'home', openingAt: 1, email: 'zip@example.com' })
  expect(charged.totalCents - near.totalCents).toBeGreaterThanOrEqual(4 * 700)
})

test('the history has every change once, and none for an exception in a renamed zone', async () => {
  await using store = await openTestStore(port)
  const { id } = must(await saveZone(store))
  must(await saveException(store, { where: `zone-${id}`, until: storeDay(store.clock.now()).toString() }))
  const between = store.clock.now()
  store.clock.set(between.add({ hours: 48 }))
  must(await saveZone(store, { name: 'Lakes' }, id))
  const rows = await readPlanRows(store.db, { after: null, upTo: null })
  expect(rows.map(({ subject }) => subject)).toEqual([
    'Shipping zone Lakes',
    'Shipping exception',
    'Shipping zone Midwest',
  ])
  expect(rows[0]).toMatchObject({
    before: expect.stringContaining('Midwest (IL, WI)'),
    after: expect.stringContaining('Lakes (IL, WI)'),
    setBy: 'owner',
  })
  expect(await readPlanRows(store.db, { after: between, upTo: null })).toHaveLength(1)
  expect(await readPlanRows(store.db, { after: null, upTo: between })).toHaveLength(2)
})

test('of two concurrent changes, the second is refused, and a saved plan stays', async () => {
  await using store = await openTestStore(port)
  const seen = await seenIn(store)
  const both = await Promise.all([saveZone(store, { seen }), saveZone(store, { seen, name: 'South', states: ['TX'] })])
  expect(both.filter(({ ok }) => ok)).toHaveLength(1)
  expect(both.find(({ ok }) => !ok)).toMatchObject({ reason: 'changed-meanwhile' })
  await expect(store.db.deleteFrom('shipping_plan').execute()).rejects.toThrow('only added to')
  const twice = { zones: [{ states: ['IL'] }, { states: ['IL'] }], exceptions: [] }
  const row = { plan: JSON.stringify(twice), valid_from: store.clock.now(), set_by: 'owner' }
  await expect(store.db.insertInto('shipping_plan').values(row).execute()).rejects.toThrow('shipping_plan_state_once')
})
