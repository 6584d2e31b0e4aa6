/** Names of suppliers, as SQL. */
import { sql, type RawBuilder } from 'kysely'

/** A supplier's name; null if the ID is null. */
export function supplierName(id: RawBuilder<unknown>): RawBuilder<string | null> {
  return sql<
    string | null
  >`(select named_supplier.name from supplier as named_supplier where named_supplier.id = ${id})`
}

/** The suppliers of an order's purchase orders that aren't canceled, such as "Great Lakes, Broadmoor"; null without any. */
export function suppliersOfOrder(orderId: RawBuilder<unknown>): RawBuilder<string | null> {
  return sql<string | null>`(
    select string_agg(distinct supplier.name, ', ') from purchase_order as bought join supplier on supplier.id = bought.supplier_id
    where bought.order_id = ${orderId} and bought.state <> 'canceled')`
}
