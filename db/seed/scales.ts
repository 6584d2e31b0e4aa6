import type { Place } from '#db/reference/zips.ts'
import { milesBetween } from './distances.ts'

export type ScaleName = 'empty' | 'small' | 'default' | 'large' | '1m'

export type Scale = {
  items: number
  /** Number of brands, from the start of the list. */
  brands: number
  /** How many times each brand's range is repeated as later models. */
  generations: number
  /** Total number of sizes, or a list of the only ones. */
  sizes: number | readonly string[]
  reviews: number
  vans: number
  /** Shops with sample orders, see `loadOrders`. */
  busyShops: number
  /** Maximum share of warehouses that stock an item. */
  stockSpread: number
  /** Which of the shop sites get a shop. */
  sites: (sites: readonly Place[]) => readonly Place[]
}

const everywhere = (sites: readonly Place[]): readonly Place[] => sites

/**
 * The sizes of the vehicles in tests and guides: CR-V, RAV4, F-150, F-250, Civic, Outback, Wrangler, Corvette, Mustang,
 * BMW, Model 3, and a few others.
 */
const fewSizes = [
  '235/60R18',
  '235/65R17',
  '225/65R17',
  '225/60R18',
  '235/55R19',
  '205/55R16',
  '215/55R16',
  '195/65R15',
  '205/65R16',
  '215/55R17',
  '235/45R18',
  '235/40R19',
  '235/35R20',
  '225/45R17',
  '225/40R18',
  '255/35R18',
  '255/35R19',
  '275/35R19',
  '285/30R20',
  '245/35R19',
  '305/30R20',
  '275/30R20',
  '255/40R19',
  '275/40R19',
  '295/30R20',
  '225/50R17',
  '245/45R18',
  '265/70R17',
  '275/65R18',
  '265/60R18',
  '275/55R20',
  '275/60R20',
  '255/70R18',
  '245/75R17',
  'LT275/70R18',
  'LT265/70R17',
  'LT245/75R16',
  'LT245/75R17',
  '235/65R16C',
  '35X12.50R17LT',
  'ST205/75R15',
  'ST225/75R15',
  '11R22.5',
  'T125/70D16',
]

const cities = [
  { latitude: 41.92, longitude: -87.65 },
  { latitude: 33.45, longitude: -112.07 },
  { latitude: 21.31, longitude: -157.86 },
  { latitude: 61.2, longitude: -149.9 },
  { latitude: 40.73, longitude: -73.99 },
  { latitude: 34.05, longitude: -118.25 },
  { latitude: 39.77, longitude: -86.16 },
  { latitude: 39.74, longitude: -104.99 },
  { latitude: 47.6, longitude: -122.33 },
  { latitude: 25.77, longitude: -80.2 },
]

export const scales: Record<ScaleName, Scale> = {
  empty: {
    items: 0,
    brands: 0,
    generations: 1,
    sizes: [],
    reviews: 0,
    vans: 0,
    busyShops: 0,
    stockSpread: 1,
    sites: everywhere,
  },
  small: {
    items: 1_500,
    brands: 17,
    generations: 1,
    sizes: fewSizes,
    reviews: 800,
    vans: 10,
    busyShops: 2,
    stockSpread: 1,
    sites: nearCities(14),
  },
  default: {
    items: 15_000,
    brands: 50,
    generations: 1,
    sizes: 305,
    reviews: 60_000,
    vans: 250,
    busyShops: 30,
    stockSpread: 1,
    sites: everywhere,
  },
  large: {
    items: 100_000,
    brands: 50,
    generations: 3,
    sizes: 700,
    reviews: 60_000,
    vans: 250,
    busyShops: 30,
    stockSpread: 0.6,
    sites: everywhere,
  },
  '1m': {
    items: 1_000_000,
    brands: 50,
    generations: 9,
    sizes: 2_000,
    reviews: 60_000,
    vans: 250,
    busyShops: 30,
    stockSpread: 0.3,
    sites: everywhere,
  },
}

/** The sites closest to each of a few cities in different time zones, `perCity` each. */
function nearCities(perCity: number): (sites: readonly Place[]) => readonly Place[] {
  return (sites) =>
    cities.flatMap((city) => sites.toSorted((a, b) => milesBetween(city, a) - milesBetween(city, b)).slice(0, perCity))
}
