-- Lists of original sizes side by side: the store's open one, and licensed ones that files bring.
create table size_list (
  id integer generated always as identity primary key,
  slug text not null unique check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  name text not null check (length(name) between 1 and 60),
  license text not null check (length(license) between 1 and 200),
  listed_on date
);
comment on table size_list is 'The lists that original sizes come from, with their licenses.';
comment on column size_list.listed_on is 'The date of a licensed list; null for the store''s own list.';
insert into size_list (id, slug, name, license) overriding system value values (1, 'open', 'List of original sizes', 'Open data, see THIRD-PARTY-DATA.md');
select setval(pg_get_serial_sequence('size_list', 'id'), 1);

alter table oe_fitment add column list_id integer not null default 1 references size_list;
alter table oe_fitment drop constraint oe_fitment_vehicle_id_front_size_rear_size_key;
create unique index oe_fitment_once on oe_fitment (vehicle_id, list_id, front_size, rear_size);
create index oe_fitment_by_list on oe_fitment (list_id) where list_id > 1;

alter table import_fitment
  add column list text,
  add column list_slug text,
  add column license text,
  add column listed_on date,
  add constraint import_fitment_list_whole check (num_nonnulls(list, list_slug, license, listed_on) in (0, 4));

alter table import_change drop constraint import_change_entity_check;
alter table import_change add constraint import_change_entity_check check (entity in (
  'brand', 'product_line', 'size', 'item', 'stock', 'vehicle', 'oe_fitment', 'vehicle_code', 'brand_catalog', 'brand_fitment', 'size_list'));
