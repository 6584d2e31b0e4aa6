-- Places the store delivers to, and the vehicles whose original sizes it knows.
create extension if not exists btree_gist;
create extension if not exists pg_trgm;

create table zip (
  zip text primary key check (zip ~ '^[0-9]{5}$'),
  city text not null,
  state text not null check (state ~ '^[A-Z]{2}$'),
  county text,
  -- Military post offices have no place on the map.
  latitude double precision,
  longitude double precision,
  zip_type text not null check (zip_type in ('STANDARD', 'PO_BOX', 'UNIQUE', 'MILITARY', 'UNKNOWN')),
  region text not null check (region in ('CONUS', 'AK', 'HI', 'TERRITORY', 'MILITARY')),
  time_zone text,
  check ((latitude is null) = (longitude is null))
);

-- One year, make, model and trim.
create table vehicle (
  id integer generated always as identity primary key,
  year smallint not null check (year between 1950 and 2100),
  make text not null,
  model text not null,
  trim text not null,
  make_slug text not null,
  model_slug text not null,
  trim_slug text not null,
  vclass text not null check (vclass in ('car', 'suv', 'truck', 'van', 'trailer', 'commercial')),
  drive text not null default 'na' check (drive in ('fwd', 'rwd', 'awd', '4wd', 'na')),
  unique (year, make_slug, model_slug, trim_slug)
);
create index vehicle_by_model on vehicle (make_slug, model_slug, year);

-- What the vehicle asks of its tires, per axle, as listed: never a placard.
create table oe_fitment (
  id integer generated always as identity primary key,
  vehicle_id integer not null references vehicle on delete cascade,
  front_size text not null,
  front_load_index smallint check (front_load_index between 0 and 160),
  front_speed text,
  rear_size text not null,
  rear_load_index smallint check (rear_load_index between 0 and 160),
  rear_speed text,
  -- 'catalog' passed the cross-checks of the data; 'weak' did not, and can never lead to a plain "fits".
  source text not null check (source in ('catalog', 'weak')),
  unique (vehicle_id, front_size, rear_size)
);
create index oe_fitment_by_front_size on oe_fitment (front_size);

-- Vehicles known to exist whose sizes are not listed: the finder asks for the size on the door label instead.
create table known_model (
  make text not null,
  model text not null,
  make_slug text not null,
  model_slug text not null,
  first_year smallint not null,
  last_year smallint not null,
  vclass text not null,
  primary key (make_slug, model_slug, first_year),
  check (first_year <= last_year)
);
