/** Shop calendars, with everything that determines availability, read in one query. */
import { sql } from 'kysely'
import type { JobTimes, ServicePrice, ShopLimits, ShopRate } from '#domain/scheduling/installers/installers.ts'
import {
  countsJobs,
  dayAtShop,
  nextPricesAt,
  servicePrices,
  shopPrices,
  shopVersions,
} from '#domain/scheduling/installers/installers.server.ts'
import { latestTermsVersion, nextTermAt, termAt } from '#domain/kernel/settings/settings.server.ts'
import type { Database } from '#platform/db.ts'
import { sqlList } from '#platform/sql-list.ts'
import { maxBookableDays } from './booking.ts'
import { lookAheadDays, type ShopCalendar } from './slots.ts'
import type { VanStop } from './travel.ts'
import { vanStops } from './van-stops.sql.server.ts'
import { instant } from './booking.sql.server.ts'

/** `stops`: of a van, with where they are. */
export type BookableShop = ShopCalendar & {
  id: number
  limits: ShopLimits
  rates: ShopRate[]
  times: JobTimes
  servicePrices: ServicePrice[]
  stops: VanStop[] | null
}
/**
 * How many days past the last bookable day a calendar's closures and bookings are read, so that it can answer for later
 * moments too.
 */
export const calendarReachesOnDays = 1

/**
 * Everything that decides when `shop` is free at `moment.at`. Ignores expired holds, the hold of `moment.cart_id`
 * (about to be released), and `moment.booking_id` (about to move).
 */
const horizon = sql`${sql.lit(maxBookableDays + lookAheadDays + 2 + calendarReachesOnDays)} * interval '1 day'`
/** How many days back versions and closed days are read, because tires may have been delivered then. */
const near = sql`daterange(moment.at::date - ${sql.lit(lookAheadDays + 1)}, (moment.at + ${horizon})::date)`
/** The versions of a shop's capacity, and the jobs on its bays if some version counts them. */
const capacityColumns = sql`
  ${shopVersions(near)} as versions,
  case when ${countsJobs(near)} then coalesce((
    select json_agg(json_build_array(date_part('epoch', lower(during)), date_part('epoch', upper(during)), is_online) order by during)
    from (
      select during, true as is_online from booking
      where booking.shop_id = shop.id and kind <> 'drop-off' and state in ('held', 'confirmed') and during && tstzrange(moment.at, moment.at + ${horizon})
        and (state = 'confirmed' or hold_expires_at > moment.at and cart_id is distinct from moment.cart_id)
        and booking.id is distinct from moment.booking_id
      union all
      select during, false from own_job
      where own_job.shop_id = shop.id and own_job.kind <> 'block' and state = 'planned' and during && tstzrange(moment.at, moment.at + ${horizon})
        and exists (select from shop_bay where shop_bay.id = own_job.bay_id and shop_bay.kind = 'bay')
    ) as job), '[]')
  else '[]' end as jobs`
const calendarColumns = sql`
  ${vanStops(horizon)} as stops, shop.id, shop.kind, shop.time_zone as "timeZone", shop.receiving_minutes as "receivingMinutes", ${termAt('bookable-days', sql`moment.at`)} as "bookableDays", ${shopPrices(dayAtShop(sql`moment.priced_at`))}, ${servicePrices(dayAtShop(sql`moment.priced_at`))} as "servicePrices", ${capacityColumns},
  coalesce((
    select json_agg(json_build_object('on', closed_on, 'reason', reason))
    from shop_closure where shop_id = shop.id and closed_on between moment.at::date - ${sql.lit(lookAheadDays + 1)} and moment.at::date + ${horizon}), '[]') as closures,
  case when shop.paused is not null then json_build_array(lower(shop.paused), upper(shop.paused)) end as paused, shop.last_day::text as "lastDay",
  coalesce((
    select json_agg(json_build_object('id', bay.id, 'kind', bay.kind,
      'days', case when bay.days <> '{(,)}' then (select json_agg(json_build_array(lower(span), upper(span))) from unnest(bay.days) as span) end, 'starts', coalesce(taken.starts, '[]'), 'ends', coalesce(taken.ends, '[]')) order by bay.number)
    from shop_bay bay
    left join (
      select bay_id, json_agg(date_part('epoch', lower(during)) order by during) as starts, json_agg(date_part('epoch', upper(during)) order by during) as ends
      from (
        -- A shop may lay a job of its own over a booking; what is taken must not overlap here.
        select bay_id, unnest(range_agg(during)) as during
        from (
          select bay_id, during from booking
          where booking.shop_id = shop.id and state in ('held', 'confirmed') and during && tstzrange(moment.at, moment.at + ${horizon})
            and (state = 'confirmed' or hold_expires_at > moment.at and cart_id is distinct from moment.cart_id)
            and booking.id is distinct from moment.booking_id
          union all
          select bay_id, during from own_job
          where own_job.shop_id = shop.id and state = 'planned' and during && tstzrange(moment.at, moment.at + ${horizon})
        ) as job group by bay_id
      ) as stretch group by bay_id
    ) taken on taken.bay_id = bay.id
    where bay.shop_id = shop.id), '[]') as bays`

