-- Freight is part of the cost of a tire that a supplier ships. Orders record it when they are placed or sourced.
alter table supplier
  add column freight_cents integer not null default 0 constraint supplier_freight_cents_check check (freight_cents between 0 and 50000);
comment on column supplier.freight_cents is 'Freight that the supplier charges for each tire that it ships.';

alter table purchase_order_line
  add column freight_cents integer not null default 0 constraint purchase_order_line_freight_cents_check check (freight_cents between 0 and 50000);
comment on column purchase_order_line.freight_cents is 'The supplier’s freight for one unit when the order was placed or sourced, in addition to its price.';

alter table order_line
  add column unit_freight_cents integer not null default 0 constraint order_line_unit_freight_cents_check check (unit_freight_cents between 0 and 50000);
comment on column order_line.unit_freight_cents is 'The freight in unit_cost_cents.';
comment on column order_line.unit_cost_cents is 'The cost of a tire from its source when it was placed or sourced, with freight, on average over several sources; null if unknown, and for services.';
