import { expect, test } from 'vitest'
import { deliveryPlaces, readZips } from '#db/reference/zips.ts'
import { milesBetween } from './distances.ts'
import { isConfusable, realShopChains } from './real-names.testing.ts'
import { baysOf, closuresOf, hoursOf, ratesOf } from './shop-details.ts'
import { makeShops, readShopSites, vanAreas } from './shops.ts'
import { installerAgreement } from '#domain/scheduling/installers/installers.ts'

const places = deliveryPlaces(readZips())
const sites = readShopSites(places)
const shops = makeShops(sites, 250, places)
const lincolnPark = { latitude: 41.9229, longitude: -87.6483 }

test('there are 2,750 shops and 250 vans, each with a unique code', () => {
  expect(shops.filter((shop) => shop.kind === 'shop')).toHaveLength(2_750)
  expect(shops.filter((shop) => shop.kind === 'van')).toHaveLength(250)
  expect(new Set(shops.map((shop) => shop.code)).size).toBe(3_000)
  expect(new Set(shops.map((shop) => shop.name)).size).toBe(3_000)
  expect(new Set(shops.map((shop) => shop.state)).size).toBeGreaterThanOrEqual(51)
})

test('no shop has the name of a chain', () => {
  const confusable = shops.flatMap((shop) =>
    realShopChains.filter((chain) => isConfusable(shop.name, chain)).map((chain) => `${shop.name} / ${chain}`),
  )
  expect(confusable).toEqual([])
})

test('phone numbers are reserved fictional ones', () => {
  expect(shops.filter((shop) => !/^[2-9]\d\d-555-01\d\d$/.test(shop.phone))).toEqual([])
})

test('Lincoln Park has several shops within five miles, the named ones among them', () => {
  const near = shops
    .filter((shop) => shop.kind === 'shop' && milesBetween(shop, lincolnPark) <= 5)
    .map((shop) => shop.name)
  expect(near).toEqual(expect.arrayContaining(['Halsted Tire', 'Ravenswood Wheel & Axle', 'Clybourn Tire & Brake']))
  expect(near.length).toBeGreaterThan(5)
})

test('nine of ten delivery places have a shop within 30 miles', () => {
  const sample = places.filter((place, index) => place.region === 'CONUS' && index % 40 === 0)
  const served = sample.filter((place) => shops.some((shop) => shop.kind === 'shop' && milesBetween(shop, place) <= 30))
  expect(served.length / sample.length).toBeGreaterThan(0.88)
})

test('a van serves ZIPs within 20 miles of its base, and its own', () => {
  const areas = Map.groupBy(vanAreas(shops, places), (area) => area.shop_id)
  const placeOf = new Map(places.map((place) => [place.zip, place]))
  for (const van of shops.filter((shop) => shop.kind === 'van')) {
    const zips = (areas.get(van.id) ?? []).map((area) => area.zip)
    expect(zips).toContain(van.zip)
    expect(Math.max(...zips.map((zip) => milesBetween(van, placeOf.get(zip)!)))).toBeLessThanOrEqual(20)
  }
})

test('bays, hours and prices are consistent', () => {
  const bays = Map.groupBy(baysOf(shops), (bay) => bay.shop_id)
  const hours = Map.groupBy(hoursOf(shops), (day) => day.shop_id)
  const rates = Map.groupBy(ratesOf(shops), (rate) => rate.shop_id)
  const odd = shops.filter((shop) => {
    const [lifts = 0, drops = 0] = ['bay', 'drop-off'].map(
      (kind) => (bays.get(shop.id) ?? []).filter((bay) => bay.kind === kind).length,
    )
    const days = hours.get(shop.id) ?? []
    const bands = (rates.get(shop.id) ?? []).filter((rate) => rate.job === 'standard')
    const hasPlaces = shop.kind === 'van' ? lifts === 1 && drops === 0 : lifts >= 2 && lifts <= 8 && drops >= 2
    const isOpen = days.length >= 5 && days.every((day) => day.opens < day.closes)
    const takesItsLargestRim = bands.some(
      (band) => band.rim_from_in <= shop.rim_max_in && shop.rim_max_in <= band.rim_to_in,
    )
    return !(hasPlaces && isOpen && takesItsLargestRim)
  })
  expect(odd).toEqual([])
})

test('demo shops stay within the installer agreement', () => {
  const { rimMinIn, rimMaxIn, aspectMin } = installerAgreement
  const beyond = shops.filter(
    ({ rim_min_in: rim = rimMinIn, rim_max_in: most, aspect_min: aspect = aspectMin }) =>
      rim < rimMinIn || most > rimMaxIn || aspect < aspectMin,
  )
  expect(beyond).toEqual([])
  expect(ratesOf(shops).filter((rate) => rate.rim_from_in < rimMinIn || rate.rim_to_in > rimMaxIn)).toEqual([])
})

test('a shop has a price for the kinds of work it takes, and for no others', () => {
  const rates = Map.groupBy(ratesOf(shops), (rate) => rate.shop_id)
  const odd = shops.filter((shop) => {
    const jobs = new Set((rates.get(shop.id) ?? []).map((rate) => rate.job))
    return (
      !jobs.has('standard') ||
      !jobs.has('low-profile') ||
      jobs.has('run-flat') !== shop.takes_run_flat ||
      jobs.has('light-truck') !== shop.takes_light_truck
    )
  })
  expect(odd).toEqual([])
  expect(shops.filter((shop) => !shop.takes_run_flat).length).toBeGreaterThan(200)
  expect(shops.filter((shop) => shop.rim_max_in === 20).length).toBeGreaterThan(300)
})

test('Halsted Tire charges the prices stated on pages', () => {
  const rate = ratesOf(shops).find(
    (row) => row.shop_id === 1 && row.job === 'standard' && row.rim_from_in <= 17 && row.rim_to_in >= 17,
  )
  expect(rate).toMatchObject({
    install_cents: 2_200,
    service_kit_cents: 600,
    disposal_cents: 350,
    minutes_per_tire: 15,
  })
})

test('every shop is closed on Thanksgiving, and no closed day is listed twice', () => {
  const closures = closuresOf(shops, Temporal.PlainDate.from('2026-11-20'))
  expect(closures.filter((closure) => closure.closed_on === '2026-11-26')).toHaveLength(shops.length)
  expect(new Set(closures.map((closure) => `${closure.shop_id} ${closure.closed_on}`)).size).toBe(closures.length)
})
