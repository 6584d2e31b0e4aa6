-- A van comes to its customers: where each of its bookings is, and how long it drives between two of them.
-- docs/decisions/048-earlier-times-and-vans.md says why the bay's lock decides, as with own jobs of shops.
alter table booking add column stop_zip text check (stop_zip ~ '^\d{5}$');
alter table booking add constraint booking_stop_of_van check (stop_zip is null or kind = 'mobile');
comment on column booking.stop_zip is 'Where a van comes; null for a shop, and for bookings of vans from before their drives counted.';

-- The same rule as travelMinutes in domain/booking/travel.ts, in minutes; a test compares the two.
create function travel_minutes(one text, other text) returns integer language sql stable as $$
  select case
    when one = other then 10
    else coalesce((
      select least(180, 5 * ceil((10 + 2.4 * 2 * 3958.8 * asin(least(1, sqrt(
        sin(radians(b.latitude - a.latitude) / 2) ^ 2
        + cos(radians(a.latitude)) * cos(radians(b.latitude)) * sin(radians(b.longitude - a.longitude) / 2) ^ 2)))) / 5))::integer
      from zip a, zip b where a.zip = one and b.zip = other and a.latitude is not null and b.latitude is not null), 180)
  end
$$;

-- Two stops that do not overlap may still be too far apart. Bookings of one van go through its bay's lock one by one, so that each sees those
-- before it; a shop's bookings share the lock and go on side by side.
create function keep_van_stops_apart() returns trigger language plpgsql as $$
declare
  base text;
begin
  if tg_op = 'UPDATE' then
    if old.state in ('held', 'confirmed') and new.bay_id = old.bay_id and new.during <@ old.during and new.stop_zip is not distinct from old.stop_zip then
      return new;
    end if;
  end if;
  perform from shop_bay where id = new.bay_id for no key update;
  select zip into base from shop where id = new.shop_id;
  if exists (
    select from booking other
    cross join lateral (select travel_minutes(coalesce(other.stop_zip, base), new.stop_zip) * interval '1 minute' as drive) as between_them
    where other.bay_id = new.bay_id and other.id <> new.id
      and other.during && tstzrange(lower(new.during) - interval '180 minutes', upper(new.during) + interval '180 minutes')
      and (other.state = 'confirmed' or other.state = 'held'
        and not (tg_op = 'INSERT' and (other.hold_expires_at <= new.created_at or other.cart_id = new.cart_id)))
      and other.during && tstzrange(lower(new.during) - drive, upper(new.during) + drive)) then
    -- As "on conflict do nothing" has it: a new hold is not written, and the transaction goes on.
    if tg_op = 'INSERT' then
      return null;
    end if;
    raise exclusion_violation using constraint = 'booking_van_reaches', message = 'The van cannot drive between two of its stops in time.';
  end if;
  return new;
end $$;
create trigger booking_van_reaches before insert or update of bay_id, during, state, stop_zip on booking
  for each row when (new.stop_zip is not null and new.state in ('held', 'confirmed')) execute function keep_van_stops_apart();
