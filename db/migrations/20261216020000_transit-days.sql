-- Business days in transit from a warehouse, by distance in the contiguous states and by region elsewhere.
alter table warehouse
  add column transit_near_days smallint not null default 2 check (transit_near_days between 1 and 30),
  add column transit_mid_days smallint not null default 3 check (transit_mid_days between 1 and 30),
  add column transit_far_days smallint not null default 4 check (transit_far_days between 1 and 30),
  add column transit_alaska_days smallint not null default 7 check (transit_alaska_days between 1 and 30),
  add column transit_hawaii_days smallint not null default 7 check (transit_hawaii_days between 1 and 30),
  add column transit_territory_days smallint not null default 10 check (transit_territory_days between 1 and 30);
comment on column warehouse.transit_near_days is 'Business days in transit within 500 miles, in the contiguous states.';
comment on column warehouse.transit_mid_days is 'Business days in transit from 500 to 1,200 miles, in the contiguous states.';
comment on column warehouse.transit_far_days is 'Business days in transit beyond 1,200 miles, in the contiguous states.';
comment on column warehouse.transit_alaska_days is 'Business days in transit to Alaska.';
comment on column warehouse.transit_hawaii_days is 'Business days in transit to Hawaii.';
comment on column warehouse.transit_territory_days is 'Business days in transit to the territories.';
