-- Until when a type was paid for. What takes its place for a while, as the terms of a company do, leaves this as it is: who leaves has the rest.
alter table account_grant add column promised_until timestamptz, add check (promised_until is null or how = 'purchase');
update account_grant set promised_until = ends_at where how = 'purchase';
create index account_grant_promised on account_grant (account_id, promised_until) where promised_until is not null;
