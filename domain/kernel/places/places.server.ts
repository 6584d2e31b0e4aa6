import { LRUCache } from 'lru-cache'
import { servedPlace, type Place, type ZipRefusal } from './places.ts'
import { selectPlace } from './places.sql.server.ts'
import type { Database } from '#platform/db.ts'
import type { Outcome } from '#platform/outcome.ts'

export { coordinateOf, findNearestPlace, knownZip, listCitiesAround, statesOfZips } from './places.sql.server.ts'

/** The ZIPs that visitors have; a tenth of a kB each. */
const mostPlaces = 5_000
/** Only a new release or an import changes them. */
const keptMs = 600_000

/** By what a database has in common with its transactions. */
const known = new WeakMap<object, LRUCache<string, Place>>()

/** Returns a five-digit ZIP code's place, cached for ten minutes; undefined if it doesn't exist. */
export async function findPlace(db: Database, zip: string): Promise<Place | undefined> {
  if (!/^\d{5}$/.test(zip)) return undefined
  const { adapter } = db.getExecutor()
  const places = known.get(adapter) ?? new LRUCache({ max: mostPlaces, ttl: keptMs })
  known.set(adapter, places)
  const place = places.get(zip) ?? (await selectPlace(db, zip))
  // Not cached within a transaction, which may see uncommitted data.
  if (place && !db.isTransaction) places.set(zip, place)
  return place
}

/** Returns a ZIP code's place for installation or delivery; see `servedPlace` for the refusals. */
export async function findServedPlace(
  db: Database,
  zip: string,
): Promise<Outcome<Place & { latitude: number; longitude: number }, ZipRefusal>> {
  return servedPlace(await findPlace(db, zip))
}
