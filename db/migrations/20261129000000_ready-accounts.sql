-- Pay is late by when the shop could first be paid, which is when its account became ready, not when it was opened.

alter table payout_account add column ready_at timestamptz;
comment on column payout_account.ready_at is 'When the account was ready first; later states leave it. Null too where a release before this column noted it.';

update payout_account set ready_at = made_at where state = 'ready';
