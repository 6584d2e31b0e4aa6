-- PIES files name kinds of prices by codes in the licensed PCdb.
alter table vehicle_code drop constraint vehicle_code_kind_check,
  add constraint vehicle_code_kind_check check (kind in ('base-vehicle', 'make', 'model', 'submodel', 'position', 'brand', 'price-type'));
alter table import_item_data add column map_cents integer check (map_cents between 1 and 10000000);
comment on column import_item_data.map_cents is 'The minimum advertised price in cents; null without one.';
