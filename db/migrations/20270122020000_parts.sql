-- Parts that are sold with tires, such as pressure sensors. A kind is a row of domain/supply/parts/part-kinds.ts.
create table part (
  id integer generated always as identity primary key,
  kind text not null check (kind ~ '^[a-z]+(-[a-z]+)*$' and length(kind) <= 40),
  sku text not null constraint part_sku_key unique check (sku ~ '^[A-Z0-9][A-Z0-9-]{1,39}$'),
  brand text not null check (length(brand) between 1 and 60),
  name text not null check (length(name) between 1 and 80),
  facts jsonb not null check (jsonb_typeof(facts) = 'object' and length(facts::text) <= 2000),
  price_cents integer not null check (price_cents between 1 and 10000000),
  cost_cents integer check (cost_cents between 1 and 10000000),
  on_sale boolean not null,
  version integer not null default 1 check (version > 0),
  changed_at timestamptz not null
);
comment on table part is 'Goods other than tires, which are sold with tires.';
comment on column part.facts is 'The fields of its kind.';
comment on column part.version is 'Counts changes, so that a form based on an older one is rejected.';

create table part_stock (
  part_id integer not null references part on delete cascade,
  warehouse_id smallint not null references warehouse,
  on_hand integer not null constraint part_stock_never_negative check (on_hand >= 0),
  primary key (part_id, warehouse_id)
);
create index part_stock_by_warehouse on part_stock (warehouse_id);
comment on table part_stock is 'Available units of each part in the store’s warehouses.';

create table cart_part (
  cart_id uuid not null references cart on update cascade on delete cascade,
  part_id integer not null references part,
  quantity smallint not null check (quantity between 1 and 40),
  added_at timestamptz not null,
  primary key (cart_id, part_id)
);
create index cart_part_by_part on cart_part (part_id);
comment on table cart_part is 'Parts that a cart has in addition to its tires.';
create trigger cart_of_service_has_no_tires before insert on cart_part for each row execute function cart_of_service_has_no_tires();
comment on trigger cart_of_service_has_no_tires on cart_part is 'A cart with a service has no parts.';

alter table order_line add column part_id integer references part;
alter table order_line add column part_warehouse_id smallint references warehouse;
comment on column order_line.part_warehouse_id is 'The warehouse that packs the part with tires of the order.';
alter table order_line drop constraint order_line_kind_check;
alter table order_line add constraint order_line_kind_check
  check (kind in ('tire', 'part', 'coverage', 'installation', 'service-kit', 'disposal', 'roadside', 'shipping', 'service'));
alter table order_line add constraint order_line_part_has_a_warehouse
  check (num_nonnulls(part_id, part_warehouse_id) = case when kind = 'part' then 2 else 0 end);
create index order_line_by_part on order_line (part_id) where part_id is not null;
create index order_line_by_part_warehouse on order_line (part_warehouse_id) where part_warehouse_id is not null;
