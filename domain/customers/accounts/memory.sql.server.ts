/** The statements for what an account remembers. */
import { sql } from 'kysely'
import { mostSearches, vehicleKey, type Search } from './join-guest.ts'
import { decodeChosenVehicle, encodeChosenVehicle, type ChosenVehicle } from '#domain/catalog/vehicles/vehicles.ts'
import type { Database } from '#platform/db.ts'
import { newTimedId } from '#platform/ids.ts'
import { knownZip } from '#domain/kernel/places/places.server.ts'

/** Locks the account, so that two browsers join one after the other. */
export async function lockAccount(db: Database, accountId: string): Promise<void> {
  await db.selectFrom('account').select('id').where('id', '=', accountId).forNoKeyUpdate().execute()
}

export async function selectPersonalization(
  db: Database,
  accountId: string,
): Promise<{ zip: string | null; compared: string[]; gaClientId: string | null }> {
  const row = await db
    .selectFrom('account_personalization')
    .select(['zip', 'compared', 'ga_client_id as gaClientId'])
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return row ?? { zip: null, compared: [], gaClientId: null }
}

/** Newest first. */
export function selectSearches(
  db: Database,
  accountId: string,
): Promise<(Search & { searchedAt: Temporal.Instant })[]> {
  return db
    .selectFrom('account_search')
    .select(['label', 'path', 'searched_at as searchedAt'])
    .where('account_id', '=', accountId)
    .orderBy('searched_at', 'desc')
    .orderBy('path')
    .limit(mostSearches)
    .execute()
}

/** Most recently used first. */
export async function selectVehicleChoices(db: Database, accountId: string): Promise<ChosenVehicle[]> {
  const rows = await db
    .selectFrom('account_vehicle')
    .select('choice')
    .where('account_id', '=', accountId)
    .orderBy('used_at', 'desc')
    .orderBy('id')
    .execute()
  return rows.flatMap(({ choice }) => decodeChosenVehicle(choice) ?? [])
}

/** Stores the given values and leaves the rest. An unknown ZIP is ignored. */
export async function upsertPersonalization(
  db: Database,
  accountId: string,
  {
    zip,
    compared,
    gaClientId,
  }: { zip?: string | undefined; compared?: readonly string[] | undefined; gaClientId?: string | undefined },
  now: Temporal.Instant,
): Promise<void> {
  const keys = compared === undefined ? null : [...compared]
  await sql`
    insert into account_personalization (account_id, zip, compared, ga_client_id, updated_at)
    select ${accountId}::uuid, ${knownZip(zip ?? null)}, coalesce(${keys}::text[], '{}'), ${gaClientId ?? null}::text, ${now}::timestamptz
    on conflict (account_id) do update set
      zip = coalesce(excluded.zip, account_personalization.zip),
      compared = coalesce(${keys}::text[], account_personalization.compared),
      ga_client_id = coalesce(excluded.ga_client_id, account_personalization.ga_client_id),
      updated_at = excluded.updated_at`.execute(db)
}

/** Adds searches, newest first, and deletes the oldest past the limit. */
export async function upsertSearches(
  db: Database,
  accountId: string,
  searches: readonly Search[],
  now: Temporal.Instant,
): Promise<void> {
  if (searches.length === 0) return
  const rows = searches.map(({ label, path }, place) => ({
    label: label.slice(0, 60),
    path,
    at: now.subtract({ milliseconds: place }).toString(),
  }))
  await sql`
    insert into account_search (account_id, path, label, searched_at)
    select ${accountId}::uuid, search.path, search.label, search.at
    from json_to_recordset(${JSON.stringify(rows)}::json) as search (label text, path text, at timestamptz)
    where length(search.path) <= 200 and length(search.label) > 0
    on conflict (account_id, path) do update set label = excluded.label, searched_at = excluded.searched_at`.execute(db)
  await sql`
    delete from account_search where account_id = ${accountId}::uuid and path in (
      select path from account_search where account_id = ${accountId}::uuid order by searched_at desc, path offset ${mostSearches})`.execute(
    db,
  )
}

export async function deleteSearches(db: Database, accountId: string): Promise<void> {
  await db.deleteFrom('account_search').where('account_id', '=', accountId).execute()
}

/** The capacity of a garage. */
export const mostVehicles = 20

/** Adds or updates a vehicle in the garage and selects it. A full garage takes no more. */
export async function upsertVehicle(
  db: Database,
  accountId: string,
  vehicle: ChosenVehicle,
  now: Temporal.Instant,
): Promise<void> {
  const others = (await selectVehicleChoices(db, accountId)).filter(
    (other) => vehicleKey(other) !== vehicleKey(vehicle),
  )
  if (others.length >= mostVehicles) return
  await db
    .insertInto('account_vehicle')
    .values({ ...vehicleRow(accountId, vehicle, now), used_at: now })
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'year', 'make_slug', 'model_slug'])
        .doUpdateSet(({ ref }) => ({ choice: ref('excluded.choice'), used_at: ref('excluded.used_at') })),
    )
    .execute()
}

/** A new row for a vehicle in a garage, without the time of its last use. */
export function vehicleRow(accountId: string, vehicle: ChosenVehicle, addedAt: Temporal.Instant) {
  const { year, makeSlug, modelSlug } = vehicle
  return {
    id: newTimedId(),
    account_id: accountId,
    choice: encodeChosenVehicle(vehicle),
    year,
    make_slug: makeSlug,
    model_slug: modelSlug,
    added_at: addedAt,
  }
}

/** Deletes account searches from before an instant. Returns how many. */
export async function deleteOldSearches(db: Database, before: Temporal.Instant): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('account_search')
    .where('searched_at', '<', before)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
