-- The office lists every refund, newest first, also by reason and by who bears it.
create index order_refund_by_time on order_refund (created_at, id);
create index order_refund_by_reason on order_refund (reason, created_at, id);
create index order_refund_by_bearer on order_refund (bearer, created_at, id);
-- What goes back without a refund by staff: price guarantees, and orders canceled as a whole after their charge.
create index charge_refund_of_others on charge_refund (promised_at, id) where key not like 'order-refund:%';
drop index charge_refund_refused;
create index charge_refund_open on charge_refund (state, promised_at, id) where state in ('promised', 'refused');
