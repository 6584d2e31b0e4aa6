-- The feeds as they are sent: written at night as a whole, and kept by version.
create table feed_version (
  id bigint generated always as identity primary key,
  name text not null check (name ~ '^(products|regions|fitment|local-SW-[0-9]{5,9})$'),
  -- The last sign of life of who writes it.
  touched_at timestamptz not null,
  written_at timestamptz check (written_at >= touched_at),
  -- Of the text, so that the same text has the same one.
  etag text check (etag ~ '^[A-Za-z0-9_-]{22}$'),
  bytes bigint check (bytes > 0),
  constraint feed_version_whole check ((written_at is null) = (etag is null) and (written_at is null) = (bytes is null))
);
-- One writer at a time.
create unique index feed_version_writing on feed_version (name) where written_at is null;
create index feed_version_written on feed_version (name, id desc) where written_at is not null;
comment on table feed_version is 'A feed as it was written once. Sent only when it is whole; the one before it stays for who is reading it.';

create table feed_piece (
  version_id bigint not null references feed_version on delete cascade,
  no integer not null check (no >= 0),
  gzip bytea not null check (length(gzip) between 1 and 1000000),
  primary key (version_id, no)
);
comment on table feed_piece is 'The compressed text of a feed, in pieces.';

create table feed_ask (
  name text primary key check (name ~ '^(products|regions|fitment|local-SW-[0-9]{5,9})$'),
  last_asked_on date not null
);
comment on table feed_ask is 'On which day a feed was asked for last: nobody writes the file of a tire shop that nobody reads.';
