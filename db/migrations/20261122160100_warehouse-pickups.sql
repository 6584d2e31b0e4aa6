-- Tires that their buyer picks up at a warehouse of ours: where that is possible, which warehouse a cart and an order are for, and how far each is.
-- Why it is no shipment of its own: docs/decisions/056-pickup-places.md.
create table warehouse_hours (
  warehouse_id smallint not null references warehouse,
  weekday smallint not null check (weekday between 1 and 7),
  opens time not null,
  closes time not null,
  primary key (warehouse_id, weekday),
  check (opens < closes)
);
comment on table warehouse_hours is 'When buyers can pick up at a warehouse, from Monday, 1; one without hours hands nothing out.';

alter table cart
  add column pickup_warehouse_id smallint references warehouse,
  drop constraint cart_fulfillment_check,
  add constraint cart_fulfillment_check check (fulfillment in ('shop', 'mobile', 'home', 'carrier-pickup', 'warehouse-pickup')),
  add constraint cart_pickup_warehouse check (pickup_warehouse_id is null or fulfillment = 'warehouse-pickup');

alter table sales_order
  add column pickup_warehouse_id smallint references warehouse,
  drop constraint sales_order_fulfillment_check,
  add constraint sales_order_fulfillment_check check (fulfillment in ('shop', 'mobile', 'home', 'carrier-pickup', 'warehouse-pickup')),
  add constraint sales_order_pickup_warehouse check ((fulfillment = 'warehouse-pickup') = (pickup_warehouse_id is not null));
comment on constraint sales_order_pickup_warehouse on sales_order is 'What is picked up at a warehouse is picked up at one.';

create table warehouse_pickup (
  order_id bigint primary key references sales_order on delete cascade,
  warehouse_id smallint not null references warehouse,
  ready_by timestamptz not null,
  ready_at timestamptz,
  keep_until date,
  reminded_at timestamptz,
  handed_over_at timestamptz,
  handed_over_by text,
  wrong_codes smallint not null default 0 check (wrong_codes between 0 and 5),
  wrong_code_at timestamptz,
  constraint warehouse_pickup_kept check ((ready_at is null) = (keep_until is null)),
  constraint warehouse_pickup_ready_first check (handed_over_at is null or ready_at is not null),
  constraint warehouse_pickup_by_somebody check ((handed_over_at is null) = (handed_over_by is null))
);
comment on table warehouse_pickup is 'Orders picked up at a warehouse, from their release: made ready, kept for some days, handed over for the code.';
comment on column warehouse_pickup.wrong_codes is 'Wrong codes in a row; at five the counter waits.';
create index warehouse_pickup_open on warehouse_pickup (ready_by) where handed_over_at is null;
