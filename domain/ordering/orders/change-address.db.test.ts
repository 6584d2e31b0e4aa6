import { expect, test } from 'vitest'
import { makePlacedOrder, openTestStore } from '#domain/ordering/checkout/checkout.testing.ts'
import { readShippingPlan, saveShippingZone } from '#domain/kernel/settings/settings.server.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { verify } from '#tests/support/invariants.ts'
import { changeAddressAsStaff, readOrder } from './orders.server.ts'
import { announce, auditOf, booksOf, dana, orderOf } from './staff-acts.testing.ts'

const [port = 0] = await freePorts(3)
const reason = 'A typo in the street.'
const chicago = { address1: '1500 N Wells St', address2: 'Unit 2', city: 'Chicago', state: 'IL', zip: '60610' }
/** No state sales tax, and a tire fee that is not higher. */
const portland = { address1: '1 SW Main St', address2: null, city: 'Portland', state: 'OR', zip: '97204' }

test('an address in the same state has the same price, and updates packages and delivery date', async () => {
  await using store = await openTestStore(port)
  const { orderId, totalCents } = await makePlacedOrder(store, { fulfillment: 'home' })
  const ask = { orderId, address: chicago, reason }
  expect(await changeAddressAsStaff(store, dana, ask)).toEqual({ ok: true, value: { isNew: true } })
  expect(await changeAddressAsStaff(store, dana, ask)).toEqual({ ok: true, value: { isNew: false } })
  expect(await orderOf(store, orderId)).toMatchObject({
    totalCents,
    address: { line1: '1500 N Wells St', line2: 'Unit 2', zip: '60610' },
    shipTo: { name: 'Dana Reyes', street: '1500 N Wells St, Unit 2', city: 'Chicago', state: 'IL', zip: '60610' },
  })
  const entries = await auditOf(store, orderId)
  expect(entries).toMatchObject([{ act: 'order.address-changed', before: { zip: '60614' }, after: { zip: '60610' } }])
  expect(JSON.stringify(entries)).not.toContain('Wells')
  expect(await verify(store.db, store.clock.now())).toEqual([])
})

test('lower taxes reduce the capture, and ledger, lines, and receipt agree', async () => {
  await using store = await openTestStore(port)
  const { orderId, totalCents } = await makePlacedOrder(store, { fulfillment: 'home' })
  expect(await changeAddressAsStaff(store, dana, { orderId, address: portland, reason })).toMatchObject({ ok: true })
  const moved = await orderOf(store, orderId)
  expect(moved.totalCents).toBeLessThan(totalCents)
  expect(moved.breakdown.tax).toMatchObject({ stateCode: 'OR', ratePpm: 0 })
  expect(moved.breakdown.explain.at(-1)).toMatchObject({ key: 'total', cents: moved.totalCents })
  expect(moved.breakdown.explain.filter(({ key }) => key === 'sales-tax')).toHaveLength(1)
  expect(await verify(store.db, store.clock.now())).toEqual([])

  expect((await announce(store, orderId)).payment).toMatchObject({ capturedCents: moved.totalCents, state: 'captured' })
  expect(await booksOf(store, orderId)).toMatchObject({ cash: moved.totalCents })
  expect(await verify(store.db, store.clock.now())).toEqual([])
})

test.for([
  ['more tax', { ...chicago, city: 'Memphis', state: 'TN', zip: '38103' }, 'more than the customer agreed to'],
  ['another state', { ...chicago, state: 'WI' }, 'ZIP 60610 is in IL, not in WI.'],
  ['no such ZIP', { ...chicago, zip: '00000' }, 'We do not know ZIP 00000.'],
  ['no house number', { ...chicago, address1: 'Wells Street', address2: null }, 'no house number'],
  ['another region', { ...chicago, city: 'Anchorage', state: 'AK', zip: '99501' }, 'Shipping to AK has another price.'],
] as const)('%s is refused with a message and no change', async ([, address, sentence]) => {
  await using store = await openTestStore(port)
  const { orderId } = await makePlacedOrder(store, { fulfillment: 'home' })
  const before = await readOrder(store.db, orderId)
  expect(await changeAddressAsStaff(store, dana, { orderId, address, reason })).toMatchObject({
    reason: 'not-possible',
    detail: { why: expect.stringContaining(sentence) as unknown },
  })
  expect(await readOrder(store.db, orderId)).toEqual(before)
  expect(await auditOf(store, orderId)).toEqual([])
})

test('an address in another shipping zone of the state is refused', async () => {
  await using store = await openTestStore(port)
  const zone = { name: 'Near North', states: [], zips: ['60610'], tire: 500, oversize: 0, handling: 0, free: null }
  const { version: seen } = await readShippingPlan(store)
  const owner = { via: 'command line', name: 'owner' } as const
  expect(await saveShippingZone(store, owner, { ...zone, seen }, null)).toMatchObject({ ok: true })
  await store.businessTerms.read()
  store.clock.set(store.clock.now().add({ seconds: 1 }))
  const { orderId } = await makePlacedOrder(store, { fulfillment: 'home' })
  expect(await changeAddressAsStaff(store, dana, { orderId, address: chicago, reason })).toMatchObject({
    detail: { why: expect.stringContaining('Shipping to ZIP 60610 has another price.') as unknown },
  })
  const sameZone = { ...chicago, zip: '60611' }
  expect(await changeAddressAsStaff(store, dana, { orderId, address: sameZone, reason })).toMatchObject({ ok: true })
})

test('a released order’s address can’t change', async () => {
  await using store = await openTestStore(port)
  const { orderId } = await makePlacedOrder(store, { fulfillment: 'home' })
  await announce(store, orderId)
  expect(await changeAddressAsStaff(store, dana, { orderId, address: chicago, reason })).toMatchObject({
    detail: { why: expect.stringContaining('made from the address at release') as unknown },
  })
})

test('where a shop installs, only the customer’s own address changes, in any state', async () => {
  await using store = await openTestStore(port)
  const { orderId, totalCents } = await makePlacedOrder(store)
  const { shipTo } = await orderOf(store, orderId)
  expect(await changeAddressAsStaff(store, dana, { orderId, address: portland, reason })).toMatchObject({ ok: true })
  expect(await orderOf(store, orderId)).toMatchObject({ shipTo, totalCents, address: { state: 'OR' } })
})
