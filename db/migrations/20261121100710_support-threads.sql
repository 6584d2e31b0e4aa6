-- Messages and leads as threads: answers that go out and come back, who looks after one, and reusable answers.

alter table support_request
  -- A staff member's email; null until someone takes it.
  add column assigned_to text check (assigned_to = lower(assigned_to) and length(assigned_to) between 3 and 254),
  -- Since when the sender has been waiting for an answer; null while they have one.
  add column waiting_since timestamptz;
update support_request set waiting_since = created_at where state = 'open';
alter table support_request
  add constraint support_request_closed_waits_not check (state = 'open' or waiting_since is null);
comment on constraint support_request_closed_waits_not on support_request is 'Nobody waits for an answer to a closed request.';
create index support_request_waiting on support_request (waiting_since, id) where waiting_since is not null;
create index support_request_open on support_request (id desc) where state = 'open';
create index support_request_closed on support_request (id desc) where state = 'closed';
create index support_request_assigned on support_request (assigned_to, id desc) where state = 'open';

create table support_reply (
  id bigint generated always as identity primary key,
  request_id bigint not null references support_request on delete cascade,
  -- `out`: emailed to the sender. `in`: came back from them. `note`: seen by staff only.
  kind text not null check (kind in ('out', 'in', 'note')),
  -- The staff member's email, or the address the email came from.
  author text not null check (length(author) between 1 and 254),
  body text not null check (length(body) between 1 and 10000),
  -- Of the form that was submitted, or the email that came in: submitted or delivered twice, it is kept once.
  once_key text not null unique check (length(once_key) between 1 and 300),
  at timestamptz not null
);
comment on table support_reply is 'What was said in the thread of a message or lead after it came in.';
create index support_reply_by_request on support_reply (request_id, id);

create table support_reply_file (
  reply_id bigint not null references support_reply on delete cascade,
  place smallint not null check (place between 1 and 5),
  name text not null check (length(name) between 1 and 120),
  content_type text not null check (content_type in ('image/webp', 'application/pdf')),
  bytes bytea not null check (octet_length(bytes) between 1 and 1048576),
  primary key (reply_id, place)
);
comment on table support_reply_file is 'Files that came with an emailed answer; pictures are encoded again.';

create table support_template (
  id bigint generated always as identity primary key,
  name text not null check (length(name) between 1 and 60),
  body text not null check (length(body) between 1 and 3000),
  changed_by text not null check (length(changed_by) between 1 and 254),
  changed_at timestamptz not null,
  retired_at timestamptz
);
comment on table support_template is 'Reusable answers for messages and leads, edited by managers.';
create unique index support_template_name_once on support_template (lower(name)) where retired_at is null;
