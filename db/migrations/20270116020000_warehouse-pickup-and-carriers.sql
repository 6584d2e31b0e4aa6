-- Pickup hours and days, directions to the counter, and the first carrier by zone.
alter table warehouse
  add column pickup_ready_hours smallint not null default 24 check (pickup_ready_hours between 1 and 24),
  add column pickup_kept_days smallint not null default 7 check (pickup_kept_days between 3 and 30),
  add column pickup_note text not null default '' check (length(pickup_note) <= 300),
  add column zone_carriers text[] not null default '{}'
    check (cardinality(zone_carriers) in (0, 6) and array_remove(zone_carriers, null) <@ '{UPS,FedEx,USPS,OnTrac}'::text[]);
comment on column warehouse.pickup_ready_hours is 'Hours after its release until an order is ready for pickup, at most.';
comment on column warehouse.pickup_kept_days is 'Days that a ready order is kept.';
comment on column warehouse.pickup_note is 'Directions to the counter for customers; empty without.';
comment on column warehouse.zone_carriers is 'First choices by zone, in the order near, mid, far, AK, HI, TERRITORY; null where the order of the carriers counts, and empty if it does everywhere.';
comment on column warehouse.carriers is 'The only carriers that it ships with, first choice first; any carrier if empty.';
