/** Queries for pickup places. They store the carrier's response for a ZIP code, and each place as last read. */
import { sql } from 'kysely'
import { milesBetween } from '#domain/supply/delivery/delivery.ts'
import type { FoundPlace } from './pickup-places.port.ts'
import type { NearbyPlace, PickupPlace } from './pickup-places.ts'
import type { Database } from '#platform/db.ts'

const columns = sql`place.id, place.carrier, place.place_ref as ref, place.name, place.street, place.city, place.state, place.zip,
  place.latitude, place.longitude, place.week, place.holds_days as "holdsDays"`

/** What the carrier last answered for a ZIP; undefined if it was never asked. */
export async function selectAnswer(
  db: Database,
  zip: string,
): Promise<{ answeredAt: Temporal.Instant; places: NearbyPlace[] } | undefined> {
  const search = await db.selectFrom('pickup_search').select('answered_at').where('zip', '=', zip).executeTakeFirst()
  if (!search) return undefined
  const { rows } = await sql<NearbyPlace>`
    select ${columns}, found.miles::float8 as miles, (select zip.time_zone from zip where zip.zip = place.zip) as "timeZone"
    from pickup_search_place found join carrier_location place on place.id = found.carrier_location_id
    where found.zip = ${zip} order by found.miles, place.id`.execute(db)
  return { answeredAt: search.answered_at, places: rows }
}

/** Stores a response, replacing the previous one, and updates each place. Skips places in unknown ZIP codes. */
export async function insertAnswer(
  db: Database,
  { zip, carrier, places, at }: { zip: string; carrier: string; places: readonly FoundPlace[]; at: Temporal.Instant },
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    // Concurrent searches of the same ZIP code serialize here.
    await sql`insert into pickup_search (zip, answered_at) values (${zip}, ${at.toString()}::timestamptz)
      on conflict (zip) do update set answered_at = excluded.answered_at`.execute(tx)
    // In one order, so that two answers with the same places cannot block each other.
    const rows = JSON.stringify(places.toSorted((a, b) => (a.ref < b.ref ? -1 : 1)).map(rowOf))
    await sql`
      insert into carrier_location (carrier, place_ref, name, street, city, state, zip, latitude, longitude, week, holds_days, read_at)
      select ${carrier}, found.*, ${at.toString()}::timestamptz
      from json_to_recordset(${rows}::json) as found (place_ref text, name text, street text, city text, state text, zip text,
        latitude float8, longitude float8, week jsonb, holds_days smallint)
      where exists (select from zip where zip.zip = found.zip)
      on conflict (carrier, place_ref) do update set name = excluded.name, street = excluded.street, city = excluded.city, state = excluded.state,
        zip = excluded.zip, latitude = excluded.latitude, longitude = excluded.longitude, week = excluded.week, holds_days = excluded.holds_days,
        read_at = excluded.read_at`.execute(tx)
    await tx.deleteFrom('pickup_search_place').where('zip', '=', zip).execute()
    await sql`
      insert into pickup_search_place (zip, carrier_location_id, miles)
      select ${zip}, place.id, found.miles
      from json_to_recordset(${rows}::json) as found (place_ref text, miles numeric)
      join carrier_location place on place.carrier = ${carrier} and place.place_ref = found.place_ref`.execute(tx)
  })
}

/** Updates one place with the carrier's current data. */
export async function updatePlace(db: Database, id: number, place: FoundPlace, at: Temporal.Instant): Promise<void> {
  const { name, street, city, state, week } = place
  await db
    .updateTable('carrier_location')
    .set({ name, street, city, state, week: JSON.stringify(week), holds_days: place.holdsDays, read_at: at })
    .where('id', '=', id)
    .execute()
}

export async function selectPlace(db: Database, id: number): Promise<PickupPlace | undefined> {
  const { rows } =
    await sql<PickupPlace>`select ${columns} from carrier_location place where place.id = ${id}::int`.execute(db)
  return rows[0]
}

/** The known places around a point, nearest first. */
export async function selectPlacesAround(
  db: Database,
  point: { latitude: number; longitude: number },
  { withinMiles, limit }: { withinMiles: number; limit: number },
): Promise<NearbyPlace[]> {
  const tall = withinMiles / 69
  const wide = tall / Math.max(Math.cos((point.latitude * Math.PI) / 180), 0.1)
  const { rows } = await sql<PickupPlace & { timeZone: string | null }>`
    select ${columns}, (select zip.time_zone from zip where zip.zip = place.zip) as "timeZone" from carrier_location place
    where place.latitude between ${point.latitude - tall}::float8 and ${point.latitude + tall}::float8
      and place.longitude between ${point.longitude - wide}::float8 and ${point.longitude + wide}::float8`.execute(db)
  return rows
    .map((place) => ({ ...place, miles: milesBetween(point, place) }))
    .filter(({ miles }) => miles <= withinMiles)
    .toSorted((a, b) => a.miles - b.miles || a.id - b.id)
    .slice(0, limit)
}

function rowOf({ ref, name, street, city, state, zip, latitude, longitude, week, holdsDays, miles }: FoundPlace) {
  return { place_ref: ref, name, street, city, state, zip, latitude, longitude, week, holds_days: holdsDays, miles }
}
