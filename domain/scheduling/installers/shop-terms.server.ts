/** The hours, prices, service durations, and closures that a shop enters before it is listed. */
import { sql, type RawBuilder } from 'kysely'
import type { Database, Tx } from '#platform/db.ts'
import { servicePrices, shopTerms } from './installers.sql.server.ts'
import type { Job, OpeningHours, ServicePrice, ShopClosure, ShopRate } from './installers.ts'

type ShopTerms = {
  isInSetUp: boolean
  hours: OpeningHours[]
  rates: ShopRate[]
  servicePrices: ServicePrice[]
  slotMinutes: number
  closures: ShopClosure[]
}

/** What a shop has entered, with its closed days from `today` on. */
export async function readShopTerms(
  db: Database,
  shopId: number,
  today: Temporal.PlainDate,
): Promise<ShopTerms | undefined> {
  const result = await sql<ShopTerms>`
    select shop.in_set_up as "isInSetUp",
      (select slot_minutes from shop_capacity where shop_id = shop.id and during @> ${day(today)}) as "slotMinutes", ${shopTerms(day(today))},
      ${servicePrices(day(today))} as "servicePrices",
      coalesce((
        select json_agg(json_build_object('on', closed_on, 'reason', reason) order by closed_on)
        from shop_closure where shop_id = shop.id and closed_on >= ${day(today)}), '[]') as closures
    from shop where shop.id = ${shopId}::int`.execute(db)
  return result.rows[0]
}

/** The hours of each of `count` days from `from` on, by the version of that day; a day without hours is missing. */
export async function listDayHours(
  db: Database,
  shopId: number,
  from: Temporal.PlainDate,
  count: number,
): Promise<Map<string, OpeningHours>> {
  const { rows } = await sql<OpeningHours & { on: string }>`
    select asked.day::text as on, weekday, (date_part('epoch', opens) / 60)::int as opens, (date_part('epoch', closes) / 60)::int as closes
    from (select ${day(from)} + ahead as day from generate_series(0, ${count}::int - 1) as ahead) asked
    join shop_hours on shop_id = ${shopId}::int and weekday = extract(isodow from asked.day) and during @> asked.day`.execute(
    db,
  )
  return new Map(rows.map(({ on, ...hours }) => [on, hours]))
}

/** Locks a shop; whether it is in set-up, and was not suspended or closed. */
export async function lockShopInSetUp(tx: Tx, shopId: number): Promise<boolean> {
  const row = await tx
    .selectFrom('shop')
    .select(['in_set_up', 'status'])
    .where('id', '=', shopId)
    .forUpdate()
    .executeTakeFirst()
  return row !== undefined && row.in_set_up && row.status === 'open'
}

/** Replaces the opening hours of a shop; a missing day is closed. */
export async function replaceHours(tx: Tx, shopId: number, hours: readonly OpeningHours[]): Promise<void> {
  await tx.deleteFrom('shop_hours').where('shop_id', '=', shopId).execute()
  await tx
    .insertInto('shop_hours')
    .values(
      hours.map(({ weekday, opens, closes }) => ({
        shop_id: shopId,
        weekday,
        opens: timeOf(opens),
        closes: timeOf(closes),
      })),
    )
    .execute()
}

/** Replaces the prices and times of a shop. It takes run-flats and light trucks if they have a price. */
export async function replaceRates(tx: Tx, shopId: number, rates: readonly ShopRate[]): Promise<void> {
  await tx.deleteFrom('shop_rate').where('shop_id', '=', shopId).execute()
  await tx
    .insertInto('shop_rate')
    .values(
      rates.map((rate) => ({
        shop_id: shopId,
        job: rate.job,
        rim_from_in: rate.rimFromIn,
        rim_to_in: rate.rimToIn,
        install_cents: rate.installCents,
        service_kit_cents: rate.serviceKitCents,
        disposal_cents: rate.disposalCents,
        minutes_per_tire: rate.minutesPerTire,
      })),
    )
    .execute()
  const takes = (job: Job) => rates.some((rate) => rate.job === job)
  await tx
    .updateTable('shop')
    .set({ takes_run_flat: takes('run-flat'), takes_light_truck: takes('light-truck') })
    .where('id', '=', shopId)
    .execute()
}

/** Sets each service's minutes per tire, and the minutes between start times. */
export async function setJobLengths(
  tx: Tx,
  shopId: number,
  { slotMinutes, minutes }: { slotMinutes: number; minutes: readonly { job: Job; minutes: number }[] },
): Promise<void> {
  await tx.updateTable('shop_capacity').set({ slot_minutes: slotMinutes }).where('shop_id', '=', shopId).execute()
  for (const each of minutes)
    await tx
      .updateTable('shop_rate')
      .set({ minutes_per_tire: each.minutes })
      .where('shop_id', '=', shopId)
      .where('job', '=', each.job)
      .execute()
}

/** Closes a shop on a day; the reason is replaced if it is closed already. */
export async function addClosure(tx: Tx, shopId: number, { on, reason }: ShopClosure): Promise<void> {
  await tx
    .insertInto('shop_closure')
    .values({ shop_id: shopId, closed_on: on, reason })
    .onConflict((conflict) => conflict.columns(['shop_id', 'closed_on']).doUpdateSet({ reason }))
    .execute()
}

/** Opens a shop on a day it was closed. */
export async function removeClosure(tx: Tx, shopId: number, on: string): Promise<void> {
  await tx.deleteFrom('shop_closure').where('shop_id', '=', shopId).where('closed_on', '=', on).execute()
}

/** Completes a shop's onboarding, so it is now listed for shoppers. */
export async function offerShop(tx: Tx, shopId: number): Promise<void> {
  await tx.updateTable('shop').set({ in_set_up: false, active: true }).where('id', '=', shopId).execute()
}

function day(date: Temporal.PlainDate): RawBuilder<unknown> {
  return sql`${date.toString()}::date`
}

function timeOf(minutes: number): string {
  return Temporal.PlainTime.from({ hour: Math.floor(minutes / 60), minute: minutes % 60 }).toString()
}
