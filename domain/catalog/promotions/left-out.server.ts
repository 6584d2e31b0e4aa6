/** The tires that promotions leave out because of their minimum advertised price. */
import { selectExclusions, tiresBelowMap, type TireBelowMap } from '#domain/catalog/catalog/catalog.server.ts'
import { readBelowMapRule } from '#domain/kernel/settings/settings.server.ts'
import type { Database } from '#platform/db.ts'
import type { OfficePromotion } from './promotions.sql.server.ts'

/**
 * The tires that a promotion leaves out because of their minimum advertised price, or would leave out if a draft were
 * scheduled now.
 */
export async function listLeftOut(
  { db }: { db: Database },
  { promotionId, kind, amount, itemId, lineId, brandId }: OfficePromotion,
): Promise<readonly TireBelowMap[]> {
  if (promotionId !== null) return selectExclusions(db, promotionId)
  if ((await readBelowMapRule(db)) !== 'refuse') return []
  const on = { item_id: itemId, product_line_id: lineId, brand_id: brandId }
  return (await tiresBelowMap(db, { kind, amount, ...on })).tires
}
