import type { Row } from '#db/insert-rows.ts'
import type { Place } from '#db/reference/zips.ts'
import { milesBetween, nearbyFinder } from './distances.ts'
import { randomStream, type Random } from './random.ts'
import { readRows } from '#db/reference/read-data.ts'
import { fictionalPhone, shopName, streetAddress, vanName } from './shop-names.ts'
import { installerAgreement } from '#domain/scheduling/installers/installers.ts'
import { slugOf } from '#platform/slug.ts'

export type Shop = Row<'shop'> & {
  id: number
  kind: 'shop' | 'van'
  rim_max_in: number
  takes_run_flat: boolean
  takes_light_truck: boolean
  slot_minutes: number
}

type NamedShop = Partial<Row<'shop'>> & { slot_minutes?: number } & Pick<
    Row<'shop'>,
    'name' | 'street' | 'city' | 'state' | 'zip' | 'latitude' | 'longitude'
  >

/** Shops mentioned by pages, guides and tests. */
const namedShops: readonly NamedShop[] = [
  {
    name: 'Halsted Tire',
    street: '1430 N Halsted St',
    phone: '312-555-0117',
    city: 'Chicago',
    state: 'IL',
    zip: '60642',
    latitude: 41.9076,
    longitude: -87.6485,
    rating_tenths: 48,
    rating_count: 611,
    on_time_percent: 97,
    slot_minutes: 90,
    amenities: ['Waiting room', 'Wi-Fi'],
    rim_max_in: 22,
    aspect_min: 35,
    takes_run_flat: true,
    takes_light_truck: true,
    receiving_minutes: 60,
  },
  {
    name: 'Ravenswood Wheel & Axle',
    street: '4211 N Ravenswood Ave',
    phone: '773-555-0136',
    city: 'Chicago',
    state: 'IL',
    zip: '60613',
    latitude: 41.9585,
    longitude: -87.6742,
    rating_tenths: 46,
    rating_count: 208,
    on_time_percent: 94,
    slot_minutes: 75,
    amenities: ['Alignment rack'],
    rim_max_in: 22,
    aspect_min: 35,
    takes_run_flat: true,
    takes_light_truck: true,
    receiving_minutes: 90,
  },
  {
    name: 'Clybourn Tire & Brake',
    street: '2105 N Clybourn Ave',
    phone: '773-555-0158',
    city: 'Chicago',
    state: 'IL',
    zip: '60614',
    latitude: 41.9203,
    longitude: -87.665,
    rating_tenths: 45,
    rating_count: 340,
    on_time_percent: 91,
    slot_minutes: 90,
    amenities: ['Open Saturday', 'Customer parking'],
    rim_max_in: 20,
    aspect_min: 35,
    takes_run_flat: false,
    takes_light_truck: true,
    receiving_minutes: 120,
  },
  {
    name: 'Spenard Gulch Tire',
    street: '3316 Spenard Rd',
    city: 'Anchorage',
    state: 'AK',
    zip: '99503',
    latitude: 61.1905,
    longitude: -149.908,
  },
  {
    name: 'Kapahulu Tire & Wheel',
    street: '718 Kapahulu Ave',
    city: 'Honolulu',
    state: 'HI',
    zip: '96816',
    latitude: 21.2829,
    longitude: -157.8137,
  },
  {
    name: 'Camelback Road Tire',
    street: '1902 E Camelback Rd',
    city: 'Phoenix',
    state: 'AZ',
    zip: '85016',
    latitude: 33.5096,
    longitude: -112.041,
  },
]

const amenityList = [
  'Waiting room',
  'Wi-Fi',
  'Alignment rack',
  'Coffee',
  'Restroom',
  'Wheelchair access',
  'Customer parking',
  'EV charger',
  'Shuttle',
  'Kids corner',
  'Work desk',
  'Key drop box',
  'Nitrogen',
]

/**
 * Reads the ZIP codes of the demo's shops. Covers most places within 30 miles, and adds shops in larger cities by
 * population.
 */
export function readShopSites(places: readonly Place[]): Place[] {
  const byZip = new Map(places.map((place) => [place.zip, place]))
  return readRows<'zip'>('shop-sites.csv.br').flatMap(({ zip }) => byZip.get(zip) ?? [])
}

