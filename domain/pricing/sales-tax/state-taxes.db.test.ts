/** Tests changes to a state's taxes and fees. */
import { expect, test } from 'vitest'
import { placeOrder, quoteCart, readDetails } from '#domain/ordering/checkout/checkout.server.ts'
import {
  makePaidCart,
  makeReadyCart,
  must,
  openTestStore,
  type TestStore,
} from '#domain/ordering/checkout/checkout.testing.ts'
import { readOrder } from '#domain/ordering/orders/orders.server.ts'
import { desk } from '#domain/kernel/staff/staff.testing.ts'
import { violatedConstraint } from '#platform/db.ts'
import { storeDay } from '#platform/store-zone.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import {
  cancelStateTaxChange,
  changeStateTax,
  findStateTax,
  findTaxRule,
  listStateTaxes,
  useBuiltInTax,
} from './sales-tax.server.ts'
import { stateTaxForm } from './sales-tax.ts'

const [port = 0] = await freePorts(3)

const typed = {
  rate: '6.25',
  tireFee: '3.10',
  tireFeeName: 'Used tire user fee',
  source: 'Illinois Department of Revenue, ST-8',
  checkedOn: '2026-11-01',
  isVerified: '1',
  'taxed-tire': '1',
  'taxed-installation': '1',
}

async function save(store: TestStore, more: Partial<Record<string, string>> = {}, state = 'IL') {
  const seen = String((await findStateTax(store, state))?.seen ?? 0)
  return changeStateTax(store, desk, { state, ...stateTaxForm.parse({ ...typed, seen, ...more }) })
}

const ruleOf = (store: TestStore, zip = '60614', state = 'IL') =>
  findTaxRule(store.db, { zip, state }, storeDay(store.clock.now()))

test('a change applies to the next price, not to orders', async () => {
  await using store = await openTestStore(port)
  const cart = await makeReadyCart(store)
  const quoteNow = async () => quoteCart(store, cart, (await readDetails(store, cart.id)).contact)
  const before = (await quoteNow()).breakdown
  expect(before?.explain.find(({ key }) => key === 'tire-fee')?.label).toBe('Illinois tire fee')
  const input = await makePaidCart(store, { openingAt: 1 })
  const { orderId } = must(await placeOrder(store, input))
  const placed = await readOrder(store.db, orderId)

  store.clock.set(store.clock.now().add({ seconds: 1 }))
  expect(must(await save(store))).toEqual({ isScheduled: false })
  const after = (await quoteNow()).breakdown
  const fee = after?.explain.find(({ key }) => key === 'tire-fee')
  expect(fee).toMatchObject({ label: 'Used tire user fee', cents: 4 * 310 })
  expect(after?.tax.on).toContain('installation')
  expect((await readOrder(store.db, orderId))?.breakdown).toEqual(placed?.breakdown)
  // What is recalculated of an old order, such as for another place, is as of its time.
  if (!placed) throw new Error('The order is missing.')
  const then = await findTaxRule(store.db, { zip: '60614', state: 'IL' }, storeDay(placed.placedAt), placed.placedAt)
  expect(then?.tireFee).toEqual([{ belowRimInches: null, cents: 250 }])
  expect((await ruleOf(store))?.tireFee).toEqual([{ belowRimInches: null, cents: 310 }])
})

test('a change between the review and the button is a changed price', async () => {
  await using store = await openTestStore(port)
  const input = await makePaidCart(store)
  must(await save(store))
  expect(await placeOrder(store, input)).toMatchObject({ ok: false, reason: 'price-changed' })
})

test('a scheduled change applies from its start day, and can be canceled before', async () => {
  await using store = await openTestStore(port)
  const today = storeDay(store.clock.now())
  const startsOn = today.add({ days: 20 })
  expect(must(await save(store, { startsOn: startsOn.toString(), rate: '7' }))).toEqual({ isScheduled: true })
  const on = (day: Temporal.PlainDate) => findTaxRule(store.db, { zip: '60614', state: 'IL' }, day)
  expect((await on(startsOn.subtract({ days: 1 })))?.ratePpm).toBe(62_500)
  expect((await on(startsOn))?.ratePpm).toBe(70_000)
  const change = (await findStateTax(store, 'IL'))?.seen ?? 0
  expect(await cancelStateTaxChange(store, desk, { state: 'OH', change })).toMatchObject({ reason: 'gone' })
  must(await cancelStateTaxChange(store, desk, { state: 'IL', change }))
  expect(await cancelStateTaxChange(store, desk, { state: 'IL', change })).toMatchObject({ reason: 'gone' })
  expect((await on(startsOn))?.ratePpm).toBe(62_500)
  must(await save(store))
  const now = (await findStateTax(store, 'IL'))?.seen ?? 0
  expect(await cancelStateTaxChange(store, desk, { state: 'IL', change: now })).toMatchObject({ reason: 'started' })
})

