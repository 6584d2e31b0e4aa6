/** A shop or van as edited by staff and its owner, with its profile and booking status. */
import { sql, type RawBuilder } from 'kysely'
import type { Database, Tx } from '#platform/db.ts'
import { slugOf } from '#platform/slug.ts'
import type { PauseDays, ShopIdentity } from './installers.ts'
import { noPauseEnd, pauseDays, shopIdentityColumns } from './installers.sql.server.ts'

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

export type ShopPause = PauseDays & { reason: string }

/** The last day with bookings of a shop that is still to close, as set at `setAt`. */
export type ShopClosing = { lastDay: string; reason: string; setAt: Temporal.Instant }

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
    /** Null without a scheduled closing, and once the shop is closed. */
    closing: Omit<ShopClosing, 'setAt'> | null
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
  ${pauseDays(sql`, 'reason', pause_reason`)} as pause,
  case when status = 'open' and last_day is not null then json_build_object('lastDay', last_day, 'reason', closing_reason) end as closing,
  rating_tenths as "ratingTenths", rating_count as "ratingCount", on_time_percent as "onTimePercent",
  takes_run_flat as "takesRunFlat", takes_light_truck as "takesLightTruck", latitude, longitude`

const whichShop = (key: ShopRecordKey): RawBuilder<unknown> =>
  'code' in key ? sql`shop.code = ${key.code}` : sql`shop.id = ${key.id}::int`

/** Reads a shop or van in any state; undefined if it doesn't exist. */
export async function selectShopRecord(db: Database, key: ShopRecordKey): Promise<ShopRecord | undefined> {
  const { rows } = await sql<ShopRecord>`select ${recordColumns} from shop where ${whichShop(key)}`.execute(db)
  return rows[0]
}

/** Reads the shops and vans with these ids, in any order. */
export async function selectShopRecords(db: Database, ids: readonly number[]): Promise<ShopRecord[]> {
  const { rows } = await sql<ShopRecord>`
    select ${recordColumns} from shop where shop.id = any(${[...ids]}::int[])`.execute(db)
  return rows
}

/** Runs imports one at a time, so that a file sent twice adds its shops once. */
export async function lockShopImport(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('shop-import', 0))`.execute(tx)
}

