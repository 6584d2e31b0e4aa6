-- Staff schedule the last day of a shop, and decide on each later appointment before it closes.
alter table shop
  add column last_day date,
  add column closing_reason text,
  add column closing_set_at timestamptz,
  add constraint shop_closing_reason_check check (length(closing_reason) between 1 and 200),
  add constraint shop_closing_whole check ((last_day is null) = (closing_reason is null) and (last_day is null) = (closing_set_at is null)),
  add constraint shop_suspended_without_last_day check (last_day is null or status <> 'suspended');
comment on column shop.last_day is 'The last day with bookings of a shop that closes. It stays set once the shop is closed.';
create index shop_by_last_day on shop (last_day, id) where last_day is not null and status = 'open';

create table kept_appointment (
  booking_id uuid primary key references booking (id) on delete cascade,
  shop_id int not null references shop (id),
  reason text not null check (length(reason) between 1 and 200),
  kept_by text not null check (length(kept_by) between 1 and 254),
  kept_at timestamptz not null
);
create index kept_appointment_by_shop on kept_appointment (shop_id);
comment on table kept_appointment is 'Appointments that a shop still does after its last day.';

create or replace function booking_stopped(asked booking) returns text language sql stable as $$
  select case
    when status <> 'open' then status
    when (lower(asked.during) at time zone time_zone)::date > last_day then 'closing'
    when paused @> (lower(asked.during) at time zone time_zone)::date then 'paused'
  end
  from shop where id = asked.shop_id
$$;

create or replace function keep_booking_in_capacity() returns trigger language plpgsql as $$
declare
  live_at timestamptz := '-infinity';
  stopped text;
begin
  if tg_op = 'UPDATE' then
    if old.state in ('held', 'confirmed') and new.state = old.state and new.bay_id = old.bay_id and new.during <@ old.during then
      return new;
    end if;
    -- A hold that is confirmed asks for appointments only: another hold that is still there is refused when it comes to it.
    if old.state = 'held' then
      live_at := 'infinity';
    end if;
  else
    live_at := new.created_at;
  end if;
  perform from shop where id = new.shop_id for share;
  perform from shop_capacity where shop_id = new.shop_id and (technicians is not null or buffer_minutes > 0 or walk_in_percent > 0)
    and during @> (lower(new.during) at time zone (select time_zone from shop where id = new.shop_id))::date for no key update;
  stopped := booking_stopped(new);
  -- An appointment that was kept during a pause may still get another bay or another time of these days.
  if stopped = 'paused' and tg_op = 'UPDATE' and old.state = 'confirmed' and booking_stopped(old) = 'paused' then
    stopped := null;
  end if;
  -- An appointment after the last day may only get another bay.
  if stopped = 'closing' and tg_op = 'UPDATE' and old.state = 'confirmed' and new.during = old.during then
    stopped := null;
  end if;
  if stopped is null and booking_misfit(new, live_at, null) is null and not booking_crowds(new, live_at) then
    return new;
  end if;
  -- As "on conflict do nothing" has it: a hold is not written or not confirmed, and the transaction goes on.
  if tg_op = 'INSERT' or old.state = 'held' then
    return null;
  end if;
  raise exclusion_violation using constraint = 'booking_within_capacity', message = 'The shop does not take this booking at that time.';
end $$;

create function shop_undecided(asked shop) returns bigint language sql stable as $$
  select count(*) from booking
  where shop_id = asked.id and state = 'confirmed' and (lower(during) at time zone asked.time_zone)::date > asked.last_day
    and lower(during) > (asked.last_day::timestamp at time zone asked.time_zone)
    and not exists (select from kept_appointment where booking_id = booking.id)
$$;
comment on function shop_undecided is 'How many appointments after the last day are neither moved, canceled, nor kept.';

create function shop_closes_decided() returns trigger language plpgsql as $$
begin
  if shop_undecided(new) > 0 then
    raise exception 'Shop % has undecided appointments after its last day.', new.id using errcode = 'check_violation', constraint = 'shop_closes_decided';
  end if;
  return new;
end $$;
create trigger shop_closes_decided before update of status on shop for each row
  when (new.status = 'closed' and old.status <> 'closed' and new.last_day is not null) execute function shop_closes_decided();
comment on trigger shop_closes_decided on shop is 'A shop with a last day closes once each later appointment is decided.';
