-- Prices of competitors, as files list them, and price rules that match or beat the lowest.
alter table import_run drop constraint import_run_kind_check;
alter table import_run add constraint import_run_kind_check
  check (kind in ('products', 'prices', 'stock', 'fitment', 'item-data', 'brand-fitment', 'vehicle-codes', 'competitor-prices', 'customers', 'orders')) not valid;
alter table import_run validate constraint import_run_kind_check;
alter table import_change drop constraint import_change_entity_check;
alter table import_change add constraint import_change_entity_check check (entity in (
  'brand', 'product_line', 'size', 'item', 'stock', 'vehicle', 'oe_fitment', 'vehicle_code', 'brand_catalog', 'brand_fitment', 'size_list',
  'competitor_price')) not valid;
alter table import_change validate constraint import_change_entity_check;

create table competitor_price (
  id integer generated always as identity primary key,
  item_id integer not null references item on delete cascade,
  competitor text not null check (length(competitor) between 1 and 60),
  competitor_slug text not null check (length(competitor_slug) between 1 and 60),
  price_cents integer not null check (price_cents between 1 and 1000000),
  seen_on date not null,
  unique (item_id, competitor_slug)
);
comment on table competitor_price is 'The latest price of a tire at each competitor.';
comment on column competitor_price.seen_on is 'The day on which the competitor had this price.';

create table import_competitor_price (
  run_id integer not null references import_run on delete cascade,
  row_no integer not null,
  refused boolean not null,
  gtin text,
  mpn text,
  mpn_key text,
  brand_slug text,
  competitor text,
  competitor_slug text,
  price_cents integer,
  seen_on date,
  item_id integer,
  primary key (run_id, row_no),
  check (refused or num_nulls(competitor, competitor_slug, price_cents, seen_on) = 0)
);
comment on table import_competitor_price is 'Prices of a file that waits to be published; deleted when its run is over.';
comment on column import_competitor_price.mpn_key is 'The letters and digits of the part number, in capitals.';
comment on column import_competitor_price.item_id is 'The tire with this GTIN or part number; null for a tire that the store does not carry.';

alter table retail_price_rule
  add column competitor_days smallint constraint retail_price_rule_competitor_days_check check (competitor_days between 1 and 365),
  add column competitor_beat_ppm integer not null default 0
    constraint retail_price_rule_competitor_beat_ppm_check check (competitor_beat_ppm between 0 and 500000),
  add column competitor_beat_cents integer not null default 0
    constraint retail_price_rule_competitor_beat_cents_check check (competitor_beat_cents between 0 and 1000000);
comment on column retail_price_rule.competitor_days is 'The maximum age in days of competitors'' prices that count; null if none counts.';
comment on column retail_price_rule.competitor_beat_ppm is 'By how much the lowest of them is beaten, in parts per million of it. Cents are added.';
