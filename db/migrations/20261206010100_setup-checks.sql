-- Proofs for the steps of the store setup that no other table has.
create table setup_check (
  id uuid primary key,
  kind text not null check (kind in ('payments', 'email', 'carrier', 'opening')),
  started_at timestamptz not null,
  passed boolean,
  words text not null check (length(words) between 1 and 300),
  checked_by text not null check (length(checked_by) between 1 and 254),
  hosted_ref text check (length(hosted_ref) between 1 and 255),
  constraint setup_check_waits_for_a_page check (passed is not null or kind = 'payments')
);
create index setup_check_newest on setup_check (kind, started_at desc, id desc);
comment on table setup_check is 'Each time a provider was tried for the store setup, and what came of it; the newest of a kind applies.';
comment on column setup_check.passed is 'Null while the page of a test charge is open.';
comment on column setup_check.words is 'What was checked or what failed, in one sentence for staff. Without data of customers.';
comment on column setup_check.hosted_ref is 'The provider’s page on which a test charge is paid.';
