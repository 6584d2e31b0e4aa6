-- Refunds of returns are refunds of the order's lines: one table says which units were refunded.

alter table return_tire add column order_refund_id uuid references order_refund;
alter table return_tire add column order_refund_fee text check (order_refund_fee in ('due', 'reordered', 'said-to-fit', 'our-mistake'));
alter table return_tire add constraint return_tire_order_refund_whole check ((order_refund_id is null) = (order_refund_fee is null));
comment on column return_tire.order_refund_id is 'The refund of the order this tire is in, once asked for: a draft, approved or declined. Null where money was settled by hand.';
create index return_tire_by_order_refund on return_tire (order_refund_id) where order_refund_id is not null;

-- An earlier refund, such as a price guarantee, leaves less than the lines come to.
alter table return_refund add column lowered_cents integer not null default 0 check (lowered_cents >= 0);
alter table return_refund drop constraint return_refund_adds_up;
alter table return_refund add constraint return_refund_adds_up check (refund_cents = goods_cents - fee_cents - lowered_cents and refund_cents >= 0);
alter table return_refund drop constraint return_refund_way_check;
alter table return_refund add constraint return_refund_way_check check (way in ('card', 'credit', 'invoice', 'by-hand'));
