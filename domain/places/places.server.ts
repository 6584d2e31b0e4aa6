import type { Place } from '#domain/places/places.ts'
import { selectPlace } from '#domain/places/places.sql.server.ts'
import type { Database } from '#platform/db.ts'

export { findNearestPlace } from '#domain/places/places.sql.server.ts'

/** The place of a five-digit ZIP, or undefined when there is no such ZIP. */
export async function findPlace(db: Database, zip: string): Promise<Place | undefined> {
  if (!/^\d{5}$/.test(zip)) return undefined
  return selectPlace(db, zip)
}
