/** Completes an order after all its tires were returned. */
import { moveOrder, type Change } from './order-life.sql.server.ts'
import { nextOrderState, type OrderState } from './orders.ts'
import type { Tx } from '#platform/db.ts'

/** Moves a locked order to returned, once the last of its tires is refunded. Returned before, it stays so. */
export async function returnOrder(tx: Tx, order: { id: number; state: OrderState }, change: Change): Promise<void> {
  if (nextOrderState(order.state, 'return') !== undefined) await moveOrder(tx, order, 'return', change)
}
