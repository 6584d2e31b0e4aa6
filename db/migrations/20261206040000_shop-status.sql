-- Shops and vans are edited, paused, suspended, closed and reopened.
alter table shop
  add column version integer not null default 1 check (version >= 1),
  add column status text not null default 'open' check (status in ('open', 'suspended', 'closed')),
  add column status_reason text check (length(status_reason) between 1 and 500),
  add column paused daterange check (isempty(paused) is not true and lower_inf(paused) is not true and upper_inf(paused) is not true),
  add column pause_reason text check (length(pause_reason) between 1 and 500),
  add column email text check (length(email) between 3 and 254),
  add column website text check (length(website) <= 200),
  add column about text check (length(about) between 1 and 1000),
  add column services text[] not null default '{}' check (cardinality(services) <= 20);
update shop set status = 'closed', status_reason = 'Closed' where not active and not in_set_up;
alter table shop
  add constraint shop_offered_while_open check (not active or status = 'open'),
  add constraint shop_status_says_why check ((status = 'open') = (status_reason is null)),
  add constraint shop_pause_says_why check ((paused is null) = (pause_reason is null)),
  add constraint shop_paused_while_open check (paused is null or status = 'open');
comment on column shop.version is 'Rises with each change of the profile or status, so that a form can tell that it is out of date.';
comment on column shop.status is 'Suspended and closed shops take no bookings and are offered nowhere.';
comment on column shop.paused is 'Days on which the shop takes no new bookings; appointments that were kept stay.';
comment on column shop.services is 'Tire services and other services, as in an application.';

create function booking_stopped(asked booking) returns text language sql stable as $$
  select case
    when status <> 'open' then status
    when paused @> (lower(asked.during) at time zone time_zone)::date then 'paused'
  end
  from shop where id = asked.shop_id
$$;
comment on function booking_stopped is 'Why the shop takes no booking on that day, whatever its hours and bays; null if it does.';

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
  if stopped is null and booking_misfit(new, live_at, null) is null and not booking_crowds(new, live_at) then
    return new;
  end if;
  -- As "on conflict do nothing" has it: a hold is not written or not confirmed, and the transaction goes on.
  if tg_op = 'INSERT' or old.state = 'held' then
    return null;
  end if;
  raise exclusion_violation using constraint = 'booking_within_capacity', message = 'The shop does not take this booking at that time.';
end $$;

-- What the owner of a shop wants its public page to say, until staff have looked at its new name and address.
create table shop_profile_request (
  shop_id integer primary key references shop (id) on delete cascade,
  name text not null check (length(name) between 1 and 80),
  street text not null check (length(street) between 1 and 100),
  city text not null check (length(city) between 1 and 60),
  zip text not null check (zip ~ '^\d{5}$'),
  requested_at timestamptz not null,
  requested_by uuid references shop_member (id) on delete set null
);
create index shop_profile_request_by_time on shop_profile_request (requested_at, shop_id);
create index shop_profile_request_by_member on shop_profile_request (requested_by) where requested_by is not null;
comment on table shop_profile_request is 'Names and addresses that owners of shops asked for, until staff approve or decline them.';

alter table shop_event drop constraint shop_event_act_check;
alter table shop_event add constraint shop_event_act_check check (act in (
  'capacity', 'capacity-withdrawn', 'closed-day', 'opened-day', 'prices', 'prices-withdrawn', 'invited', 'role', 'ended', 'area',
  'profile', 'profile-requested', 'profile-approved', 'profile-declined'));

alter table shop_member drop constraint shop_member_role_check;
alter table shop_member add constraint shop_member_role_check check (role in ('owner', 'technician', 'staff'));
drop index shop_member_once;
create unique index shop_member_once on shop_member (shop_id, email, (role = 'staff')) where ended_at is null;
comment on table shop_member is 'Who signs in to the portal of a shop, and as what; staff of the store are there for what they change in its name.';

-- What the office lists of each shop.
create index shop_by_status on shop (status, id) where status <> 'open';
