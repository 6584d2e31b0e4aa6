/** What must be true of inventory at cost (docs/decisions/032-inventory-cost.md). */
import type { Invariant } from './invariants.ts'

export const inventoryInvariants: readonly Invariant[] = [
  {
    name: 'inventory-value-is-the-ledger',
    severity: 'error',
    of: 'inventory balances',
    statement: `
      select 'inventory account' as what, (select coalesce(sum(amount_cents), 0) from ledger_entry where account = 'inventory')
        = (select coalesce(sum(value_cents), 0) from inventory_value) as holds
      where exists (select from inventory_movement)`,
  },
  {
    name: 'inventory-units-on-shelf',
    severity: 'error',
    of: 'tires with stock or inventory',
    statement: `
      select 'item ' || item_id as what, coalesce(value.units, 0) = coalesce(shelf.units, 0) as holds
      from inventory_value value full join (
        select item_id, sum(units) as units from (
          select item_id, warehouse_id, on_hand + closed_units as units from stock
          union all
          select line.item_id, part.warehouse_id, part.quantity from shipment
            join stock_allocation part on part.order_id = shipment.order_id and part.warehouse_id = shipment.warehouse_id
            join order_line line on line.order_id = part.order_id and line.line_no = part.line_no
          where shipment.state in ('processed', 'pending-pickup')) as held
        where warehouse_id in (select id from warehouse where supplier_id is null) group by item_id) as shelf using (item_id)`,
  },
  {
    name: 'inventory-value-is-its-movements',
    severity: 'error',
    of: 'tires with inventory',
    statement: `
      select 'item ' || item_id as what, coalesce(value.units, 0) = coalesce(moved.units, 0) and coalesce(value_cents, 0) = coalesce(moved.cents, 0) as holds
      from inventory_value value full join (
        select item_id, sum(units) as units, sum(cents) as cents from inventory_movement_line line join inventory_movement movement on movement.id = movement_id
        where kind <> 'supplier-shipped' group by item_id) as moved using (item_id)`,
  },
  {
    name: 'inventory-movement-in-ledger',
    severity: 'error',
    of: 'movements of inventory',
    // The debits of a transfer are the value that moved. A supplier’s credit enters its difference in another one.
    statement: `
      select 'inventory movement ' || movement.id as what, abs(moved.cents) = coalesce(entered.cents, 0) and entered.is_of_order is not false as holds
      from inventory_movement movement
        join (select movement_id, sum(cents) as cents from inventory_movement_line group by movement_id) as moved on moved.movement_id = movement.id
        left join lateral (
          select sum(amount_cents) filter (where amount_cents > 0) as cents, bool_and(entry.order_id is not distinct from movement.order_id) as is_of_order
          from ledger_entry entry where entry.inventory_movement_id = movement.id and entry.reason <> 'supplier credit') as entered on true`,
  },
  {
    name: 'delivery-at-cost-with-freight',
    severity: 'error',
    of: 'received tires',
    statement: `
      select 'item ' || received.item_id || ' of delivery ' || received.receipt_id as what,
        coalesce(moved.cents = moved.units::bigint * ordered.unit_cost_cents + received.freight_cents and moved.units = received.received_units, false) as holds
      from inventory_movement movement join stock_receipt receipt on receipt.id = movement.receipt_id
        join stock_receipt_line received on received.receipt_id = receipt.id and received.received_units > 0
        join stock_order_line ordered on ordered.stock_order_id = receipt.stock_order_id and ordered.item_id = received.item_id
        left join inventory_movement_line moved on moved.movement_id = movement.id and moved.item_id = received.item_id`,
  },
]
