-- Rules that price tires from their cost. They apply with a published price import.
create table retail_price_rule (
  id integer generated always as identity primary key,
  brand_id integer references brand,
  supplier_id smallint references supplier,
  markup_ppm integer not null check (markup_ppm between 0 and 9999999),
  add_cents integer not null check (add_cents between 0 and 1000000),
  margin_floor_ppm integer not null check (margin_floor_ppm between 0 and 900000),
  raises_to_map boolean not null,
  ending_cents smallint check (ending_cents between 0 and 99),
  version integer not null default 1 check (version > 0),
  changed_by text not null,
  changed_at timestamptz not null,
  constraint retail_price_rule_of_tires unique nulls not distinct (brand_id, supplier_id)
);
create index retail_price_rule_by_supplier on retail_price_rule (supplier_id);
comment on table retail_price_rule is 'Rules that price tires from their cost, by brand and supplier. They apply with a published price import.';
comment on column retail_price_rule.brand_id is 'The brand that it prices; null: every brand.';
comment on column retail_price_rule.supplier_id is 'The supplier of the cheapest units in stock; null: any, and our stock.';
comment on column retail_price_rule.markup_ppm is 'Added to the cost, in parts per million of it.';
comment on column retail_price_rule.margin_floor_ppm is 'The minimum margin, in parts per million of the price.';
comment on column retail_price_rule.ending_cents is 'The last two digits of a price; null: as calculated.';
