/** The statements for price lists. */
import type { Database } from '#platform/db.ts'
import type { Formula, PriceRule, RuleScope } from './price-list.ts'

/**
 * The current and future rules of a list at `now`. The schema's constraints guarantee the assumptions about a row here.
 */
export async function selectRules(db: Database, listId: number, now: Temporal.Instant): Promise<PriceRule[]> {
  const rows = await db
    .selectFrom('price_rule')
    .leftJoin('size', 'size.id', 'price_rule.size_id')
    .select([
      'price_rule.id',
      'item_id',
      'product_line_id',
      'brand_id',
      'size.slug as size_slug',
      'price_rule.kind',
      'rate_ppm',
      'amount_cents',
      'starts_at',
      'ends_at',
    ])
    .where('price_list_id', '=', listId)
    .where(({ or, eb }) => or([eb('ends_at', 'is', null), eb('ends_at', '>', now)]))
    .execute()
  return rows.map((row) => ({
    id: row.id,
    scope: scopeOf(row),
    formula: formulaOf(row),
    since: row.starts_at,
    until: row.ends_at,
  }))
}

type Target = {
  item_id: number | null
  product_line_id: number | null
  brand_id: number | null
  size_slug: string | null
}

export function scopeOf({ item_id, product_line_id, brand_id, size_slug }: Target): RuleScope {
  if (item_id !== null) return { kind: 'item', id: item_id }
  if (product_line_id !== null) return { kind: 'line', id: product_line_id }
  if (size_slug !== null) return { kind: 'size', slug: size_slug }
  return brand_id === null ? { kind: 'every-tire' } : { kind: 'brand', id: brand_id }
}

export function formulaOf({
  kind,
  rate_ppm,
  amount_cents,
}: {
  kind: string
  rate_ppm: number | null
  amount_cents: number | null
}): Formula {
  if (kind === 'percent-off') return { kind, ratePpm: rate_ppm ?? 0 }
  if (kind === 'fixed') return { kind, amountCents: amount_cents ?? 0 }
  return { kind: 'cost-plus', ratePpm: rate_ppm ?? 0, amountCents: amount_cents ?? 0 }
}
