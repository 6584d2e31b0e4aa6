-- What staff set of a state's tax rate, tire fee and taxability, each with the day from which it applies. Where there is
-- no row, the rates that come with the product apply, so an update never replaces what staff set.
create table state_tax (
  id bigint generated always as identity primary key,
  state text not null check (state ~ '^[A-Z]{2}$'),
  starts_on date not null,
  rate_ppm integer not null check (rate_ppm between 0 and 300000),
  tire_fee jsonb not null check (jsonb_typeof(tire_fee) = 'array' and jsonb_array_length(tire_fee) <= 4),
  tire_fee_name text check (length(tire_fee_name) between 1 and 60),
  taxed text[] not null check (taxed <@ array['tire', 'coverage', 'installation', 'service-kit', 'disposal', 'roadside', 'shipping', 'fet', 'tire-fee']),
  source text not null check (length(source) between 1 and 300),
  checked_on date,
  is_verified boolean not null,
  set_at timestamptz not null,
  set_by text not null check (length(set_by) between 1 and 254),
  canceled_at timestamptz,
  canceled_by text check (length(canceled_by) between 1 and 254),
  -- A day begins last in American Samoa.
  constraint state_tax_not_backdated check (starts_on >= (set_at at time zone 'Pacific/Pago_Pago')::date),
  constraint state_tax_verified_on_a_day check (not is_verified or checked_on is not null),
  constraint state_tax_canceled_whole check ((canceled_at is null) = (canceled_by is null)),
  constraint state_tax_canceled_before_it_starts check ((canceled_at at time zone 'Pacific/Guam')::date < starts_on)
);
create index state_tax_by_state on state_tax (state, starts_on desc, id desc) where canceled_at is null;
comment on table state_tax is 'What staff set of a state''s base rate, tire fee and taxability, one row per change; the row with the latest started day, and of those the newest, applies.';
comment on column state_tax.rate_ppm is 'The state''s base rate in parts per million, without county, city and district taxes.';
comment on column state_tax.tire_fee is 'Fee per new tire as bands by rim size, smallest first: {belowRimInches, cents} or {belowRimInches, ratePpm, capCents}.';
comment on column state_tax.tire_fee_name is 'The name on receipts; null for the name of the state and "tire fee".';
comment on column state_tax.taxed is 'The charges that the state taxes.';
comment on column state_tax.starts_on is 'The first day, in the local time of the place of delivery.';
comment on column state_tax.is_verified is 'Whether staff checked it against the source.';

create function state_tax_is_added_to() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.canceled_at is null
    and to_jsonb(old) - 'canceled_at' - 'canceled_by' = to_jsonb(new) - 'canceled_at' - 'canceled_by' then
    return new;
  end if;
  raise exception 'State taxes are only added to.' using errcode = 'check_violation', constraint = 'state_tax_append_only';
end $$;
create trigger state_tax_append_only before delete or update on state_tax for each row execute function state_tax_is_added_to();
create trigger state_tax_not_emptied before truncate on state_tax for each statement execute function state_tax_is_added_to();
comment on trigger state_tax_append_only on state_tax is 'Orders were placed under the rates of their time: those stay known. A scheduled change can be canceled.';

-- Orders lock the only row of sales_tax_table, so a change waits for orders in progress, and later orders read it.
create function state_tax_raises_version() returns trigger language plpgsql as $$
begin
  update sales_tax_table set version = version + 1;
  return null;
end $$;
create trigger state_tax_raises_version after insert or update on state_tax for each statement execute function state_tax_raises_version();
