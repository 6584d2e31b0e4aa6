-- Staff give store credit to an account within their limits, and take back what is not used.
create table credit_grant (
  id uuid primary key,
  owner_id uuid references account on delete set null,
  order_id bigint references sales_order,
  amount_cents integer not null check (amount_cents between 1 and 10000000),
  reason text check (length(reason) between 1 and 500),
  state text not null check (state in ('requested', 'given', 'declined')),
  requested_at timestamptz not null,
  requested_by text not null check (length(requested_by) between 1 and 254),
  decided_at timestamptz,
  decided_by text check (length(decided_by) between 1 and 254),
  taken_back_cents integer,
  taken_back_at timestamptz,
  taken_back_by text check (length(taken_back_by) between 1 and 254),
  taken_back_reason text check (length(taken_back_reason) between 1 and 500),
  constraint credit_grant_decided check ((state = 'requested') = (decided_at is null) and (decided_at is null) = (decided_by is null)),
  constraint credit_grant_taken_back check (
    (taken_back_cents is null) = (taken_back_at is null) and (taken_back_at is null) = (taken_back_by is null)
    and (taken_back_cents is null or state = 'given' and taken_back_cents between 1 and amount_cents))
);
comment on table credit_grant is 'Store credit that staff gave, or requested a second person''s approval for.';
comment on column credit_grant.owner_id is 'The account that gets it; null once that is deleted.';
comment on column credit_grant.order_id is 'The order that it makes up for; null for none.';
comment on column credit_grant.reason is 'For the team. Null once the account is deleted.';
create index credit_grant_by_owner on credit_grant (owner_id, requested_at desc);
create index credit_grant_by_order on credit_grant (order_id) where order_id is not null;
create index credit_grant_waiting on credit_grant (requested_at) where state = 'requested';

create function credit_grant_forgets() returns trigger language plpgsql as $$
begin
  new.reason := null;
  new.taken_back_reason := null;
  return new;
end $$;
create trigger credit_grant_forgets before update of owner_id on credit_grant
  for each row when (new.owner_id is null) execute function credit_grant_forgets();
comment on trigger credit_grant_forgets on credit_grant is 'What staff wrote about a person goes with their account.';

alter table ledger_entry add column credit_grant_id uuid references credit_grant;
alter table ledger_entry drop constraint ledger_entry_of_one_thing;
alter table ledger_entry add constraint ledger_entry_of_one_thing
  check (num_nonnulls(order_id, membership_term_id, credit_grant_id) = 1) not valid;
alter table ledger_entry validate constraint ledger_entry_of_one_thing;
comment on constraint ledger_entry_of_one_thing on ledger_entry is 'An entry is of an order, a term of membership or store credit that staff gave.';
alter table ledger_entry drop constraint ledger_entry_account_check;
alter table ledger_entry add constraint ledger_entry_account_check check (account in ('receivable', 'cash', 'sales', 'sales-tax', 'tire-fee', 'excise-tax',
  'refunds', 'handling-fees', 'referral-rewards', 'goodwill', 'store-credit', 'memberships', 'disputes', 'dispute-fees')) not valid;
alter table ledger_entry validate constraint ledger_entry_account_check;
create index ledger_entry_by_credit_grant on ledger_entry (credit_grant_id) where credit_grant_id is not null;

alter table concession drop constraint concession_kind_check;
alter table concession add constraint concession_kind_check check (kind in ('refund', 'price-guarantee', 'coverage-claim', 'pay-adjustment',
  'pay-deduction', 'change-waiver', 'store-credit', 'quote', 'coupon', 'promotion', 'price-list', 'payment-offer')) not valid;
alter table concession validate constraint concession_kind_check;
alter table concession add column recipient text check (length(recipient) between 1 and 200);
comment on column concession.recipient is 'Who gets it, for kinds that are limited by person, such as store credit; null for others.';
create index concession_alone_by_recipient on concession (recipient, decided_at)
  where recipient is not null and state = 'given' and decided_by = requested_by;
