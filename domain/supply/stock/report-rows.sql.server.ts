/** The rows that reports on inventory and suppliers add up. */
import { sql, type RawBuilder } from 'kysely'

/**
 * Rows of the store's current inventory by tire, with `item_id`, `units`, `value_cents` (at moving average cost, zero if unknown), and
 * `oldest_dot_week` (null if missing in the catalog). Ordered tires count until the carrier has them.
 */
export function inventoryRows(): RawBuilder<unknown> {
  return sql`
    select item_id, units, value_cents, item.oldest_dot_week
    from inventory_value join item on item.id = item_id where units > 0`
}

/**
 * Rows of the lines of purchase orders sent to suppliers from `from` until `until` and not canceled: the ids of the
 * purchase order and of the order it is for, `released_at`, `supplier` (its name), `quantity`, `filled_units`, and `short_units`, which the supplier rejected or backordered.
 */
export function suppliedLineRows({
  from,
  until,
}: {
  from: Temporal.Instant
  until: Temporal.Instant
}): RawBuilder<unknown> {
  return sql`
    select purchase_order.id as purchase_order_id, purchase_order.order_id, purchase_order.released_at, supplier.name as supplier, line.quantity, line.filled_units, line.rejected_units + line.backordered_units as short_units
    from purchase_order join purchase_order_line as line on line.purchase_order_id = purchase_order.id
      join supplier on supplier.id = purchase_order.supplier_id
    where released_at >= ${from.toString()}::timestamptz and released_at < ${until.toString()}::timestamptz
      and purchase_order.state <> 'canceled'`
}

/** Rows of suppliers' warehouses, with `warehouse_id` and `supplier` (the name). */
export function supplierRows(): RawBuilder<unknown> {
  return sql`
    select warehouse.id as warehouse_id, supplier.name as supplier
    from warehouse join supplier on supplier.id = warehouse.supplier_id`
}
