/** Reads current and upcoming promotions and rebates. */
import { sql, type Selectable } from 'kysely'
import type { DB } from '#db/types.ts'
import type { Database } from '#platform/db.ts'
import type { BrandRange } from './brand-range.ts'
import { isDealWithin } from './brand-range.sql.server.ts'
import type { FilteredTires, Promotion, PromotionKind, Rebate } from './promotion.ts'

/** Promotions that are active at `now` or become active before `until`. */
export async function selectPromotions(
  db: Database,
  range: BrandRange,
  now: Temporal.Instant,
  until: Temporal.Instant,
): Promise<Promotion[]> {
  const rows = await db
    .selectFrom('promotion as deal')
    .selectAll()
    .select(promotedTires)
    .where('ends_at', '>', now)
    .where('starts_at', '<', until)
    .$if(range !== null, (query) => query.where(isDealWithin(range, 'promotion')))
    .orderBy('id')
    .execute()
  return rows.map(toPromotion)
}

/** Tires excluded from a promotion, aliased `deal`. */
const except = sql<number[]>`array(select item_id from promotion_exclusion where promotion_id = deal.id)`.as('except')
/** Tires in its filter, if it has one. */
const only = sql<
  number[] | null
>`case when deal.filter_id is not null then array(select item_id from tires_of_filter(deal.filter_id)) end`.as('only')
/** The cheapest tire on sale per model in its filter. */
const cheapest = sql<number[] | null>`
  case when deal.filter_id is not null then array(
    select distinct on (item.product_line_id) item.id from tires_of_filter(deal.filter_id) filtered join item on item.id = filtered.item_id
    where item.active order by item.product_line_id, item.shown_cents, item.id) end`.as('cheapest')

/** Additional columns for `toRebate`. The rebate is aliased `deal`. */
export const filteredTires = [only, cheapest]
/** Additional columns for `toPromotion`. The promotion is aliased `deal`. */
export const promotedTires = [except, ...filteredTires]

type Filtered = { only: readonly number[] | null; cheapest: readonly number[] | null }

function onlyTires({ only: itemIds, cheapest: cheapestOfLines }: Filtered): { only?: FilteredTires } {
  return itemIds ? { only: { itemIds: new Set(itemIds), cheapestOfLines: cheapestOfLines ?? [] } } : {}
}

export function toPromotion(row: Selectable<DB['promotion']> & Filtered & { except: readonly number[] }): Promotion {
  return {
    ...(row.except.length > 0 && { exceptItemIds: row.except }),
    ...onlyTires(row),
    id: row.id,
    slug: row.slug,
    name: row.name,
    headline: row.headline,
    kind: row.kind as PromotionKind,
    amount: row.amount,
    itemId: row.item_id,
    lineId: row.product_line_id,
    brandId: row.brand_id,
    fundedBy: row.funded_by as Promotion['fundedBy'],
    alreadyApplied: row.already_applied,
    linkToCoverage: row.link_to_coverage,
    daily: row.daily,
    startsAt: row.starts_at,
    endsAt: row.ends_at,
  }
}

/** Scheduled rebates with a purchase period that has not ended at `now`, including future ones. */
export async function selectRebates(db: Database, range: BrandRange, now: Temporal.Instant): Promise<Rebate[]> {
  const rows = await db
    .selectFrom('rebate as deal')
    .selectAll()
    .select(filteredTires)
    .where('ends_at', '>', now)
    .where('draft', '=', false)
    .$if(range !== null, (query) => query.where(isDealWithin(range, 'rebate')))
    .orderBy('id')
    .execute()
  return rows.map(toRebate)
}

export function toRebate(row: Selectable<DB['rebate']> & Filtered): Rebate {
  return {
    ...onlyTires(row),
    id: row.id,
    slug: row.slug,
    name: row.name,
    amountCents: row.amount_cents,
    units: row.units,
    paidAs: row.paid_as as Rebate['paidAs'],
    lineId: row.product_line_id,
    brandId: row.brand_id,
    claim: row.form_url === null ? { mailTo: row.mail_to ?? '' } : { formUrl: row.form_url },
    startsAt: row.starts_at,
    endsAt: row.ends_at,
    claimBy: row.last_claim_on,
  }
}
