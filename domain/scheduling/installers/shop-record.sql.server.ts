/** A shop or van as edited by staff and its owner, with its profile and booking status. */
import { sql, type RawBuilder } from 'kysely'
import type { Database, Tx } from '#platform/db.ts'
import { slugOf } from '#platform/slug.ts'
import type { ShopIdentity } from './installers.ts'
import { shopIdentityColumns } from './installers.sql.server.ts'

/** Suspended and closed shops are offered nowhere. */
export type ShopStatus = 'open' | 'suspended' | 'closed'

/**
 * The public profile of a shop, and the tires it accepts. Inches; `receivingMinutes` from delivery to the first job.
 */
export type ShopProfile = Pick<ShopIdentity, 'name' | 'street' | 'city' | 'zip' | 'phone'> & {
  email: string | null
  website: string | null
  about: string | null
  services: string[]
  amenities: string[]
  rimMinIn: number
  rimMaxIn: number
  aspectMin: number
  receivingMinutes: number
}

/** Days without new bookings, `from` inclusive and `until` exclusive. */
export type ShopPause = { from: string; until: string; reason: string }

export type ShopRecord = ShopIdentity &
  ShopProfile & {
    version: number
    /** Shoppers see it and book it. */
    isActive: boolean
    /** Approved, and its owner has yet to complete the set-up. */
    isInSetUp: boolean
    status: ShopStatus
    statusReason: string | null
    pause: ShopPause | null
    ratingTenths: number | null
    ratingCount: number
    onTimePercent: number | null
    takesRunFlat: boolean
    takesLightTruck: boolean
    latitude: number
    longitude: number
  }

export type ShopRecordKey = { code: string } | { id: number }

const recordColumns = sql`
  ${shopIdentityColumns}, version, email, website, about, services, amenities, rim_min_in::float8 as "rimMinIn", rim_max_in::float8 as "rimMaxIn",
  aspect_min as "aspectMin", receiving_minutes as "receivingMinutes", active as "isActive", in_set_up as "isInSetUp",
  status, status_reason as "statusReason",
  case when paused is not null then json_build_object('from', lower(paused), 'until', upper(paused), 'reason', pause_reason) end as pause,
  rating_tenths as "ratingTenths", rating_count as "ratingCount", on_time_percent as "onTimePercent",
  takes_run_flat as "takesRunFlat", takes_light_truck as "takesLightTruck", latitude, longitude`

const whichShop = (key: ShopRecordKey): RawBuilder<unknown> =>
  'code' in key ? sql`shop.code = ${key.code}` : sql`shop.id = ${key.id}::int`

/** Reads a shop or van in any state; undefined if it doesn't exist. */
export async function selectShopRecord(db: Database, key: ShopRecordKey): Promise<ShopRecord | undefined> {
  const { rows } = await sql<ShopRecord>`select ${recordColumns} from shop where ${whichShop(key)}`.execute(db)
  return rows[0]
}

/** Reads and locks it until the transaction ends, which blocks bookings there. */
export async function lockShopRecord(tx: Tx, key: ShopRecordKey): Promise<ShopRecord | undefined> {
  const { rows } = await sql<ShopRecord>`
    select ${recordColumns} from shop where ${whichShop(key)} for no key update`.execute(tx)
  return rows[0]
}

/** Where a ZIP puts a shop. */
export type ShopPlace = { state: string; timeZone: string; latitude: number; longitude: number }

/** Writes the profile of a locked shop, and raises its version. */
export async function updateShopProfile(
  tx: Tx,
  shopId: number,
  profile: ShopProfile,
  place: ShopPlace | null,
): Promise<void> {
  await tx
    .updateTable('shop')
    .set((eb) => ({
      name: profile.name,
      slug: slugOf(`${profile.name} ${profile.city}`),
      street: profile.street,
      city: profile.city,
      zip: profile.zip,
      phone: profile.phone,
      email: profile.email,
      website: profile.website,
      about: profile.about,
      services: profile.services,
      amenities: profile.amenities,
      rim_min_in: profile.rimMinIn,
      rim_max_in: profile.rimMaxIn,
      aspect_min: profile.aspectMin,
      receiving_minutes: profile.receivingMinutes,
      version: eb('version', '+', 1),
      ...(place && {
        state: place.state,
        time_zone: place.timeZone,
        latitude: place.latitude,
        longitude: place.longitude,
      }),
    }))
    .where('id', '=', shopId)
    .execute()
}

/** A status change of a locked shop. A reopened shop is listed, unless its onboarding is incomplete. */
export type StatusChange =
  | { to: 'open' }
  | { to: 'paused'; from: string; until: string; reason: string }
  | { to: 'suspended' | 'closed'; reason: string }

/** Writes the status of a locked shop, and raises its version. */
export async function updateStatus(tx: Tx, shopId: number, change: StatusChange): Promise<void> {
  const isStopped = change.to === 'suspended' || change.to === 'closed'
  await sql`
    update shop set
      status = ${isStopped ? change.to : 'open'}, status_reason = ${isStopped ? change.reason : null},
      paused = ${change.to === 'paused' ? sql`daterange(${change.from}::date, ${change.until}::date)` : sql`null`},
      pause_reason = ${change.to === 'paused' ? change.reason : null},
      active = ${isStopped ? sql`false` : sql`not in_set_up`}, version = version + 1
    where id = ${shopId}::int`.execute(tx)
}

/** Selects the nearest `limit` ZIP codes within a radius of a ZIP code; empty if its coordinates are unknown. */
export async function selectZipsAround(
  db: Database,
  { zip, miles, limit }: { zip: string; miles: number; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ zip: string }>`
    select zip from (
      select place.zip, 3958.8 * 2 * asin(least(1, sqrt(sin(radians(place.latitude - base.latitude) / 2) ^ 2
        + cos(radians(base.latitude)) * cos(radians(place.latitude)) * sin(radians(place.longitude - base.longitude) / 2) ^ 2))) as miles
      from zip base join zip place on place.latitude between base.latitude - ${miles}::float8 / 60 and base.latitude + ${miles}::float8 / 60
      where base.zip = ${zip}) as around
    where miles <= ${miles}::float8 order by miles, zip limit ${limit}::int`.execute(db)
  return rows.map((row) => row.zip).toSorted()
}
