-- Rules against fraud and resale, edited by staff, and what they found about orders.
create table fraud_rule (
  id integer generated always as identity primary key,
  kind text not null check (kind in ('orders', 'declines', 'cards', 'ship-to-far', 'resale', 'dealer-names', 'shop-address', 'first-order')),
  -- What the orders or declines are counted by.
  subject text check (subject in ('account', 'email', 'network', 'card', 'address')),
  -- The rule applies from one more than this.
  most smallint check (most between 1 and 1000),
  minutes integer check (minutes between 5 and 43200),
  miles smallint check (miles between 1 and 6000),
  from_cents integer check (from_cents between 1 and 100000000),
  words text[] check (cardinality(words) between 1 and 60),
  homes_only boolean not null default true,
  spares_companies boolean not null default true,
  outcome text not null check (outcome in ('allow', 'confirm', 'review', 'refuse')),
  is_on boolean not null default true,
  -- Counts the changes: a form made before another's change is not taken.
  version integer not null default 1,
  updated_at timestamptz not null default now(),
  updated_by text not null default 'store' check (length(updated_by) between 1 and 254),
  constraint fraud_rule_subject check ((kind in ('orders', 'declines')) = (subject is not null)),
  constraint fraud_rule_of_declines check (kind <> 'declines' or subject in ('account', 'email', 'network')),
  constraint fraud_rule_most check ((kind in ('orders', 'declines', 'cards', 'resale')) = (most is not null)),
  constraint fraud_rule_minutes check ((kind in ('orders', 'declines', 'cards')) = (minutes is not null)),
  constraint fraud_rule_miles check ((kind = 'ship-to-far') = (miles is not null)),
  constraint fraud_rule_from check ((kind in ('ship-to-far', 'first-order')) = (from_cents is not null)),
  constraint fraud_rule_words check ((kind = 'dealer-names') = (words is not null))
);
comment on table fraud_rule is 'Rules that every order is held against as it is placed, edited by staff.';

create table order_screening (
  id uuid primary key,
  cart_id uuid not null references cart on delete cascade,
  -- Null for an order that was refused: there is none.
  order_id bigint unique references sales_order on delete cascade,
  outcome text not null check (outcome in ('confirm', 'review', 'refuse')),
  -- Which rules applied, and why, in words for staff: [{"rule": 3, "outcome": "review", "words": "…"}].
  reasons jsonb not null check (jsonb_typeof(reasons) = 'array' and jsonb_array_length(reasons) between 1 and 100),
  email text not null check (length(email) between 3 and 254),
  total_cents integer not null check (total_cents >= 0),
  at timestamptz not null,
  -- Until when staff decide; then the order is canceled.
  due_at timestamptz,
  decision text check (decision in ('accepted', 'canceled')),
  decided_at timestamptz,
  decided_by text check (length(decided_by) between 1 and 254),
  note text check (length(note) between 1 and 500),
  constraint screening_refused_has_no_order check ((outcome = 'refuse') = (order_id is null)),
  constraint screening_review_is_due check ((outcome = 'review') = (due_at is not null)),
  constraint screening_decided_whole check (
    (decision is null) = (decided_at is null) and (decision is null) = (decided_by is null) and (decision is null or outcome = 'review'))
);
comment on table order_screening is 'What the rules said of orders that they did not just let pass, and what staff decided.';
-- One for a cart that was refused, however often it is submitted.
create unique index order_screening_refused_once on order_screening (cart_id) where outcome = 'refuse';
create index order_screening_by_cart on order_screening (cart_id);
create index order_screening_open on order_screening (due_at, id) where outcome = 'review' and decision is null;
create index order_screening_by_time on order_screening (outcome, at desc, id desc);

-- An order that staff have to look at is neither charged nor shipped before they did.
create function order_held_until_decided() returns trigger language plpgsql as $$
begin
  if exists (select from order_screening where order_id = new.id and outcome = 'review' and decision is distinct from 'accepted') then
    raise exception 'Order % waits for staff.', new.id using errcode = 'check_violation', constraint = 'order_held_until_decided';
  end if;
  return new;
end $$;
create trigger order_held_until_decided before update of released_at on sales_order
  for each row when (old.released_at is null and new.released_at is not null) execute function order_held_until_decided();
comment on trigger order_held_until_decided on sales_order is 'What staff have to look at is neither charged nor shipped before they accept it.';

-- What is counted by card, network and address; by account and customer there are indexes.
create index payment_by_card on payment (card_fingerprint, created_at) where card_fingerprint is not null;
create index payment_by_network on payment (network_key, created_at) where network_key is not null;
create index sales_order_by_address on sales_order (ship_to_zip, lower(ship_to_street), placed_at) where fulfillment = 'home';

-- Every declined card, with which it was tried on: card testers try one after another.
create table card_decline (
  id bigint generated always as identity primary key,
  payment_id uuid not null references payment on delete cascade,
  cart_id uuid references cart on delete cascade,
  account_id uuid references account on delete set null,
  email text check (length(email) between 3 and 254),
  network_key text check (length(network_key) <= 64),
  card_fingerprint text,
  at timestamptz not null
);
comment on table card_decline is 'Declined cards, for the rules against card testing; forgotten after 30 days.';
create index card_decline_by_time on card_decline (at);
create index card_decline_by_payment on card_decline (payment_id);
create index card_decline_by_cart on card_decline (cart_id, at) where cart_id is not null;
create index card_decline_by_account on card_decline (account_id, at) where account_id is not null;
create index card_decline_by_email on card_decline (lower(email), at) where email is not null;
create index card_decline_by_network on card_decline (network_key, at) where network_key is not null;

insert into fraud_rule (kind, subject, most, minutes, homes_only, spares_companies, outcome) values
  ('orders', 'account', 12, 1440, false, true, 'review'),
  ('orders', 'email', 6, 1440, false, true, 'review'),
  ('orders', 'network', 40, 60, false, true, 'review'),
  ('orders', 'card', 20, 1440, false, true, 'review'),
  ('orders', 'address', 12, 1440, true, true, 'review'),
  ('declines', 'account', 6, 60, false, false, 'review'),
  ('declines', 'email', 6, 60, false, false, 'review'),
  ('declines', 'network', 20, 60, false, false, 'refuse');
insert into fraud_rule (kind, most, minutes, homes_only, spares_companies, outcome) values
  ('cards', 3, 1440, false, false, 'review');
insert into fraud_rule (kind, miles, from_cents, outcome) values ('ship-to-far', 500, 300000, 'review');
insert into fraud_rule (kind, most, outcome) values ('resale', 8, 'review'), ('resale', 24, 'refuse');
insert into fraud_rule (kind, words, outcome) values
  ('dealer-names', array['dealership', 'auto sales', 'auto mall', 'auto group', 'motor company', 'used cars', 'tire shop', 'tire center', 'tires & wheels', 'wholesale tire'], 'refuse');
insert into fraud_rule (kind, outcome) values ('shop-address', 'review');
insert into fraud_rule (kind, from_cents, outcome) values ('first-order', 400000, 'review');
