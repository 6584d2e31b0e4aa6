-- Copies of emails are most of what an order leaves, and go after two years: divided by month, a month goes with its
-- file, with no row to delete and nothing to vacuum (docs/decisions/092-growth.md). Mails have keys that begin with the
-- time at which they were promised (UUIDv7), so what divides the copies is their key: still one copy a mail, and a copy
-- is found in its month alone. The release before writes keys without a time; they land beside the months.
alter table email_copy rename to email_copy_other;
alter table email_copy_other rename constraint email_copy_pkey to email_copy_other_pkey;
alter table email_copy_other rename constraint email_copy_message_id_fkey to email_copy_other_message_id_fkey;
alter index email_copy_by_age rename to email_copy_other_by_age;
drop trigger email_copy_final on email_copy_other;

create table email_copy (
  message_id uuid primary key references message on delete cascade,
  subject text not null constraint email_copy_subject_check check (octet_length(subject) <= 2000),
  body_text text not null constraint email_copy_body_text_check check (octet_length(body_text) <= 131072),
  body_html text not null constraint email_copy_body_html_check check (octet_length(body_html) <= 393216),
  attachments text[] not null constraint email_copy_attachments_check check (cardinality(attachments) <= 20 and octet_length(attachments::text) <= 4000),
  sent_at timestamptz not null
) partition by range (message_id);
create index email_copy_by_age on email_copy (sent_at);
create trigger email_copy_final before update on email_copy for each statement execute function email_copy_is_final();
alter table email_copy attach partition email_copy_other default;

comment on table email_copy is 'Each email as it was sent: subject, text, HTML and the names of attachments, with codes and the keys in links left out, by month. Never changed; deleted after its period.';
comment on trigger email_copy_final on email_copy is 'What was sent is not changed afterwards.';
comment on table email_copy_other is 'Copies of emails of months that have no table of their own.';

-- The first key of a moment, for keys that begin with their time.
create function key_at(at timestamptz) returns uuid language sql immutable strict as $$
  select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid
$$;

-- The application may change no table, so what it may do with months is here. A table that is busy is left for another time.
create function prepare_email_copy_months(ahead int) returns void
language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '3s' as $$
declare
  month timestamptz;
  first uuid;
  beyond uuid;
  name text;
begin
  for month in
    select start at time zone 'UTC'
    from generate_series(date_trunc('month', now() at time zone 'UTC'), date_trunc('month', now() at time zone 'UTC') + make_interval(months => ahead), interval '1 month') as start
  loop
    name := 'email_copy_' || to_char(month at time zone 'UTC', 'YYYYMM');
    continue when to_regclass(name) is not null;
    first := key_at(month);
    beyond := key_at((month at time zone 'UTC' + interval '1 month') at time zone 'UTC');
    execute format('create table %I (like email_copy including all)', name);
    execute format('comment on table %I is %L', name, 'Copies of emails of a month.');
    execute format(
      'with moved as (delete from email_copy_other where message_id >= $1 and message_id < $2 returning *) insert into %I select * from moved', name)
      using first, beyond;
    execute format('alter table email_copy attach partition %I for values from (%L) to (%L)', name, first, beyond);
  end loop;
end $$;

-- Drops the months that began before then, and says how many copies went with them.
create function drop_email_copy_months(before timestamptz) returns bigint
language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '3s' as $$
declare
  name text;
  copies bigint;
  dropped bigint := 0;
begin
  for name in
    select relname from pg_inherits join pg_class on pg_class.oid = inhrelid
    where inhparent = 'email_copy'::regclass and relname ~ '^email_copy_\d{6}$'
      and to_date(right(relname, 6), 'YYYYMM')::timestamp at time zone 'UTC' < before
    order by relname
  loop
    execute format('select count(*) from %I', name) into copies;
    execute format('drop table %I', name);
    dropped := dropped + copies;
  end loop;
  return dropped;
end $$;

revoke execute on function prepare_email_copy_months, drop_email_copy_months from public;

select prepare_email_copy_months(2);
