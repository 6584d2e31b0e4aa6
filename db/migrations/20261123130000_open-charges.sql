-- Charges that people must look at: their bank has not answered, or their authorization ends before they are captured.

-- When a claimed charge ended without being captured. Cleared once its order is paid another way or canceled.
alter table payment add column lapsed_at timestamptz;
create index payment_lapsed on payment (lapsed_at) where lapsed_at is not null;

create table open_charge (
  payment_id uuid primary key references payment,
  -- Who in the office works on it.
  owner text check (length(owner) between 1 and 254),
  owned_since timestamptz,
  -- When the customer was last written to about it, and by whom.
  told_at timestamptz,
  told_by text check (length(told_by) between 1 and 254),
  -- Until when the customer's link to pay again works.
  pay_until timestamptz,
  constraint open_charge_owned_whole check ((owner is null) = (owned_since is null)),
  constraint open_charge_told_whole check ((told_at is null) = (told_by is null)),
  constraint open_charge_asked_is_told check (pay_until is null or told_at is not null)
);
comment on table open_charge is 'What staff do about charges that need people: who works on each, and what the customer was asked.';
