-- On which days a warehouse ships, and when it is closed. Handling, ship days, and pickup skip the other days.
alter table warehouse
  add column ship_days smallint[] not null default '{1,2,3,4,5}'
    check (cardinality(ship_days) between 1 and 7 and ship_days <@ '{1,2,3,4,5,6,7}'::smallint[]),
  add column closed_days date[] not null default '{}' check (cardinality(closed_days) <= 60 and array_position(closed_days, null) is null);
comment on column warehouse.ship_days is 'Weekdays on which it handles and ships orders, 1 for Monday; never on federal holidays.';
comment on column warehouse.closed_days is 'Days on which it neither ships nor has pickup, in order.';
