/** What must be true of stock adjustments, purchase orders, and inventory. */
import type { Invariant } from './invariants.ts'
import { inventoryInvariants } from './inventory-invariants.ts'

export const stockInvariants: readonly Invariant[] = [
  {
    name: 'stock-held-with-a-time',
    severity: 'error',
    of: 'held stock rows',
    statement: `
      select 'item ' || item_id || ' in warehouse ' || warehouse_id || ' with booking ' || booking_id as what, booking.state = 'held' as holds
      from stock_hold join booking on booking.id = booking_id`,
  },
  {
    name: 'stock-held-is-there',
    severity: 'error',
    of: 'stock rows with held units',
    statement: `
      select 'item ' || item_id || ' in warehouse ' || warehouse_id as what, sum(quantity) <= on_hand as holds
      from stock_hold join stock using (item_id, warehouse_id) group by item_id, warehouse_id, on_hand`,
  },
  {
    name: 'purchase-order-after-the-window',
    severity: 'error',
    of: 'purchase orders',
    statement: `
      select 'purchase order ' || po.id as what, (po.released_at is null or sales_order.released_at >= cancel_until and po.released_at >= sales_order.released_at)
        and (sales_order.state <> 'canceled' or po.state = 'canceled') as holds
      from purchase_order po join sales_order on sales_order.id = po.order_id`,
  },
  {
    name: 'purchase-order-is-the-allocation',
    severity: 'error',
    of: 'purchase orders',
    statement: `
      select 'purchase order ' || po.id as what, po.state = 'canceled' or not exists (
        select from (select line_no, quantity from purchase_order_line where purchase_order_id = po.id) ordered
          full join (select line_no, quantity from stock_allocation where order_id = po.order_id and warehouse_id = po.warehouse_id) needed using (line_no, quantity)
        where ordered.line_no is null or needed.line_no is null) as holds
      from purchase_order po`,
  },
  {
    name: 'purchase-order-sent-after-the-window',
    severity: 'error',
    of: 'purchase orders',
    statement: `
      select 'purchase order ' || po.id as what, po.sent_at is null
        or (po.released_at is not null and po.sent_at >= sales_order.cancel_until and sales_order.released_at >= cancel_until) as holds
      from purchase_order po join sales_order on sales_order.id = po.order_id`,
  },
  {
    name: 'purchase-order-filled-or-killed',
    severity: 'error',
    of: 'lines of purchase orders',
    // A canceled one was in any of the states before.
    statement: `
      select 'line ' || line.line_no || ' of purchase order ' || po.id as what, case po.state
          when 'accepted' then filled_units = quantity
          when 'rejected' then filled_units + rejected_units + backordered_units = quantity and exists (
            select from purchase_order_line short where short.purchase_order_id = po.id and short.filled_units < short.quantity)
          when 'canceled' then filled_units + rejected_units + backordered_units in (0, quantity)
          else filled_units + rejected_units + backordered_units = 0 end as holds
      from purchase_order po join purchase_order_line line on line.purchase_order_id = po.id`,
  },
  {
    name: 'stock-adjustment-recorded',
    severity: 'error',
    of: 'stock adjustments',
    // Linked by their number because an adjustment and its audit entry are written together.
    statement: `
      select 'stock adjustment ' || made.id as what, after_units = before_units + change_units and after_units >= 0
        and case when receipt_id is null
          then exists (select from audit_entry where act = 'stock.adjusted' and (after ->> 'adjustment')::bigint = made.id and actor = made.recorded_by)
          else exists (select from stock_receipt_line line where line.receipt_id = made.receipt_id and line.item_id = made.item_id and line.received_units = change_units) end as holds
      from stock_adjustment made`,
  },
  {
    name: 'stock-receipt-recorded',
    severity: 'error',
    of: 'deliveries of stock orders',
    statement: `
      select 'receipt ' || receipt.id as what, exists (
          select from audit_entry where act = 'stock-order.received' and (after ->> 'receipt')::bigint = receipt.id and actor = receipt.received_by)
        and not exists (
          select from stock_receipt_line line where line.receipt_id = receipt.id and received_units > 0 and not exists (
            select from stock_adjustment made where made.receipt_id = receipt.id and made.item_id = line.item_id)) as holds
      from stock_receipt receipt`,
  },
  {
    name: 'stock-order-adds-up',
    severity: 'error',
    of: 'lines of stock orders',
    statement: `
      select 'line ' || line.item_id || ' of stock order ' || line.stock_order_id as what,
        (line.received_units, line.damaged_units, line.short_units) = (
          select coalesce(sum(part.received_units), 0), coalesce(sum(part.damaged_units), 0), coalesce(sum(part.short_units), 0)
          from stock_receipt receipt join stock_receipt_line part on part.receipt_id = receipt.id
          where receipt.stock_order_id = line.stock_order_id and part.item_id = line.item_id)
        and (state <> 'received' or line.received_units + line.damaged_units + line.short_units = line.quantity + line.over_units)
        and (state not in ('draft', 'sending', 'sent') or line.received_units + line.damaged_units + line.short_units = 0) as holds
      from stock_order_line line join stock_order on stock_order.id = line.stock_order_id`,
  },
  {
    name: 'stock-order-sent-by-staff',
    severity: 'error',
    of: 'stock orders that were sent electronically',
    statement: `
      select 'stock order ' || id as what, asked_no = (
        select count(*) from audit_entry where act = 'stock-order.sent' and subject = 'SPO-' || stock_order.id) as holds
      from stock_order where asked_no > 0`,
  },
  {
    name: 'supplier-message-of-its-order',
    severity: 'error',
    of: 'messages of suppliers',
    statement: `
      select 'message ' || payload_id || ' of supplier ' || message.supplier_id as what, message.supplier_id = coalesce(po.supplier_id, stock_order.supplier_id) as holds
      from supplier_message message left join purchase_order po on po.id = purchase_order_id left join stock_order on stock_order.id = stock_order_id`,
  },
  {
    name: 'stock-receipt-weeks-within',
    severity: 'error',
    of: 'lines of deliveries with DOT weeks',
    statement: `
      select 'line ' || line.item_id || ' of receipt ' || line.receipt_id as what, sum(lot.units) = line.received_units as holds
      from stock_receipt_line line join stock_receipt_lot lot using (receipt_id, item_id) group by line.receipt_id, line.item_id, line.received_units`,
  },
  {
    name: 'line-allocated-whole',
    severity: 'error',
    of: 'lines of tires',
    statement: `
      select 'line ' || line_no || ' of order ' || order_id as what,
        quantity = (select coalesce(sum(a.quantity), 0) from stock_allocation a where a.order_id = order_line.order_id and a.line_no = order_line.line_no)
          + canceled_units(order_line.order_id, order_line.line_no) as holds
      from order_line join sales_order on sales_order.id = order_id where kind = 'tire' and state <> 'canceled'`,
  },
  {
    name: 'part-stock-in-own-warehouses',
    severity: 'error',
    of: 'parts in warehouses',
    statement: `
      select 'part ' || part_id || ' in warehouse ' || warehouse_id as what, supplier_id is null as holds
      from part_stock join warehouse on warehouse.id = warehouse_id where on_hand > 0`,
  },
  {
    name: 'part-packed-with-tires',
    severity: 'error',
    of: 'ordered parts',
    statement: `
      select 'line ' || line_no || ' of order ' || order_id as what,
        exists (select from shipment where shipment.order_id = line.order_id and shipment.warehouse_id = part_warehouse_id and shipment.state <> 'canceled') as holds
      from order_line line join sales_order on sales_order.id = order_id
      where kind = 'part' and quantity > canceled_units(order_id, line_no) and sales_order.state not in ('canceled', 'returned')`,
  },
  ...inventoryInvariants,
]
