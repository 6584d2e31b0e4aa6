-- Concurrent edits of a redirect are rejected by its version.
alter table address_redirect add column version integer not null default 1 check (version > 0);
comment on column address_redirect.version is 'Rises with each change, so that a form based on an older version is rejected.';
