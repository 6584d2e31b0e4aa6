/** The statements that read counted figures. */
import { sql } from 'kysely'
import type { Database } from '#platform/db.ts'

/** What a report is narrowed to; null for everything. */
export type ReportFilter = { state: string | null; shopId: number | null; accountType: string | null }

export type FigureKind = 'sale' | 'brand' | 'parcel' | 'refund' | 'promotion' | 'cash'

/**
 * Sums over some days. Sales come by day and state, parcels by day, the others by label; what a kind does not count is
 * zero. `orders` are orders, parcels or refunds.
 */
export type Figure = {
  kind: FigureKind
  day: string | null
  state: string
  label: string
  orders: number
  units: number
  kept: number
  amountCents: number
  costCents: number
  unknownCents: number
  taxedCents: number
  taxCents: number
  feeCents: number
  exciseCents: number
  fundedCents: number
  capturedCents: number
  refundedCents: number
}

/** Sums the figures of the days from `from` to `to`, both included; `onlySales` leaves all other kinds out. */
export async function selectFigures(
  db: Database,
  { from, to }: { from: string; to: string },
  { state, shopId, accountType }: ReportFilter,
  { onlySales = false } = {},
): Promise<Figure[]> {
  const { rows } = await sql<Figure>`
    select kind, case when kind in ('sale', 'parcel') then day end::text as day, case when kind = 'sale' then state_code else '' end as state, label,
      sum(orders) as orders, sum(units) as units, sum(kept) as kept, sum(amount_cents) as "amountCents", sum(cost_cents) as "costCents", sum(unknown_cents) as "unknownCents",
      sum(taxed_cents) as "taxedCents", sum(tax_cents) as "taxCents", sum(fee_cents) as "feeCents", sum(excise_cents) as "exciseCents", sum(funded_cents) as "fundedCents",
      sum(captured_cents) as "capturedCents", sum(refunded_cents) as "refundedCents"
    from report_figure
    where day >= ${from}::date and day <= ${to}::date and (not ${onlySales}::bool or kind = 'sale')
      and (${state}::text is null or state_code = ${state}) and (${shopId}::int is null or shop_id = ${shopId}) and (${accountType}::text is null or account_type = ${accountType})
    group by 1, 2, 3, 4 order by 1, 2, 3, 4`.execute(db)
  return rows
}

/** When a day of a period was counted last; null while none is. */
export async function selectCountedAt(
  db: Database,
  { from, to }: { from: string; to: string },
): Promise<Temporal.Instant | null> {
  const { rows } = await sql<{ latest: Temporal.Instant | null }>`
    select max(counted_at) as latest from report_day where day >= ${from}::date and day <= ${to}::date`.execute(db)
  return rows[0]?.latest ?? null
}

/** The states, shops and account types that there are figures of in a period. */
export async function selectChoices(
  db: Database,
  { from, to }: { from: string; to: string },
): Promise<{ states: string[]; shops: { id: number; name: string }[]; accountTypes: string[] }> {
  const { rows } = await sql<{ states: string[]; shops: { id: number; name: string }[]; accountTypes: string[] }>`
    with sale as materialized (select distinct state_code, shop_id, account_type from report_figure where day >= ${from}::date and day <= ${to}::date and kind = 'sale')
    select coalesce((select json_agg(distinct state_code) from sale), '[]') as states,
      coalesce((select json_agg(distinct account_type) from sale), '[]') as "accountTypes",
      coalesce((select json_agg(json_build_object('id', id, 'name', name) order by name, id) from (select id, name from shop where id in (select shop_id from sale) limit 1000) as shop), '[]') as shops`.execute(
    db,
  )
  return rows[0] ?? { states: [], shops: [], accountTypes: [] }
}
