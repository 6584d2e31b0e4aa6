/**
 * FedEx locations in 6,000 towns all over the country; their streets are made up. `places.csv.br` has them, `zips.csv.br`
 * where ZIPs are (THIRD-PARTY-DATA.md).
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'

type Point = { latitude: number; longitude: number }
type Week = readonly (readonly [begins: string, ends: string] | null)[]
export type SandboxPlace = Point & {
  locationId: string
  companyName: string
  locationType: string
  street: string
  city: string
  state: string
  zip: string
  /** From Monday; null: closed. */
  week: Week
  /** The maximum package weight, in pounds. */
  mostLb: number
}

const weekdays = (begins: string, ends: string) => Array.from({ length: 5 }, () => [begins, ends] as const)
const weeks: readonly Week[] = [
  [...weekdays('09:00:00', '18:00:00'), null, null],
  [...weekdays('08:30:00', '19:00:00'), ['09:00:00', '15:00:00'], null],
  [...weekdays('07:30:00', '20:00:00'), ['10:00:00', '18:00:00'], ['12:00:00', '17:00:00']],
  [...weekdays('09:00:00', '21:00:00'), ['09:00:00', '21:00:00'], ['09:00:00', '21:00:00']],
]
const kinds: Readonly<Record<string, { name: string; mostLb: number }>> = {
  FEDEX_OFFICE: { name: 'FedEx Office Print & Ship Center', mostLb: 150 },
  FEDEX_EXPRESS_STATION: { name: 'FedEx Ship Center', mostLb: 150 },
  FEDEX_AUTHORIZED_SHIP_CENTER: { name: 'FedEx Authorized ShipCenter', mostLb: 150 },
  // Shops that keep only small parcels.
  FEDEX_ONSITE: { name: 'FedEx OnSite', mostLb: 55 },
}

let kept: { places: SandboxPlace[]; points: Map<string, Point> } | undefined

/** Loaded on the first search because most runs don't search. */
function all() {
  kept ??= { places: rowsOf('places.csv.br').map(placeOf), points: new Map(rowsOf('zips.csv.br').map(pointOf)) }
  return kept
}

function rowsOf(file: string): string[][] {
  const text = brotliDecompressSync(readFileSync(join(import.meta.dirname, file))).toString('utf8')
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => line.split(','))
}

function placeOf([
  id = '',
  type = '',
  street = '',
  city = '',
  state = '',
  zip = '',
  lat,
  lon,
  week,
]: string[]): SandboxPlace {
  const { name, mostLb } = kinds[type] ?? { name: 'FedEx', mostLb: 150 }
  return {
    locationId: id,
    companyName: `${name}, ${city}`,
    locationType: type,
    street,
    city,
    state,
    zip,
    latitude: Number(lat),
    longitude: Number(lon),
    week: weeks[Number(week)] ?? [],
    mostLb,
  }
}

function pointOf([zip = '', lat, lon]: string[]): [string, Point] {
  return [zip, { latitude: Number(lat), longitude: Number(lon) }]
}

/** Where a ZIP is; undefined for one that does not exist. */
export function pointOfZip(zip: string): Point | undefined {
  return all().points.get(zip)
}

/** The places around a point, nearest first. */
export function placesAround(point: Point, withinMiles: number): { place: SandboxPlace; miles: number }[] {
  return all()
    .places.map((place) => ({ place, miles: milesBetween(point, place) }))
    .filter(({ miles }) => miles <= withinMiles)
    .toSorted((a, b) => a.miles - b.miles)
}

/** Great-circle distance. */
function milesBetween(a: Point, b: Point): number {
  const radians = Math.PI / 180
  const half =
    Math.sin(((b.latitude - a.latitude) * radians) / 2) ** 2 +
    Math.cos(a.latitude * radians) *
      Math.cos(b.latitude * radians) *
      Math.sin(((b.longitude - a.longitude) * radians) / 2) ** 2
  return 2 * 3958.8 * Math.asin(Math.sqrt(half))
}
