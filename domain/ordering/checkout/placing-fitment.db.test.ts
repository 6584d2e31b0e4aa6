/** How fitment verdicts affect placing an order. */
import { expect, test } from 'vitest'
import { cancelOrder, checkFitAsStaff, listFitChecks } from '#domain/ordering/orders/orders.server.ts'
import { signInStaff } from '#domain/kernel/staff/staff.testing.ts'
import { findHold } from '#domain/scheduling/booking/booking.server.ts'
import { readCart, updateCart } from '#domain/payments/cart/cart.server.ts'
import { findOffers } from '#domain/catalog/catalog/catalog.server.ts'
import { replaceLots } from '#domain/supply/stock/dot-lots.sql.server.ts'
import { findVehicle } from '#domain/catalog/vehicles/vehicles.server.ts'
import type { ChosenVehicle } from '#domain/catalog/vehicles/vehicles.ts'
import { changeTerms } from '#domain/kernel/settings/settings.server.ts'
import { selectState } from '#domain/kernel/settings/store-state.sql.server.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { chooseFulfillment, installationFor, placeOrder, refuseInstallation, settleHold } from './checkout.server.ts'
import { findReleasedTime } from './settle-hold.server.ts'
import { makePaidCart, must, openTestStore, stockOf, type TestStore } from './checkout.testing.ts'

const [port = 0] = await freePorts(3)

const owner = { via: 'command line', name: 'owner' } as const

const label = (text: string) => ({ confirmed: true, label: { front: text, rear: text } })

/** A 2021 RAV4 LE, listed with 225/65R17 102H. */
async function rav4(store: TestStore, said: Pick<ChosenVehicle, 'confirmed' | 'label'>): Promise<ChosenVehicle> {
  const found = must(await findVehicle(store, { year: 2021, makeSlug: 'toyota', modelSlug: 'rav4', trimSlug: 'le' }))
  if (found.kind !== 'sized') throw new Error('The vehicle of a test has no sizes.')
  const { id, year, makeSlug, modelSlug } = found.trims[0].vehicle
  return { vehicleId: id, fitmentId: null, year, makeSlug, modelSlug, name: found.name, ...said }
}

async function cartOf(store: TestStore, id: string) {
  return (await readCart(store, id)) ?? expect.fail('The cart is gone.')
}

/** An ordinary tire in the RAV4's listed size, load index and speed rating. */
async function listedTire({ db }: TestStore): Promise<number> {
  const { id } = await db
    .selectFrom('item')
    .innerJoin('size', 'size.id', 'item.size_id')
    .innerJoin('product_line as line', 'line.id', 'item.product_line_id')
    .innerJoin('stock', 'stock.item_id', 'item.id')
    .select('item.id')
    .where('size.designation', '=', '225/65R17')
    .where('item.active', '=', true)
    .where('item.run_flat', '=', false)
    .where('item.oe_mark', 'is', null)
    .where('item.load_index', '=', 102)
    .where('item.speed', '=', 'H')
    .where('line.winter', '=', false)
    .groupBy('item.id')
    .having((eb) => eb(eb.fn.sum('stock.on_hand'), '>=', 8))
    .orderBy('item.id')
    .limit(1)
    .executeTakeFirstOrThrow()
  return id
}

test('tires that do not fit are never installed; home delivery may be for another vehicle', async () => {
  await using store = await openTestStore(port)
  const itemId = await listedTire(store)
  const vehicle = await rav4(store, label('235/55R19 101V'))
  const stock = await stockOf(store, itemId)
  const installed = await makePaidCart(store, { itemId, vehicle: await rav4(store, label('225/65R17 102H')) })
  // The vehicle changes after the shop and the time were chosen.
  await updateCart(store, installed.cartId, { vehicle })
  expect(await placeOrder(store, { ...installed, conditionsAccepted: true })).toMatchObject({
    ok: false,
    reason: 'does-not-fit',
    detail: { verdict: { verdict: 'does_not_fit' } },
  })
  expect(await stockOf(store, itemId)).toBe(stock)
  expect(
    must(await placeOrder(store, await makePaidCart(store, { itemId, vehicle, fulfillment: 'home' }))),
  ).toMatchObject({ isNew: true })
})

