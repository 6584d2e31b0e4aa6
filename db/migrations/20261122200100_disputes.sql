-- Disputes of charges, and warnings of them, as the provider says them and as staff answer.
create table dispute (
  id bigint generated always as identity primary key,
  provider text not null check (provider in ('stripe', 'paypal', 'lender')),
  provider_ref text not null check (length(provider_ref) between 1 and 255),
  payment_id uuid not null references payment,
  -- Null where a membership was charged.
  order_id bigint references sales_order,
  -- An inquiry takes no money, and may become a dispute. A warning says that the card may be stolen.
  kind text not null check (kind in ('dispute', 'inquiry', 'warning')),
  state text not null check (state in ('needs-response', 'under-review', 'won', 'lost', 'closed')),
  reason text not null check (length(reason) between 1 and 100),
  amount_cents integer not null check (amount_cents >= 0),
  opened_at timestamptz not null,
  -- Until when evidence counts.
  due_at timestamptz,
  -- What of it is entered in the ledger.
  withdrawn_cents integer not null default 0 check (withdrawn_cents >= 0),
  reinstated_cents integer not null default 0 check (reinstated_cents >= 0),
  fee_cents integer not null default 0 check (fee_cents >= 0),
  -- What staff add to the evidence.
  notes text not null default '' check (length(notes) <= 10000),
  -- What was sent, as it was sent.
  evidence jsonb,
  submitted_at timestamptz,
  submitted_by text check (length(submitted_by) between 1 and 254),
  updated_at timestamptz not null,
  constraint dispute_said_once unique (provider, provider_ref),
  constraint dispute_reinstated_within_withdrawn check (reinstated_cents <= withdrawn_cents),
  constraint dispute_warning_takes_nothing check (kind <> 'warning' or (withdrawn_cents = 0 and fee_cents = 0)),
  constraint dispute_submitted_whole check ((submitted_at is null) = (submitted_by is null) and (submitted_at is null) = (evidence is null))
);
comment on table dispute is 'Disputes, inquiries and warnings about charges, with what the provider took and gave back for them.';
create index dispute_by_payment on dispute (payment_id);
create index dispute_by_order on dispute (order_id) where order_id is not null;
create index dispute_open on dispute (due_at, id) where state = 'needs-response';
create index dispute_by_state on dispute (state, id desc);

create table dispute_event (
  id bigint generated always as identity primary key,
  dispute_id bigint not null references dispute on delete cascade,
  at timestamptz not null,
  actor text not null check (length(actor) between 1 and 254),
  words text not null check (length(words) between 1 and 500)
);
comment on table dispute_event is 'What happened to disputes, by whom.';
create index dispute_event_by_dispute on dispute_event (dispute_id, id);

alter table ledger_entry
  drop constraint ledger_entry_account_check,
  add constraint ledger_entry_account_check check (account in (
    'receivable', 'cash', 'sales', 'sales-tax', 'tire-fee', 'excise-tax', 'refunds', 'handling-fees', 'referral-rewards', 'store-credit', 'memberships',
    'disputes', 'dispute-fees'));
