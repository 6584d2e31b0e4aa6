-- What shoppers say of a shop after the work, once for each appointment.
create table shop_rating (
  booking_id uuid primary key references booking on delete cascade,
  shop_id integer not null references shop on delete cascade,
  stars smallint not null check (stars between 1 and 5),
  was_on_time boolean not null,
  -- To have the work done again, or the wheels balanced again.
  came_back boolean not null,
  rated_at timestamptz not null
);
comment on table shop_rating is 'What a shopper said of a shop after the work: stars, whether it was on time, and whether they had to come back.';
create index shop_rating_by_shop on shop_rating (shop_id);

-- What the shown numbers are rounded from, so that they do not drift; null until the first rating in this store.
alter table shop add column star_tenths_sum integer check (star_tenths_sum >= 0);
alter table shop add column on_time_count integer check (on_time_count >= 0);
