-- What payment providers say they moved, and how it agrees with charges, refunds, disputes and the ledger, day by day.
create table provider_movement (
  provider text not null check (provider in ('stripe', 'paypal', 'lender')),
  ref text not null check (length(ref) between 1 and 255),
  kind text not null check (kind in ('charge', 'refund', 'refund-failure', 'dispute', 'dispute-reversal', 'fee', 'payout', 'transfer', 'other')),
  at timestamptz not null,
  amount_cents bigint not null,
  fee_cents bigint not null,
  charge_ref text check (length(charge_ref) between 1 and 255),
  refund_ref text check (length(refund_ref) between 1 and 255),
  dispute_ref text check (length(dispute_ref) between 1 and 255),
  primary key (provider, ref)
);
comment on table provider_movement is 'Money that moved at payment providers, as they list it.';
create index provider_movement_by_time on provider_movement (provider, at);
create index provider_movement_by_charge on provider_movement (charge_ref) where charge_ref is not null;
create index provider_movement_by_refund on provider_movement (refund_ref) where refund_ref is not null;

create table reconciled_day (
  provider text not null check (provider in ('stripe', 'paypal', 'lender')),
  -- A day of UTC, as providers count.
  moved_on date not null,
  state text not null check (state in ('balanced', 'open', 'resolved')),
  movements integer not null check (movements >= 0),
  charged_cents bigint not null,
  refunded_cents bigint not null,
  disputed_cents bigint not null,
  fee_cents bigint not null,
  reconciled_at timestamptz not null,
  resolved_at timestamptz,
  resolved_by text check (length(resolved_by) between 1 and 254),
  note text check (length(note) between 1 and 1000),
  primary key (provider, moved_on),
  constraint reconciled_day_resolved_whole check (
    (state = 'resolved') = (resolved_at is not null) and (state = 'resolved') = (resolved_by is not null) and (state = 'resolved') = (note is not null))
);
comment on table reconciled_day is 'Days that were reconciled with a payment provider, and what moved on them.';
create index reconciled_day_open on reconciled_day (moved_on) where state = 'open';

create table reconciled_difference (
  provider text not null,
  moved_on date not null,
  kind text not null check (kind in ('charge-without-order', 'order-without-charge', 'amount-differs', 'refund-missing', 'refund-unknown', 'fee', 'dispute', 'ledger-differs')),
  -- What differs: the provider's reference, or the order's number.
  ref text not null check (length(ref) between 1 and 255),
  order_id bigint references sales_order,
  provider_cents bigint not null,
  store_cents bigint not null,
  primary key (provider, moved_on, kind, ref),
  foreign key (provider, moved_on) references reconciled_day on delete cascade,
  constraint reconciled_difference_is_one check (provider_cents <> store_cents)
);
comment on table reconciled_difference is 'Where a provider and the store do not agree to the cent.';
create index reconciled_difference_by_order on reconciled_difference (order_id) where order_id is not null;
-- The charges, refunds and disputes of a day.
create index payment_event_captured on payment_event (at) where to_state = 'captured' and from_state <> 'captured';
