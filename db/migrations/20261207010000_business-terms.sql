-- Business terms, such as shipping rates and the return window, each with the time from which it applies.
create table business_term (
  id bigint generated always as identity primary key,
  name text not null check (name ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(name) <= 60),
  value integer not null check (value between 0 and 100000000),
  valid_from timestamptz not null,
  set_at timestamptz not null,
  set_by text not null check (length(set_by) between 1 and 254),
  canceled_at timestamptz,
  canceled_by text check (length(canceled_by) between 1 and 254),
  constraint business_term_not_backdated check (valid_from >= set_at),
  constraint business_term_canceled_whole check ((canceled_at is null) = (canceled_by is null)),
  constraint business_term_canceled_before_it_starts check (canceled_at < valid_from)
);
create unique index business_term_once on business_term (name, valid_from) where canceled_at is null;
comment on table business_term is 'What staff set of the business terms, one row per change; the newest started row of a name applies, and the specification''s value where there is none.';
comment on column business_term.value is 'Whole cents, parts per million, days and so on, as the declaration of the name says.';
comment on column business_term.canceled_at is 'A scheduled change that was withdrawn before it started.';

create function business_term_is_added_to() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.canceled_at is null
    and (old.id, old.name, old.value, old.valid_from, old.set_at, old.set_by) = (new.id, new.name, new.value, new.valid_from, new.set_at, new.set_by) then
    return new;
  end if;
  raise exception 'Business terms are only added to.' using errcode = 'check_violation', constraint = 'business_term_append_only';
end $$;
create trigger business_term_append_only before delete or update on business_term for each row execute function business_term_is_added_to();
create trigger business_term_not_emptied before truncate on business_term for each statement execute function business_term_is_added_to();
comment on trigger business_term_append_only on business_term is 'Orders refer to the terms of the time they were placed: those stay known. A scheduled change can be canceled.';

-- Orders being placed share this row, so a change waits for them, and later orders see it.
alter table store_state add column terms_version integer not null default 0;
comment on column store_state.terms_version is 'Rises with each change of the business terms, so that an order priced under other terms is not placed.';

create function business_term_raises_version() returns trigger language plpgsql as $$
begin
  update store_state set terms_version = terms_version + 1;
  return null;
end $$;
create trigger business_term_raises_version after insert or update on business_term for each statement execute function business_term_raises_version();

create function business_term_at(asked text, at timestamptz, standard integer) returns integer language sql stable as $$
  select coalesce(
    (select value from business_term where name = asked and canceled_at is null and valid_from <= at order by valid_from desc limit 1),
    standard)
$$;
comment on function business_term_at is 'The value of a business term at a time, such as that of an order; the specification''s value where staff had not set one.';
