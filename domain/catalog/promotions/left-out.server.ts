/** Tires in a promotion, and tires that it leaves out because of their minimum advertised price. */
import {
  selectExclusions,
  selectReduced,
  tiresBelowMap,
  type ReducedTire,
  type TireBelowMap,
} from '#domain/catalog/catalog/catalog.server.ts'
import { readBelowMapRule } from '#domain/kernel/settings/settings.server.ts'
import type { Database } from '#platform/db.ts'
import type { OfficePromotion } from './promotions.sql.server.ts'

/**
 * The tires that a promotion leaves out because of their minimum advertised price, or would leave out if a draft were
 * scheduled now.
 */
export async function listLeftOut(
  { db }: { db: Database },
  { promotionId, kind, amount, itemId, lineId, brandId, filterId }: OfficePromotion,
): Promise<readonly TireBelowMap[]> {
  if (promotionId !== null) return selectExclusions(db, promotionId)
  if ((await readBelowMapRule(db)) !== 'refuse') return []
  const on = { item_id: itemId, product_line_id: lineId, brand_id: brandId, filter_id: filterId }
  return (await tiresBelowMap(db, { kind, amount, ...on })).tires
}

/** The maximum number of tires on the page of a promotion, coupon, or rebate. */
export const reducedShown = 10

/** Lists ten tires with their prices before and after the promotion, and counts all of them. */
export function listPromoted(
  { db }: { db: Database },
  { kind, amount, itemId, lineId, brandId, filterId }: OfficePromotion,
  leftOut: readonly TireBelowMap[],
): Promise<{ count: number; tires: ReducedTire[] }> {
  const reduction = { kind, amount, per: 'tire' as const, minimumCents: null, itemId, lineId, brandId, filterId }
  return selectReduced(db, reduction, { limit: reducedShown, except: leftOut.map((tire) => tire.itemId) })
}
