-- The office lists the sets of all shops that were picked up, newest first.
create index stored_set_returned on stored_set (returned_at, order_id) where returned_at is not null;
