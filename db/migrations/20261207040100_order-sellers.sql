-- Phone orders: who of the store's staff put together the quote that an order was placed from.
alter table sales_order add column sold_by text check (length(sold_by) between 3 and 254);
comment on column sales_order.sold_by is 'The email of the staff member whose quote the order was placed from; null for an order that the customer put together.';
-- Quotes of fleets name a company instead of an email.
update sales_order set sold_by = quote.created_by from sales_quote quote
where quote.order_id = sales_order.id and quote.created_by ~ '^\S+@\S+$';
create index sales_order_by_seller on sales_order (lower(sold_by) text_pattern_ops, placed_at desc, id desc) where sold_by is not null;
