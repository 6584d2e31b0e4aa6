-- Item data of manufacturers (PIES files).
alter table import_run drop constraint import_run_kind_check;
alter table import_run add constraint import_run_kind_check
  check (kind in ('products', 'prices', 'stock', 'fitment', 'item-data', 'brand-fitment', 'vehicle-codes', 'customers', 'orders'));

create table import_item_data (
  run_id integer not null references import_run on delete cascade,
  row_no integer not null,
  refused boolean not null,
  maintenance text,
  part text,
  part_key text,
  brand_code text,
  brand_slug text,
  gtin text,
  weight_lb numeric(6, 1),
  origin_country text,
  about text,
  line_no integer,
  brand_id integer,
  item_id integer,
  primary key (run_id, row_no),
  check (refused or num_nulls(maintenance, part, part_key) = 0)
);
comment on table import_item_data is 'Items of a PIES file that waits to be published; deleted when its run is over.';
comment on column import_item_data.line_no is 'The line of the item in an XML file.';
comment on column import_item_data.item_id is 'The tire with this GTIN or part number; null for an item that the store does not carry.';
