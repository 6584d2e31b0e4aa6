-- Imports of the store setup's sample tires, which staff remove again in one step. The release before never sets this.

alter table import_run add column is_sample boolean not null default false
  constraint import_run_sample_kind check (not is_sample or kind in ('products', 'stock'));
comment on column import_run.is_sample is 'Whether the file has the sample tires of the store setup.';
create index import_run_samples on import_run (kind, id desc) where is_sample;
