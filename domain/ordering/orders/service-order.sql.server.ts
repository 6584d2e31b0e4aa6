/** Orders of a service without tires. */
import { sql, type RawBuilder } from 'kysely'

/**
 * SQL for whether an order is a service without tires. It isn't an `exists`, which PostgreSQL may answer by reading the
 * lines of all orders.
 */
export function isServiceOrder(orderId: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`coalesce((select true from order_line as served where served.order_id = ${orderId} and served.kind = 'service' limit 1), false)`
}
