-- Quotes for many vehicles of a company, from a list of their VINs.
create table fleet_quote (
  id uuid primary key,
  company_id uuid not null references company on delete cascade,
  account_id uuid references account on delete set null,
  form_key uuid not null unique,
  zip text not null check (zip ~ '^\d{5}$'),
  created_at timestamptz not null,
  held_at timestamptz,
  good_through_on date,
  constraint fleet_quote_held_with_day check ((held_at is null) = (good_through_on is null))
);
comment on table fleet_quote is 'A list of vehicles that a company wants tires for. Held once its tires have prices that are promised.';
comment on column fleet_quote.account_id is 'The member who began it; null once that account is gone.';
create index fleet_quote_by_company on fleet_quote (company_id, created_at);
create index fleet_quote_by_account on fleet_quote (account_id) where account_id is not null;

create table fleet_quote_vehicle (
  fleet_quote_id uuid not null references fleet_quote on delete cascade,
  line smallint not null check (line between 1 and 10000),
  vin text not null check (vin ~ '^[A-HJ-NPR-Z0-9]{17}$'),
  unit text check (length(unit) between 1 and 20),
  plate text check (plate ~ '^[A-Z0-9]{1,8}$'),
  plate_state text check (plate_state ~ '^[A-Z]{2}$'),
  decoded text check (length(decoded) between 1 and 200),
  vehicle jsonb,
  front text check (length(front) between 1 and 40),
  rear text check (length(rear) between 1 and 40),
  dual_rear_wheels boolean not null default false,
  sales_quote_id bigint unique references sales_quote on delete set null,
  primary key (fleet_quote_id, line),
  unique (fleet_quote_id, vin),
  constraint fleet_quote_vehicle_both_axles check ((front is null) = (rear is null))
);
comment on table fleet_quote_vehicle is 'A vehicle of such a list, by its line in the file.';
comment on column fleet_quote_vehicle.decoded is 'What its VIN says, as NHTSA has it; null if it could not be read.';
comment on column fleet_quote_vehicle.vehicle is 'The vehicle of the finder; null while it is not known.';
comment on column fleet_quote_vehicle.front is 'The tire it takes in front, as listed or as on its door label; null while it is asked.';
comment on column fleet_quote_vehicle.sales_quote_id is 'The quote that its order begins with.';

create table fleet_quote_tire (
  fleet_quote_id uuid not null references fleet_quote on delete cascade,
  front text not null check (length(front) between 1 and 40),
  rear text not null check (length(rear) between 1 and 40),
  front_item_id integer not null references item,
  rear_item_id integer not null references item,
  front_unit_cents integer not null check (front_unit_cents between 1 and 1000000),
  rear_unit_cents integer not null check (rear_unit_cents between 1 and 1000000),
  primary key (fleet_quote_id, front, rear)
);
comment on table fleet_quote_tire is 'The tire chosen for all vehicles of a list that take the same sizes, at the price that is held.';
create index fleet_quote_tire_by_front on fleet_quote_tire (front_item_id);
create index fleet_quote_tire_by_rear on fleet_quote_tire (rear_item_id);

create function fleet_quote_stays() returns trigger language plpgsql as $$
begin
  if old.held_at is not null and (new.held_at, new.good_through_on, new.zip, new.company_id)
      is distinct from (old.held_at, old.good_through_on, old.zip, old.company_id) then
    raise exception 'The fleet quote % is held.', old.id using errcode = 'check_violation', constraint = 'fleet_quote_stays';
  end if;
  return new;
end $$;
create trigger fleet_quote_stays before update on fleet_quote for each row execute function fleet_quote_stays();
comment on trigger fleet_quote_stays on fleet_quote is 'What was promised is not changed.';
