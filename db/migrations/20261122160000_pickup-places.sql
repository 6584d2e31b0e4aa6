-- Places where a carrier keeps a parcel for its receiver, as the carrier answered when it was asked last, and those answers by ZIP, so that a page
-- costs no call each time. A place stays, as orders refer to it. Why they are kept: docs/decisions/056-pickup-places.md.
alter table carrier_location
  add column place_ref text,
  add column week jsonb not null default '[]' check (jsonb_typeof(week) = 'array'),
  add column holds_days smallint not null default 7 check (holds_days between 1 and 60),
  add column read_at timestamptz not null default '2026-01-01T00:00:00Z';
update carrier_location set place_ref = 'counter-' || id;
alter table carrier_location
  alter column place_ref set not null,
  alter column read_at drop default,
  alter column week drop default,
  alter column holds_days drop default,
  drop column hours,
  add constraint carrier_location_known_once unique (carrier, place_ref);
comment on table carrier_location is 'Places where a carrier keeps a parcel for its receiver, as last read from the carrier.';
comment on column carrier_location.place_ref is 'The carrier''s own id of the place.';
comment on column carrier_location.week is 'When it is open: an array of {weekday: 1 to 7 from Monday, opens, closes}, local time.';
comment on column carrier_location.holds_days is 'How many days it keeps a parcel.';
comment on constraint carrier_location_known_once on carrier_location is 'A carrier''s place is one row, however often it is found.';

create table pickup_search (
  zip text primary key references zip,
  answered_at timestamptz not null
);
comment on table pickup_search is 'When the carrier last said which of its places are near a ZIP.';

create table pickup_search_place (
  zip text not null references pickup_search on delete cascade,
  carrier_location_id integer not null references carrier_location,
  miles numeric(5, 1) not null check (miles >= 0),
  primary key (zip, carrier_location_id)
);
comment on table pickup_search_place is 'The places of that answer, with how far each is.';

-- A parcel that waits for its receiver at a place is still on its way.
alter table shipment add column held_since timestamptz;
comment on column shipment.held_since is 'Since when it waits at a pickup location for its receiver; null before, and where nothing is kept.';
