-- Products that the worker sends to Google Merchant Center. The release before never reads this.

create table google_listing (
  item_id integer primary key,
  title text not null check (char_length(title) between 1 and 200),
  wanted_hash text check (char_length(wanted_hash) = 43),
  sent_hash text check (char_length(sent_hash) = 43),
  refused_hash text check (char_length(refused_hash) = 43),
  problem text check (char_length(problem) between 1 and 500),
  changed_at timestamptz not null,
  sent_at timestamptz,
  issues jsonb not null default '[]' check (jsonb_typeof(issues) = 'array'),
  constraint google_listing_sent_once check (sent_hash is null or sent_at is not null),
  constraint google_listing_refusal_explained check (refused_hash is null or problem is not null)
);
comment on table google_listing is 'Tires at Google Merchant Center, or on their way there.';
comment on column google_listing.item_id is 'Without a foreign key, because a deleted tire is also removed at Google.';
comment on column google_listing.title is 'From the product feed.';
comment on column google_listing.wanted_hash is 'SHA-256 of the row in the product feed. Null for a tire that isn’t for sale, until Google removed it.';
comment on column google_listing.sent_hash is 'SHA-256 of the last row that Google accepted. Null to send it in any case.';
comment on column google_listing.refused_hash is 'SHA-256 of the row that Google refused. The row isn’t sent again before it changes.';
comment on column google_listing.problem is 'Why Google refused the last row.';
comment on column google_listing.issues is 'Problems that Google reports, each with severity, text, detail, and help.';
create index google_listing_unsent on google_listing (changed_at) where wanted_hash is null or wanted_hash is distinct from sent_hash;
create index google_listing_troubled on google_listing (item_id) where problem is not null or issues <> '[]';

-- A single row, because one process sends at a time.
create table google_listing_run (
  id boolean primary key default true check (id),
  running_until timestamptz,
  snapshot text,
  basis text,
  compared_at timestamptz,
  all_compared_at timestamptz,
  calls_on date,
  calls integer not null default 0 check (calls >= 0),
  resume_at timestamptz,
  problem text check (char_length(problem) between 1 and 500),
  issues_read_at timestamptz,
  constraint google_listing_run_paused check ((resume_at is null) = (problem is null))
);
insert into google_listing_run default values;
comment on table google_listing_run is 'Progress of sending products to Google Merchant Center.';
comment on column google_listing_run.running_until is 'Another process may take over from then on.';
comment on column google_listing_run.snapshot is 'The database snapshot of the last comparison. Later stock changes are compared next.';
comment on column google_listing_run.basis is 'Everything outside a tire that its row depends on. Another value compares all tires.';
comment on column google_listing_run.calls is 'Calls to Google on the day calls_on, in UTC.';
comment on column google_listing_run.resume_at is 'Google is called again from then on.';