test('a shop cannot be chosen or a time held for tires that do not fit; other ways stay open', async () => {
  await using store = await openTestStore(port)
  const itemId = await listedTire(store)
  const vehicle = await rav4(store, label('225/65R17 102H'))
  const { cartId } = await makePaidCart(store, { itemId, vehicle })
  const shopId = (await cartOf(store, cartId)).shopId ?? 0
  for (const fulfillment of ['shop', 'mobile'] as const)
    expect(await refuseInstallation(store, await cartOf(store, cartId), fulfillment)).toBeUndefined()

  await updateCart(store, cartId, { vehicle: await rav4(store, label('235/55R19 101V')) })
  const cart = await cartOf(store, cartId)
  const refusal = { ok: false, reason: 'does-not-fit', detail: { verdict: { verdict: 'does_not_fit' } } }
  expect(await refuseInstallation(store, cart)).toMatchObject(refusal)
  expect(await installationFor(store, cart, shopId)).toMatchObject(refusal)
  for (const fulfillment of ['shop', 'mobile'] as const)
    expect(await chooseFulfillment(store, cart, { fulfillment, shopId })).toMatchObject(refusal)
  expect(await cartOf(store, cartId)).toMatchObject({ fulfillment: 'shop', shopId })

  // The time was held before the vehicle changed.
  expect(await findHold(store, cartId)).toBeDefined()
  expect(await settleHold(store, { cartId })).toBe('does-not-fit')
  expect(await findHold(store, cartId)).toBeUndefined()
  expect(await findReleasedTime(store, cart)).toMatchObject({ reason: 'does-not-fit' })

  must(await chooseFulfillment(store, cart, { fulfillment: 'home' }))
  expect(await refuseInstallation(store, await cartOf(store, cartId))).toBeUndefined()
})

test('tires older than a maximum age that starts while an order is placed are not installed', async () => {
  await using store = await openTestStore(port)
  const itemId = await listedTire(store)
  const vehicle = await rav4(store, label('225/65R17 102H'))
  const fiveYearsAgo = store.clock.now().toZonedDateTimeISO('UTC').toPlainDate().subtract({ years: 5 })
  await store.db
    .updateTable('item')
    .set({ oldest_dot_week: fiveYearsAgo.subtract({ days: fiveYearsAgo.dayOfWeek - 1 }).toString() })
    .where('id', '=', itemId)
    .execute()
  const first = await makePaidCart(store, { itemId, vehicle })
  expect(must(await placeOrder(store, first))).toMatchObject({ isNew: true })

  const second = await makePaidCart(store, { itemId, vehicle, openingAt: 1 })
  const { termsVersion: seen } = await selectState(store.db)
  const values = { 'tire-age-years': 4 }
  store.clock.set(store.clock.now().add({ seconds: 1 }))
  must(await changeTerms(store, owner, { group: 'orders', input: { values, startsAt: null, seen } }))
  // This process has not read the change yet; the order's transaction notices it.
  expect(store.businessTerms.current['tire-age-years']).toBe(6)
  expect(await placeOrder(store, second)).toMatchObject({
    ok: false,
    reason: 'does-not-fit',
    detail: { verdict: { sets: [{ rules: ['FR43'] }] } },
  })
})

const mondayYearsAgo = ({ clock }: TestStore, years: number) => {
  const day = clock.now().toZonedDateTimeISO('UTC').toPlainDate().subtract({ years })
  return day.subtract({ days: day.dayOfWeek - 1 }).toString()
}

/** A refusal to sell an old tire with or without a vehicle. */
const tooOld = {
  ok: false,
  reason: 'problem',
  detail: {
    problems: [{ kind: 'too-old', tires: [{ text: expect.stringMatching(/^Made week \d+, 20\d\d\. We do not/) }] }],
  },
}

test('tires older than the maximum age are not sold, with or without a vehicle', async () => {
  await using store = await openTestStore(port)
  const itemId = await listedTire(store)
  const isInStock = async () => (await findOffers(store.catalog, [String(itemId)]))[0]?.isInStock
  const alone = await makePaidCart(store, { itemId, fulfillment: 'home' })
  const withVehicle = await makePaidCart(store, {
    itemId,
    vehicle: await rav4(store, label('225/65R17 102H')),
    fulfillment: 'home',
  })
  const installed = await makePaidCart(store, { itemId })
  expect(await isInStock()).toBe(true)
  const stock = await stockOf(store, itemId)
  await store.db
    .updateTable('item')
    .set({ oldest_dot_week: mondayYearsAgo(store, 7) })
    .where('id', '=', itemId)
    .execute()
  store.catalog.clear()
  expect(await isInStock()).toBe(false)
  for (const input of [alone, withVehicle, installed])
    expect(await placeOrder(store, { ...input, conditionsAccepted: true })).toMatchObject(tooOld)
  expect(await stockOf(store, itemId)).toBe(stock)
})

