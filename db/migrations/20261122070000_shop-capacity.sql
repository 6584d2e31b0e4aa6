-- What a shop can take, by day: versions of its capacity, hours and bays that follow each other without a gap. Why bookings are held to them by a
-- lock of the shop and a trigger is in docs/decisions/047-capacity-by-day.md.
create table shop_capacity (
  shop_id integer not null references shop on delete cascade,
  -- The days on the shop's calendar on which this version counts.
  during daterange not null default '(,)',
  -- The grid on which waiting appointments start, counted from the opening time.
  slot_minutes smallint not null default 60 check (slot_minutes between 15 and 240),
  -- How many cars are worked on at once; null: as many as there are bays.
  technicians smallint check (technicians between 1 and 20),
  -- Free on the bay after each job.
  buffer_minutes smallint not null default 0 check (buffer_minutes between 0 and 60),
  -- Notice before a car arrives.
  lead_minutes smallint not null default 60 check (lead_minutes between 0 and 2880),
  -- Notice for moving and canceling an appointment.
  notice_minutes smallint not null default 60 check (notice_minutes between 0 and 2880),
  -- The part of a day's bay time that online bookings leave to walk-ins.
  walk_in_percent smallint not null default 0 check (walk_in_percent between 0 and 80),
  drop_off_windows text[] not null default '{AM,PM,EVE}' check (drop_off_windows <@ '{AM,PM,EVE}'),
  made_by uuid references shop_member on delete set null,
  made_at timestamptz,
  check (not isempty(during)),
  constraint shop_capacity_once_a_day primary key (shop_id, during without overlaps)
);
comment on table shop_capacity is 'How much work a shop takes, in versions that each count on some days; every day has exactly one.';
create index shop_capacity_by_member on shop_capacity (made_by) where made_by is not null;

insert into shop_capacity (shop_id, slot_minutes) select id, slot_minutes from shop;
alter table shop drop column slot_minutes;

-- A shop has a capacity from its first moment on, whoever makes it.
create function give_shop_capacity() returns trigger language plpgsql as $$
begin
  insert into shop_capacity (shop_id) select id from became;
  return null;
end $$;
create trigger shop_has_capacity after insert on shop referencing new table as became for each statement execute function give_shop_capacity();

create function require_capacity_every_day() returns trigger language plpgsql as $$
declare
  changed integer := case tg_op when 'INSERT' then new.shop_id else old.shop_id end;
begin
  if exists (select from shop where id = changed) and (select range_agg(during) from shop_capacity where shop_id = changed) is distinct from '{(,)}'::datemultirange then
    raise check_violation using constraint = 'shop_capacity_every_day', message = 'A shop has a capacity on every day.';
  end if;
  return null;
end $$;
create constraint trigger shop_capacity_every_day after insert or update or delete on shop_capacity
  deferrable initially deferred for each row execute function require_capacity_every_day();

alter table shop_hours add column during daterange not null default '(,)' check (not isempty(during)), add column lunch_from time, add column lunch_to time;
alter table shop_hours drop constraint shop_hours_pkey;
alter table shop_hours add constraint shop_hours_once_a_day primary key (shop_id, weekday, during without overlaps);
alter table shop_hours add constraint shop_hours_lunch_within check (
  (lunch_from is null) = (lunch_to is null) and (lunch_from is null or opens < lunch_from and lunch_from < lunch_to and lunch_to < closes));

alter table shop_bay add column days datemultirange not null default '{(,)}';
comment on column shop_bay.days is 'The days on which it is used; a bay that had bookings stays, without days to come.';

create trigger calendar_version_on_insert after insert on shop_capacity referencing new table as became for each statement execute function calendar_part_changed();
create trigger calendar_version_on_update after update on shop_capacity referencing old table as was new table as became for each statement execute function calendar_part_changed();
create trigger calendar_version_on_delete after delete on shop_capacity referencing old table as was for each statement execute function calendar_part_changed();

-- Bookings that a change of capacity left outside of it, shown to the member who kept the change all the same. It counts as long as the booking
-- stays where it was.
create table capacity_conflict (
  booking_id uuid not null references booking on delete cascade,
  bay_id integer not null,
  during tstzrange not null,
  reason text not null check (reason in ('closed-day', 'hours', 'lunch', 'bay', 'drop-off', 'technicians')),
  shown_to uuid references shop_member on delete set null,
  shown_at timestamptz not null,
  primary key (booking_id, during)
);
comment on table capacity_conflict is 'Bookings that a kept change of capacity leaves outside of it, and who was shown that.';
create index capacity_conflict_by_member on capacity_conflict (shown_to) where shown_to is not null;

-- Why a booking does not fit the capacity of its day; null if it does. `live_at`: holds that ran out by then do not count. `made_before`: of jobs at
-- the same time only those made earlier count, so that of three jobs for two technicians only the last is one too many; null: all count.
create function booking_misfit(asked booking, live_at timestamptz, made_before timestamptz) returns text language plpgsql as $$
declare
  plan shop_capacity;
  opening shop_hours;
  zone text := (select time_zone from shop where id = asked.shop_id);
  starts timestamp := lower(asked.during) at time zone zone;
  ends timestamp := upper(asked.during) at time zone zone;
  day date := starts::date;
  at_once bigint;
