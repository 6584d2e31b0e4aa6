/** A shop's price lists by date, with quoted prices, and prices that are retained. */
import { expect, test } from 'vitest'
import {
  appointmentRequirements,
  createCalendars,
  earliestTimes,
  holdSlot,
  listBays,
  offerTimes,
  readOwnJob,
} from '#domain/scheduling/booking/booking.server.ts'
import { at, installation, makeCart, tuesday } from '#domain/scheduling/booking/booking.testing.ts'
import { must } from '#domain/ordering/checkout/checkout.testing.ts'
import { findShop, findShopsNear } from '#domain/scheduling/installers/installers.server.ts'
import { fourTires } from '#domain/scheduling/installers/installers.testing.ts'
import { quoteInstallation, type TireSpec } from '#domain/scheduling/installers/installers.ts'
import { violatedConstraint } from '#platform/db.ts'
import { newId } from '#platform/ids.ts'
import { ownedShop } from './capacity.testing.ts'
import { enterOwnJob, planPrices, readPrices, withdrawPrices } from './portal.server.ts'
import { jobExamples, ownJobForm, pricesForm, pricesValues } from './portal.ts'
import { typedPriceList } from './prices.testing.ts'

type Shop = Awaited<ReturnType<typeof ownedShop>>
const plan = ({ store, by, timeZone }: Shop, change: Record<string, string> = {}) =>
  planPrices(store, by, { timeZone, list: pricesForm.parse(typedPriceList(change)) })

async function quoteOf(shop: Shop, tires: readonly TireSpec[] = fourTires, cartId?: string) {
  const found = await findShop(shop.deps, { id: shop.shopId, ...(cartId && { cartId }) })
  const quote = found && quoteInstallation(found, tires)
  return quote?.ok ? [quote.value.installCents, quote.value.minutes] : quote?.detail
}
const runFlats: TireSpec[] = [{ quantity: 4, rimIn: 17, aspect: 45, runFlat: true, sizeKind: 'P' }]

test('a price list applies to quotes from its date, and existing holds aren’t repriced', async () => {
  await using shop = await ownedShop()
  must(await plan(shop, { from: '2026-11-21' }))
  expect(await quoteOf(shop)).toEqual([8_800, 60])
  shop.clock.set(at('2026-11-20T23:55'))
  const cartId = await makeCart(shop.db)
  must(await holdSlot(shop.deps, { ...installation, shopId: shop.shopId, cartId, choice: tuesday('08:00') }))
  const other = await makeCart(shop.db)
  shop.clock.set(at('2026-11-21T00:01'))
  // Four tires at $30 and 20 minutes each, and 5 minutes for the car.
  expect(await quoteOf(shop)).toEqual([12_000, 85])
  expect(await quoteOf(shop, fourTires, other)).toEqual([12_000, 85])
  expect(await quoteOf(shop, fourTires, cartId)).toEqual([8_800, 60])
  // Its duration is retained too, so the reserved time is long enough for its order.
  const needed = async (heldBy?: string) => {
    const asked = { ...installation, shopId: shop.shopId, ...(heldBy && { heldBy }) }
    return must((await appointmentRequirements(shop.deps, asked))(installation.arrivesOn)).minutes
  }
  expect(await needed(cartId)).toBe(60)
  expect(await needed(other)).toBe(85)
  expect(await needed()).toBe(85)
  const offered = must(await offerTimes(shop.deps, { ...installation, shopId: shop.shopId }))
  expect(offered.quote).toMatchObject({ installCents: 12_000, minutes: 85 })
})

test('rejects a price list based on an outdated version', async () => {
  await using shop = await ownedShop()
  const { version: basedOn } = await readPrices(shop.store, shop.shopId)
  must(await plan(shop, { from: '2026-11-21', basedOn }))
  const { version, lists } = await readPrices(shop.store, shop.shopId)
  expect(await plan(shop, { from: '2026-11-22', basedOn })).toMatchObject({ reason: 'changed-meanwhile' })
  expect((await readPrices(shop.store, shop.shopId)).lists).toEqual(lists)
  must(await plan(shop, { from: '2026-11-22', basedOn: version }))
})

