-- What comes with the product besides the schema: ZIP codes, vehicles and the kinds of tires.
create table reference_data (
  name text primary key check (length(name) between 1 and 60),
  version text not null check (version ~ '^[0-9a-f]{64}$'),
  rows integer not null check (rows > 0),
  installed_at timestamptz not null
);
comment on table reference_data is 'The sets of reference data that migrating installed, with the version of each.';
comment on column reference_data.version is 'A SHA-256 of the rows as they were installed.';
