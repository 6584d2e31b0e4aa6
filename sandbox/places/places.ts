/** FedEx locations in towns all over the country, the same on every machine: names and streets are made up. */
import { randomStream } from '../../db/seed/random.ts'
import { deliveryPlaces, milesBetween, readZips, type Place } from '../../db/seed/places.ts'
import { streetAddress } from '../../db/seed/shop-names.ts'

export type SandboxPlace = {
  locationId: string
  companyName: string
  locationType: string
  street: string
  city: string
  state: string
  zip: string
  latitude: number
  longitude: number
  /** By weekday from Monday, `begins` and `ends`; null: closed. */
  week: readonly (readonly [string, string] | null)[]
  /** The heaviest parcel it keeps, in pounds. */
  mostLb: number
}

type Week = SandboxPlace['week']
const weekday = (hours: readonly [string, string]) => Array.from({ length: 5 }, () => hours)
const weeks: readonly Week[] = [
  [...weekday(['09:00:00', '18:00:00']), null, null],
  [...weekday(['08:30:00', '19:00:00']), ['09:00:00', '15:00:00'], null],
  [...weekday(['07:30:00', '20:00:00']), ['10:00:00', '18:00:00'], ['12:00:00', '17:00:00']],
  [...weekday(['09:00:00', '21:00:00']), ['09:00:00', '21:00:00'], ['09:00:00', '21:00:00']],
]
const kinds = [
  { locationType: 'FEDEX_OFFICE', name: 'FedEx Office Print & Ship Center', mostLb: 150 },
  { locationType: 'FEDEX_EXPRESS_STATION', name: 'FedEx Ship Center', mostLb: 150 },
  { locationType: 'FEDEX_AUTHORIZED_SHIP_CENTER', name: 'FedEx Authorized ShipCenter', mostLb: 150 },
  // Shops that keep only small parcels.
  { locationType: 'FEDEX_ONSITE', name: 'FedEx OnSite', mostLb: 55 },
] as const

const towns = 6_000

let made: { places: SandboxPlace[]; points: Map<string, Place> } | undefined

function all() {
  if (made) return made
  const zips = deliveryPlaces(readZips())
  const random = randomStream('carrier counters')
  const perTown = [...new Map(random.shuffled(zips).map((zip) => [`${zip.city} ${zip.state}`, zip])).values()]
  const places = perTown.slice(0, towns).map((town, index) => {
    const kind = random.weighted(kinds, ({ mostLb }) => (mostLb < 100 ? 1 : 2))
    return {
      locationId: `${town.state}K${index.toString(36).toUpperCase().padStart(4, '0')}`,
      companyName: `${kind.name}, ${town.city}`,
      locationType: kind.locationType,
      street: streetAddress(random),
      city: town.city,
      state: town.state,
      zip: town.zip,
      latitude: town.latitude,
      longitude: town.longitude,
      week: random.pick(weeks),
      mostLb: kind.mostLb,
    }
  })
  made = { places, points: new Map(zips.map((zip) => [zip.zip, zip])) }
  return made
}

/** Where a ZIP is; undefined for one that does not exist. */
export function pointOfZip(zip: string): { latitude: number; longitude: number } | undefined {
  return all().points.get(zip)
}

/** The places around a point, nearest first. */
export function placesAround(
  point: { latitude: number; longitude: number },
  withinMiles: number,
): { place: SandboxPlace; miles: number }[] {
  return all()
    .places.map((place) => ({ place, miles: milesBetween(point, place) }))
    .filter(({ miles }) => miles <= withinMiles)
    .toSorted((a, b) => a.miles - b.miles)
}
