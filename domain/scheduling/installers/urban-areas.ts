/** Cities with shops, derived from shop locations. Safe in the browser. */
import { milesBetween, type Point } from '#domain/supply/delivery/delivery.ts'
import type { Shop } from './installers.ts'

/**
 * A city with shops; `slug` is "chicago-il". `places` are the ZIPs of its shops, each with the city name given there. A
 * later city with the same name in the state has a ZIP appended to its name and slug.
 */
export type UrbanArea = Point & {
  slug: string
  city: string
  state: string
  shopCount: number
  places: readonly { city: string; zip: string }[]
}

/** The shops in one ZIP code with one city name. Closed ones are excluded only from `shopCount`. */
export type ShopsOfZip = Point & { city: string; state: string; zip: string; shopCount: number }

/** The maximum distance between shops in one city; two cities with the same name in a state are farther apart. */
const sameCityMiles = 60

/**
 * Returns the cities with shops, by state and name. `found` is ordered by each city's first shop. If two cities in a
 * state would share a slug, the earlier one gets it, and the other's ends in its first shop's ZIP code. Spelling
 * variants of a city are merged.
 */
export function urbanAreasOf(found: readonly ShopsOfZip[]): UrbanArea[] {
  const cities = new Map<string, City[]>()
  for (const place of found) {
    const slug = urbanAreaSlug(place.city, place.state)
    const sameName = cities.get(slug) ?? []
    const known = sameName.find(({ places }) => places.some((other) => isSameCity(other, place)))
    if (known) known.places.push(place)
    else cities.set(slug, [...sameName, newCity(place, slug, sameName.length === 0)])
  }
  return [...cities.values()]
    .flat()
    .map(asArea)
    .filter(({ shopCount }) => shopCount > 0)
    .toSorted((a, b) => a.state.localeCompare(b.state) || a.city.localeCompare(b.city))
}

/** Returns a shop's area. A van without a city area may be the only installer in its town. */
export function areaOfShop(
  areas: readonly UrbanArea[],
  shop: Pick<Shop, 'city' | 'state' | 'zip' | 'latitude' | 'longitude'>,
): UrbanArea | undefined {
  const sameName = areas.filter(
    ({ state, places }) => state === shop.state && places.some(({ city }) => city === shop.city),
  )
  return (
    sameName.find(({ places }) => places.some(({ zip }) => zip === shop.zip)) ??
    sameName.find((area) => milesBetween(area, shop) <= sameCityMiles)
  )
}

type City = { slug: string; name: string; state: string; places: ShopsOfZip[] }

function newCity(first: ShopsOfZip, slug: string, isFirst: boolean): City {
  const { city, state, zip } = first
  return { slug: isFirst ? slug : `${slug}-${zip}`, name: isFirst ? city : `${city} (${zip})`, state, places: [first] }
}

function isSameCity(one: ShopsOfZip, other: ShopsOfZip): boolean {
  return one.zip === other.zip || milesBetween(one, other) <= sameCityMiles
}

function asArea({ slug, name, state, places }: City): UrbanArea {
  return {
    slug,
    city: name,
    state,
    shopCount: places.reduce((sum, { shopCount }) => sum + shopCount, 0),
    latitude: meanOf(places.map(({ latitude }) => latitude)),
    longitude: meanOf(places.map(({ longitude }) => longitude)),
    places: places.map(({ city, zip }) => ({ city, zip })),
  }
}

function meanOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length
}

/** "St. Louis", "MO" → "st-louis-mo"; "Cañon City", "CO" → "canon-city-co" */
function urbanAreaSlug(city: string, state: string): string {
  return `${city} ${state}`
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}
