-- What a price list is, was and will be: rules in price_rule come from the versions that have a start.
create table price_list_version (
  id integer generated always as identity primary key,
  price_list_id integer not null references price_list,
  form_key uuid not null constraint price_list_version_made_once unique,
  name text not null check (length(name) between 1 and 80),
  starts_at timestamptz,
  ends_at timestamptz,
  created_by text not null check (length(created_by) between 1 and 254),
  created_at timestamptz not null,
  constraint price_list_version_times check (ends_at is null or starts_at < ends_at and starts_at is not null),
  constraint price_list_version_starts_alone unique (price_list_id, starts_at)
);
create index price_list_version_by_list on price_list_version (price_list_id, id desc);

create table price_list_entry (
  version_id integer not null references price_list_version on delete cascade,
  line integer not null check (line between 1 and 1000000),
  brand_id integer references brand on delete cascade,
  product_line_id integer references product_line on delete cascade,
  size_id integer references size on delete cascade,
  item_id integer references item on delete cascade,
  kind text not null check (kind in ('percent-off', 'fixed', 'cost-plus')),
  rate_ppm integer check (rate_ppm between 0 and 1000000),
  amount_cents integer check (amount_cents >= 0),
  starts_at timestamptz not null,
  ends_at timestamptz,
  primary key (version_id, line),
  check (starts_at < ends_at),
  check (num_nonnulls(brand_id, product_line_id, size_id, item_id) <= 1),
  constraint price_list_entry_amounts check (
    case kind when 'percent-off' then rate_ppm is not null and amount_cents is null when 'fixed' then rate_ppm is null and amount_cents is not null and amount_cents > 0 else num_nonnulls(rate_ppm, amount_cents) >= 1 end
  )
);

create function price_list_version_is_never_edited() returns trigger language plpgsql as $$
begin
  if (to_jsonb(new) - 'starts_at' - 'ends_at') <> (to_jsonb(old) - 'starts_at' - 'ends_at')
    or old.starts_at is not null and new.starts_at is not null and new.starts_at <> old.starts_at
    or old.starts_at is not null and new.starts_at is not null and coalesce(new.ends_at, 'infinity') > coalesce(old.ends_at, 'infinity') then
    raise exception 'A version of a price list only ends earlier.' using errcode = 'check_violation', constraint = 'price_list_version_never_edited';
  end if;
  return null;
end $$;
create trigger price_list_version_never_edited after update on price_list_version for each row execute function price_list_version_is_never_edited();

create function price_list_entry_is_never_edited() returns trigger language plpgsql as $$
begin
  if exists (select from price_list_version where id = new.version_id and starts_at is not null) then
    raise exception 'The entries of a scheduled version are not changed.' using errcode = 'check_violation', constraint = 'price_list_entry_never_edited';
  end if;
  return null;
end $$;
create trigger price_list_entry_never_edited after insert or update on price_list_entry for each row execute function price_list_entry_is_never_edited();

comment on table price_list_version is 'Versions of price lists as staff upload them: drafts until they have a start; the next one ends them.';
comment on table price_list_entry is 'The rules of a version, as uploaded.';
