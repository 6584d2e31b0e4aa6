-- Orders show their appointment and charge in every state. The partial indexes knew confirmed appointments and claimed
-- charges alone, so for the others each order of a page read the whole table.
create index booking_by_order on booking (order_id, created_at desc) where order_id is not null;
create index payment_by_order on payment (order_id, created_at desc) where order_id is not null;
