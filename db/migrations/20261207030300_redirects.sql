-- Addresses of an earlier store, and the pages that took their place.
create table address_redirect (
  from_path text primary key check (length(from_path) <= 300 and from_path ~ '^/[\x21-\x7e]*$' and from_path = lower(from_path)),
  to_path text not null check (length(to_path) <= 300 and to_path ~ '^/[\x21-\x7e]*$'),
  added_at timestamptz not null,
  added_by text not null check (length(added_by) between 1 and 254),
  constraint address_redirect_no_loop check (from_path <> lower(to_path))
);
comment on table address_redirect is 'Read for addresses without a page only.';
create index address_redirect_by_target on address_redirect (lower(to_path));

create function address_redirect_ends() returns trigger language plpgsql as $$
begin
  if exists (select from added join address_redirect other on other.from_path = lower(added.to_path))
    or exists (select from added join address_redirect other on lower(other.to_path) = added.from_path) then
    raise exception 'A redirect leads to another one.' using errcode = 'check_violation', constraint = 'address_redirect_no_chain';
  end if;
  return null;
end $$;
create trigger address_redirect_added after insert on address_redirect
  referencing new table as added for each statement execute function address_redirect_ends();
create trigger address_redirect_changed after update on address_redirect
  referencing new table as added for each statement execute function address_redirect_ends();
