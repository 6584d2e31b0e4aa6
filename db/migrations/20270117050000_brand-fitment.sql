-- Catalogs of tire brands (ACES files): the vehicles that a brand lists each item for, and the codes in its files.
alter table import_run drop constraint import_run_kind_check;
alter table import_run add constraint import_run_kind_check
  check (kind in ('products', 'prices', 'stock', 'fitment', 'brand-fitment', 'vehicle-codes', 'customers', 'orders'));
alter table import_change drop constraint import_change_entity_check;
alter table import_change add constraint import_change_entity_check check (entity in (
  'brand', 'product_line', 'size', 'item', 'stock', 'vehicle', 'oe_fitment', 'vehicle_code', 'brand_catalog', 'brand_fitment'));

create table vehicle_code (
  id integer generated always as identity primary key,
  kind text not null check (kind in ('base-vehicle', 'make', 'model', 'submodel', 'position', 'brand')),
  code text not null check (code ~ '^[0-9A-Z]{1,9}$'),
  year smallint check (year between 1900 and 2100),
  make text,
  make_slug text,
  model text,
  model_slug text,
  name text,
  slug text,
  unique (kind, code),
  constraint vehicle_code_names check (
    case when kind = 'base-vehicle' then num_nulls(year, make, make_slug, model, model_slug) = 0 else num_nulls(name, slug) = 0 end)
);
comment on table vehicle_code is 'Names and vehicles for the codes in ACES files. The licensee of those lists enters them.';
comment on column vehicle_code.kind is 'A base vehicle is a year, make, and model; the others are names.';

create table brand_catalog (
  id integer generated always as identity primary key,
  brand_id integer not null unique references brand,
  company text not null check (length(company) between 1 and 100),
  transferred_on date not null
);
comment on table brand_catalog is 'The latest ACES file of each brand.';
comment on column brand_catalog.transferred_on is 'The date in the file, shown with each fitment result that uses it.';

create table brand_fitment (
  id integer generated always as identity primary key,
  catalog_id integer not null references brand_catalog,
  item_id integer not null references item,
  make_slug text not null,
  model_slug text not null,
  first_year smallint not null,
  last_year smallint not null,
  submodel text,
  submodel_slug text not null default '',
  axle text not null check (axle in ('any', 'front', 'rear')),
  quantity smallint not null check (quantity between 1 and 99),
  terms text not null default '' check (length(terms) <= 500),
  constraint brand_fitment_years check (first_year <= last_year)
);
comment on table brand_fitment is 'An item that its brand lists for a vehicle. It never raises a fitment result.';
comment on column brand_fitment.submodel_slug is 'The trim it is limited to; empty for all trims.';
comment on column brand_fitment.terms is 'The conditions that the brand states; empty without any.';
create unique index brand_fitment_once on brand_fitment (
  item_id, make_slug, model_slug, first_year, last_year, submodel_slug, axle, md5(terms));
create index brand_fitment_by_vehicle on brand_fitment (make_slug, model_slug, first_year);
create index brand_fitment_by_catalog on brand_fitment (catalog_id);

create table import_vehicle_code (
  run_id integer not null references import_run on delete cascade,
  row_no integer not null,
  refused boolean not null,
  kind text,
  code text,
  year smallint,
  make text,
  make_slug text,
  model text,
  model_slug text,
  name text,
  slug text,
  primary key (run_id, row_no),
  check (refused or num_nulls(kind, code) = 0)
);
comment on table import_vehicle_code is 'Codes of a file that waits to be published; deleted when its run is over.';

create table import_brand_fitment (
  run_id integer not null references import_run on delete cascade,
  row_no integer not null,
  refused boolean not null,
  action text,
  part text,
  part_key text,
  brand_code text,
  company text,
  company_slug text,
  transferred_on date,
  is_full boolean,
  base_vehicle integer,
  first_year smallint,
  last_year smallint,
  make_code integer,
  make_slug text,
  model_code integer,
  model_slug text,
  submodel_code integer,
  submodel text,
  submodel_slug text,
  position_code integer,
  position text,
  axle text,
  quantity smallint,
  terms text,
  brand_id integer,
  item_id integer,
  primary key (run_id, row_no),
  check (refused or num_nulls(action, part, part_key, company, company_slug, transferred_on, is_full, quantity, terms) = 0)
);
comment on table import_brand_fitment is 'Applications of an ACES file that waits to be published; deleted when its run is over.';
comment on column import_brand_fitment.part_key is 'The part number as it is compared: its letters and digits, in capitals.';
comment on column import_brand_fitment.item_id is 'The item with this part number; null for a part that the store does not carry.';
