-- Concurrent edits of a minimum advertised price are rejected by its version.
alter table item add column map_version integer not null default 1 check (map_version > 0);
comment on column item.map_version is 'Rises each time the minimum advertised price is set, so that a form based on an older version is rejected.';
