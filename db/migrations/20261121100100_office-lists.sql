-- The office lists orders by when they were placed. Each of its tabs has an index that holds only the tab, so that a page costs the same however many orders there are.
create index sales_order_to_confirm on sales_order (placed_at desc, id desc) where state = 'needs-confirmation';
create index sales_order_unreleased on sales_order (placed_at desc, id desc) where state = 'confirmed' and released_at is null;
create index sales_order_canceled on sales_order (placed_at desc, id desc) where state = 'canceled';
create index sales_order_by_fulfillment on sales_order (fulfillment, placed_at desc, id desc);
create index shipment_underway on shipment (order_id, state, promised_on) where state in ('processed', 'pending-pickup', 'in-transit');
create index booking_upcoming on booking (upper(during), order_id) where state = 'confirmed';

-- What staff search by: whole values, or how they begin.
create index sales_order_by_email on sales_order (lower(email) text_pattern_ops, placed_at desc);
create index sales_order_by_phone on sales_order (phone text_pattern_ops, placed_at desc);
create index sales_order_by_last_name on sales_order (lower(last_name) text_pattern_ops, placed_at desc);
create index sales_order_by_full_name on sales_order (lower(first_name || ' ' || last_name) text_pattern_ops, placed_at desc);
create index sales_order_by_po_number on sales_order (lower(billing ->> 'poNumber') text_pattern_ops, placed_at desc) where billing ->> 'poNumber' is not null;
create index company_by_name on company (lower(name) text_pattern_ops);
create index item_by_sku_start on item (lower(sku) text_pattern_ops);
create index shop_by_name on shop (lower(name) text_pattern_ops);

-- The queues of Today: each is read from an index that holds little more than the queue.
create index payment_uncaptured on payment (order_id) where state = 'authorized' and order_id is not null;
create index charge_refund_refused on charge_refund (promised_at) where state = 'refused';
create index message_refused on message (created_at) where state = 'refused';
