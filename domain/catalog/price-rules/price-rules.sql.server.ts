/** The statements of price rules. */
import { sql } from 'kysely'
import type { PriceRule, PriceRuleInput } from './price-rules.ts'
import { brandName } from '#domain/catalog/catalog/catalog.server.ts'
import { supplierName } from '#domain/supply/stock/stock.server.ts'
import type { Database, Tx } from '#platform/db.ts'

/** The maximum number of rules. */
export const maxPriceRules = 1_000

/** Selects all rules with the names of their brands and suppliers, in their order. */
export function selectPriceRules(db: Database | Tx): Promise<PriceRule[]> {
  return db
    .selectFrom('retail_price_rule as rule')
    .select([
      'rule.id',
      'rule.brand_id as brandId',
      brandName(sql.ref('rule.brand_id')).as('brand'),
      'rule.supplier_id as supplierId',
      supplierName(sql.ref('rule.supplier_id')).as('supplier'),
      'rule.markup_ppm as markupPpm',
      'rule.add_cents as addCents',
      'rule.margin_floor_ppm as marginFloorPpm',
      'rule.raises_to_map as raisesToMap',
      'rule.competitor_days as competitorDays',
      'rule.competitor_beat_ppm as competitorBeatPpm',
      'rule.competitor_beat_cents as competitorBeatCents',
      'rule.ending_cents as endingCents',
      'rule.version',
    ])
    .orderBy(sql`brand nulls last`)
    .orderBy(sql`supplier nulls last`)
    .limit(maxPriceRules)
    .execute()
}

/** Serializes changes to price rules until the transaction ends. */
export async function lockPriceRules(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('sidewall price rules', 0))`.execute(tx)
}

type Change = { by: string; at: Temporal.Instant }

function stored(rule: PriceRuleInput, { by, at }: Change) {
  return {
    brand_id: rule.brandId,
    supplier_id: rule.supplierId,
    markup_ppm: rule.markupPpm,
    add_cents: rule.addCents,
    margin_floor_ppm: rule.marginFloorPpm,
    raises_to_map: rule.raisesToMap,
    competitor_days: rule.competitorDays,
    competitor_beat_ppm: rule.competitorBeatPpm,
    competitor_beat_cents: rule.competitorBeatCents,
    ending_cents: rule.endingCents,
    changed_by: by,
    changed_at: at,
  }
}

/** Adds a rule and returns its ID. Throws a violated constraint for an unknown brand or supplier. */
export async function insertPriceRule(tx: Tx, rule: PriceRuleInput, change: Change): Promise<number> {
  const { id } = await tx
    .insertInto('retail_price_rule')
    .values(stored(rule, change))
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Changes a rule, and throws as `insertPriceRule` does. */
export async function updatePriceRule(tx: Tx, id: number, rule: PriceRuleInput, change: Change): Promise<void> {
  await tx
    .updateTable('retail_price_rule')
    .set({ ...stored(rule, change), version: sql`version + 1` })
    .where('id', '=', id)
    .execute()
}

export async function deletePriceRule(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('retail_price_rule').where('id', '=', id).execute()
}
