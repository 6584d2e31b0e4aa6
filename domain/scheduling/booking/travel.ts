/**
 * How long a van drives between two stops, and which times that leaves. Pure; the database has the same rule
 * (`travel_minutes`), which decides when a time is booked.
 */
/** A place on the map, in degrees. */
export type Point = { latitude: number; longitude: number }
/** A van booking's place and time, in epoch seconds. `latitude` is null for a place that is on no map. */
export type VanStop = { bayId: number; start: number; end: number; latitude: number | null; longitude: number | null }

/** Parking, unloading and packing up. */
const minutesAtStops = 10
/** Straight-line miles at 25 mph, because streets are longer than the line. */
const minutesPerMile = 2.4
/** No van drives longer between two stops, nor is it known to be nearer without a place on the map. */
export const mostTravelMinutes = 180
const earthMiles = 3958.8

/** Miles in a straight line. */
export function milesBetween(one: Point, other: Point): number {
  const latitude = radians(other.latitude - one.latitude) / 2
  const longitude = radians(other.longitude - one.longitude) / 2
  const chord =
    Math.sin(latitude) ** 2 +
    Math.cos(radians(one.latitude)) * Math.cos(radians(other.latitude)) * Math.sin(longitude) ** 2
  return 2 * earthMiles * Math.asin(Math.min(1, Math.sqrt(chord)))
}

/** Minutes from the end of one stop to the start of the next, in steps of five. Null: a place that is on no map. */
export function travelMinutes(one: Point | null, other: Point | null): number {
  if (!one || !other) return mostTravelMinutes
  if (one.latitude === other.latitude && one.longitude === other.longitude) return minutesAtStops
  const minutes = minutesAtStops + minutesPerMile * milesBetween(one, other)
  return Math.min(mostTravelMinutes, 5 * Math.ceil(minutes / 5))
}

/** Returns a van's bays with the travel time to and from a stop at `to` added to each of its stops. */
export function baysWithTravel<Bay extends { id: number; starts: readonly number[]; ends: readonly number[] }>(
  bays: readonly Bay[],
  stops: readonly VanStop[],
  to: Point | null,
): Bay[] {
  return bays.map((bay) => {
    const taken = bay.starts.map((start, index) => [start, bay.ends[index] ?? start] as [number, number])
    for (const { bayId, start, end, latitude, longitude } of stops) {
      if (bayId !== bay.id) continue
      const drive = 60 * travelMinutes(latitude === null || longitude === null ? null : { latitude, longitude }, to)
      taken.push([start - drive, end + drive])
    }
    const merged = mergeSpans(taken)
    return { ...bay, starts: merged.map(([start]) => start), ends: merged.map(([, end]) => end) }
  })
}

/** In order, without overlaps. */
function mergeSpans(spans: readonly (readonly [number, number])[]): [number, number][] {
  const merged: [number, number][] = []
  for (const [start, end] of spans.toSorted(([one], [other]) => one - other)) {
    const last = merged.at(-1)
    if (last && start <= last[1]) last[1] = Math.max(last[1], end)
    else merged.push([start, end])
  }
  return merged
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180
}
