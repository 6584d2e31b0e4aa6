-- Erasing a customer's personal data: requested by one person and done by a second.
create table customer_erasure (
  id uuid primary key,
  customer_id uuid not null references customer,
  reason text not null check (length(reason) between 1 and 500),
  state text not null default 'requested' check (state in ('requested', 'erased', 'declined')),
  requested_at timestamptz not null,
  requested_by text not null check (length(requested_by) between 1 and 254),
  decided_at timestamptz,
  decided_by text check (length(decided_by) between 1 and 254),
  constraint customer_erasure_decided_whole check (((state = 'requested') = (decided_at is null)) and ((decided_at is null) = (decided_by is null))),
  constraint customer_erasure_second_person check (state <> 'erased' or decided_by <> requested_by)
);
comment on table customer_erasure is 'Requests to erase the personal data of customers, and who decided.';
comment on constraint customer_erasure_second_person on customer_erasure is 'A second person confirms an erasure.';
create unique index customer_erasure_waits_once on customer_erasure (customer_id) where state = 'requested';
