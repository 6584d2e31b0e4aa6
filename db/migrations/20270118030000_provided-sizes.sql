-- Original sizes that a provider lists for a vehicle. They are deleted after a day and never become a size list.
create table size_provider (
  name text primary key check (name = 'wheel-size'),
  calls_on date not null,
  calls integer not null check (calls >= 0),
  resume_at timestamptz,
  answered_at timestamptz,
  failed_at timestamptz,
  problem text check (problem in ('refused-key', 'over-quota', 'unavailable')),
  constraint size_provider_failure_explained check ((failed_at is null) = (problem is null))
);
comment on table size_provider is 'Use of a provider for original sizes.';
comment on column size_provider.calls is 'Calls on the day calls_on, in UTC.';
comment on column size_provider.resume_at is 'After a failure, the provider is called again from then on.';

create table provided_sizes (
  year smallint not null,
  make_slug text not null,
  model_slug text not null,
  provider text not null references size_provider,
  received_at timestamptz not null,
  expires_at timestamptz not null,
  options jsonb not null check (jsonb_typeof(options) = 'array'),
  primary key (year, make_slug, model_slug),
  constraint provided_sizes_expire check (expires_at > received_at)
);
comment on table provided_sizes is 'Original sizes of one year of a model as a provider lists them; empty if it lists none.';
comment on column provided_sizes.options is 'Each choice of sizes, with the slugs of its trims and the tire of each axle.';
create index provided_sizes_by_expiry on provided_sizes (expires_at);
