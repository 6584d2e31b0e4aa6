-- How many people visit the store in a day, for the share of them that orders.
create table store_visits (
  day date primary key,
  sketch bytea not null check (length(sketch) = 2048),
  visits integer not null check (visits >= 0)
);
comment on table store_visits is 'Visitors per day in the store’s time zone, without cookies or robots, counted with an error of about 2 %.';
comment on column store_visits.sketch is 'The registers of a HyperLogLog, from which nobody can be recognized; processes merge theirs into it.';
