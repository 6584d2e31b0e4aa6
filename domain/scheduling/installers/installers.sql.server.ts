import { sql, type RawBuilder } from 'kysely'
import type { Point } from '#domain/supply/delivery/delivery.ts'
import type { Database, Tx } from '#platform/db.ts'
import {
  jobOf,
  quoteInstallation,
  type NearbyShop,
  type Shop,
  type ShopInFull,
  type TireSpec,
  type UrbanArea,
  type VanTown,
} from './installers.ts'
import type { ShopsOfZip } from './urban-areas.ts'

/** The day it is at `shop`, for a statement that has it. */
export const dayAtShop = (at: RawBuilder<unknown>) => sql`(${at} at time zone shop.time_zone)::date`

/**
 * A shop's limits and its rates for a day, as SQL for a query that includes `shop`, with the columns `limits`, `rates`
 * and `times`.
 */
export const shopPrices = (day: RawBuilder<unknown>) => sql`
  json_build_object('rimMinIn', shop.rim_min_in, 'rimMaxIn', shop.rim_max_in, 'aspectMin', shop.aspect_min,
    'takesRunFlat', shop.takes_run_flat, 'takesLightTruck', shop.takes_light_truck) as limits,
  coalesce((
    select json_agg(json_build_object('job', job, 'rimFromIn', rim_from_in, 'rimToIn', rim_to_in, 'installCents', install_cents, 'serviceKitCents', service_kit_cents,
      'disposalCents', disposal_cents, 'minutesPerTire', minutes_per_tire) order by job, rim_from_in)
    from shop_rate where shop_id = shop.id and during @> ${day}), '[]') as rates,
  (select json_build_object('takeInMinutes', take_in_minutes, 'sensorMinutes', sensor_minutes, 'dualMinutes', dual_minutes,
    'alignmentMinutes', alignment_minutes)
    from shop_price_list where shop_id = shop.id and during @> ${day}) as times`

/** The prices of `shop` for services without new tires on a day, as JSON. */
export const servicePrices = (day: RawBuilder<unknown>) => sql`coalesce((
  select json_agg(json_build_object('service', service, 'priceCents', price_cents, 'minutes', minutes) order by service)
  from shop_service_price where shop_id = shop.id and during @> ${day}), '[]')`

/** `shopPrices` including a day's hours, with the columns `limits`, `hours`, `rates`, `times`. */
export const shopTerms = (day: RawBuilder<unknown>, pricedOn = day) => sql`
  coalesce((
    select json_agg(json_build_object('weekday', weekday, 'opens', date_part('epoch', opens) / 60, 'closes', date_part('epoch', closes) / 60) order by weekday)
    from shop_hours where shop_id = shop.id and during @> ${day}), '[]') as hours,
  ${shopPrices(pricedOn)}`

/** The versions of the capacity of `shop` that count on some day of a range, in their order, as JSON. */
export const shopVersions = (days: RawBuilder<unknown>) => sql`(
  select json_agg(json_build_object('from', lower(plan.during), 'slotMinutes', slot_minutes, 'technicians', technicians, 'bufferMinutes', buffer_minutes,
    'leadMinutes', lead_minutes, 'noticeMinutes', notice_minutes, 'walkInPercent', walk_in_percent, 'dropOffWindows', drop_off_windows,
    'hours', coalesce((
      select json_agg(json_build_object('weekday', weekday, 'opens', date_part('epoch', opens) / 60, 'closes', date_part('epoch', closes) / 60,
        'lunch', case when lunch_from is not null then json_build_array(date_part('epoch', lunch_from) / 60, date_part('epoch', lunch_to) / 60) end) order by weekday)
      from shop_hours where shop_id = plan.shop_id and shop_hours.during @> coalesce(lower(plan.during * ${days}), upper(plan.during * ${days}) - 1, '2000-01-01')), '[]'))
    order by lower(plan.during) nulls first)
  from shop_capacity plan where plan.shop_id = shop.id and plan.during && ${days})`

/** Whether a version of `shop` in a date range limits simultaneous or online jobs. */
export const countsJobs = (days: RawBuilder<unknown>) => sql`exists (
  select from shop_capacity counts
  where counts.shop_id = shop.id and (counts.technicians is not null or counts.walk_in_percent > 0) and counts.during && ${days})`