begin
  if exists (select from shop_closure where shop_id = asked.shop_id and closed_on = day) then
    return 'closed-day';
  end if;
  select * into opening from shop_hours where shop_id = asked.shop_id and weekday = extract(isodow from day) and during @> day;
  if not found or starts < day + opening.opens or ends > day + opening.closes then
    return 'hours';
  end if;
  if not exists (select from shop_bay where id = asked.bay_id and days @> day) then
    return case asked.kind when 'drop-off' then 'drop-off' else 'bay' end;
  end if;
  select * into plan from shop_capacity where shop_id = asked.shop_id and during @> day;
  if asked.kind = 'drop-off' then
    return case when asked.drop_off_window = any (plan.drop_off_windows) then null else 'drop-off' end;
  end if;
  if starts < day + opening.lunch_to and ends > day + opening.lunch_from then
    return 'lunch';
  end if;
  if plan.technicians is not null then
    with job as (
      select during from booking
      where shop_id = asked.shop_id and id <> asked.id and kind <> 'drop-off' and during && asked.during
        and (state = 'confirmed' or state = 'held' and hold_expires_at > live_at)
        and (made_before is null or (created_at, id) < (made_before, asked.id))
      union all
      select own_job.during from own_job join shop_bay on shop_bay.id = own_job.bay_id and shop_bay.kind = 'bay'
      where own_job.shop_id = asked.shop_id and own_job.kind <> 'block' and state = 'planned' and own_job.during && asked.during)
    select max((select count(*) from job where job.during @> moment)) into at_once
    from (select lower(asked.during) union select lower(during) from job where lower(during) <@ asked.during) as moments (moment);
    if at_once >= plan.technicians then
      return 'technicians';
    end if;
  end if;
  return null;
end $$;

-- What keeps a new or moved booking from its place besides: the free minutes around it on the bay, and the time left to walk-ins.
create function booking_crowds(asked booking, live_at timestamptz) returns boolean language plpgsql as $$
declare
  zone text := (select time_zone from shop where id = asked.shop_id);
  day date := (lower(asked.during) at time zone zone)::date;
  plan shop_capacity;
  whole tstzrange := tstzrange(day::timestamp at time zone zone, (day + 1)::timestamp at time zone zone);
  around tstzrange;
begin
  select * into plan from shop_capacity where shop_id = asked.shop_id and during @> day;
  if asked.kind = 'drop-off' then
    return false;
  end if;
  around := tstzrange(lower(asked.during) - plan.buffer_minutes * interval '1 minute', upper(asked.during) + plan.buffer_minutes * interval '1 minute');
  if plan.buffer_minutes > 0 and (
    exists (select from booking where bay_id = asked.bay_id and id <> asked.id and during && around and (state = 'confirmed' or state = 'held' and hold_expires_at > live_at))
    or exists (select from own_job where bay_id = asked.bay_id and state = 'planned' and during && around)) then
    return true;
  end if;
  return plan.walk_in_percent > 0 and (
    select coalesce(sum(extract(epoch from upper(during) - lower(during))), 0) + extract(epoch from upper(asked.during) - lower(asked.during))
    from booking where shop_id = asked.shop_id and id <> asked.id and kind <> 'drop-off' and during && whole and lower(during) <@ whole
      and (state = 'confirmed' or state = 'held' and hold_expires_at > live_at))
    > (
    select extract(epoch from closes - opens - coalesce(lunch_to - lunch_from, interval '0')) * (100 - plan.walk_in_percent) / 100
      * least(plan.technicians, (select count(*) from shop_bay where shop_id = asked.shop_id and kind = 'bay' and days @> day))
    from shop_hours where shop_id = asked.shop_id and weekday = extract(isodow from day) and during @> day);
end $$;

-- A booking on its way to a place shares the shop's row, which a change of capacity takes for itself: whoever comes second sees what the first one
-- committed. Where bays alone do not decide, those at one shop go one after another.
create function keep_booking_in_capacity() returns trigger language plpgsql as $$
declare
  live_at timestamptz := '-infinity';
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
  if booking_misfit(new, live_at, null) is null and not booking_crowds(new, live_at) then
    return new;
  end if;
  -- As "on conflict do nothing" has it: a hold is not written or not confirmed, and the transaction goes on.
  if tg_op = 'INSERT' or old.state = 'held' then
    return null;
  end if;
  raise exclusion_violation using constraint = 'booking_within_capacity', message = 'The shop does not take this booking at that time.';
end $$;
create trigger booking_within_capacity_new before insert on booking
  for each row when (new.state = 'held') execute function keep_booking_in_capacity();
create trigger booking_within_capacity before update of bay_id, during, state on booking
  for each row when (new.state in ('held', 'confirmed')) execute function keep_booking_in_capacity();
