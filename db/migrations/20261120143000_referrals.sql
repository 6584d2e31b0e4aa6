-- Referrals: an account's link, the mails that carried it, the orders that came by it, and what they earned.
create table referral_link (
  code text primary key check (code ~ '^[a-z2-9]{10}$'),
  account_id uuid not null unique references account on delete cascade,
  created_at timestamptz not null
);

create table referral_invite (
  id uuid primary key,
  account_id uuid not null references account on delete cascade,
  email text not null check (length(email) between 3 and 254 and email = lower(email)),
  sent_at timestamptz not null,
  -- Nobody is asked twice by one friend.
  unique (account_id, email)
);
create index referral_invite_by_day on referral_invite (account_id, sent_at);

-- The link by which the shopper of a cart came, and when it was opened: that day's discount counts.
alter table cart
  add column referral_code text references referral_link on delete set null,
  add column referral_opened_at timestamptz,
  add check (referral_code is null or referral_opened_at is not null);

-- The provider's name for the card: the same for the same card, and no number.
alter table payment add column card_fingerprint text;

create table referral (
  order_id bigint primary key references sales_order,
  -- Null when the account is gone since: then nobody is paid.
  referrer_id uuid references account on delete set null,
  friend_id uuid not null references customer,
  rate_ppm integer not null check (rate_ppm between 1 and 300000),
  state text not null default 'pending' check (state in ('pending', 'earned', 'cancelled')),
  placed_at timestamptz not null,
  settled_at timestamptz,
  check ((state = 'pending') = (settled_at is null))
);
-- A friend is referred once, and for the first order; an order that is off gives the chance back.
create unique index referral_once_per_friend on referral (friend_id) where state <> 'cancelled';
create index referral_by_referrer on referral (referrer_id, placed_at);
create index referral_unsettled on referral (placed_at) where state = 'pending';

-- Credit of an account is money the store owes: it stands in the same books, with whose it is.
alter table ledger_entry
  add column owner_id uuid references account on delete set null,
  drop constraint ledger_entry_account_check,
  add constraint ledger_entry_account_check check (account in
    ('receivable', 'cash', 'sales', 'sales-tax', 'tire-fee', 'excise-tax', 'refunds', 'referral-rewards', 'store-credit')),
  add constraint ledger_entry_owner_of_credit check (owner_id is null or account = 'store-credit');
create index ledger_entry_of_credit on ledger_entry (owner_id) where owner_id is not null;
