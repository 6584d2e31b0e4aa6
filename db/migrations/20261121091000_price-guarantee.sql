-- The price guarantee: what shoppers ask for, and the money that goes back for it.

-- Parts of a charge that are given back. The row is the promise, written with the decision; a job keeps it.
create table charge_refund (
  id uuid primary key,
  payment_id uuid not null references payment,
  amount_cents integer not null check (amount_cents > 0),
  -- What it is for, once: 'guarantee:12'.
  key text not null unique check (length(key) between 1 and 60),
  -- `refused`: the provider said no, and people have to look at it.
  state text not null default 'promised' check (state in ('promised', 'done', 'refused')),
  -- Counts the tries that the provider refused: each has its own key there.
  attempt smallint not null default 1 check (attempt between 1 and 100),
  provider_ref text,
  note text check (length(note) <= 500),
  promised_at timestamptz not null,
  done_at timestamptz,
  constraint charge_refund_done_is_proven check ((state = 'done') = (done_at is not null) and (state = 'done') = (provider_ref is not null))
);
comment on table charge_refund is 'Parts of a charge given back, each promised with a decision and kept by a job.';
create index charge_refund_by_payment on charge_refund (payment_id);

-- All that is given back of a charge stays within it: promises count from the moment they are made. The charge is locked, so that two at
-- once are counted one after the other.
create function refunds_within_charge() returns trigger language plpgsql as $$
declare
  most bigint;
  given bigint;
begin
  if new.state = 'refused' then
    return new;
  end if;
  select case when state = 'captured' then captured_cents else amount_cents end into most from payment where id = new.payment_id for no key update;
  select coalesce(sum(amount_cents), 0) into given from charge_refund where payment_id = new.payment_id and id <> new.id and state <> 'refused';
  if (given + new.amount_cents <= most) is not true then
    raise exception 'No more of the charge % is left to be given back.', new.payment_id using errcode = 'check_violation', constraint = 'refunds_within_charge';
  end if;
  return new;
end $$;
create trigger refunds_within_charge before insert or update of amount_cents, state on charge_refund for each row execute function refunds_within_charge();
comment on trigger refunds_within_charge on charge_refund is 'Promised and given back, the refunds of a charge stay within it.';

-- An open invoice is lowered instead.
alter table invoice add column lowered_cents integer not null default 0 check (lowered_cents >= 0);
comment on column invoice.lowered_cents is 'What the invoice was lowered by since it was issued; amount_cents is what is left to pay.';

create table price_guarantee_request (
  id bigint generated always as identity primary key,
  state text not null default 'open' check (state in ('open', 'approved', 'refused')),
  -- Null before buying.
  order_id bigint references sales_order,
  -- Where the answer goes: of a request about an order, the order's.
  email text not null check (length(email) between 3 and 254),
  zip text check (zip ~ '^\d{5}$'),
  item_id integer not null references item,
  -- Its name when it was asked about.
  tire text not null check (length(tire) between 1 and 200),
  quantity smallint not null check (quantity between 1 and 400),
  -- Per tire, with what the other price includes: out of the order's lines, or as the tire was sold that day.
  our_each_cents integer not null check (our_each_cents > 0),
  competitor text not null check (length(competitor) between 1 and 80),
  offer_url text not null check (length(offer_url) between 1 and 500),
  their_each_cents integer not null check (their_each_cents > 0),
  includes_installation boolean not null,
  seen_on date not null,
  -- A hash of all that was sent: while a request is open, the same is the same request, however often it is sent.
  said bytea not null check (octet_length(said) = 32),
  -- For the limit on how much one network may send; forgotten with the decision.
  network_key text,
  created_at timestamptz not null,
  decided_at timestamptz,
  decided_by text check (length(decided_by) between 1 and 100),
  -- What goes back for all its tires together, tax included.
  difference_cents integer check (difference_cents > 0),
  refusal text check (length(refusal) between 1 and 500),
  constraint guarantee_price_is_lower check (their_each_cents < our_each_cents),
  constraint guarantee_decided_whole check (
    (state = 'open') = (decided_at is null) and (state = 'open') = (decided_by is null)
    and (state = 'approved') = (difference_cents is not null) and (state = 'refused') = (refusal is not null)),
  constraint guarantee_network_forgotten check (state = 'open' or network_key is null)
);
comment on table price_guarantee_request is 'Lower prices that shoppers found elsewhere, until staff approves or refuses to match them.';
create unique index guarantee_said_once on price_guarantee_request (said) where state = 'open';
create unique index guarantee_approved_once on price_guarantee_request (order_id, item_id) where state = 'approved' and order_id is not null;
create index guarantee_by_time on price_guarantee_request (created_at, id) where state = 'open';
create index guarantee_by_network on price_guarantee_request (network_key, created_at) where network_key is not null;
create index guarantee_by_email on price_guarantee_request (email, created_at);
create index guarantee_by_order on price_guarantee_request (order_id) where order_id is not null;

create table price_guarantee_file (
  request_id bigint primary key references price_guarantee_request,
  name text not null check (length(name) between 1 and 120),
  content_type text not null check (content_type in ('image/webp', 'application/pdf')),
  bytes bytea not null check (octet_length(bytes) between 1 and 1048576)
);
comment on table price_guarantee_file is 'Pictures of offers, drawn anew; staff alone see them.';