test('a shop job with an alignment is longer by the minutes in that day’s list', async () => {
  await using shop = await ownedShop()
  must(await plan(shop, { from: '2026-11-25', alignmentMinutes: '45' }))
  const [bay] = await listBays(shop.db, shop.shopId, { from: at('2026-11-24T00:00'), to: at('2026-11-26T00:00') })
  const enter = async (on: string, change: Record<string, string> = {}) => {
    const form = { key: newId(), kind: 'phone', bay: String(bay?.id), on, at: '09:00', minutes: '60', ...change }
    const { ownJobId } = must(
      await enterOwnJob(shop.store, shop.by, {
        typed: ownJobForm.parse(form),
        ownJobId: null,
        timeZone: shop.timeZone,
      }),
    )
    const job = await readOwnJob(shop.db, { shopId: shop.shopId, ownJobId })
    return [job?.end.since(job.start).total('minutes'), job?.alignmentMinutes]
  }
  expect(await enter('2026-11-24', { alignment: 'yes' })).toEqual([120, 60])
  expect(await enter('2026-11-25', { alignment: 'yes' })).toEqual([105, 45])
  expect(await enter('2026-11-25', { at: '13:00' })).toEqual([60, null])
  // A closed bay has no alignment.
  expect(await enter('2026-11-26', { kind: 'block', alignment: 'yes' })).toEqual([60, null])
})

test('the database limits alignments to their jobs and excludes them from blocked time', async () => {
  await using shop = await ownedShop()
  const [bay] = await listBays(shop.db, shop.shopId, { from: at('2026-11-24T00:00'), to: at('2026-11-26T00:00') })
  const form = { key: newId(), kind: 'phone', bay: String(bay?.id), on: '2026-11-24', at: '09:00', minutes: '30' }
  const asked = { typed: ownJobForm.parse(form), ownJobId: null, timeZone: shop.timeZone }
  must(await enterOwnJob(shop.store, shop.by, asked))
  for (const wrong of [{ alignment_minutes: 30 }, { alignment_minutes: 15, kind: 'block' }])
    await expect(shop.db.updateTable('own_job').set(wrong).execute()).rejects.toSatisfy(
      (error) => violatedConstraint(error) === 'own_job_longer_than_alignment',
    )
})

test('calendars that processes keep follow a list at midnight on the shop’s clock', async () => {
  await using shop = await ownedShop()
  must(await plan(shop, { from: '2026-11-21' }))
  const calendars = createCalendars(shop.db)
  const first = async () => {
    const [times = []] = await earliestTimes(
      { calendars, clock: shop.clock },
      { asks: [{ ...installation, shopId: shop.shopId }] },
    )
    return times[0] && times[0].end.since(times[0].start).total('minutes')
  }
  shop.clock.set(at('2026-11-20T23:59'))
  expect(await first()).toBe(60)
  shop.clock.set(at('2026-11-21T00:00'))
  expect(await first()).toBe(85)
})

test('tire types are accepted on days with a price for them', async () => {
  await using shop = await ownedShop()
  const listed = async () => {
    const near = must(
      await findShopsNear(shop.deps, { near: { point: { latitude: 41.92, longitude: -87.65 } }, tires: runFlats }),
    )
    return near.length
  }
  expect(await quoteOf(shop, runFlats)).toEqual([13_600, 90])
  expect(await listed()).toBe(1)
  must(await plan(shop, { from: '2026-11-21' }))
  expect(await quoteOf(shop, runFlats)).toEqual([13_600, 90])
  expect(await listed()).toBe(1)
  shop.clock.set(at('2026-11-21T00:01'))
  expect(await quoteOf(shop, runFlats)).toEqual(['no-price'])
  expect(await listed()).toBe(0)
})

