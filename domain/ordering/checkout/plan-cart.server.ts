import { planDeliveries, type DeliveryDeps, type DeliveryOutcome } from '#domain/supply/delivery/delivery.server.ts'
import type { Cart } from '#domain/payments/cart/cart.ts'
import { landedCostFrom } from '#domain/supply/stock/stock.server.ts'

/** Plans which warehouses ship a cart to each ZIP code, by the rule that also applies when it is ordered. */
export function planCart(
  deps: DeliveryDeps & { releaseAfterSeconds: number },
  { id, lines }: Pick<Cart, 'id' | 'lines'>,
  zips: readonly string[],
): Promise<Map<string, DeliveryOutcome>> {
  return planDeliveries(deps, {
    lines: lines.map(({ itemId, quantity, unitCents }) => ({ itemId, quantity, unitCents })),
    zips,
    releaseAfter: deps.releaseAfterSeconds,
    cartId: id,
    costFrom: landedCostFrom,
  })
}