/** The code of a shop that isn't closed, by its name and address. */
export async function selectShopTwin(
  tx: Tx,
  { name, street, zip }: Pick<ShopProfile, 'name' | 'street' | 'zip'>,
): Promise<string | undefined> {
  const { rows } = await sql<{ code: string }>`
    select code from shop where lower(name) = lower(${name}) and lower(street) = lower(${street}) and zip = ${zip}
      and status <> 'closed' order by id limit 1`.execute(tx)
  return rows[0]?.code
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
  | ({ to: 'paused' } & ShopPause)
  | { to: 'suspended' | 'closed'; reason: string }

/** Writes the status of a locked shop, and raises its version. A scheduled closing ends unless the shop stays open. */
export async function updateStatus(tx: Tx, shopId: number, change: StatusChange): Promise<void> {
  const isStopped = change.to === 'suspended' || change.to === 'closed'
  const stays = isStopped ? sql`false` : sql`status = 'open'`
  await sql`
    delete from kept_appointment using shop
    where shop.id = ${shopId}::int and shop_id = shop.id and not ${stays}`.execute(tx)
  await sql`
    update shop set
      status = ${isStopped ? change.to : 'open'}, status_reason = ${isStopped ? change.reason : null},
      paused = ${change.to === 'paused' ? sql`daterange(${change.from}::date, coalesce(${change.until}::date, ${noPauseEnd}))` : sql`null`},
      pause_reason = ${change.to === 'paused' ? change.reason : null},
      last_day = case when ${stays} then last_day end, closing_reason = case when ${stays} then closing_reason end,
      closing_set_at = case when ${stays} then closing_set_at end,
      active = ${isStopped ? sql`false` : sql`not in_set_up`}, version = version + 1
    where id = ${shopId}::int`.execute(tx)
}

/**
 * Schedules the closing of a locked open shop, or withdraws it with null, and raises its version. Kept appointments that
 * no longer are after the last day are ordinary ones again.
 */
export async function setClosing(tx: Tx, shopId: number, closing: ShopClosing | null): Promise<void> {
  await sql`
    update shop set last_day = ${closing?.lastDay ?? null}::date, closing_reason = ${closing?.reason ?? null},
      closing_set_at = ${closing?.setAt.toString() ?? null}::timestamptz, active = not in_set_up, version = version + 1
    where id = ${shopId}::int`.execute(tx)
  await sql`
    delete from kept_appointment kept using booking, shop
    where kept.shop_id = ${shopId}::int and booking.id = kept.booking_id and shop.id = kept.shop_id
      and (shop.last_day is null or (lower(booking.during) at time zone shop.time_zone)::date <= shop.last_day)`.execute(
    tx,
  )
}

/** Raises the version of a locked shop after decisions about its appointments. */
export async function raiseShopVersion(tx: Tx, shopId: number): Promise<void> {
  await sql`update shop set version = version + 1 where id = ${shopId}::int`.execute(tx)
}

/** Notes that a locked shop still does this appointment after its last day. */
export async function keepAppointment(
  tx: Tx,
  {
    bookingId,
    shopId,
    reason,
    by,
    at,
  }: { bookingId: string; shopId: number; reason: string; by: string; at: Temporal.Instant },
): Promise<void> {
  await sql`
    insert into kept_appointment (booking_id, shop_id, reason, kept_by, kept_at)
    values (${bookingId}::uuid, ${shopId}::int, ${reason}, ${by}, ${at.toString()}::timestamptz)
    on conflict (booking_id) do update set reason = excluded.reason, kept_by = excluded.kept_by, kept_at = excluded.kept_at`.execute(
    tx,
  )
}

/** Returns why each appointment stays at a shop after its last day, by booking. */
export async function selectKept(db: Database, shopId: number): Promise<Map<string, { reason: string; by: string }>> {
  const { rows } = await sql<{ id: string; reason: string; by: string }>`
    select booking_id as id, reason, kept_by as by from kept_appointment where shop_id = ${shopId}::int`.execute(db)
  return new Map(rows.map(({ id, ...kept }) => [id, kept]))
}

/**
 * Closes a locked shop after its last day. Returns false, and only unlists the shop, while one of its later
 * appointments is undecided. `today` is the day in its time zone.
 */
export async function closeAfterLastDay(tx: Tx, shopId: number, today: Temporal.PlainDate): Promise<boolean> {
  const { rows } = await sql<{ isClosed: boolean }>`
    update shop set active = false, version = version + (shop_undecided(shop) = 0)::int,
      status = case when shop_undecided(shop) = 0 then 'closed' else status end,
      status_reason = case when shop_undecided(shop) = 0 then closing_reason end,
      paused = case when shop_undecided(shop) > 0 then paused end, pause_reason = case when shop_undecided(shop) > 0 then pause_reason end
    where id = ${shopId}::int and status = 'open' and last_day < ${today.toString()}::date
    returning status = 'closed' as "isClosed"`.execute(tx)
  return rows[0]?.isClosed ?? false
}

export type ClosingShop = {
  id: number
  code: string
  name: string
  lastDay: string
  timeZone: string
  setAt: Temporal.Instant
  undecided: number
}

/** Lists shops that are still to close, in the order of their last days, with their undecided appointments. */
export async function selectClosingShops(
  db: Database,
  { endedBy, limit }: { /** Only those with an earlier last day. */ endedBy: Temporal.Instant | null; limit: number },
): Promise<ClosingShop[]> {
  const { rows } = await sql<Omit<ClosingShop, 'setAt'> & { setAt: Temporal.Instant }>`
    select id, code, name, last_day::text as "lastDay", time_zone as "timeZone", closing_set_at as "setAt", shop_undecided(shop)::int as undecided
    from shop where last_day is not null and status = 'open'
      and ${endedBy === null ? sql`true` : sql`last_day < (${endedBy.toString()}::timestamptz at time zone time_zone)::date`}
    order by last_day, id limit ${limit}::int`.execute(db)
  return rows
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
