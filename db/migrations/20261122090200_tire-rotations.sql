-- What owners write down of their tires: the rotations that a mileage warranty asks for.
create table tire_rotation (
  account_id uuid not null references account on delete cascade,
  order_id bigint not null references sales_order on delete cascade,
  -- Bounded: forty rotations are 240,000 miles.
  nth smallint not null check (nth between 1 and 40),
  rotated_on date not null,
  odometer_miles integer not null check (odometer_miles between 0 and 999999),
  place text not null check (length(place) between 1 and 80),
  logged_at timestamptz not null,
  primary key (account_id, order_id, nth),
  constraint tire_rotation_once_a_day unique (account_id, order_id, rotated_on)
);
comment on table tire_rotation is 'The rotations of the tires of an order, as the owner logged them.';
create index tire_rotation_of_order on tire_rotation (order_id);

create function tire_rotation_forward() returns trigger language plpgsql as $$
begin
  -- One after the other, so that two forms at once cannot both pass.
  perform from account where id = new.account_id for no key update;
  if exists (
    select from tire_rotation other
    where other.account_id = new.account_id and other.order_id = new.order_id and other.nth <> new.nth
      and (other.rotated_on < new.rotated_on and other.odometer_miles > new.odometer_miles
        or other.rotated_on > new.rotated_on and other.odometer_miles < new.odometer_miles)) then
    raise exception 'The odometer goes back.' using errcode = 'check_violation', constraint = 'tire_rotation_forward';
  end if;
  return new;
end $$;
create trigger tire_rotation_forward before insert or update on tire_rotation for each row execute function tire_rotation_forward();
comment on trigger tire_rotation_forward on tire_rotation is 'An odometer never goes back from one rotation to the next.';
