-- Cards that the payment provider keeps for an account. Only its names for them are here, and what tells one from another.
create table payment_customer (
  account_id uuid primary key references account on delete cascade,
  provider_ref text not null unique check (length(provider_ref) between 1 and 255),
  created_at timestamptz not null
);
comment on table payment_customer is 'An account''s customer at the payment provider: one per account.';

create table saved_card (
  id uuid primary key,
  account_id uuid not null references payment_customer on delete cascade,
  provider_ref text not null unique check (length(provider_ref) between 1 and 255),
  fingerprint text not null check (length(fingerprint) between 1 and 255),
  brand text not null check (brand ~ '^[a-z_]{1,30}$'),
  last4 text not null check (last4 ~ '^[0-9]{4}$'),
  exp_month smallint not null check (exp_month between 1 and 12),
  exp_year smallint not null check (exp_year between 2000 and 2199),
  is_default boolean not null,
  consent_version text not null check (length(consent_version) between 1 and 20),
  consented_at timestamptz not null,
  added_at timestamptz not null,
  removed_at timestamptz,
  constraint saved_card_removed_is_no_default check (removed_at is null or not is_default)
);
comment on table saved_card is 'Cards that accounts had saved, by the provider''s names for them. A removed one is forgotten after a while.';
create unique index saved_card_one_default on saved_card (account_id) where is_default;
create unique index saved_card_once on saved_card (account_id, fingerprint) where removed_at is null;
create index saved_card_removed on saved_card (removed_at) where removed_at is not null;

-- Consent comes before the card: it waits here until the provider has the card.
create table card_saving (
  id uuid primary key,
  account_id uuid not null references payment_customer on delete cascade,
  payment_id uuid unique references payment,
  hosted_ref text unique check (length(hosted_ref) between 1 and 255),
  consent_version text not null check (length(consent_version) between 1 and 20),
  consented_at timestamptz not null,
  saved_at timestamptz,
  constraint card_saving_in_one_way check (num_nonnulls(payment_id, hosted_ref) <= 1)
);
comment on table card_saving is 'Consents to save a card: with a payment, or on a page of the provider.';
create index card_saving_by_account on card_saving (account_id);
create index card_saving_by_age on card_saving (consented_at);

alter table payment
  -- Whether its card is to be saved once it is authorized.
  add column saves_card boolean not null default false,
  drop constraint payment_flow_check,
  add constraint payment_flow_check check (flow in ('fields', 'hosted', 'saved'));

-- A membership that its owner lets renew.
create table membership_auto_renewal (
  id uuid primary key,
  account_id uuid not null references account on delete cascade,
  consent_version text not null check (length(consent_version) between 1 and 20),
  consented_at timestamptz not null,
  stopped_at timestamptz,
  stopped_by text check (stopped_by in ('member', 'link', 'store')),
  constraint membership_auto_renewal_stopped_by_someone check ((stopped_at is null) = (stopped_by is null)),
  check (stopped_at >= consented_at)
);
comment on table membership_auto_renewal is 'Consents to renew a membership with a saved card, and who stopped them.';
create unique index membership_auto_renewal_one on membership_auto_renewal (account_id) where stopped_at is null;
create index membership_auto_renewal_by_account on membership_auto_renewal (account_id);

create table membership_renewal (
  id uuid primary key,
  -- One renewal per period.
  follows_term_id uuid not null unique references membership_term,
  amount_cents integer not null check (amount_cents > 0),
  told_at timestamptz not null,
  charge_at timestamptz not null,
  state text not null default 'told' check (state in ('told', 'renewed', 'lapsed')),
  term_id uuid unique references membership_term,
  constraint membership_renewal_told_before check (charge_at >= told_at + interval '7 days'),
  constraint membership_renewal_made_a_term check ((state = 'renewed') = (term_id is not null))
);
comment on table membership_renewal is 'Renewals that were announced: what is charged and when, and the term that came of it.';
create index membership_renewal_due on membership_renewal (charge_at) where state = 'told';

create table membership_renewal_try (
  renewal_id uuid not null references membership_renewal,
  no smallint not null check (no between 1 and 3),
  -- Null without a card that could be charged.
  payment_id uuid unique references payment,
  begun_at timestamptz not null,
  -- Nobody else works on it until then.
  taken_until timestamptz not null,
  outcome text check (outcome in ('paid', 'declined', 'needs-approval', 'no-card')),
  primary key (renewal_id, no),
  constraint membership_renewal_try_charged check (outcome is null or (outcome = 'no-card') = (payment_id is null))
);
comment on table membership_renewal_try is 'The tries to charge a renewal, each with a charge of its own.';
create unique index membership_renewal_paid_once on membership_renewal_try (renewal_id) where outcome = 'paid';
create unique index membership_renewal_one_try_at_work on membership_renewal_try (renewal_id) where outcome is null;
