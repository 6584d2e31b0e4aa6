-- Prices of services that don't need new tires, by day, as a part of a shop's price list.
create table shop_service_price (
  shop_id integer not null references shop on delete cascade,
  -- A kind of domain/scheduling/installers/service-kinds.ts; a new kind needs no migration.
  service text not null check (service ~ '^[a-z]+(-[a-z]+)*$' and length(service) <= 40),
  -- Per vehicle or per tire, as its kind says.
  price_cents integer not null check (price_cents between 1 and 100000),
  minutes smallint not null check (minutes between 5 and 240),
  during daterange not null default '(,)' check (not isempty(during)),
  constraint shop_service_price_once_a_day primary key (shop_id, service, during without overlaps)
);
comment on table shop_service_price is 'The services that a shop offers without new tires, with their prices and durations, each on the days of its price list.';
create trigger shop_service_price_locks_its_shop before insert or update or delete on shop_service_price for each row execute function lock_shop_of_rate();
create trigger calendar_version_on_insert after insert on shop_service_price referencing new table as became for each statement execute function calendar_part_changed();
create trigger calendar_version_on_update after update on shop_service_price referencing old table as was new table as became for each statement execute function calendar_part_changed();
create trigger calendar_version_on_delete after delete on shop_service_price referencing old table as was for each statement execute function calendar_part_changed();
