/** Distances between the demo's locations. */

/** Great-circle distance in miles. */
export function milesBetween(
  a: { latitude: number; longitude: number },
  b: { latitude: number; longitude: number },
): number {
  const radians = Math.PI / 180
  const haversine =
    Math.sin(((b.latitude - a.latitude) * radians) / 2) ** 2 +
    Math.cos(a.latitude * radians) *
      Math.cos(b.latitude * radians) *
      Math.sin(((b.longitude - a.longitude) * radians) / 2) ** 2
  return 2 * 3958.8 * Math.asin(Math.sqrt(haversine))
}

/**
 * Returns a function that finds the `places` within `miles` of a point, by a grid of half-degree cells instead of a
 * full scan.
 */
export function nearbyFinder<Kind extends { latitude: number; longitude: number }>(
  places: readonly Kind[],
): (center: { latitude: number; longitude: number }, miles: number) => Kind[] {
  const cells = Map.groupBy(places, (place) => cellOf(place.latitude, place.longitude))
  return (center, miles) => {
    const found: Kind[] = []
    const reach = miles / 69 + 0.5
    const wide = miles / (69 * Math.cos((center.latitude * Math.PI) / 180)) + 0.5
    for (let latitude = center.latitude - reach; latitude <= center.latitude + reach; latitude += 0.5) {
      for (let longitude = center.longitude - wide; longitude <= center.longitude + wide; longitude += 0.5) {
        for (const place of cells.get(cellOf(latitude, longitude)) ?? [])
          if (milesBetween(center, place) <= miles) found.push(place)
      }
    }
    return found
  }
}

function cellOf(latitude: number, longitude: number): string {
  return `${Math.floor(latitude * 2)} ${Math.floor(longitude * 2)}`
}