test('services without new tires are priced by list, and taken back with it', async () => {
  await using shop = await ownedShop()
  const offered = async () => (await findShop(shop.deps, { id: shop.shopId }))?.servicePrices
  const typed = { 'service-rotation': '39.50', 'service-rotation-minutes': '40' }
  must(await plan(shop, { from: '2026-11-21', ...typed }))
  must(
    await plan(shop, {
      from: '2026-11-22',
      ...typed,
      'service-flat-repair': '30',
      'service-flat-repair-minutes': '25',
    }),
  )
  const rotation = { service: 'rotation', priceCents: 3_950, minutes: 40 }
  const repair = { service: 'flat-repair', priceCents: 3_000, minutes: 25 }
  const { lists } = await readPrices(shop.store, shop.shopId)
  expect(lists.map(({ services }) => services)).toEqual([[], [rotation], [repair, rotation]])
  expect(lists[1] && pricesValues(lists[1])).toMatchObject(typed)
  const from = Temporal.PlainDate.from('2026-11-22')
  must(await withdrawPrices(shop.store, shop.by, { timeZone: shop.timeZone, from }))
  expect(await offered()).toEqual([])
  for (const day of ['2026-11-21T00:01', '2026-11-22T12:00']) {
    shop.clock.set(at(day))
    expect(await offered(), day).toEqual([rotation])
  }
})

test('the database has one price of a service on each day', async () => {
  await using shop = await ownedShop()
  const row = { shop_id: shop.shopId, service: 'rotation', price_cents: 3_000, minutes: 40 }
  const insert = (change: Partial<typeof row> = {}) =>
    shop.db
      .insertInto('shop_service_price')
      .values({ ...row, ...change })
      .execute()
  await insert()
  for (const [change, constraint] of [
    [{}, 'shop_service_price_once_a_day'],
    [{ service: 'alignment', price_cents: 0 }, 'shop_service_price_price_cents_check'],
    [{ service: 'alignment', minutes: 4 }, 'shop_service_price_minutes_check'],
    [{ service: 'Alignment' }, 'shop_service_price_service_check'],
  ] as const)
    await expect(insert(change)).rejects.toSatisfy((error) => violatedConstraint(error) === constraint)
})

test('lists are replaced, taken back and refused as versions of capacity are, with who made them', async () => {
  await using shop = await ownedShop()
  const spans = async () =>
    (await readPrices(shop.store, shop.shopId)).lists.map(({ from, until, madeBy }) => [from, until, madeBy])
  must(await plan(shop, { from: '2027-01-01' }))
  must(await plan(shop, { from: '2026-12-01' }))
  must(await plan(shop, { from: '2026-12-01', 'standard-17': '31' }))
  expect(await spans()).toEqual([
    [null, '2026-12-01', null],
    ['2026-12-01', '2027-01-01', 'Ona'],
    ['2027-01-01', null, 'Ona'],
  ])
  const { lists, limits, events } = await readPrices(shop.store, shop.shopId)
  expect(
    pricesValues(
      lists[1] ?? {
        rates: [],
        times: { takeInMinutes: 0, sensorMinutes: 0, dualMinutes: 0, alignmentMinutes: 60 },
        services: [],
      },
    ),
  ).toMatchObject({
    'standard-17': '31.00',
    'standard-17-minutes': '20',
    takeInMinutes: '5',
  })
  expect(
    jobExamples({
      ...(lists[1] ?? {
        rates: [],
        times: { takeInMinutes: 0, sensorMinutes: 0, dualMinutes: 0, alignmentMinutes: 60 },
      }),
      limits,
    })[1],
  ).toEqual({
    words: 'Four tires, 17 in',
    minutes: 85,
    cents: 16_200,
  })
  expect(events.map(({ act, note, who }) => [act, note, who])).toEqual([
    ['prices', '2026-12-01', 'Ona'],
    ['prices', '2026-12-01', 'Ona'],
    ['prices', '2027-01-01', 'Ona'],
  ])
  const from = Temporal.PlainDate.from('2026-12-01')
  const back = () => withdrawPrices(shop.store, shop.by, { timeZone: shop.timeZone, from })
  expect(await back()).toMatchObject({ ok: true })
  expect(await back()).toMatchObject({ reason: 'no-plan' })
  expect(await spans()).toEqual([
    [null, '2027-01-01', null],
    ['2027-01-01', null, 'Ona'],
  ])
  expect(await plan(shop, { from: '2026-11-20' })).toMatchObject({ reason: 'past' })
  expect(await plan(shop, { from: '2028-11-20' })).toMatchObject({ reason: 'too-far' })
  expect(
    await shop.db
      .deleteFrom('shop_price_list')
      .execute()
      .then(() => 'done', violatedConstraint),
  ).toBe('shop_price_list_every_day')
})