/** The start of a shop's next price list after `at`. */
export const nextPricesAt = (shopId: RawBuilder<unknown>, at: RawBuilder<unknown>) => sql`(
  select min(lower(list.during))::timestamp at time zone min(shop.time_zone) from shop_price_list list join shop on shop.id = list.shop_id
  where list.shop_id = ${shopId} and lower(list.during) > ${dayAtShop(at)})`

/** The notice for moving an appointment on a day at a shop. */
export const noticeOn = (shopId: RawBuilder<unknown>, day: RawBuilder<unknown>) => sql`(
  select notice_minutes from shop_capacity where shop_capacity.shop_id = ${shopId} and shop_capacity.during @> ${day})`

/** The same for an appointment at a moment. */
export const noticeAt = (shopId: RawBuilder<unknown>, at: RawBuilder<unknown>) => sql`(
  select notice_minutes from shop_capacity join shop on shop.id = shop_capacity.shop_id
  where shop.id = ${shopId} and shop_capacity.during @> ${dayAtShop(at)})`

/** The columns of a `ShopIdentity`. */
export const shopIdentityColumns = sql`
  shop.id, shop.code, shop.slug, shop.name, shop.kind, shop.street, shop.city, shop.state, shop.zip, shop.phone, shop.time_zone as "timeZone"`

/** The end of a pause without a last day. The previous release can't read a pause without an end. */
export const noPauseEnd = sql`date '9999-12-31'`

/** The `PauseDays` of a shop, with other members if needed; null if it is not paused. */
export const pauseDays = (more = sql``) => sql`
  case when shop.paused is not null then
    json_build_object('from', lower(shop.paused), 'until', nullif(upper(shop.paused), ${noPauseEnd})${more}) end`

const shopColumns = (now: Temporal.Instant, pricedAt = moment(now)) => sql`
  ${shopIdentityColumns}, shop.latitude, shop.longitude, shop.amenities, shop.website, shop.about, shop.services,
  ${pauseDays()} as paused, shop.rating_tenths as "ratingTenths", shop.rating_count as "ratingCount", shop.on_time_percent as "onTimePercent",
  (select (max(upper(during)) - 1)::text from shop_certification where shop_id = shop.id and revoked_at is null) as "certifiedUntil",
  ${shopTerms(dayAtShop(moment(now)), dayAtShop(pricedAt))}`

function moment(now: Temporal.Instant): RawBuilder<unknown> {
  return sql`${now.toString()}::timestamptz`
}

/** Which shop; its id may be a part of a statement that finds it. */
export type ShopKey = { code: string } | { id: number | RawBuilder<number>; cartId?: string }

/** One shop with its closed days from `today` on, and its prices for services without new tires. */
export async function selectShop(
  db: Database,
  key: ShopKey,
  { now, today }: { now: Temporal.Instant; today: Temporal.PlainDate },
): Promise<ShopInFull | undefined> {
  // A reservation's price doesn't change, regardless of how long its shopper takes to check out.
  const pricedAt =
    'cartId' in key
      ? sql`coalesce((
          select created_at from booking
          where cart_id = ${key.cartId}::uuid and booking.shop_id = shop.id and state = 'held' and hold_expires_at > ${moment(now)}), ${moment(now)})`
      : moment(now)
  const result = await sql<ShopInFull>`
    select ${shopColumns(now, pricedAt)},
      coalesce((
        select json_agg(json_build_object('on', closed_on, 'reason', reason) order by closed_on)
        from shop_closure where shop_id = shop.id and closed_on >= ${today.toString()}::date), '[]') as closures,
      ${servicePrices(dayAtShop(pricedAt))} as "servicePrices"
    from shop
    where shop.active and ${'code' in key ? sql`shop.code = ${key.code}` : sql`shop.id = ${key.id}::int`}`.execute(db)
  return result.rows[0]
}

/** Blocks changes to a shop's rates until the transaction ends, because rate changes lock the shop first. */
export async function lockShopTerms(tx: Tx, shopId: number): Promise<void> {
  await tx.selectFrom('shop').select('id').where('id', '=', shopId).forShare().execute()
}

