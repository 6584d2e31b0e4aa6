-- What staff set in the catalog, apart from what feeds say: a hidden tire, the description of a line, pictures.
-- Feeds write listed and feed_about, staff write hidden and own_about; what shoppers see follows from both.
alter table item rename column active to listed;
alter table item
  add column hidden boolean not null default false,
  add column active boolean generated always as (listed and not hidden) stored;
drop index item_by_line;
drop index item_by_size;
create index item_by_line on item (product_line_id, shown_cents, id) include (size_id, run_flat) where active;
create index item_by_size on item (size_id) include (product_line_id, shown_cents, id, run_flat) where active;
-- The office lists tires that are not on sale, too, in the order of their SKUs.

create index item_of_line_by_sku on item (product_line_id, lower(sku) text_pattern_ops);
create index item_of_size_by_sku on item (size_id, lower(sku) text_pattern_ops);

alter table product_line rename column about to feed_about;
alter table product_line
  add column own_about text check (length(own_about) between 1 and 2000),
  add column about text generated always as (coalesce(own_about, feed_about)) stored;

-- What runs changed is rolled back under the new names.
update import_change set before = before - 'active' || jsonb_build_object('listed', before -> 'active') where entity = 'item' and before ? 'active';
update import_change set after = after - 'active' || jsonb_build_object('listed', after -> 'active') where entity = 'item' and after ? 'active';
update import_change set before = before - 'about' || jsonb_build_object('feed_about', before -> 'about') where entity = 'product_line' and before ? 'about';
update import_change set after = after - 'about' || jsonb_build_object('feed_about', after -> 'about') where entity = 'product_line' and after ? 'about';

create table catalog_picture (
  key text primary key check (key ~ '^[0-9a-f]{32}$'),
  bytes bytea not null check (octet_length(bytes) between 1 and 1048576),
  added_at timestamptz not null
);

create table line_picture (
  id bigint generated always as identity primary key,
  product_line_id integer not null references product_line on delete cascade,
  picture_key text not null references catalog_picture,
  -- What it shows, for those who do not see it.
  description text not null check (length(description) between 1 and 200),
  unique (product_line_id, picture_key)
);

alter table brand add column logo_key text references catalog_picture;

-- A single row that counts what changes for shoppers all at once, so that every process empties its caches.
create table catalog_version (
  id boolean primary key default true check (id),
  number bigint not null
);
insert into catalog_version (number) values (1);

comment on table catalog_picture is 'Pictures uploaded for the catalog, as WebP, by the hash of their bytes.';
comment on table line_picture is 'Photos of a product line, in the order they were added.';
comment on table catalog_version is 'Counts edits and published imports; each process empties its caches when the number changes.';
comment on column item.listed is 'A feed says that it is for sale.';
comment on column item.hidden is 'Staff took it off sale, whatever feeds say.';
comment on column product_line.feed_about is 'The description from a feed.';
comment on column product_line.own_about is 'The description that staff wrote in place of it.';
