/** A shop's price lists by start date. The shop must be locked before a change. */
import { sql } from 'kysely'
import type { Database, Tx } from '#platform/db.ts'
import { makeRoom, takeBack } from './day-versions.sql.server.ts'
import type { Job, JobTimes, ServicePrice, ShopLimits, ShopRate } from './installers.ts'

/** A price list with the days on which jobs are quoted by it; null where it has no first or last one. */
export type PriceList = {
  from: string | null
  /** The day after its last one. */
  until: string | null
  madeBy: string | null
  rates: ShopRate[]
  times: JobTimes
  /** What it offers without new tires. */
  services: ServicePrice[]
}
type Version = { shopId: number; from: Temporal.PlainDate }

/** The tables of a price list. */
const priceTables = ['shop_price_list', 'shop_rate', 'shop_service_price'] as const

/** Lists the price lists of a shop in the order of their days, and the tires it takes. */
export async function listPrices(db: Database, shopId: number): Promise<{ lists: PriceList[]; limits: ShopLimits }> {
  const { rows } = await sql<PriceList & { limits: ShopLimits }>`
    select lower(list.during)::text as from, upper(list.during)::text as until, member.name as "madeBy",
      json_build_object('takeInMinutes', take_in_minutes, 'sensorMinutes', sensor_minutes, 'dualMinutes', dual_minutes,
    'alignmentMinutes', alignment_minutes) as times,
      json_build_object('rimMinIn', shop.rim_min_in, 'rimMaxIn', shop.rim_max_in, 'aspectMin', shop.aspect_min,
        'takesRunFlat', shop.takes_run_flat, 'takesLightTruck', shop.takes_light_truck) as limits,
      coalesce((
        select json_agg(json_build_object('job', job, 'rimFromIn', rim_from_in, 'rimToIn', rim_to_in, 'installCents', install_cents,
          'serviceKitCents', service_kit_cents, 'disposalCents', disposal_cents, 'minutesPerTire', minutes_per_tire) order by job, rim_from_in)
        from shop_rate where shop_id = list.shop_id and shop_rate.during && list.during), '[]') as rates,
      coalesce((
        select json_agg(json_build_object('service', service, 'priceCents', price_cents, 'minutes', minutes) order by service)
        from shop_service_price where shop_id = list.shop_id and shop_service_price.during && list.during), '[]') as services
    from shop_price_list list join shop on shop.id = list.shop_id left join shop_member member on member.id = list.made_by
    where list.shop_id = ${shopId}::int order by list.during`.execute(db)
  const [first] = rows
  if (!first) throw new Error(`There is no shop ${shopId}.`)
  const lists = rows.map(({ limits: _limits, ...list }) => list)
  return { lists, limits: first.limits }
}

/** How long an alignment takes at a shop on a day. */
export async function readAlignmentMinutes(
  db: Database,
  { shopId, on }: { shopId: number; on: Temporal.PlainDate },
): Promise<number> {
  const { minutes } = await db
    .selectFrom('shop_price_list')
    .select('alignment_minutes as minutes')
    .where('shop_id', '=', shopId)
    .where(sql<boolean>`during @> ${on.toString()}::date`)
    .executeTakeFirstOrThrow()
  return minutes
}

/** Makes a price list count from a day on, until the next one does. */
export async function writePrices(
  tx: Tx,
  {
    shopId,
    from,
    rates,
    times,
    services,
    by,
    at,
  }: Version & Readonly<Pick<PriceList, 'rates' | 'times' | 'services'>> & { by: string; at: Temporal.Instant },
): Promise<void> {
  const { during } = await makeRoom(tx, priceTables, { shopId, from })
  await sql`
    insert into shop_price_list (shop_id, during, take_in_minutes, sensor_minutes, dual_minutes, alignment_minutes, made_by, made_at)
    values (${shopId}::int, ${during}, ${times.takeInMinutes}::int, ${times.sensorMinutes}::int, ${times.dualMinutes}::int,
      ${times.alignmentMinutes}::int, ${by}::uuid, ${at.toString()}::timestamptz)`.execute(tx)
  for (const rate of rates)
    await sql`
      insert into shop_rate (shop_id, job, rim_from_in, rim_to_in, install_cents, service_kit_cents, disposal_cents, minutes_per_tire, during)
      values (${shopId}::int, ${rate.job}, ${rate.rimFromIn}, ${rate.rimToIn}, ${rate.installCents}::int, ${rate.serviceKitCents}::int, ${rate.disposalCents}::int,
        ${rate.minutesPerTire}::int, ${during})`.execute(tx)
  for (const { service, priceCents, minutes } of services)
    await sql`
      insert into shop_service_price (shop_id, service, price_cents, minutes, during)
      values (${shopId}::int, ${service}, ${priceCents}::int, ${minutes}::int, ${during})`.execute(tx)
  await noteKinds(tx, { shopId, from })
}

/** Takes a price list back, as `takeBack` does. */
export async function deletePrices(tx: Tx, version: Version): Promise<Temporal.PlainDate | null | undefined> {
  const until = await takeBack(tx, priceTables, version)
  if (until !== undefined) await noteKinds(tx, version)
  return until
}

/** A shop takes the kinds of tires that some list has a price for from now on; on which days, its lists say. */
async function noteKinds(tx: Tx, { shopId, from }: Version): Promise<void> {
  // The list of today ends on the day of the change at the earliest.
  const isPriced = (job: Job) => sql<boolean>`exists (
    select from shop_rate where shop_id = ${shopId}::int and job = ${job} and (upper(during) is null or upper(during) >= ${from.toString()}::date))`
  await tx
    .updateTable('shop')
    .set({ takes_run_flat: isPriced('run-flat'), takes_light_truck: isPriced('light-truck') })
    .where('id', '=', shopId)
    .execute()
}
