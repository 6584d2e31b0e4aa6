-- A warehouse can have another cutoff on some weekdays, such as earlier on Fridays.
alter table warehouse
  add column day_cutoffs time[] not null default '{}' check (cardinality(day_cutoffs) in (0, 7));
comment on column warehouse.day_cutoffs is 'Cutoffs by weekday from Monday, where null has the general one; empty if all have it.';
