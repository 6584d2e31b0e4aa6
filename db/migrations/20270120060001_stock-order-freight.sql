-- Freight of a stock order's delivery is part of the cost of its tires.
alter table stock_receipt_line
  add column freight_cents integer not null default 0
    constraint stock_receipt_line_freight check (freight_cents = 0 or (received_units > 0 and freight_cents between 0 and 10000000));
comment on column stock_receipt_line.freight_cents is 'The part of the delivery''s freight in the cost of the received units.';