/** Nearest shops first; undefined if the ZIP has no location. */
export async function selectShopsNear(
  db: Database,
  near: { zip: string } | { point: Point },
  tires: readonly TireSpec[] | undefined,
  {
    limit,
    withinMiles,
    only,
    now,
  }: { limit: number; withinMiles: number; only?: number | undefined; now: Temporal.Instant },
): Promise<NearbyShop[] | undefined> {
  const shops = await selectNear<Shop & { miles: number }>(
    db,
    near,
    sql`
      select ${shopColumns(now)}, ${milesFromOrigin('shop')} as miles
      from shop
      where shop.active and shop.kind = 'shop' and ${only === undefined ? sql`true` : sql`shop.id = ${only}::int`} and ${withinReach('shop', withinMiles)} and ${takes(tires, now)}
      order by miles, shop.id
      limit ${limit}::int`,
  )
  return shops?.map((shop) => quoted(shop, tires))
}

/** The vans that serve a ZIP, nearest base first. */
export async function selectVans(
  db: Database,
  zip: string,
  tires: readonly TireSpec[] | undefined,
  now: Temporal.Instant,
): Promise<NearbyShop[]> {
  const vans = await selectNear<Shop & { miles: number }>(
    db,
    { zip },
    sql`
      select ${shopColumns(now)}, ${milesFromOrigin('shop')} as miles
      from van_area join shop on shop.id = van_area.shop_id
      where van_area.zip = ${zip} and shop.active and shop.kind = 'van' and ${takes(tires, now)}`,
  )
  return (vans ?? []).map((shop) => quoted(shop, tires))
}

/** The vans that serve any of these ZIPs, best rated first. */
export async function selectVansOfZips(db: Database, zips: readonly string[], now: Temporal.Instant): Promise<Shop[]> {
  const result = await sql<Shop>`
    select ${shopColumns(now)} from shop
    where active and kind = 'van' and id in (select shop_id from van_area where zip = any(${zips}::text[]))
    order by rating_tenths desc nulls last, rating_count desc, id`.execute(db)
  return result.rows
}

/** The open shops at a ZIP, by what they are found by. */
export async function selectShopsAtZip(
  db: Database,
  zip: string,
): Promise<{ id: number; name: string; street: string }[]> {
  return db
    .selectFrom('shop')
    .select(['id', 'name', 'street'])
    .where('zip', '=', zip)
    .where('active', '=', true)
    .where('kind', '=', 'shop')
    .orderBy('id')
    .limit(200)
    .execute()
}

