-- Claims of replacement coverage: what shoppers file, and what the plan pays.
create table coverage_claim (
  id bigint generated always as identity primary key,
  state text not null default 'open' check (state in ('open', 'approved', 'refused')),
  order_id bigint not null references sales_order,
  -- Where the answer goes: the order's own address.
  email text not null check (length(email) between 3 and 254),
  item_id integer not null references item,
  -- Its name when the claim was filed.
  tire text not null check (length(tire) between 1 and 200),
  tires smallint not null check (tires between 1 and 400),
  kind text not null check (kind in ('replacement', 'repair')),
  cause text not null check (cause in ('puncture', 'glass', 'pothole', 'curb', 'debris')),
  -- The DOT number of the damaged tire; null where nobody could read it.
  tin text check (tin ~ '^[A-Z0-9]{7,13}$'),
  -- Coverage runs from here.
  delivered_on date not null,
  happened_on date not null,
  -- What the repair cost, for all tires together.
  paid_cents integer check (paid_cents > 0),
  -- What the plan pays at most on the day it happened.
  most_cents integer not null check (most_cents > 0),
  words text check (length(words) between 1 and 1000),
  -- A hash of all that was sent: while a claim is open, the same is the same claim, however often it is sent.
  said bytea not null check (octet_length(said) = 32),
  -- For the limit on how much one network may send; forgotten with the decision.
  network_key text,
  created_at timestamptz not null,
  decided_at timestamptz,
  decided_by text check (length(decided_by) between 1 and 100),
  given_cents integer,
  refusal text check (length(refusal) between 1 and 500),
  constraint claim_within_plan check (given_cents between 1 and most_cents),
  constraint claim_while_covered check (happened_on >= delivered_on and happened_on < delivered_on + interval '36 months'),
  constraint claim_of_repair_says_what_was_paid check ((kind = 'repair') = (paid_cents is not null)),
  constraint claim_decided_whole check (
    (state = 'open') = (decided_at is null) and (state = 'open') = (decided_by is null)
    and (state = 'approved') = (given_cents is not null) and (state = 'refused') = (refusal is not null)),
  constraint claim_network_forgotten check (state = 'open' or network_key is null)
);
comment on table coverage_claim is 'Claims of replacement coverage, until staff approve or refuse them by the table of the plan.';
create unique index claim_said_once on coverage_claim (said) where state = 'open';
create index claim_open_by_time on coverage_claim (created_at, id) where state = 'open';
create index claim_by_network on coverage_claim (network_key, created_at) where network_key is not null;
create index claim_by_email on coverage_claim (email, created_at);
create index claim_by_order on coverage_claim (order_id, item_id);

create table coverage_claim_file (
  claim_id bigint primary key references coverage_claim,
  name text not null check (length(name) between 1 and 120),
  content_type text not null check (content_type in ('image/webp', 'application/pdf')),
  bytes bytea not null check (octet_length(bytes) between 1 and 1048576)
);
comment on table coverage_claim_file is 'Pictures of damaged tires and receipts of repairs, drawn anew; staff alone see them.';

-- A tire is replaced once: no more of an article than the order had. The order is locked, so that two at once are
-- counted one after the other.
create function claims_within_covered() returns trigger language plpgsql as $$
begin
  if new.state <> 'approved' or new.kind <> 'replacement' then
    return new;
  end if;
  perform from sales_order where id = new.order_id for no key update;
  if not exists (select from order_line where order_id = new.order_id and kind = 'coverage')
    or new.tires + (select coalesce(sum(tires), 0) from coverage_claim other
        where other.order_id = new.order_id and other.item_id = new.item_id and other.state = 'approved' and other.kind = 'replacement' and other.id <> new.id)
      > (select coalesce(sum(quantity), 0) from order_line where order_id = new.order_id and item_id = new.item_id and kind = 'tire') then
    raise exception 'The order % has no such covered tire left.', new.order_id using errcode = 'check_violation', constraint = 'claims_within_covered';
  end if;
  return new;
end $$;
create trigger claims_within_covered before insert or update of state, tires on coverage_claim for each row execute function claims_within_covered();
comment on trigger claims_within_covered on coverage_claim is 'Each covered tire of an order is replaced once at most.';
