-- Price lists of shops by day: a list counts on some days, and the lists of a shop follow each other without a gap.
create table shop_price_list (
  shop_id integer not null references shop on delete cascade,
  during daterange not null default '(,)' check (not isempty(during)),
  -- Taking the car in and lifting it, for any number of tires.
  take_in_minutes smallint not null default 10 check (take_in_minutes between 0 and 60),
  -- More per tire, for its pressure sensor.
  sensor_minutes smallint not null default 0 check (sensor_minutes between 0 and 15),
  -- More for six tires, with dual rear wheels.
  dual_minutes smallint not null default 0 check (dual_minutes between 0 and 120),
  made_by uuid references shop_member on delete set null,
  made_at timestamptz,
  constraint shop_price_list_once_a_day primary key (shop_id, during without overlaps)
);
comment on table shop_price_list is 'The price lists and job lengths of a shop, each on the days on which jobs are quoted by it.';
create index shop_price_list_by_member on shop_price_list (made_by) where made_by is not null;
insert into shop_price_list (shop_id) select id from shop;

alter table shop_rate add column during daterange not null default '(,)' check (not isempty(during));
alter table shop_rate drop constraint shop_rate_pkey;
alter table shop_rate add constraint shop_rate_once_a_day primary key (shop_id, job, rim_from_in, during without overlaps);
alter table shop_rate drop constraint shop_rate_shop_id_job_numrange_excl;
alter table shop_rate add constraint shop_rate_one_price exclude using gist (shop_id with =, job with =, numrange(rim_from_in, rim_to_in, '[]') with &&, during with &&);

create or replace function give_shop_capacity() returns trigger language plpgsql as $$
begin
  insert into shop_capacity (shop_id) select id from became;
  insert into shop_price_list (shop_id) select id from became;
  return null;
end $$;

create function require_prices_every_day() returns trigger language plpgsql as $$
declare
  changed integer := case tg_op when 'INSERT' then new.shop_id else old.shop_id end;
begin
  if exists (select from shop where id = changed) and (select range_agg(during) from shop_price_list where shop_id = changed) is distinct from '{(,)}'::datemultirange then
    raise check_violation using constraint = 'shop_price_list_every_day', message = 'A shop has a price list on every day.';
  end if;
  return null;
end $$;
create constraint trigger shop_price_list_every_day after insert or update or delete on shop_price_list
  deferrable initially deferred for each row execute function require_prices_every_day();

create trigger shop_price_list_locks_its_shop before insert or update or delete on shop_price_list for each row execute function lock_shop_of_rate();
create trigger calendar_version_on_insert after insert on shop_price_list referencing new table as became for each statement execute function calendar_part_changed();
create trigger calendar_version_on_update after update on shop_price_list referencing old table as was new table as became for each statement execute function calendar_part_changed();
create trigger calendar_version_on_delete after delete on shop_price_list referencing old table as was for each statement execute function calendar_part_changed();
