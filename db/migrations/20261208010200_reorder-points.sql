-- At how many units a tire is ordered again for a warehouse, from whom, and up to how many.
create table reorder_point (
  id integer generated always as identity primary key,
  item_id integer not null references item on delete cascade,
  warehouse_id smallint not null references warehouse,
  supplier_id smallint not null references supplier,
  reorder_at integer not null check (reorder_at between 0 and 9999),
  order_up_to integer not null check (order_up_to between 1 and 10000),
  changed_at timestamptz not null,
  changed_by text not null check (length(changed_by) between 1 and 254),
  constraint reorder_point_once unique (item_id, warehouse_id),
  constraint reorder_point_orders_more check (order_up_to > reorder_at)
);
comment on table reorder_point is 'When available and incoming units of a tire in a warehouse come to reorder_at or fewer, order_up_to is ordered up to.';

alter table stock_order add column is_suggested boolean not null default false;
comment on column stock_order.is_suggested is 'Drafted from the low-stock list, which adds to it while it is a draft.';
