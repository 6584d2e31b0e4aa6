-- The paid membership: terms of a year each, and the charges that pay for them.
create table membership_term (
  id uuid primary key,
  -- Null when the account is gone since; that somebody paid stays written down.
  account_id uuid references account on delete set null,
  -- 'draft' until it is paid.
  state text not null default 'draft' check (state in ('draft', 'active', 'refunded', 'failed')),
  price_cents integer not null check (price_cents > 0),
  begun_at timestamptz not null,
  bought_at timestamptz,
  starts_at timestamptz,
  ends_at timestamptz,
  wants_reminders boolean not null default true,
  check ((state = 'draft') = (bought_at is null)),
  check ((bought_at is null) = (starts_at is null) and (bought_at is null) = (ends_at is null)),
  check (starts_at < ends_at),
  constraint membership_one_at_a_time exclude using gist (account_id with =, tstzrange(starts_at, ends_at) with &&) where (state = 'active')
);
create unique index membership_one_draft on membership_term (account_id) where state = 'draft';
create index membership_by_account on membership_term (account_id, ends_at);
create index membership_ending on membership_term (ends_at) where state = 'active' and wants_reminders;

create table membership_event (
  id bigint generated always as identity primary key,
  term_id uuid not null references membership_term,
  at timestamptz not null,
  from_state text not null,
  to_state text not null,
  actor text not null
);
create index membership_event_by_term on membership_event (term_id);

-- A charge is of a cart or of a term. A term claims its charge as an order does; what is claimed is not let go.
alter table payment
  alter column cart_id drop not null,
  add column membership_term_id uuid references membership_term,
  add column claimed_at timestamptz,
  add constraint payment_of_one_thing check (num_nonnulls(cart_id, membership_term_id) = 1),
  add constraint payment_claimed_by_term check (claimed_at is null or membership_term_id is not null);
create index payment_by_term on payment (membership_term_id) where membership_term_id is not null;
create unique index payment_one_per_term on payment (membership_term_id) where claimed_at is not null and state in ('authorized', 'captured');

-- What a membership costs stands in the same books as what tires cost.
alter table ledger_entry
  alter column order_id drop not null,
  add column membership_term_id uuid references membership_term,
  drop constraint ledger_entry_account_check,
  add constraint ledger_entry_account_check check (account in
    ('receivable', 'cash', 'sales', 'sales-tax', 'tire-fee', 'excise-tax', 'refunds', 'referral-rewards', 'store-credit', 'memberships')),
  add constraint ledger_entry_of_one_thing check (num_nonnulls(order_id, membership_term_id) = 1);
