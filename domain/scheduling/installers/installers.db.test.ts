import { expect, test } from 'vitest'
import { milesBetween } from '#domain/supply/delivery/delivery.ts'
import { chicago, counting, losAngeles, makeZip } from '#domain/supply/delivery/delivery.testing.ts'
import { createTestDatabase } from '#tests/support/database.ts'
import { fixedClock } from '#platform/clock.testing.ts'
import {
  countShopsByState,
  findShop,
  findShopsNear,
  findVans,
  listShopNames,
  listShopsInArea,
  listUrbanAreas,
  listVansServing,
  listVanTowns,
  vanServes,
} from './installers.server.ts'
import { installerAgreement, quoteInstallation, type NearbyShop, type TireSpec } from './installers.ts'
import { fourTires, makeShop } from './installers.testing.ts'

const clock = fixedClock('2026-11-20T16:00:00Z')
const names = (shops: readonly { name: string }[]) => shops.map((shop) => shop.name)

function listed(found: Awaited<ReturnType<typeof findShopsNear>>): NearbyShop[] {
  if (!found.ok) throw new Error(found.reason)
  return found.value
}

test('shops are listed nearest first, with distance, within the radius', async () => {
  await using database = await createTestDatabase()
  const { db } = database
  await makeZip(db)
  await makeShop(db, { name: 'Far', latitude: 42.6, longitude: -87.9 })
  await makeShop(db, { name: 'Near', latitude: 41.93, longitude: -87.66 })
  // In a corner of the bounding box, but 60 miles away.
  await makeShop(db, { name: 'Corner', latitude: 41.33, longitude: -86.83 })
  await makeShop(db, { name: 'Middle', latitude: 41.99, longitude: -87.67 })
  await makeShop(db, { name: 'Closed down', active: false })
  await makeShop(db, { name: 'Elsewhere', ...losAngeles })
  await makeShop(db, { name: 'Van', kind: 'van' })

  const found = listed(await findShopsNear({ db, clock }, { near: { zip: '60614' } }))
  expect(names(found)).toEqual(['Near', 'Middle', 'Far'])
  expect(found[2]?.miles).toBeCloseTo(milesBetween(chicago, { latitude: 42.6, longitude: -87.9 }), 6)
  expect(names(listed(await findShopsNear({ db, clock }, { near: { zip: '60614' }, withinMiles: 10 })))).toEqual([
    'Near',
    'Middle',
  ])
  expect(
    names(
      listed(await findShopsNear({ db, clock }, { near: { point: { latitude: 42.5, longitude: -87.9 } }, limit: 1 })),
    ),
  ).toEqual(['Far'])
  expect(await findShopsNear({ db, clock }, { near: { zip: '00000' } })).toMatchObject({
    ok: false,
    reason: 'zip-not-found',
  })
  expect(listed(await findShopsNear({ db, clock }, { near: { point: { latitude: 45, longitude: -110 } } }))).toEqual([])
})

test('quotes price and minutes per shop by rim and job', async () => {
  await using database = await createTestDatabase()
  const { db } = database
  await makeZip(db)
  await makeShop(db)
  const counted = counting(db)
  const [shop] = listed(await findShopsNear({ db: counted.db, clock }, { near: { zip: '60614' }, tires: fourTires }))
  expect(counted.count()).toBe(1)
  expect(shop).toMatchObject({
    ratingTenths: 48,
    timeZone: 'America/Chicago',
    limits: { rimMinIn: 12, rimMaxIn: 22, aspectMin: 35 },
    quote: { installCents: 8800, serviceKitCents: 2400, disposalCents: 1400, minutes: 60 },
  })
  expect(shop?.hours).toContainEqual({ weekday: 6, opens: 480, closes: 840 })
})

test('a shop is listed for tires exactly when its quote accepts them', async () => {
  await using database = await createTestDatabase()
  const { db } = database
  await makeZip(db)
  await makeShop(db, { name: 'All' })
  await makeShop(db, { name: 'Small rims', rim_max_in: 18 })
  await makeShop(db, { name: 'No run-flats', takes_run_flat: false })
  await makeShop(db, { name: 'No trucks', takes_light_truck: false })
  await makeShop(db, { name: 'No low profiles', aspect_min: 45 })
  await makeShop(db, { name: 'Cars up to 19', rates: [{ job: 'standard', rim_to_in: 19 }] })
  const everyShop = listed(await findShopsNear({ db, clock }, { near: { zip: '60614' } }))
  expect(everyShop).toHaveLength(6)

  for (const rimIn of [17, 18.5, 20, 22.5]) {
    for (const aspect of [30, 35, 40, 65]) {
      for (const runFlat of [false, true]) {
        for (const sizeKind of ['P', 'LT', 'ST']) {
          const tires: TireSpec[] = [
            { quantity: 2, rimIn: 17, aspect: 65, runFlat: false, sizeKind: 'P' },
            { quantity: 2, rimIn, aspect, runFlat, sizeKind },
          ]
          const found = listed(await findShopsNear({ db, clock }, { near: { zip: '60614' }, tires }))
          expect(names(found).sort(), JSON.stringify(tires[1])).toEqual(
            names(everyShop.filter((shop) => quoteInstallation(shop, tires).ok)).sort(),
          )
          expect(found.every((shop) => shop.quote !== null)).toBe(true)
        }
      }
    }
  }
})