/** Whether a van serves a ZIP. */
export async function selectVanServes(db: Database, shopId: number, zip: string): Promise<boolean> {
  const row = await db
    .selectFrom('van_area')
    .select('shop_id')
    .where('zip', '=', zip)
    .where('shop_id', '=', shopId)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Selects the locations of current and former shops, excluding those in onboarding, by the opening of each location's
 * first shop.
 */
export async function selectShopPlaces(db: Database): Promise<ShopsOfZip[]> {
  const result = await sql<ShopsOfZip>`
    select city, state, zip, count(*) filter (where active)::int as "shopCount", avg(latitude) as latitude, avg(longitude) as longitude
    from shop where kind = 'shop' and not in_set_up
    group by state, city, zip order by min(id)`.execute(db)
  return result.rows
}

/** Selects a city's shops, best rated first. */
export async function selectShopsInArea(
  db: Database,
  { state, places }: Pick<UrbanArea, 'state' | 'places'>,
  now: Temporal.Instant,
): Promise<Shop[]> {
  const result = await sql<Shop>`
    select ${shopColumns(now)} from shop
    where active and kind = 'shop' and state = ${state}
      and (city, zip) in (select * from unnest(${places.map(({ city }) => city)}::text[], ${places.map(({ zip }) => zip)}::text[]))
    order by rating_tenths desc nulls last, rating_count desc, id`.execute(db)
  return result.rows
}

/** The towns of the ZIPs a van serves, those with the most ZIPs first. */
export async function selectVanTowns(db: Database, shopId: number): Promise<VanTown[]> {
  const result = await sql<VanTown>`
    select zip.city, zip.state, count(*)::int as "zipCount"
    from van_area join zip on zip.zip = van_area.zip
    where van_area.shop_id = ${shopId}::int
    group by zip.city, zip.state order by "zipCount" desc, zip.city, zip.state`.execute(db)
  return result.rows
}

/** The number of shops and vans per state. */
export async function selectStateCounts(db: Database): Promise<{ state: string; count: number }[]> {
  const result = await sql<{ state: string; count: number }>`
    select state, count(*)::int as count from shop where active group by state order by state`.execute(db)
  return result.rows
}

/** The parts of the URLs of these states' shops and vans. */
export async function selectShopNames(db: Database, states: readonly string[]): Promise<Pick<Shop, 'slug' | 'code'>[]> {
  return db
    .selectFrom('shop')
    .select(['slug', 'code'])
    .where('active', '=', true)
    .where('state', '=', sql<string>`any(${states}::text[])`)
    .orderBy('id')
    .execute()
}

/** Runs `found`, which may use `origin`, in one query that distinguishes an empty result from an unknown ZIP code. */
async function selectNear<Row>(
  db: Database,
  near: { zip: string } | { point: Point },
  found: RawBuilder<unknown>,
): Promise<Row[] | undefined> {
  const place =
    'zip' in near
      ? sql`select latitude, longitude from zip where zip = ${near.zip} and latitude is not null`
      : sql`select ${near.point.latitude}::float8 as latitude, ${near.point.longitude}::float8 as longitude`
  const result = await sql<{ found: Row[] }>`
    select coalesce((select json_agg(near order by near.miles, near.id) from (${found}) as near), '[]') as found from (${place}) as origin`.execute(
    db,
  )
  return result.rows[0]?.found
}

/** Great-circle miles between `origin` and a row, like `milesBetween`. */
function milesFromOrigin(table: 'shop'): RawBuilder<number> {
  const at = sql.table(table)
  return sql<number>`2 * 3958.7613 * asin(least(1, sqrt(
    sin(radians(${at}.latitude - origin.latitude) / 2) ^ 2
    + cos(radians(origin.latitude)) * cos(radians(${at}.latitude)) * sin(radians(${at}.longitude - origin.longitude) / 2) ^ 2)))`
}

/**
 * A bounding box, so that the location index does most of the work. A degree of latitude is 69 miles, one of longitude
 * less.
 */
function withinReach(table: 'shop', miles: number): RawBuilder<boolean> {
  const at = sql.table(table)
  const degrees = sql`${miles / 69}::float8`
  const narrow = sql`greatest(cos(radians(origin.latitude)), 0.1)`
  return sql<boolean>`${at}.latitude between origin.latitude - ${degrees} and origin.latitude + ${degrees}
    and ${at}.longitude between origin.longitude - ${degrees} / ${narrow} and origin.longitude + ${degrees} / ${narrow}
    and ${milesFromOrigin(table)} <= ${miles}::float8`
}

/**
 * The condition under which `quoteInstallation` does not refuse, in SQL so that the nearest capable shops fill the
 * list.
 */
function takes(tires: readonly TireSpec[] | undefined, now: Temporal.Instant): RawBuilder<boolean> {
  if (!tires || tires.length === 0) return sql<boolean>`true`
  const rims = tires.map((tire) => tire.rimIn)
  const jobs = tires.map(jobOf)
  const lightTruck = tires.some((tire) => jobOf({ ...tire, runFlat: false }) === 'light-truck')
  return sql<boolean>`(
    shop.rim_min_in <= ${Math.min(...rims)}::numeric and shop.rim_max_in >= ${Math.max(...rims)}::numeric
    and shop.aspect_min <= ${Math.min(...tires.map((tire) => tire.aspect))}::numeric
    and (shop.takes_run_flat or not ${tires.some((tire) => tire.runFlat)}::boolean) and (shop.takes_light_truck or not ${lightTruck}::boolean)
    and not exists (
      select from unnest(${jobs}::text[], ${rims}::numeric[]) as wanted (job, rim)
      where not exists (select from shop_rate rate where rate.shop_id = shop.id and rate.job = wanted.job and wanted.rim between rate.rim_from_in and rate.rim_to_in
        and rate.during @> ${dayAtShop(moment(now))})))`
}

function quoted(shop: Shop & { miles: number }, tires: readonly TireSpec[] | undefined): NearbyShop {
  const quote = tires && tires.length > 0 ? quoteInstallation(shop, tires) : undefined
  return { ...shop, quote: quote?.ok ? quote.value : null }
}
