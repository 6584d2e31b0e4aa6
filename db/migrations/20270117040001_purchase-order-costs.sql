-- The cost of a sold tire follows its source, so a purchase order has the price that it was placed at.
alter table purchase_order_line
  add column unit_cost_cents integer constraint purchase_order_line_unit_cost_cents_check check (unit_cost_cents between 1 and 100000000);
comment on column purchase_order_line.unit_cost_cents is 'The supplier’s price of one unit when the order was placed or sourced; null if unknown.';
comment on column order_line.unit_cost_cents is 'What one of the tires cost us from its source when it was placed or sourced, on average over several sources; null if unknown, and for services.';

update purchase_order_line as line
set unit_cost_cents = nullif(coalesce(sold.unit_cost_cents, item.cost_cents) - round(coalesce(sold.unit_cost_cents, item.cost_cents)::numeric * supplier.discount_ppm / 1000000), 0)::int
from purchase_order as po, supplier, order_line as sold, item
where po.id = line.purchase_order_id and supplier.id = po.supplier_id and item.id = line.item_id
  and sold.order_id = po.order_id and sold.line_no = line.line_no;
