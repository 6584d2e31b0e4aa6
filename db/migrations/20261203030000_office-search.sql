-- The office finds orders, customers, tires and shops by any part of what a caller remembers. The indexes are on the
-- tables themselves, so a change or an erasure of personal data leaves nothing behind.
create index sales_order_by_part on sales_order using gin
  (lower(first_name || ' ' || last_name || E'\n' || email || E'\n' || coalesce(company, '') || E'\n' || coalesce(billing ->> 'poNumber', '')) gin_trgm_ops)
  with (fastupdate = off);
drop index sales_order_by_name_part;
create index sales_order_by_number_end on sales_order ((id % 10000), id desc);

create index order_line_by_item_newest on order_line (item_id, order_id desc) where item_id is not null;
drop index order_line_by_item;
create index order_vin_by_reverse on order_vin (reverse(vin) text_pattern_ops);
drop index order_vin_by_end;
create index fleet_packet_by_plate on fleet_packet (plate text_pattern_ops) where plate is not null;
create index shipment_by_tracking_end on shipment (reverse(lower(tracking_number)) text_pattern_ops) where tracking_number is not null;
create index work_order_tire_by_tin_end on work_order_tire (reverse(tin) text_pattern_ops) where tin is not null;
create index work_order_by_vin_end on work_order (reverse(vin_end) text_pattern_ops) where vin_end is not null;

create index customer_by_part on customer using gin
  (lower(coalesce(name, '') || E'\n' || email) gin_trgm_ops) with (fastupdate = off);
drop index customer_by_name_part;
create index customer_by_word on customer using gin (string_to_array(lower(name), ' ')) with (fastupdate = off);
create index account_by_part on account using gin
  (lower(coalesce(name, '') || E'\n' || coalesce(email, '')) gin_trgm_ops) with (fastupdate = off);
drop index account_by_name_part;
create index account_by_word on account using gin (string_to_array(lower(name), ' ')) with (fastupdate = off);

create index company_by_word on company using gin (string_to_array(lower(name), ' '));
create index shop_by_word on shop using gin (string_to_array(lower(name || ' ' || city), ' '));
create index item_by_sku_part on item using gin (lower(sku) gin_trgm_ops);