test('no shop takes or prices tires outside of the installer agreement', async () => {
  await using database = await createTestDatabase()
  const { db } = database
  const { rimMinIn, rimMaxIn, aspectMin } = installerAgreement
  await makeShop(db, { rim_min_in: rimMinIn, rim_max_in: rimMaxIn, aspect_min: aspectMin })
  for (const beyond of [{ rim_min_in: rimMinIn - 1 }, { rim_max_in: rimMaxIn + 1 }, { aspect_min: aspectMin - 1 }])
    await expect(makeShop(db, beyond)).rejects.toThrow('shop_within_agreement')
  for (const beyond of [{ rim_from_in: rimMinIn - 1 }, { rim_to_in: rimMaxIn + 1 }])
    await expect(makeShop(db, { rates: [beyond] })).rejects.toThrow('shop_rate_within_agreement')
})

test('finds a shop by code or id, with its closed days', async () => {
  await using database = await createTestDatabase()
  const { db } = database
  const id = await makeShop(db, {
    code: 'HALSTED',
    closures: [
      ['2026-11-26', 'Thanksgiving'],
      ['2026-01-01', 'New Year'],
    ],
    hours: [[1, '08:00', '24:00']],
  })
  const shop = await findShop({ db, clock }, { code: 'HALSTED' })
  expect(shop).toMatchObject({
    id,
    closures: [{ on: '2026-11-26', reason: 'Thanksgiving' }],
    hours: [{ weekday: 1, opens: 480, closes: 1440 }],
  })
  expect(await findShop({ db, clock }, { id })).toEqual(shop)
  expect(await findShop({ db, clock }, { code: 'NOBODY' })).toBeUndefined()
})

test("a van serves only its area's ZIPs", async () => {
  await using database = await createTestDatabase()
  const { db } = database
  await makeZip(db)
  await makeZip(db, losAngeles)
  const van = await makeShop(db, { name: 'Van', kind: 'van', dropOffs: 0, takes_run_flat: false })
  await db.insertInto('van_area').values({ shop_id: van, zip: '60614' }).execute()

  expect(await findVans({ db, clock }, { zip: '60614', tires: fourTires })).toMatchObject([
    { id: van, miles: 0, quote: { minutes: 60 } },
  ])
  expect(
    await findVans(
      { db, clock },
      { zip: '60614', tires: [{ quantity: 4, rimIn: 17, aspect: 65, runFlat: true, sizeKind: 'P' }] },
    ),
  ).toEqual([])
  expect(await findVans({ db, clock }, { zip: '90001' })).toEqual([])
  expect(await vanServes({ db }, { shopId: van, zip: '60614' })).toBe(true)
  expect(await vanServes({ db }, { shopId: van, zip: '90001' })).toBe(false)
  expect(names(await listVansServing({ db, clock }, ['90001', '60614']))).toEqual(['Van'])
  expect(await listVanTowns({ db }, van)).toEqual([{ city: chicago.city, state: 'IL', zipCount: 1 }])
  expect(await listVansServing({ db, clock }, ['90001'])).toEqual([])
})

test('cities are listed with their shops, and their slugs lead back to them', async () => {
  await using database = await createTestDatabase()
  const { db } = database
  await makeShop(db, { name: 'Good', rating_tenths: 45 })
  await makeShop(db, { name: 'Better', rating_tenths: 49 })
  await makeShop(db, { name: 'Arch', city: 'St. Louis', state: 'MO' })
  await makeShop(db, { name: 'Van', kind: 'van', city: 'Gary', state: 'IN' })
  const areas = await listUrbanAreas({ db })
  expect(areas.map((area) => [area.slug, area.shopCount])).toEqual([
    ['chicago-il', 2],
    ['st-louis-mo', 1],
  ])
  const lists = await Promise.all(areas.map((area) => listShopsInArea({ db, clock }, area)))
  expect(lists.map(names)).toEqual([['Better', 'Good'], ['Arch']])
})

test('two cities with one name in a state keep their shops apart, and the older one its slug after its only shop closed', async () => {
  await using database = await createTestDatabase()
  const { db } = database
  const older = await makeShop(db, {
    name: 'Older',
    city: 'Franklin',
    state: 'PA',
    zip: '16323',
    latitude: 41.39,
    longitude: -79.83,
  })
  await makeShop(db, { name: 'Newer', city: 'Franklin', state: 'PA', zip: '17401', latitude: 39.96, longitude: -77.6 })
  const areas = await listUrbanAreas({ db })
  const lists = await Promise.all(areas.map((area) => listShopsInArea({ db, clock }, area)))
  expect(areas.map(({ slug }, index) => [slug, names(lists[index] ?? [])])).toEqual([
    ['franklin-pa', ['Older']],
    ['franklin-pa-17401', ['Newer']],
  ])
  await db.updateTable('shop').set({ active: false }).where('id', '=', older).execute()
  expect((await listUrbanAreas({ db })).map(({ slug }) => slug)).toEqual(['franklin-pa-17401'])
})

test('lists all shops and vans state by state, without closed ones', async () => {
  await using database = await createTestDatabase()
  const { db } = database
  await makeShop(db, { code: 'A', name: 'Arch', state: 'MO' })
  await makeShop(db, { code: 'B', name: 'Bean' })
  await makeShop(db, { code: 'C', name: 'Cab', kind: 'van' })
  await makeShop(db, { code: 'D', name: 'Done', active: false })
  expect(await countShopsByState({ db })).toEqual([
    { state: 'IL', count: 2 },
    { state: 'MO', count: 1 },
  ])
  expect(await listShopNames({ db }, ['IL'])).toEqual([
    { slug: 'bean', code: 'B' },
    { slug: 'cab', code: 'C' },
  ])
})