/**
 * Reads everything that decides when these shops are free, in one statement, ignoring the cart's hold or the booking in
 * `except`.
 */
export async function selectShops(
  db: Database,
  shopIds: readonly number[],
  now: Temporal.Instant,
  except: { cartId?: string; bookingId?: string } = {},
  heldBy: string | null = null,
): Promise<Map<number, BookableShop>> {
  // A cart's held time uses the prices and service durations in effect when it was held.
  const pricedAt = sql`coalesce((select created_at from booking where cart_id = ${heldBy}::uuid and state = 'held'), ${instant(now)})`
  const result = await sql<BookableShop>`
    select ${calendarColumns}
    from shop, (select ${instant(now)} as at, ${except.cartId ?? null}::uuid as cart_id, ${except.bookingId ?? null}::uuid as booking_id,
      ${pricedAt} as priced_at) as moment
    where shop.active and shop.id = any(${sqlList('int', shopIds)})`.execute(db)
  return new Map(result.rows.map((shop) => [shop.id, shop]))
}

/** `calendar` is null if the shop no longer exists. `firstLapse`: epoch ms at which the first hold in it expires. */
export type ChangedShop = { shopId: number; version: number; calendar: BookableShop | null; firstLapse: number | null }

/**
 * Returns shops with a calendar version that differs from the known one (null means unknown), with their calendars at
 * `now`. Calendar and version come from one query, so no commit can happen between them.
 * docs/decisions/019-cached-calendars.md explains why an equal version guarantees an unchanged calendar.
 */
export function changedShopsReader(db: Database) {
  // "limit 1" and the versions in sub-selects keep the planner from reading whole tables for a few shops.
  const version = sql`(
    select version + (select count(*) from shop_calendar_late late where late.shop_id = known.shop_id) + ${latestTermsVersion} from shop_calendar where shop_calendar.shop_id = known.shop_id)`
  // The known versions are JSON, because a statement with array parameters is planned for each call (sql-list.ts).
  // Building the SQL text takes longer than the rest of the request, so it is built once with the parameters of `read`.
  const statement = sql<ChangedShop>`
    select known.shop_id as "shopId", ${version} as version, to_json(found) as calendar, date_part('epoch', first_lapse) * 1000 as "firstLapse"
    from (select asked.at, asked.at as priced_at, null::uuid as cart_id, null::uuid as booking_id from (select ${null}::timestamptz as at) as asked) as moment
    cross join json_to_recordset(${null}::json) as known (shop_id int, version bigint)
    left join lateral (select ${calendarColumns} from shop where shop.active and shop.id = known.shop_id limit 1) as found on true
    left join lateral (
      -- Prices and the bookable days are those of the present, and so good until others begin.
      select least(min(hold_expires_at), ${nextPricesAt(sql`known.shop_id`, sql`moment.at`)}, ${nextTermAt('bookable-days', sql`moment.at`)}) as first_lapse
      from booking
      where booking.shop_id = known.shop_id and state = 'held' and hold_expires_at > moment.at and during && tstzrange(moment.at, moment.at + ${horizon})
    ) as lapse on true
    where ${version} is distinct from known.version`.compile(db)
  return async function read(
    known: { shopIds: readonly number[]; versions: readonly (number | null)[] },
    now: Temporal.Instant,
  ): Promise<ChangedShop[]> {
    const { rows } = await db.executeQuery<ChangedShop>({
      ...statement,
      parameters: [
        now,
        JSON.stringify(known.shopIds.map((id, index) => ({ shop_id: id, version: known.versions[index] ?? null }))),
      ],
    })
    return rows
  }
}
