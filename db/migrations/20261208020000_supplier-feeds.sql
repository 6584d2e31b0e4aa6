-- Supplier files that are fetched at set times over HTTPS or SFTP.
create table supplier_feed (
  id integer generated always as identity primary key,
  name text not null check (name ~ '^[^<>[:cntrl:]]{1,80}$'),
  kind text not null check (kind in ('products', 'prices', 'stock', 'fitment')),
  mode text not null check (mode in ('all-or-nothing', 'per-row')),
  url text not null check (length(url) <= 500 and url ~ '^(https|http|sftp)://[^\s]+$'),
  username text check (username ~ '^[^[:cntrl:]:]{1,100}$'),
  secret bytea check (octet_length(secret) <= 20000),
  host_key text check (host_key ~ '^SHA256:[A-Za-z0-9+/]{43}$'),
  days smallint[] not null check (cardinality(days) between 1 and 7 and days <@ array[1, 2, 3, 4, 5, 6, 7]::smallint[]),
  times smallint[] not null check (cardinality(times) between 1 and 24 and 0 <= all (times) and 1440 > all (times)),
  max_price_percent smallint not null check (max_price_percent between 1 and 100),
  scheduled_since timestamptz not null,
  paused_at timestamptz,
  etag text check (length(etag) between 1 and 300),
  last_modified text check (length(last_modified) between 1 and 100),
  file_sha256 text check (file_sha256 ~ '^[0-9a-f]{64}$'),
  version integer not null default 1 check (version >= 1),
  changed_at timestamptz not null,
  changed_by text not null check (length(changed_by) between 1 and 254),
  constraint supplier_feed_name_key unique (name),
  constraint supplier_feed_secret_has_user check (secret is null or username is not null),
  constraint supplier_feed_sftp_whole check (url !~ '^sftp:' or (secret is not null and host_key is not null))
);
comment on table supplier_feed is 'Supplier files that are fetched at set times.';
comment on column supplier_feed.secret is 'Sealed: the password, or the private key of an SFTP login.';
comment on column supplier_feed.host_key is 'The fingerprint of the SFTP server’s key, as OpenSSH writes it.';
comment on column supplier_feed.days is 'Days of the week, 1 for Monday.';
comment on column supplier_feed.times is 'Minutes after midnight in the store’s time zone.';
comment on column supplier_feed.max_price_percent is 'The share of a file’s prices that may change without a person.';
comment on column supplier_feed.scheduled_since is 'Earlier times of the schedule don’t count.';
comment on column supplier_feed.etag is 'The version of the last file that was read, as its server named it.';
comment on column supplier_feed.file_sha256 is 'The content of the last file that was read.';

create table supplier_feed_fetch (
  id integer generated always as identity primary key,
  feed_id integer not null references supplier_feed,
  due_at timestamptz not null,
  requested_by text check (length(requested_by) between 1 and 254),
  state text not null default 'due' check (state in ('due', 'failed', 'unchanged', 'imported')),
  attempts smallint not null default 0 check (attempts between 0 and 10),
  fault text check (length(fault) between 1 and 40),
  detail text check (length(detail) between 1 and 300),
  run_id integer unique references import_run,
  held text check (held in ('refused', 'warnings', 'prices', 'not-allowed')),
  finished_at timestamptz,
  constraint supplier_feed_fetch_once unique (feed_id, due_at),
  constraint supplier_feed_fetch_run check ((run_id is not null) = (state = 'imported')),
  constraint supplier_feed_fetch_fault check ((fault is not null) = (state = 'failed')),
  constraint supplier_feed_fetch_finished check ((finished_at is null) = (state = 'due')),
  constraint supplier_feed_fetch_held check (held is null or run_id is not null)
);
create unique index supplier_feed_fetch_one_due on supplier_feed_fetch (feed_id) where state = 'due';
create index supplier_feed_fetch_newest on supplier_feed_fetch (feed_id, id desc);
comment on table supplier_feed_fetch is 'Each time a supplier file was fetched, once for each scheduled time.';
comment on column supplier_feed_fetch.due_at is 'The scheduled time, or when a person requested the fetch.';
comment on column supplier_feed_fetch.held is 'Why the import was not published automatically.';

create table supplier_feed_subscriber (
  id uuid primary key,
  feed_id integer not null references supplier_feed,
  issuer text not null check (length(issuer) between 1 and 500),
  subject text not null check (length(subject) between 1 and 255),
  constraint supplier_feed_subscriber_once unique (feed_id, issuer, subject)
);
comment on table supplier_feed_subscriber is 'Members of the staff who get an email when a supplier file needs a person.';
