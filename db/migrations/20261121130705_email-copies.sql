-- Emails as they were sent: what a customer read stays known when the order, the template or the store's name changes.
create table email_copy (
  message_id uuid primary key references message on delete cascade,
  subject text not null check (octet_length(subject) <= 2000),
  body_text text not null check (octet_length(body_text) <= 131072),
  body_html text not null check (octet_length(body_html) <= 393216),
  attachments text[] not null check (cardinality(attachments) <= 20 and octet_length(attachments::text) <= 4000),
  sent_at timestamptz not null
);
create index email_copy_by_age on email_copy (sent_at);

create function email_copy_is_final() returns trigger language plpgsql as $$
begin
  raise exception 'What was sent is not changed afterwards.' using errcode = 'check_violation', constraint = 'email_copy_final';
end $$;
create trigger email_copy_final before update on email_copy for each statement execute function email_copy_is_final();

comment on table email_copy is 'Each email as it was sent: subject, text, HTML and the names of attachments, with codes and the keys in links left out. Never changed; deleted after its period.';
comment on trigger email_copy_final on email_copy is 'What was sent is not changed afterwards.';
