/** The rows that reports on inventory and suppliers add up. */
import { sql, type RawBuilder } from 'kysely'

/**
 * Rows of the store's current inventory by warehouse, with `item_id`, `warehouse_id`, `units`, and each tire's
 * `cost_cents` and `oldest_dot_week` (null if missing in the catalog). Ordered tires count until the carrier has them.
 */
export function inventoryRows(): RawBuilder<unknown> {
  return sql`
    select held.item_id, held.warehouse_id, held.units, item.cost_cents, item.oldest_dot_week
    from (
      select item_id, warehouse_id, on_hand + closed_units as units from stock where on_hand + closed_units > 0
      union all
      select line.item_id, allocation.warehouse_id, allocation.quantity
      from shipment join stock_allocation allocation on allocation.order_id = shipment.order_id and allocation.warehouse_id = shipment.warehouse_id
        join order_line line on line.order_id = allocation.order_id and line.line_no = allocation.line_no
      where shipment.state in ('processed', 'pending-pickup')) as held
      join warehouse on warehouse.id = held.warehouse_id join item on item.id = held.item_id
    where warehouse.pool = 'on-hand'`
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