test('the oldest week of the units in a warehouse counts, and weeks of units that left do not', async () => {
  await using store = await openTestStore(port)
  const itemId = await listedTire(store)
  const { warehouse_id, on_hand } = await store.db
    .selectFrom('stock')
    .select(['warehouse_id', 'on_hand'])
    .where('item_id', '=', itemId)
    .where('on_hand', '>', 1)
    .orderBy('on_hand', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  const receive = (lots: [years: number, units: number][]) =>
    store.db.transaction().execute((tx) =>
      replaceLots(tx, [
        {
          itemId,
          warehouseId: warehouse_id,
          lots: lots.map(([years, units]) => ({ week: mondayYearsAgo(store, years), units })),
        },
      ]),
    )
  await receive([
    [7, 5],
    [1, on_hand],
  ])
  expect(must(await placeOrder(store, await makePaidCart(store, { itemId, fulfillment: 'home' })))).toMatchObject({
    isNew: true,
  })
  const input = await makePaidCart(store, { itemId, fulfillment: 'home', openingAt: 1 })
  await receive([
    [7, on_hand],
    [1, 1],
  ])
  expect(await placeOrder(store, input)).toMatchObject(tooOld)
})

test('fit conditions must be accepted before the order is placed, with or without installation', async () => {
  await using store = await openTestStore(port)
  const itemId = await listedTire(store)
  const listed = await rav4(store, { confirmed: false, label: null })
  for (const fulfillment of ['shop', 'home'] as const) {
    const input = await makePaidCart(store, { itemId, vehicle: listed, fulfillment })
    expect(await placeOrder(store, { ...input, conditionsAccepted: false })).toMatchObject({
      ok: false,
      reason: 'conditions-not-accepted',
    })
    expect(must(await placeOrder(store, input))).toMatchObject({ isNew: true })
  }
  // A fit confirmed by the door label has no conditions.
  const plain = await makePaidCart(store, { itemId, vehicle: await rav4(store, label('225/65R17 102H')) })
  expect(must(await placeOrder(store, { ...plain, conditionsAccepted: false }))).toMatchObject({ isNew: true })
})

test('an order with an unknown fit waits for a person to check it, once, and other orders don’t', async () => {
  await using store = await openTestStore(port)
  const itemId = await listedTire(store)
  const place = async (vehicle: ChosenVehicle) => {
    const cart = await makePaidCart(store, { itemId, vehicle })
    return must(await placeOrder(store, { ...cart, conditionsAccepted: true })).orderId
  }
  const known = await place(await rav4(store, label('225/65R17 102H')))
  // Other trims of the model have another size.
  const open = { ...(await rav4(store, { confirmed: false, label: null })), vehicleId: null }
  const orderId = await place(open)
  const waiting = async () =>
    (await listFitChecks(store, { now: store.clock.now(), limit: 10 })).map(({ id, due }) => [
      id,
      due.since(store.clock.now()).total('hours') <= 24,
    ])
  expect(await waiting()).toEqual([[orderId, true]])
  const packer = await signInStaff(store, 'warehouse')
  const reason = 'The customer read us the door label.'
  expect(await checkFitAsStaff(store, packer, { orderId, reason })).toMatchObject({ reason: 'not-allowed' })
  expect(await checkFitAsStaff(store, owner, { orderId: known, reason })).toMatchObject({ reason: 'not-possible' })
  const presses = await Promise.all(
    Array.from({ length: 10 }, () => checkFitAsStaff(store, owner, { orderId, reason })),
  )
  expect(presses.filter((press) => must(press).isNew)).toHaveLength(1)
  expect(await waiting()).toEqual([])
  const canceled = await place(open)
  expect(await waiting()).toEqual([[canceled, true]])
  must(await cancelOrder(store, { orderId: canceled, actor: 'shopper' }))
  expect(await waiting()).toEqual([])
})
