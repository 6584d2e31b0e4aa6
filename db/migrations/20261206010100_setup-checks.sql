-- Proofs for the steps of the store setup that no other table has.
create table setup_check (
  id bigint primary key generated always as identity,
  kind text not null check (kind in ('payments', 'email', 'carrier', 'opening')),
  checked_at timestamptz not null,
  passed boolean not null,
  words text not null check (length(words) between 1 and 300),
  checked_by text not null check (length(checked_by) between 1 and 254)
);
create index setup_check_newest on setup_check (kind, id desc);
comment on table setup_check is 'Each time a provider was tried for the store setup, and what came of it; the newest of a kind applies.';
comment on column setup_check.words is 'What was checked or what failed, in one sentence for staff. Without data of customers.';
