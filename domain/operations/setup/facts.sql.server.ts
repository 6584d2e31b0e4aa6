/** What the steps of the setup are computed from, in one statement: Home and the sidebar of every page ask. */
import { sql } from 'kysely'
import { legalPublished } from '#domain/kernel/content/content.server.ts'
import { verifiedStates } from '#domain/pricing/sales-tax/sales-tax.server.ts'
import type { SetupCheck, SetupCheckKind } from './checks.ts'
import { isOpenAndOwn } from './warehouse-address.sql.server.ts'
import { areRatesConfirmed } from '#domain/kernel/settings/settings.server.ts'
import type { Database } from '#platform/db.ts'

type Row = {
  states: string[]
  /** States with taxes and fees that staff verified. */
  verified: number
  warehouse: {
    name: string
    city: string
    state: string
    zip: string
    cutoff: string
    dayCutoffs: (string | null)[]
    timeZone: string
    handlingDays: number
    shipsByHand: boolean
  } | null
  listed: number
  inStock: number
  unpublished: number
  hasSamples: boolean
  hasZips: boolean
  firstYear: number | null
  lastYear: number | null
  ready: number
  /** Shops that take appointments, up to 20. */
  shopIds: number[]
  unready: number
  applications: number
  people: number
  owners: number
  /** People and owners without a second factor at their last sign-in, and people for whom it is unknown. */
  factors: { people: number; owners: number; unknown: number }
  order: { id: number; isReversed: boolean } | null
  /** Pages that bind the store and that an owner published. */
  legal: string[]
  isOpen: boolean
  hasRates: boolean
  checks: { kind: SetupCheckKind; passed: boolean | null; words: string; at: string; provider: string | null }[]
}

/** Reads the facts as they are at `now`. Tires are counted up to 1,000. */
export async function selectFacts(db: Database, now: Temporal.Instant): Promise<Row> {
  const at = now.toString()
  const { rows } = await sql<Row>`
    with grants as (
      select email, role, bound_at, second_factor from staff_grant where revoked_at is null and (expires_at is null or expires_at > ${at}::timestamptz))
    select
      array(select distinct state from sales_tax_rate where ends_on is null or ends_on >= ${at}::timestamptz::date order by state) as states,
      ${verifiedStates(at)} as verified,
      (select json_build_object('name', name, 'city', city, 'state', state, 'zip', zip, 'cutoff', cutoff, 'dayCutoffs', day_cutoffs, 'timeZone', time_zone, 'handlingDays', handling_days,
          'shipsByHand', (select bool_and(ships_by_hand) from warehouse where ${isOpenAndOwn}))
        from warehouse where ${isOpenAndOwn} order by id limit 1) as warehouse,
      (select count(*)::int from (select from item where active and retail_cents > 0 limit 1000) as counted) as listed,
      (select count(*)::int from (select from item where active and retail_cents > 0
        and exists (select from stock where stock.item_id = item.id and on_hand > 0) limit 1000) as counted) as "inStock",
      (select count(*)::int from import_run where state in ('reading', 'read', 'waiting-for-yes', 'publishing')) as unpublished,
      exists (select from import_run where is_sample and kind = 'products' and state in ('published', 'rolling-back')) as "hasSamples",
      exists (select from zip) as "hasZips",
      (select min(year) from vehicle) as "firstYear", (select max(year) from vehicle) as "lastYear",
      (select count(*)::int from shop where active) as ready,
      array(select id from shop where active order by id limit 20) as "shopIds",
      (select count(*)::int from shop where in_set_up) as unready,
      (select count(*)::int from shop_application where state = 'submitted') as applications,
      (select count(distinct email)::int from grants) as people,
      (select count(distinct email)::int from grants where role = 'owner' and bound_at is not null) as owners,
      (select json_build_object('people', count(distinct email) filter (where not second_factor),
          'owners', count(distinct email) filter (where not second_factor and role = 'owner'),
          'unknown', count(distinct email) filter (where bound_at is not null and second_factor is null)) from grants) as factors,
      (select json_build_object('id', id, 'isReversed', is_reversed) from (
        (select id, true as is_reversed from sales_order where state in ('canceled', 'returned') order by id desc limit 1)
        union all
        (select order_id, true from payment where order_id is not null and refunded_cents > 0 order by order_id desc limit 1)
        union all
        (select id, false from sales_order order by id desc limit 1)) as late order by is_reversed desc, id desc limit 1) as "order",
      ${legalPublished(now)} as legal,
      (select is_open from store_state) as "isOpen",
      ${areRatesConfirmed} as "hasRates",
      coalesce((select json_agg(newest) from (
        select distinct on (kind) kind, passed, words, started_at as at, provider from setup_check order by kind, started_at desc, id desc) as newest), '[]') as checks`.execute(
    db,
  )
  const [row] = rows
  if (!row) throw new Error('The facts of the setup are one row.')
  return row
}

/** Returns whether the catalog has any tires. */
export async function selectHasTires(db: Database): Promise<boolean> {
  const { rows } = await sql<{ hasTires: boolean }>`select exists (select from item) as "hasTires"`.execute(db)
  return rows[0]?.hasTires ?? false
}

type NewCheck = SetupCheck & {
  id: string
  kind: SetupCheckKind
  by: string
  hostedRef?: string
  provider?: string | null
}

/** Writes down what came of a check. */
export async function insertCheck(db: Database, check: NewCheck): Promise<void> {
  await db
    .insertInto('setup_check')
    .values({
      id: check.id,
      kind: check.kind,
      started_at: check.at,
      passed: check.passed,
      words: check.words.slice(0, 300),
      checked_by: check.by,
      hosted_ref: check.hostedRef ?? null,
      provider: check.provider ?? null,
    })
    .execute()
}

/** Locks and returns the newest test charge with an open page, or test label that isn't voided; undefined without one. */
export async function lockOpenCheck(
  db: Database,
  kind: 'payments' | 'carrier',
): Promise<{ id: string; hostedRef: string } | undefined> {
  const { rows } = await sql<{ id: string; hostedRef: string }>`
    select id, hosted_ref as "hostedRef" from setup_check
    where kind = ${kind} and passed is null and hosted_ref is not null order by started_at desc, id desc limit 1 for update`.execute(
    db,
  )
  return rows[0]
}

/** Writes down what came of a test charge or label. */
export async function endCheck(
  db: Database,
  id: string,
  { passed, words }: { passed: boolean | null; words: string },
): Promise<void> {
  await db
    .updateTable('setup_check')
    .set({ passed, words: words.slice(0, 300) })
    .where('id', '=', id)
    .execute()
}
