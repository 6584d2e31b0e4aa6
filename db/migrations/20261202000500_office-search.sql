-- The back office finds people, shops and companies by parts of their names, and by the last digits of a phone.
create index sales_order_by_phone_end on sales_order (right(phone, 4), placed_at desc, id desc);
create index sales_order_by_zip on sales_order (zip, placed_at desc, id desc);
create index sales_order_by_name_part on sales_order using gin
  (lower(first_name || ' ' || last_name || ' ' || split_part(email, '@', 1)) gin_trgm_ops);

create index account_by_email on account (email text_pattern_ops);
create index account_by_name_part on account using gin
  (lower(coalesce(name, '') || ' ' || split_part(coalesce(email, ''), '@', 1)) gin_trgm_ops);
create index account_address_by_phone_end on account_address (right(phone, 4));
create index account_address_by_zip on account_address (zip);

create index company_by_name_part on company using gin (lower(name) gin_trgm_ops);
create index company_by_phone_end on company (right(phone, 4));
create index shop_by_name_part on shop using gin (lower(name || ' ' || city) gin_trgm_ops);
create index shop_by_phone_end on shop (right(phone, 4));
