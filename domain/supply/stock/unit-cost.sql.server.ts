/** The cost of tires by their source, as SQL. */
import { sql, type RawBuilder } from 'kysely'

/**
 * The price of one unit from a warehouse in cents, without freight; null if unknown. Our stock costs its average. A
 * supplier's price is its last answer, or else the catalog's cost less the supplier's discount.
 */
export function unitCostFrom(itemId: RawBuilder<unknown>, warehouseId: RawBuilder<unknown>): RawBuilder<number | null> {
  return costFrom(itemId, warehouseId, sql`0`)
}

/** The same with the supplier's freight. */
export function landedCostFrom(
  itemId: RawBuilder<unknown>,
  warehouseId: RawBuilder<unknown>,
): RawBuilder<number | null> {
  return costFrom(itemId, warehouseId, sql`coalesce(cost_supplier.freight_cents, 0)`)
}

function costFrom(
  itemId: RawBuilder<unknown>,
  warehouseId: RawBuilder<unknown>,
  freight: RawBuilder<unknown>,
): RawBuilder<number | null> {
  return sql<number | null>`(
    select nullif(case when cost_place.supplier_id is null
        then coalesce(round(cost_stock.value_cents::numeric / cost_stock.units), cost_item.cost_cents)
        else coalesce(cost_answer.cost_cents, cost_item.cost_cents - round(cost_item.cost_cents::numeric * cost_supplier.discount_ppm / 1000000)) end, 0)::int + ${freight}
    from warehouse as cost_place join item as cost_item on cost_item.id = ${itemId}
      left join supplier as cost_supplier on cost_supplier.id = cost_place.supplier_id
      left join inventory_value as cost_stock on cost_stock.item_id = cost_item.id and cost_stock.units > 0 and cost_stock.value_cents > 0
      left join supplier_availability as cost_answer on cost_answer.item_id = cost_item.id and cost_answer.supplier_id = cost_place.supplier_id
    where cost_place.id = ${warehouseId})`
}

/** The freight of one unit from a warehouse in cents; zero from our warehouses. */
export function freightFrom(warehouseId: RawBuilder<unknown>): RawBuilder<number> {
  return sql<number>`coalesce((
    select freight_supplier.freight_cents
    from warehouse as freight_place join supplier as freight_supplier on freight_supplier.id = freight_place.supplier_id
    where freight_place.id = ${warehouseId}), 0)`
}

/** An order line's part from one warehouse. */
type SoldPart = Record<'orderId' | 'lineNo' | 'itemId' | 'warehouseId', RawBuilder<unknown>>

/** The landed cost of a part of an order, at the price and freight of its purchase order if it has one. */
export function soldUnitCost(part: SoldPart): RawBuilder<number | null> {
  const bought = boughtAt(part, sql`bought.unit_cost_cents + bought.freight_cents`)
  return sql<number | null>`coalesce(${bought}, ${landedCostFrom(part.itemId, part.warehouseId)})`
}

/** The freight in `soldUnitCost`. */
export function soldFreight(part: Omit<SoldPart, 'itemId'>): RawBuilder<number> {
  return sql<number>`coalesce(${boughtAt(part, sql`bought.freight_cents`)}, ${freightFrom(part.warehouseId)})`
}

function boughtAt({ orderId, lineNo, warehouseId }: Omit<SoldPart, 'itemId'>, cents: RawBuilder<unknown>) {
  return sql`(
    select ${cents}
    from purchase_order as buying join purchase_order_line as bought on bought.purchase_order_id = buying.id
    where buying.order_id = ${orderId} and buying.warehouse_id = ${warehouseId} and bought.line_no = ${lineNo} and buying.state <> 'canceled'
    order by buying.id desc limit 1)`
}

/** The average of `parts` (quantity, unit cost), rounded to a cent; null without parts, or if a cost is unknown. */
export function averageUnitCost(parts: RawBuilder<unknown>): RawBuilder<number | null> {
  return sql<number | null>`(
    select case when bool_and(cents is not null) then round(sum(quantity * cents)::numeric / sum(quantity))::int end
    from (${parts}) as part (quantity, cents))`
}
