/** The statements for places. */
import { sql, type RawBuilder } from 'kysely'
import type { Place } from './places.ts'
import type { Database } from '#platform/db.ts'

/** Returns a ZIP code's place; undefined if it doesn't exist. */
export async function selectPlace(db: Database, zip: string): Promise<Place | undefined> {
  const row = await db
    .selectFrom('zip')
    .select(['zip', 'city', 'state', 'latitude', 'longitude', 'region', 'zip_type', 'time_zone'])
    .where('zip', '=', zip)
    .executeTakeFirst()
  return row && toPlace(row)
}

/** Lists a state's cities with the same three-digit ZIP prefix, which mail is sorted by. */
export async function listCitiesAround(db: Database, { zip, state }: Pick<Place, 'zip' | 'state'>): Promise<string[]> {
  const prefix = zip.slice(0, 3)
  const rows = await db
    .selectFrom('zip')
    .select('city')
    .distinct()
    .where('zip', '>=', `${prefix}00`)
    .where('zip', '<=', `${prefix}99`)
    .where('state', '=', state)
    .execute()
  return rows.map(({ city }) => city)
}

/** The delivery ZIP closest to a point, within about 60 miles; undefined in remote areas or abroad. */
export async function findNearestPlace(
  db: Database,
  point: { latitude: number; longitude: number },
): Promise<Place | undefined> {
  const reach = 1
  const rows = await db
    .selectFrom('zip')
    .select(['zip', 'city', 'state', 'latitude', 'longitude', 'region', 'zip_type', 'time_zone'])
    .where('zip_type', '=', 'STANDARD')
    .where('latitude', '>=', point.latitude - reach)
    .where('latitude', '<=', point.latitude + reach)
    .where('longitude', '>=', point.longitude - reach)
    .where('longitude', '<=', point.longitude + reach)
    // Degrees of longitude shrink away from the equator; for choosing among a few neighbors this is accurate enough.
    .orderBy(
      sql`(latitude - ${point.latitude}) ^ 2 + ((longitude - ${point.longitude}) * cos(radians(${point.latitude}))) ^ 2`,
    )
    .limit(1)
    .execute()
  return rows[0] && toPlace(rows[0])
}

/** SQL for a coordinate of a ZIP code's place; null if its coordinates are unknown. */
export function coordinateOf(which: 'latitude' | 'longitude', zip: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(select place.${sql.ref(which)} from zip place where place.zip = ${zip})`
}

/** SQL for a ZIP code, null if it doesn't exist. */
export function knownZip(zip: string | null): RawBuilder<string | null> {
  return sql`(select place.zip from zip place where place.zip = ${zip})`
}

function toPlace(row: {
  zip: string
  city: string
  state: string
  latitude: number | null
  longitude: number | null
  region: string
  zip_type: string
  time_zone: string | null
}): Place {
  return {
    zip: row.zip,
    city: row.city,
    state: row.state,
    latitude: row.latitude,
    longitude: row.longitude,
    region: row.region as Place['region'],
    timeZone: row.time_zone,
    zipType: row.zip_type as Place['zipType'],
  }
}

/** Which state each of these ZIPs is in; those we do not know are missing. */
export async function statesOfZips(db: Database, zips: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ zip: string; state: string }>`
    select zip, state from zip where zip = any(${zips}::text[])`.execute(db)
  return new Map(rows.map(({ zip, state }) => [zip, state]))
}
