-- What decides when a shop is free has a number, so that a process can keep what it worked out of a shop and ask in one breath whether that still
-- holds: docs/decisions/012-kept-calendars.md. Each statement that changes hours, closures, bays, rates, bookings or the shop itself raises the
-- number in its own transaction. A shop's number is `version` plus the rows of shop_calendar_late.
create table shop_calendar (
  shop_id integer primary key references shop on delete cascade,
  version bigint not null default 1
) with (fillfactor = 50);

-- Changes that found the number in the hands of another transaction, and did not wait for it: so no change waits for another here, and none
-- deadlocks. The next one that gets hold of the number adds them to it.
create table shop_calendar_late (
  shop_id integer not null references shop_calendar on delete cascade,
  id bigint generated always as identity,
  primary key (shop_id, id)
);

insert into shop_calendar (shop_id) select id from shop;

create function raise_calendar_versions(shop_ids integer[]) returns void language plpgsql as $$
declare
  mine integer[];
begin
  mine := array(select shop_id from shop_calendar where shop_id = any(shop_ids) for no key update skip locked);
  -- A statement of its own, because it must see what was committed before the lock was given.
  with added as (
    delete from shop_calendar_late where shop_id = any(mine) returning shop_id)
  update shop_calendar set version = version + 1 + (select count(*) from added where added.shop_id = shop_calendar.shop_id) where shop_id = any(mine);
  if cardinality(mine) < cardinality(shop_ids) then
    -- A shop that is being deleted has no number any more.
    insert into shop_calendar_late (shop_id) select shop_id from shop_calendar where shop_id = any(shop_ids) and shop_id <> all(mine);
  end if;
end $$;

create function calendar_part_changed() returns trigger language plpgsql as $$
declare
  shop_ids integer[];
begin
  case tg_op
    when 'INSERT' then shop_ids := array(select distinct shop_id from became);
    when 'DELETE' then shop_ids := array(select distinct shop_id from was);
    else shop_ids := array(select shop_id from was union select shop_id from became);
  end case;
  if cardinality(shop_ids) > 0 then
    perform raise_calendar_versions(shop_ids);
  end if;
  return null;
end $$;

create function shop_changed() returns trigger language plpgsql as $$
begin
  case tg_op
    when 'INSERT' then insert into shop_calendar (shop_id) select id from became;
    else perform raise_calendar_versions(array(select id from became));
  end case;
  return null;
end $$;

create trigger calendar_version_on_insert after insert on shop referencing new table as became for each statement execute function shop_changed();
create trigger calendar_version_on_update after update on shop referencing new table as became for each statement execute function shop_changed();

do $$
declare
  part text;
begin
  foreach part in array array['shop_bay', 'shop_hours', 'shop_closure', 'shop_rate', 'booking'] loop
    execute format('create trigger calendar_version_on_insert after insert on %I referencing new table as became for each statement execute function calendar_part_changed()', part);
    execute format('create trigger calendar_version_on_update after update on %I referencing old table as was new table as became for each statement execute function calendar_part_changed()', part);
    execute format('create trigger calendar_version_on_delete after delete on %I referencing old table as was for each statement execute function calendar_part_changed()', part);
  end loop;
end $$;
