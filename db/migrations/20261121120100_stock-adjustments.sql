-- Who holds a warehouse, and what staff change about its stock.
create table supplier (
  id smallint primary key,
  code text not null unique check (code ~ '^[A-Z0-9]{2,10}$'),
  name text not null check (length(name) between 1 and 80)
);
comment on table supplier is 'Wholesalers whose warehouses ship for the store.';

alter table warehouse
  add column supplier_id smallint references supplier,
  add column pool text not null default 'on-hand' check (pool in ('on-hand', 'local', 'nationwide')),
  add constraint warehouse_pool_of_its_holder check ((pool = 'on-hand') = (supplier_id is null));
comment on column warehouse.pool is 'on-hand: the store holds the tires itself. local, nationwide: a supplier does, and ships them regionally or everywhere.';

create table stock_adjustment (
  id bigint generated always as identity primary key,
  -- One form, however often it is submitted.
  submission_key uuid not null unique,
  item_id integer not null references item on delete cascade,
  warehouse_id smallint not null references warehouse,
  reason text not null check (reason in ('count', 'damaged', 'lost', 'found', 'returned')),
  -- Units free to sell, as in stock.on_hand, before and after; allocated ones stand on the shelf beside them.
  before_units integer not null check (before_units >= 0),
  allocated_units integer not null check (allocated_units >= 0),
  change_units integer not null,
  after_units integer not null,
  note text check (length(note) between 1 and 400),
  recorded_by text not null check (length(recorded_by) between 1 and 254),
  recorded_at timestamptz not null,
  constraint stock_adjustment_adds_up check (after_units = before_units + change_units),
  constraint stock_adjustment_keeps_allocated check (after_units >= 0),
  constraint stock_adjustment_direction check (case
    when reason in ('damaged', 'lost') then change_units < 0
    when reason in ('found', 'returned') then change_units > 0
    else true end)
);
comment on table stock_adjustment is 'Corrections of stock by staff, each with its reason and the units before and after.';
comment on constraint stock_adjustment_keeps_allocated on stock_adjustment is 'Units of orders are never adjusted away.';

create index stock_adjustment_by_item on stock_adjustment (item_id, id desc);
-- The office searches tires that are no longer sold, too.
create index item_of_size on item (size_id, id);
create index item_of_line on item (product_line_id, id);
-- Parcels whose tires are still on the shelf.
create index shipment_on_the_shelf on shipment (order_id, warehouse_id) where state in ('processed', 'pending-pickup');
