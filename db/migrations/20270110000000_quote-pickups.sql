-- Quotes can be picked up at a warehouse or at a carrier's place, too.
alter table sales_quote
  add column pickup_warehouse_id smallint references warehouse,
  add column carrier_location_id integer references carrier_location,
  drop constraint sales_quote_fulfillment_check,
  add constraint sales_quote_fulfillment_check check (fulfillment in ('shop', 'home', 'warehouse-pickup', 'carrier-pickup')),
  add constraint quote_warehouse_for_pickup check (pickup_warehouse_id is null or fulfillment = 'warehouse-pickup'),
  add constraint quote_place_for_pickup check (carrier_location_id is null or fulfillment = 'carrier-pickup');
comment on column sales_quote.pickup_warehouse_id is 'The warehouse where the customer picks the tires up; null in a draft without one, and for other deliveries.';
comment on column sales_quote.carrier_location_id is 'The carrier''s place where the customer picks the tires up; null in a draft without one, and for other deliveries.';
create index sales_quote_by_warehouse on sales_quote (pickup_warehouse_id) where pickup_warehouse_id is not null;
create index sales_quote_by_carrier_location on sales_quote (carrier_location_id) where carrier_location_id is not null;
