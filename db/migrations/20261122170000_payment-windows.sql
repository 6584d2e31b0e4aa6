-- Until when an authorization can be captured, as the provider says or its rule estimates; a bank that has not answered
-- yet; and a provider that did not answer at all.
alter table payment add column capture_before timestamptz;
alter table payment add column processing_since timestamptz;
alter table payment add column unanswered_at timestamptz;

create index payment_expiring on payment (capture_before) where state = 'authorized';
create index payment_processing on payment (processing_since) where processing_since is not null;
create index payment_unanswered on payment (unanswered_at) where unanswered_at is not null;
