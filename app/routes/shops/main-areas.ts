import { contiguousStates, milesBetween } from '#domain/delivery/delivery.ts'
import type { UrbanArea } from '#domain/installers/installers.ts'

const mostAreas = 20
/** As near as two markers on a map of the country may stand. */
const milesApart = 250

/** The cities of the contiguous states with the most shops, far enough apart for one map. */
export function mainAreas(areas: readonly UrbanArea[]): UrbanArea[] {
  const chosen: UrbanArea[] = []
  const onMap = areas.filter(({ state }) => contiguousStates.includes(state))
  for (const area of onMap.toSorted((a, b) => b.shopCount - a.shopCount || a.slug.localeCompare(b.slug))) {
    if (chosen.length === mostAreas) break
    if (chosen.every((other) => milesBetween(other, area) >= milesApart)) chosen.push(area)
  }
  return chosen
}

/** The other cities with shops within 60 miles, the nearest first. */
export function areasNear(areas: readonly UrbanArea[], area: UrbanArea): (UrbanArea & { miles: number })[] {
  return areas
    .filter((other) => other.slug !== area.slug && Math.abs(other.latitude - area.latitude) < 1)
    .map((other) => ({ ...other, miles: milesBetween(area, other) }))
    .filter(({ miles }) => miles <= 60)
    .sort((a, b) => a.miles - b.miles)
    .slice(0, 12)
}