test('the later of two changes on one day applies, and the earlier tab gets a conflict', async () => {
  await using store = await openTestStore(port)
  must(await save(store))
  expect(await save(store, { seen: '0' })).toMatchObject({ ok: false, reason: 'changed-meanwhile' })
  must(await save(store, { tireFee: '$1.00 below 20 in; 2.00' }))
  expect((await ruleOf(store))?.tireFee).toEqual([
    { belowRimInches: 20, cents: 100 },
    { belowRimInches: null, cents: 200 },
  ])
})

test('staff see when the built-in rate changes after they set theirs, and return to it', async () => {
  await using store = await openTestStore(port)
  const find = async () => (await findStateTax(store, 'SD')) ?? expect.unreachable('no state')
  expect((await find()).view.builtIn).toBeNull()
  expect(await useBuiltInTax(store, desk, { state: 'SD', seen: 0 })).toMatchObject({ reason: 'has-built-in' })
  must(await save(store, { rate: '5' }, 'SD'))
  expect((await find()).view.builtIn).toMatchObject({ ratePpm: 42_000, isUpdated: false })
  store.clock.set(Temporal.Instant.from('2027-07-02T12:00:00Z'))
  const { view, seen } = await find()
  expect(view).toMatchObject({
    ratePpm: 50_000,
    builtIn: { ratePpm: 45_000, validFrom: '2027-07-01', isUpdated: true },
  })
  const updated = (await listStateTaxes(store)).filter(({ builtIn }) => builtIn?.isUpdated)
  expect(updated.map(({ state }) => state)).toEqual(['SD'])
  expect(await useBuiltInTax(store, desk, { state: 'SD', seen: 0 })).toMatchObject({ reason: 'changed-meanwhile' })
  expect(await useBuiltInTax(store, desk, { state: 'ZZ', seen: 0 })).toMatchObject({ reason: 'no-state' })
  must(await useBuiltInTax(store, desk, { state: 'SD', seen }))
  expect((await find()).view).toMatchObject({ ratePpm: 45_000, isEdited: false, builtIn: null })
  expect((await ruleOf(store, '57101', 'SD'))?.ratePpm).toBe(45_000)
  const act = store.db.selectFrom('audit_entry').select('before').where('act', '=', 'state-tax.reset')
  expect(await act.execute()).toMatchObject([{ before: { ratePpm: 50_000 } }])
})

test('refuses days out of range and unknown states', async () => {
  await using store = await openTestStore(port)
  const today = storeDay(store.clock.now())
  for (const day of [today.subtract({ days: 1 }), today.add({ days: 731 })])
    expect(await save(store, { startsOn: day.toString() })).toMatchObject({ reason: 'starts-in-past' })
  const later = today.add({ days: 3 }).toString()
  expect(await save(store, { checkedOn: later })).toMatchObject({ reason: 'checked-later' })
  expect(await save(store, {}, 'ZZ')).toMatchObject({ reason: 'no-state' })
})

test('a verified state counts as verified, others stay unverified', async () => {
  await using store = await openTestStore(port)
  must(await save(store))
  must(await save(store, { isVerified: '', checkedOn: '' }, 'OH'))
  const verified = (await listStateTaxes(store)).filter(({ isVerified }) => isVerified)
  expect(verified.map(({ state }) => state)).toEqual(['IL'])
})

test('the database refuses to rewrite a change, and a backdated one', async () => {
  await using store = await openTestStore(port)
  must(await save(store))
  const { db } = store
  const refusedBy = async (act: Promise<unknown>) => violatedConstraint(await act.catch((error: unknown) => error))
  expect(await refusedBy(db.updateTable('state_tax').set({ rate_ppm: 1 }).execute())).toBe('state_tax_append_only')
  expect(await refusedBy(db.deleteFrom('state_tax').execute())).toBe('state_tax_append_only')
  const {
    id: _,
    tire_fee,
    built_in: __,
    product: ___,
    ...saved
  } = await db.selectFrom('state_tax').selectAll().executeTakeFirstOrThrow()
  const starts_on = storeDay(store.clock.now()).subtract({ days: 3 }).toString()
  const backdated = { ...saved, tire_fee: JSON.stringify(tire_fee), starts_on }
  expect(await refusedBy(db.insertInto('state_tax').values(backdated).execute())).toBe('state_tax_not_backdated')
})

test('the previous release reads and writes the same built-in values while both run', async () => {
  await using store = await openTestStore(port)
  must(await save(store, { rate: '5' }, 'SD'))
  const rows = () => store.db.selectFrom('state_tax').selectAll().orderBy('id').execute()
  const [saved] = await rows()
  if (!saved) throw new Error('The change is missing.')
  expect(saved.product).toMatchObject({ ratePpm: 42_000 })
  const { id: _, built_in, is_built_in: __, tire_fee, product: ___, ...rest } = saved
  const [builtIn, tireFee] = [JSON.stringify(built_in), JSON.stringify(tire_fee)]
  await store.db
    .insertInto('state_tax')
    .values({ ...rest, tire_fee: tireFee, product: builtIn, is_product: true })
    .execute()
  expect((await rows()).at(-1)).toMatchObject({ built_in, is_built_in: true })
  expect((await findStateTax(store, 'SD'))?.view).toMatchObject({ isEdited: false })
})
