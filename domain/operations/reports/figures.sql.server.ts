/** The statements that read counted figures. */
import { sql, type RawBuilder } from 'kysely'
import type { Database } from '#platform/db.ts'

/** What a report is narrowed to; null for everything. */
export type ReportFilter = { state: string | null; shopId: number | null; accountType: string | null }

export type FigureKind =
  | 'sale'
  | 'authority'
  | 'brand'
  | 'parcel'
  | 'refund'
  | 'promotion'
  | 'cash'
  | 'job'
  | 'no-show'
  | 'shop-cancellation'
  | 'rating'
  | 'supplier-ordered'
  | 'supplier-filled'
  | 'supplier-short'
  | 'supplier-parcel'
  | 'inventory'
  | 'cart'
  | 'missed-search'

/** Figures of the store as a whole, which no filter narrows. */
const storeWideKinds: readonly FigureKind[] = [
  'supplier-ordered',
  'supplier-filled',
  'supplier-short',
  'supplier-parcel',
  'inventory',
  'cart',
  'missed-search',
]

/**
 * Sums over a range of days. Sales are by day and state, tax authorities by state, parcels and carts by day, shop
 * figures by shop with its name as the label, and others by label. Columns a kind doesn't use are zero. `orders` are
 * orders, parcels, refunds, jobs or lines.
 */
export type Figure = {
  kind: FigureKind
  day: string | null
  state: string
  shopCode: string
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

/** A subset of the figures, by label or by shop code; null for all. */
export type FigurePart = { label: string | null; shopCode: string | null }

/** The condition that figures, or entries, of these kinds are not filtered out. */
export function isCounted(
  kinds: readonly FigureKind[],
  { state, shopId, accountType }: ReportFilter,
  { label, shopCode }: FigurePart,
): RawBuilder<boolean> {
  return sql<boolean>`kind = any(${kinds}::text[])
    and (kind = any(${storeWideKinds}::text[])
      or (${state}::text is null or state_code = ${state}) and (kind = 'authority'
        or (${shopId}::int is null or shop_id = ${shopId}) and (${accountType}::text is null or account_type = ${accountType})))
    and (${label}::text is null or label = ${label})
    and (${shopCode}::text is null or shop_id = (select id from shop where code = ${shopCode}))`
}

const everyPart: FigurePart = { label: null, shopCode: null }

/** Sums the figures of these kinds over the days from `from` to `to`, both included. */
export async function selectFigures(
  db: Database,
  { from, to }: { from: string; to: string },
  filter: ReportFilter,
  kinds: readonly FigureKind[],
  part = everyPart,
): Promise<Figure[]> {
  const [{ rows }, inventory, searches] = await Promise.all([
    sql<Figure>`
      select figure.kind, case when figure.kind in ('sale', 'parcel', 'cart') then day end::text as day,
        case when figure.kind in ('sale', 'authority') then state_code else '' end as state,
        coalesce(shop.code, '') as "shopCode", coalesce(shop.name || ' (' || shop.code || ')', label) as label,
        sum(orders) as orders, sum(units) as units, sum(kept) as kept, sum(amount_cents) as "amountCents", sum(cost_cents) as "costCents", sum(unknown_cents) as "unknownCents",
        sum(taxed_cents) as "taxedCents", sum(tax_cents) as "taxCents", sum(fee_cents) as "feeCents", sum(excise_cents) as "exciseCents", sum(funded_cents) as "fundedCents",
        sum(captured_cents) as "capturedCents", sum(refunded_cents) as "refundedCents"
      from (select * from report_figure where day >= ${from}::date and day <= ${to}::date and ${isCounted(kinds, filter, part)}) as figure
        left join shop on shop.id = figure.shop_id and figure.kind in ('job', 'no-show', 'shop-cancellation', 'rating')
      group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5`.execute(db),
    kinds.includes('inventory') ? selectInventory(db, { from, to }) : [],
    kinds.includes('missed-search') ? selectMissedSearches(db, { from, to }) : [],
  ])
  return [...rows, ...inventory, ...searches]
}

const nothing: Omit<Figure, 'kind' | 'label'> = {
  day: null,
  state: '',
  shopCode: '',
  orders: 0,
  units: 0,
  kept: 0,
  amountCents: 0,
  costCents: 0,
  unknownCents: 0,
  taxedCents: 0,
  taxCents: 0,
  feeCents: 0,
  exciseCents: 0,
  fundedCents: 0,
  capturedCents: 0,
  refundedCents: 0,
}

/** The inventory of the last day of a period on which it was written down; `orders` are the units without a cost. */
async function selectInventory(db: Database, { from, to }: { from: string; to: string }): Promise<Figure[]> {
  const { rows } = await sql<Pick<Figure, 'label' | 'units' | 'orders' | 'amountCents'>>`
    select age as label, units, unpriced_units as orders, value_cents as "amountCents" from inventory_day
    where day = (select max(day) from inventory_day where day >= ${from}::date and day <= ${to}::date)`.execute(db)
  return rows.map((row) => ({ ...nothing, kind: 'inventory', ...row }))
}

const maxSearchesShown = 100

/**
 * Selects the most frequent searches without results in a period. One-time searches, those above the display limit, and
 * those stored without text are summed in one figure without a label.
 */
async function selectMissedSearches(db: Database, { from, to }: { from: string; to: string }): Promise<Figure[]> {
  const { rows } = await sql<Pick<Figure, 'label' | 'orders'>>`
    with missed as (
      select query, sum(searches) as searches, row_number() over (order by query = '', sum(searches) desc, query) as place
      from missed_search_day where day >= ${from}::date and day <= ${to}::date group by query)
    select case when searches > 1 and place <= ${maxSearchesShown} then query else '' end as label, sum(searches) as orders
    from missed group by 1`.execute(db)
  return rows.map((row) => ({ ...nothing, kind: 'missed-search', ...row }))
}

/** Returns when a day in the period was last counted; null if never. */
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
): Promise<{ states: string[]; shops: { id: number; code: string; name: string }[]; accountTypes: string[] }> {
  const { rows } = await sql<{
    states: string[]
    shops: { id: number; code: string; name: string }[]
    accountTypes: string[]
  }>`
    with sale as materialized (select distinct state_code, shop_id, account_type from report_figure where day >= ${from}::date and day <= ${to}::date and kind = 'sale')
    select coalesce((select json_agg(distinct state_code) from sale), '[]') as states,
      coalesce((select json_agg(distinct account_type) from sale), '[]') as "accountTypes",
      coalesce((select json_agg(json_build_object('id', id, 'code', code, 'name', name) order by name, id) from (select id, code, name from shop where id in (select shop_id from sale) limit 1000) as shop), '[]') as shops`.execute(
    db,
  )
  return rows[0] ?? { states: [], shops: [], accountTypes: [] }
}
