-- Orders of the store program that a retailer used before, imported by the same steps as customers.
alter table import_run drop constraint import_run_kind_check;
alter table import_run add constraint import_run_kind_check check (kind in ('products', 'prices', 'stock', 'fitment', 'customers', 'orders'));

create table import_order (
  run_id integer not null references import_run on delete cascade,
  row_no integer not null,
  refused boolean not null,
  store text,
  number text,
  placed_at timestamptz,
  email text,
  phone text,
  customer_name text,
  total_cents integer,
  status text,
  line_sku text,
  line_name text,
  line_quantity integer,
  line_price_cents integer,
  is_known boolean,
  primary key (run_id, row_no),
  check (refused or num_nulls(store, number, placed_at, total_cents, status) = 0),
  check (refused or line_name is null or num_nulls(line_quantity, line_price_cents) = 0)
);
create index import_order_by_email on import_order (lower(email));
comment on table import_order is 'Line items of past orders, one a row of a file that waits to be published; deleted when its run is over.';
comment on column import_order.is_known is 'Whether the store had this past order when the file was checked.';

create table past_order (
  id integer generated always as identity primary key,
  store text not null check (length(store) between 1 and 40),
  number text not null check (length(number) between 1 and 40),
  placed_at timestamptz not null,
  email text check (email = lower(email) and length(email) <= 254),
  phone text check (length(phone) between 1 and 20),
  customer_name text check (length(customer_name) between 1 and 100),
  total_cents integer not null check (total_cents >= 0),
  status text not null check (length(status) <= 200),
  imported_at timestamptz not null
);
create unique index past_order_once on past_order (lower(store), lower(number));
create index past_order_by_email on past_order (email text_pattern_ops, placed_at desc);
create index past_order_by_number on past_order (lower(number) text_pattern_ops);
create index past_order_by_phone on past_order ((right(phone, 4)));
comment on table past_order is 'Orders that another store program took. No order of this store, so that nothing is charged, shipped or returned.';
comment on column past_order.store is 'The store that took the order, such as Shopify; numbers are unique in it.';
comment on column past_order.status is 'Its statuses as exported, such as "paid, fulfilled"; empty without any.';

create table past_order_line (
  order_id integer not null references past_order on delete cascade,
  line_no integer not null check (line_no between 1 and 500),
  sku text check (length(sku) between 1 and 100),
  name text not null check (length(name) between 1 and 500),
  quantity integer not null check (quantity >= 0),
  price_cents integer not null check (price_cents >= 0),
  primary key (order_id, line_no)
);
comment on table past_order_line is 'Items of past orders, in the order of the file.';
comment on column past_order_line.price_cents is 'Price of one.';
