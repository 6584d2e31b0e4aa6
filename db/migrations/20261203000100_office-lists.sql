-- What staff list by shop, and what was installed today, at a cost that does not grow with the orders.
create index sales_order_by_shop on sales_order (shop_id, placed_at desc, id desc) where shop_id is not null;
create index booking_done_by_start on booking (lower(during)) where state = 'done';
-- Names of lists have more than one word.
alter table saved_view drop constraint saved_view_list_check;
alter table saved_view add constraint saved_view_list_check check (list ~ '^[a-z][a-z-]{0,39}$');
