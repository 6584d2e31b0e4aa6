-- Requests to cancel an import while another transaction works on its run. The row can be inserted although the run is
-- locked; whoever works on the run reads it between two steps, and discards the run.
create table import_cancellation (
  run_id integer primary key references import_run (id) on delete cascade,
  requested_by jsonb not null check (octet_length(requested_by::text) <= 4000),
  reason text check (char_length(reason) between 1 and 2000),
  requested_at timestamptz not null
);
comment on table import_cancellation is 'Requests to cancel an import that is at work.';
