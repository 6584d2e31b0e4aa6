-- Reports read approved refunds by the day of their decision.
create index order_refund_by_decision on order_refund (decided_at) where state = 'approved';

-- Every day is counted again: refunds were counted twice, and never returned their cost and taxed sales.
delete from report_day;
