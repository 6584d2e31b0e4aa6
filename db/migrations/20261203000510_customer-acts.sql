-- What staff do about customers: merge two of them, keep them from ordering, and write notes.
create table customer_merge (
  id uuid primary key,
  kept_id uuid not null references customer on delete cascade,
  merged_id uuid not null references customer on delete cascade,
  moved_ids uuid[] not null check (cardinality(moved_ids) >= 1),
  merged_at timestamptz not null,
  merged_by text not null check (length(merged_by) between 1 and 254),
  undone_at timestamptz,
  undone_by text check (length(undone_by) between 1 and 254),
  constraint customer_merge_of_two check (kept_id <> merged_id),
  constraint customer_merge_undone_whole check ((undone_at is null) = (undone_by is null))
);
comment on table customer_merge is 'Merges of customers, with what undoing one needs.';
comment on column customer_merge.moved_ids is 'The customers whose merged_into it set: the merged one and those merged into it before.';
create index customer_merge_by_kept on customer_merge (kept_id, merged_at desc) where undone_at is null;
create index customer_merge_by_merged on customer_merge (merged_id);

create function customer_merged_once() returns trigger language plpgsql as $$
begin
  if exists (select from customer where id = new.merged_into and merged_into is not null)
    or exists (select from customer where merged_into = new.id) then
    raise exception using errcode = 'check_violation', constraint = 'customer_merged_once',
      message = 'A customer is merged into one that is not merged itself.';
  end if;
  return null;
end $$;
create constraint trigger customer_merged_once after update of merged_into on customer deferrable initially deferred
  for each row when (new.merged_into is not null) execute function customer_merged_once();
comment on trigger customer_merged_once on customer is 'A customer is merged into one that is not merged itself.';

create table customer_block (
  id uuid primary key,
  customer_id uuid not null references customer on delete cascade,
  reason text not null check (length(reason) between 1 and 500),
  blocked_at timestamptz not null,
  blocked_by text not null check (length(blocked_by) between 1 and 254),
  ended_at timestamptz,
  ended_by text check (length(ended_by) between 1 and 254),
  constraint customer_block_ended_whole check ((ended_at is null) = (ended_by is null))
);
comment on table customer_block is 'Customers who can place no order, why, and until when.';
create unique index customer_blocked_once on customer_block (customer_id) where ended_at is null;

create table customer_note (
  id uuid primary key,
  customer_id uuid not null references customer on delete cascade,
  body text not null check (length(body) between 1 and 2000),
  author text not null check (length(author) between 1 and 254),
  at timestamptz not null
);
comment on table customer_note is 'Notes that staff keep on a customer, who never sees them.';
create index customer_note_by_customer on customer_note (customer_id, at desc);
