-- Transit days of a warehouse by the first three digits of a ZIP code. They come before the days of its zones. The
-- release before uses the zones only.

create table warehouse_transit (
  warehouse_id smallint not null references warehouse on delete cascade,
  zip_prefix text not null check (zip_prefix ~ '^\d{3}$'),
  region text not null check (region in ('CONUS', 'AK', 'HI', 'TERRITORY')),
  days smallint not null check (days between 1 and 30),
  primary key (warehouse_id, zip_prefix)
);
comment on table warehouse_transit is 'Business days in transit by ZIP prefix, from a file that staff imported. Other ZIP codes have the days of their zone.';
comment on column warehouse_transit.region is 'The region of the prefix, for the ranges that pages name.';
