-- A refund that the provider has taken on and not finished: lenders report the end of it later.
alter table charge_refund add column pending_ref text unique;
alter table charge_refund add constraint charge_refund_pending_is_promised check (pending_ref is null or state = 'promised');
