import type { Cart } from '#domain/payments/cart/cart.ts'
import type { DeliveryPlan } from '#domain/supply/delivery/delivery.ts'
import { planParts, type PartUnits } from '#domain/supply/parts/parts.server.ts'
import type { Database } from '#platform/db.ts'
import type { Outcome, Refused } from '#platform/outcome.ts'

/** Parts that aren't for sale, or that can't be packed with the cart's tires. */
export type PartsProblem = { kind: 'parts-lacking'; names: string[] }

/** Chooses the warehouses that pack the cart's parts with its tires, once these have a delivery plan. */
export async function packParts(
  db: Database,
  { parts }: Pick<Cart, 'parts'>,
  plan: Outcome<DeliveryPlan, Refused<string, unknown>>,
): Promise<{ parts: PartUnits[]; problems: PartsProblem[] }> {
  if (!plan.ok) return { parts: [], problems: [] }
  const { packed, lacking } = await planParts(db, {
    parts: parts.filter(({ isOnSale }) => isOnSale),
    warehouseIds: plan.value.shipments.map(({ warehouseId }) => warehouseId),
  })
  const names = parts.flatMap(({ partId, name, isOnSale }) => (!isOnSale || lacking.includes(partId) ? [name] : []))
  return { parts: packed, problems: names.length > 0 ? [{ kind: 'parts-lacking', names }] : [] }
}
