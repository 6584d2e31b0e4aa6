-- What the owner sets in the office. A change is a new row: what was set before stays, with who set it. The newest row of a name applies; null returns to the configured default.
create table store_setting (
  id bigint generated always as identity primary key,
  name text not null check (name in ('name', 'logo', 'accent-color', 'dark-color', 'phone', 'email', 'return-address', 'refund-alone-cents', 'quote-margin-floor-ppm')),
  value jsonb check (octet_length(value::text) <= 2000),
  changed_at timestamptz not null,
  changed_by text not null check (length(changed_by) between 1 and 254)
);
create index store_setting_newest on store_setting (name, id desc);

-- Pictures set as the logo, re-encoded, under the hash of their bytes.
create table store_logo (
  key text primary key check (key ~ '^[0-9a-f]{32}$'),
  bytes bytea not null check (octet_length(bytes) between 1 and 1048576),
  added_at timestamptz not null
);

create function store_setting_is_added_to() returns trigger language plpgsql as $$
begin
  raise exception 'Settings are only added to.' using errcode = 'check_violation', constraint = 'store_setting_append_only';
end $$;
create trigger store_setting_append_only before update or delete or truncate on store_setting
  for each statement execute function store_setting_is_added_to();

comment on table store_setting is 'What the owner set, one row per change; the newest of a name applies, null returns to the default. Only added to.';
comment on table store_logo is 'Logos that were set, as WebP, by the hash of their bytes.';
comment on trigger store_setting_append_only on store_setting is 'What was set before stays known.';
