-- Who installs, when, for how much; and the bays that are promised.
create table shop (
  id integer generated always as identity primary key,
  code text not null unique,
  slug text not null,
  name text not null,
  kind text not null check (kind in ('shop', 'van')),
  street text not null,
  city text not null,
  state text not null,
  zip text not null,
  latitude double precision not null,
  longitude double precision not null,
  time_zone text not null,
  phone text not null,
  amenities text[] not null default '{}',
  rating_tenths smallint not null check (rating_tenths between 10 and 50),
  rating_count integer not null check (rating_count >= 0),
  on_time_percent smallint not null check (on_time_percent between 0 and 100),
  -- The agreement: rims 12 to 22 inch, aspect ratio 35 and above, unless the shop says less or more.
  rim_min_in numeric(4, 1) not null default 12,
  rim_max_in numeric(4, 1) not null default 22,
  aspect_min smallint not null default 35,
  takes_run_flat boolean not null default true,
  takes_light_truck boolean not null default true,
  -- From the carrier's delivery to the first job with these tires.
  receiving_minutes integer not null default 60 check (receiving_minutes >= 0),
  -- The grid on which waiting appointments start, counted from the opening time.
  slot_minutes smallint not null check (slot_minutes between 15 and 240),
  active boolean not null default true,
  check (rim_min_in <= rim_max_in)
);
create index shop_by_place on shop (latitude, longitude) where active;
create index shop_by_state on shop (state, city) where active;

-- A bay lifts one car at a time; a drop-off place keeps one car for a drop-off window.
create table shop_bay (
  id integer generated always as identity primary key,
  shop_id integer not null references shop on delete cascade,
  kind text not null check (kind in ('bay', 'drop-off')),
  number smallint not null,
  unique (shop_id, kind, number),
  unique (shop_id, id)
);

create table shop_hours (
  shop_id integer not null references shop on delete cascade,
  -- ISO: 1 is Monday, 7 is Sunday. A day without a row is closed.
  weekday smallint not null check (weekday between 1 and 7),
  opens time not null,
  closes time not null,
  primary key (shop_id, weekday),
  check (opens < closes)
);

create table shop_closure (
  shop_id integer not null references shop on delete cascade,
  closed_on date not null,
  reason text not null,
  primary key (shop_id, closed_on)
);

-- Prices and job lengths by rim diameter and kind of work.
create table shop_rate (
  shop_id integer not null references shop on delete cascade,
  job text not null check (job in ('standard', 'low-profile', 'run-flat', 'light-truck')),
  rim_from_in numeric(4, 1) not null,
  rim_to_in numeric(4, 1) not null,
  install_cents integer not null check (install_cents >= 0),
  service_kit_cents integer not null check (service_kit_cents >= 0),
  disposal_cents integer not null check (disposal_cents >= 0),
  minutes_per_tire smallint not null check (minutes_per_tire between 5 and 60),
  primary key (shop_id, job, rim_from_in),
  check (rim_from_in <= rim_to_in),
  exclude using gist (shop_id with =, job with =, numrange(rim_from_in, rim_to_in, '[]') with &&)
);

create table van_area (
  zip text not null references zip,
  shop_id integer not null references shop on delete cascade,
  primary key (zip, shop_id)
);

create table booking (
  id uuid primary key,
  shop_id integer not null references shop,
  bay_id integer not null,
  kind text not null check (kind in ('wait', 'drop-off', 'mobile')),
  during tstzrange not null check (not isempty(during) and lower_inc(during) and not upper_inc(during)),
  drop_off_window text check (drop_off_window in ('AM', 'PM', 'EVE')),
  -- Derived from date and window: YYYYMMDD-AM, -PM, -EVE.
  drop_off_code text,
  state text not null check (state in ('held', 'confirmed', 'done', 'no-show', 'cancelled', 'expired')),
  hold_expires_at timestamptz,
  hold_extensions smallint not null default 0 check (hold_extensions >= 0),
  cart_id uuid,
  order_id bigint,
  created_at timestamptz not null,
  foreign key (shop_id, bay_id) references shop_bay (shop_id, id),
  check ((kind = 'drop-off') = (drop_off_window is not null)),
  check ((kind = 'drop-off') = (drop_off_code is not null)),
  check ((state = 'held') = (hold_expires_at is not null)),
  check (state <> 'held' or cart_id is not null),
  check (state not in ('confirmed', 'done', 'no-show') or order_id is not null),
  -- The last word on double booking: nothing live may overlap on a bay, whatever the application thinks.
  constraint booking_bay_taken_once exclude using gist (bay_id with =, during with &&) where (state in ('held', 'confirmed'))
);
create index booking_by_shop on booking using gist (shop_id, during) where (state in ('held', 'confirmed'));
create unique index booking_one_hold_per_cart on booking (cart_id) where state = 'held';
create unique index booking_one_per_order on booking (order_id) where state = 'confirmed';
create index booking_expiring on booking (hold_expires_at) where state = 'held';

create table booking_event (
  id bigint generated always as identity primary key,
  booking_id uuid not null references booking on delete cascade,
  at timestamptz not null,
  from_state text,
  to_state text not null,
  actor text not null,
  note text
);
create index booking_event_by_booking on booking_event (booking_id);

-- Counters where a carrier keeps a parcel for its receiver.
create table carrier_location (
  id integer generated always as identity primary key,
  carrier text not null,
  name text not null,
  street text not null,
  city text not null,
  state text not null,
  zip text not null,
  latitude double precision not null,
  longitude double precision not null,
  hours text not null
);
create index carrier_location_by_place on carrier_location (latitude, longitude);
