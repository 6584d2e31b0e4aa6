-- Units of stock orders as they arrive, in parts, and the store’s units by DOT week.
alter table stock_order_line
  add column received_units integer not null default 0 check (received_units >= 0),
  add column damaged_units integer not null default 0 check (damaged_units >= 0),
  add column short_units integer not null default 0 check (short_units >= 0),
  add column over_units integer not null default 0 check (over_units >= 0),
  add constraint stock_order_line_within_order check (received_units + damaged_units + short_units <= quantity + over_units);
comment on column stock_order_line.received_units is 'Units that went into stock.';
comment on column stock_order_line.short_units is 'Units that will not arrive.';
comment on column stock_order_line.over_units is 'Units that arrived beyond the order, accepted with a reason.';

create table stock_receipt (
  id bigint generated always as identity primary key,
  -- One form, however often it is submitted.
  submission_key uuid not null unique,
  stock_order_id bigint not null references stock_order,
  over_reason text check (length(over_reason) between 1 and 400),
  received_by text not null check (length(received_by) between 1 and 254),
  received_at timestamptz not null
);
comment on table stock_receipt is 'Deliveries of stock orders, each posted once.';
create index stock_receipt_by_order on stock_receipt (stock_order_id, id);

create table stock_receipt_line (
  receipt_id bigint not null references stock_receipt on delete cascade,
  item_id integer not null references item,
  received_units integer not null check (received_units between 0 and 10000),
  damaged_units integer not null check (damaged_units between 0 and 10000),
  short_units integer not null check (short_units between 0 and 10000),
  reason text check (length(reason) between 1 and 400),
  primary key (receipt_id, item_id),
  constraint stock_receipt_line_of_something check (received_units + damaged_units + short_units > 0),
  constraint stock_receipt_line_reason check (damaged_units + short_units = 0 or reason is not null)
);
comment on table stock_receipt_line is 'What a delivery had of each tire; damaged and missing units have a reason.';
create index stock_receipt_line_by_item on stock_receipt_line (item_id);

create table stock_receipt_lot (
  receipt_id bigint not null,
  item_id integer not null,
  dot_week date not null check (extract(isodow from dot_week) = 1),
  units integer not null check (units > 0),
  primary key (receipt_id, item_id, dot_week),
  foreign key (receipt_id, item_id) references stock_receipt_line on delete cascade
);
comment on table stock_receipt_lot is 'Received units by the Monday of their DOT week.';

create table stock_lot (
  item_id integer not null,
  warehouse_id smallint not null,
  dot_week date not null check (extract(isodow from dot_week) = 1),
  units integer not null check (units > 0),
  primary key (item_id, warehouse_id, dot_week),
  foreign key (item_id, warehouse_id) references stock (item_id, warehouse_id) on delete cascade
);
comment on table stock_lot is 'Units of a tire in a warehouse by the Monday of their DOT week, as received. The oldest leave first, so those that remain are the newest of as many as stand on the shelf.';

alter table stock_adjustment
  add column receipt_id bigint references stock_receipt,
  drop constraint stock_adjustment_reason_check,
  add constraint stock_adjustment_reason_check check (reason in ('count', 'damaged', 'lost', 'found', 'returned', 'received')),
  drop constraint stock_adjustment_direction,
  add constraint stock_adjustment_direction check (case
    when reason in ('damaged', 'lost') then change_units < 0
    when reason in ('found', 'returned', 'received') then change_units > 0
    else true end),
  add constraint stock_adjustment_of_receipt check ((reason = 'received') = (receipt_id is not null));
comment on column stock_adjustment.receipt_id is 'The delivery of a stock order that added the units.';
