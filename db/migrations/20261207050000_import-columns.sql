-- Files with other columns than a feed's.
alter table import_run add column columns jsonb;
alter table import_run add constraint import_run_columns_whole check (
  columns is null or (jsonb_typeof(columns -> 'header') = 'array' and jsonb_typeof(columns -> 'sources') = 'object'));
comment on column import_run.columns is 'For a file with other columns than the feed’s: its header, and where each column of the feed gets its value.';
comment on constraint import_run_columns_whole on import_run is 'A mapping has the file’s header and the source of each value.';
