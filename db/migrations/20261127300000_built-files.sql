-- Scripts and styles of all releases that run or ran lately, so that any web process can give a page those it was written
-- with: two releases serve at once during an upgrade, and a page stays open for days.
create table built_file (
  name text primary key check (name ~ '^[A-Za-z0-9._-]{1,120}$'),
  -- Text is kept as brotli, which is how nearly everyone takes it.
  is_brotli boolean not null,
  bytes bytea not null check (octet_length(bytes) between 1 and 4194304),
  -- Since when the newest release has no such file; null while it has.
  superseded_at timestamptz
);
comment on table built_file is 'Scripts, styles and fonts of this release and those before, for pages that were written by another.';
create index built_file_by_age on built_file (superseded_at) where superseded_at is not null;
