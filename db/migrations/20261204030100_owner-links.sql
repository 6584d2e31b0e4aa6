-- The way in for the first owner of a new store.
create table owner_link (
  secret_hash bytea primary key check (length(secret_hash) = 32),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  constraint owner_link_expires_later check (expires_at > created_at),
  constraint owner_link_used_in_time check (used_at < expires_at)
);
comment on table owner_link is 'Links that a store without staff prints when it starts, each for one first owner.';
comment on column owner_link.secret_hash is 'A SHA-256 of the secret in the link, which is stored nowhere.';
