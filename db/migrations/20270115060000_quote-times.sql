-- Quotes can suggest an installation time. It is not held.
alter table sales_quote add column suggested_slot text check (suggested_slot ~ '^(\d{4}-\d\d-\d\dT[\d:.]{5,18}Z|\d{4}-\d\d-\d\d\|(AM|PM|EVE))$');
alter table sales_quote add constraint quote_time_at_shop check (suggested_slot is null or shop_id is not null);
comment on column sales_quote.suggested_slot is 'The suggested installation time at the shop, as a start or as a day and drop-off window; not held.';
