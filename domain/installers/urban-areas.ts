/** Cities with shops, found in where the shops stand. Safe in the browser. */
import { milesBetween, type Point } from '#domain/delivery/delivery.ts'
import type { Shop } from './installers.ts'

/**
 * A city with shops; `slug` is "chicago-il". `places` are the ZIPs its shops stand in, each with the name they give the
 * city. A later city of the same name in the state has a ZIP behind its name and slug.
 */
export type UrbanArea = Point & {
  slug: string
  city: string
  state: string
  shopCount: number
  places: readonly { city: string; zip: string }[]
}

/** The shops of one ZIP under one name of a city. Those that closed down count in all but `shopCount`. */
export type ShopsOfZip = Point & { city: string; state: string; zip: string; shopCount: number }

/** Shops of one city stand nearer to each other than that, and two cities of one name in a state are farther apart. */
const sameCityMiles = 60

/**
 * The cities with shops, by state and name. `found` comes in the order in which their first shops did: where two cities
 * of a state would have one address, it stays that of the city which had a shop first, and the other's ends in the ZIP
 * of its first shop. A city spelled in two ways is one.
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

/** The area a shop stands in. A van is in that of its city, if there is one: it may be the only one of its town. */
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
