-- Filters of an office list that a staff member keeps under a name, for themselves or for everyone who may read the list.
create table saved_view (
  id uuid primary key,
  -- The person at the sign-in provider, as in their grants and sessions.
  issuer text not null,
  subject text not null check (length(subject) between 1 and 255),
  -- Who that is, for colleagues who see a shared view.
  saved_by text not null check (length(saved_by) between 1 and 254),
  list text not null check (list ~ '^[a-z]{1,40}$'),
  name text not null check (name = btrim(name) and char_length(name) between 1 and 40),
  -- The filters as the list's address has them, without a place in it.
  query text not null check (length(query) between 1 and 1000),
  is_shared boolean not null default false,
  saved_at timestamptz not null
);
comment on table saved_view is 'Filters of an office list that a staff member keeps under a name, for themselves or for everyone who may read the list.';
create unique index saved_view_named_once on saved_view (issuer, subject, list, lower(name));
create index saved_view_shared on saved_view (list, saved_at) where is_shared;
