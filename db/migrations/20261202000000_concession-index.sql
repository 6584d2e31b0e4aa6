comment on table concession is 'Each row is money or a price reduction that staff gave, or requested a second person''s approval for.';
create index concession_of_order on concession (order_id) where order_id is not null;