/** The shops, then `vans` vans based where many ZIPs are close together. Keys count up from 1. */
export function makeShops(sites: readonly Place[], vans: number, places: readonly Place[]): Shop[] {
  const taken = new Set<string>()
  const zoneOf = new Map(places.map((place) => [place.zip, place.time_zone]))
  const shops: Shop[] = namedShops
    .filter((named) => sites.some((site) => milesBetween(site, named) < 40))
    .map(
      (named, index) =>
        ({ ...makeShop(index + 1, 'shop', zoneOf.get(named.zip) ?? 'America/Chicago', named), ...named }) as Shop,
    )
  for (const site of sites) shops.push(nameAndPlace(site, shops.length + 1, 'shop', taken))
  const near = nearbyFinder(places)
  const dense = sites.map((site) => ({ site, count: near(site, 12).length })).sort((a, b) => b.count - a.count)
  const random = randomStream('van sites')
  const bases = random.shuffled(dense.slice(0, Math.max(vans, Math.round(dense.length / 3)))).slice(0, vans)
  for (const { site } of bases) shops.push(nameAndPlace(site, shops.length + 1, 'van', taken))
  return shops.map((shop) => ({ ...shop, slug: slugOf(`${shop.name} ${shop.city}`) }))
}

/** Returns the service area of each mobile installer. It has the ZIP codes within about 20 miles of the base. */
export function vanAreas(shops: readonly Shop[], places: readonly Place[]): Row<'van_area'>[] {
  const near = nearbyFinder(places)
  return shops
    .filter((shop) => shop.kind === 'van')
    .flatMap((van) =>
      near(van, randomStream(`van ${van.code}`).between(14, 20)).map((place) => ({ zip: place.zip, shop_id: van.id })),
    )
}

function nameAndPlace(site: Place, id: number, kind: Shop['kind'], taken: Set<string>): Shop {
  const random = randomStream(`shop place ${kind} ${id} ${site.zip}`)
  let name = ''
  do name = kind === 'van' ? vanName(random) : shopName(random)
  while (taken.has(name))
  taken.add(name)
  return makeShop(id, kind, site.time_zone, {
    name,
    street: streetAddress(random),
    city: site.city,
    state: site.state,
    zip: site.zip,
    // A ZIP's point is its center; shops are a few blocks away.
    latitude: Math.round((site.latitude + random.normal(0, 0.006)) * 10_000) / 10_000,
    longitude: Math.round((site.longitude + random.normal(0, 0.008)) * 10_000) / 10_000,
  })
}

function makeShop(id: number, kind: Shop['kind'], timeZone: string, place: NamedShop): Shop {
  const random = randomStream(`shop ${kind} ${id}`)
  const care = Math.max(0, Math.min(1, random.normal(0.62, 0.22)))
  return {
    id,
    code: `SW-${String(id).padStart(5, '0')}`,
    slug: '',
    name: place.name,
    kind,
    street: place.street,
    city: place.city,
    state: place.state,
    zip: place.zip,
    latitude: place.latitude,
    longitude: place.longitude,
    time_zone: timeZone,
    phone: fictionalPhone(place.state, random),
    amenities: kind === 'van' ? [] : amenitiesOf(random),
    rating_tenths: Math.round(37 + care * 12),
    rating_count: Math.round(12 + 700 * random.next() ** 2.4),
    on_time_percent: Math.round(82 + care * 16 + random.normal(0, 1)),
    rim_min_in: installerAgreement.rimMinIn,
    // Some take less than the agreement allows.
    rim_max_in: random.weighted([20, installerAgreement.rimMaxIn], (rim) => (rim === 20 ? 18 : 82)),
    aspect_min: random.weighted([installerAgreement.aspectMin, 40], (aspect) => (aspect === 40 ? 8 : 92)),
    takes_run_flat: random.chance(0.86),
    takes_light_truck: random.chance(kind === 'van' ? 0.7 : 0.9),
    receiving_minutes: random.pick([30, 60, 60, 60, 90, 120, 180, 240]),
    slot_minutes:
      kind === 'van'
        ? random.pick([90, 120])
        : random.weighted([45, 60, 75, 90], (minutes) => ({ 45: 1, 60: 5, 75: 1, 90: 3 })[minutes] ?? 0),
    active: true,
  }
}

function amenitiesOf(random: Random): string[] {
  const count = random.between(1, 5)
  const chosen = new Set(random.shuffled(amenityList).slice(0, count))
  return amenityList.filter((amenity) => chosen.has(amenity))
}
