-- Imports in the office: uploaded files, the preview of a run, who asked to publish it or to roll it back, and runs that were discarded.
alter table import_run
  -- Who started it: an email, or the name of whoever ran a command. Null for runs from before this was recorded.
  add column started_by text check (length(started_by) between 1 and 254),
  -- What a staff member asked the worker to do with it: publish or roll back, by whom and why. Null once it is done.
  add column asked jsonb check (octet_length(asked::text) <= 4000),
  -- Why the last request was not carried out.
  add column answer jsonb check (octet_length(answer::text) <= 20000),
  drop constraint import_run_state_check,
  add constraint import_run_state_check check (state in (
    'reading', 'read', 'waiting-for-yes', 'publishing', 'published', 'refused', 'checked', 'rolling-back', 'rolled-back', 'discarded')),
  add constraint import_run_asked_while_it_can check (asked is null or state in ('waiting-for-yes', 'publishing', 'published', 'rolling-back'));

create table import_upload (
  -- Made with the form, so that the same form sends one file.
  id uuid primary key,
  run_id integer unique references import_run on delete cascade,
  file_name text not null check (length(file_name) between 1 and 120),
  -- Null until the whole file has arrived.
  file_sha256 text check (file_sha256 ~ '^[0-9a-f]{64}$'),
  sent_by text not null check (length(sent_by) between 1 and 254),
  sent_at timestamptz not null,
  check (run_id is null or file_sha256 is not null)
);
create index import_upload_unused on import_upload (sent_at) where run_id is null;

create table import_upload_part (
  upload_id uuid not null references import_upload on delete cascade,
  no integer not null check (no >= 0),
  bytes bytea not null check (octet_length(bytes) between 1 and 262144),
  primary key (upload_id, no)
);

create table import_difference (
  run_id integer not null references import_run on delete cascade,
  kind text not null check (length(kind) between 1 and 30),
  place integer not null check (place > 0),
  what text not null,
  was text not null,
  becomes text not null,
  primary key (run_id, kind, place)
);

comment on table import_upload is 'Supplier files uploaded in the office; a file starts one run.';
comment on table import_upload_part is 'The bytes of uploaded files, in parts; deleted when their run is over.';
comment on table import_difference is 'What publishing a run would change, as its preview showed it: the first rows of each kind.';
comment on constraint import_run_asked_while_it_can on import_run is 'Only a run that can be published or rolled back has an open request.';
