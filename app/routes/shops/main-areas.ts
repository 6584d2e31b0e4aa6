import { contiguousStates, milesBetween } from '#domain/supply/delivery/delivery.ts'
import type { UrbanArea } from '#domain/scheduling/installers/installers.ts'

const mostAreas = 20
/** The minimum distance between two markers on a map of the country. */
const milesApart = 250
/** The minimum distance on a smaller map, as a fraction of its diagonal. */
const shareApart = 1 / 8

/** The cities of the contiguous states with the most shops, far enough apart for one map. */
export function mainAreas(areas: readonly UrbanArea[]): UrbanArea[] {
  const onMap = areas.filter(({ state }) => contiguousStates.includes(state))
  return largestApart(onMap, milesApart)
}

/** A state's cities with the most shops, far enough apart for one map. */
export function mainAreasOfState(areas: readonly UrbanArea[]): UrbanArea[] {
  const [latitudes, longitudes] = [areas.map(({ latitude }) => latitude), areas.map(({ longitude }) => longitude)]
  const corner = (end: (...numbers: number[]) => number) => ({
    latitude: end(...latitudes),
    longitude: end(...longitudes),
  })
  return largestApart(areas, milesBetween(corner(Math.min), corner(Math.max)) * shareApart)
}

/** Other cities with shops within 60 miles, nearest first. */
export function areasNear(areas: readonly UrbanArea[], area: UrbanArea): (UrbanArea & { miles: number })[] {
  return areas
    .filter((other) => other.slug !== area.slug && Math.abs(other.latitude - area.latitude) < 1)
    .map((other) => ({ ...other, miles: milesBetween(area, other) }))
    .filter(({ miles }) => miles <= 60)
    .sort((a, b) => a.miles - b.miles)
    .slice(0, 12)
}

function largestApart(areas: readonly UrbanArea[], miles: number): UrbanArea[] {
  const chosen: UrbanArea[] = []
  for (const area of areas.toSorted((a, b) => b.shopCount - a.shopCount || a.slug.localeCompare(b.slug))) {
    if (chosen.length === mostAreas) break
    if (chosen.every((other) => milesBetween(other, area) >= miles)) chosen.push(area)
  }
  return chosen
}
