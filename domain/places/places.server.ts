import type { Place } from '#domain/places/places.ts'
import { selectPlace } from '#domain/places/places.sql.server.ts'
import type { Database } from '#platform/db.ts'

export { coordinateOf, findNearestPlace, listCitiesAround, statesOfZips } from '#domain/places/places.sql.server.ts'

/** Finds the place of a five-digit ZIP; undefined if there is no such ZIP. */
export async function findPlace(db: Database, zip: string): Promise<Place | undefined> {
  if (!/^\d{5}$/.test(zip)) return undefined
  return selectPlace(db, zip)
}
