-- What providers send is a quarter of what an order leaves, and goes after 90 days: its text is divided by month, so that
-- a month goes with its file (docs/decisions/092-growth.md). The key that refuses a message sent twice stays whole in
-- provider_event, small and without the text. The release before still writes the text there.
set local lock_timeout = '5s';
alter table provider_event alter column body drop not null;
comment on column provider_event.body is 'Only of messages that the release before this table''s division kept.';

create table provider_event_body (
  provider text not null,
  id text not null,
  received_at timestamptz not null,
  body jsonb not null,
  primary key (provider, id, received_at),
  foreign key (provider, id) references provider_event on delete cascade
) partition by range (received_at);
create table provider_event_body_other partition of provider_event_body default;
comment on table provider_event_body is 'The text of messages of providers and carriers, by month. Read by people who look into a charge or a parcel; deleted after its period.';
comment on table provider_event_body_other is 'Texts of months that have no table of their own.';

-- The tables that are divided by month, the column that says of which month a row is, and the table that rows refer to.
create function tables_by_month() returns table (name text, key text, refers_to text) language sql immutable as $$
  values ('email_copy', 'message_id', 'message'), ('provider_event_body', 'received_at', 'provider_event')
$$;

-- The first value of a key that belongs to a month.
create function month_key(key text, month timestamptz) returns text language sql stable strict as $$
  select case key when 'message_id' then quote_literal(key_at(month)) else quote_literal(month) end
$$;

-- The application may change no table, so what it may do with months is here. The table that a row refers to is locked
-- before the row's own, as those do who write both, and one divided table in a transaction: with locks in another order
-- one would wait for the other. A table that is busy is left for another time.
create function prepare_months(of_table text, ahead int) returns void
language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '3s' as $$
declare
  divided record;
  month timestamptz;
  first text;
  beyond text;
  part text;
begin
  select * into strict divided from tables_by_month() as tables where tables.name = of_table;
  for month in
    select start at time zone 'UTC'
    from generate_series(date_trunc('month', now() at time zone 'UTC'), date_trunc('month', now() at time zone 'UTC') + make_interval(months => ahead), interval '1 month') as start
  loop
    part := of_table || to_char(month at time zone 'UTC', '_YYYYMM');
    continue when to_regclass(part) is not null;
    execute format('lock table %I in share row exclusive mode', divided.refers_to);
    first := month_key(divided.key, month);
    beyond := month_key(divided.key, (month at time zone 'UTC' + interval '1 month') at time zone 'UTC');
    execute format('create table %I (like %I including all)', part, of_table);
    execute format('comment on table %I is %L', part, 'A month of ' || of_table || '.');
    execute format(
      'with moved as (delete from %1$I where %2$I >= %3$s and %2$I < %4$s returning *) insert into %5$I select * from moved',
      of_table || '_other', divided.key, first, beyond, part);
    execute format('alter table %I attach partition %I for values from (%s) to (%s)', of_table, part, first, beyond);
  end loop;
end $$;

-- Drops the months of a table that began before then, and says how many rows went with them.
create function drop_months(of_table text, before timestamptz) returns bigint
language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '3s' as $$
declare
  part text;
  rows bigint;
  dropped bigint := 0;
begin
  for part in
    select relname from tables_by_month() as tables
      join pg_inherits on inhparent = to_regclass(tables.name) join pg_class on pg_class.oid = inhrelid
    where tables.name = of_table and relname ~ '_\d{6}$'
      and to_date(right(relname, 6), 'YYYYMM')::timestamp at time zone 'UTC' < before
    order by relname
  loop
    execute format('lock table %I in access exclusive mode', (select refers_to from tables_by_month() where name = of_table));
    execute format('select count(*) from %I', part) into rows;
    execute format('drop table %I', part);
    dropped := dropped + rows;
  end loop;
  return dropped;
end $$;

-- As the release before calls them.
create or replace function prepare_email_copy_months(ahead int) returns void
language sql security definer set search_path = public, pg_temp as $$ select prepare_months('email_copy', ahead) $$;
create or replace function drop_email_copy_months(before timestamptz) returns bigint
language sql security definer set search_path = public, pg_temp as $$ select drop_months('email_copy', before) $$;

revoke execute on function prepare_months, drop_months from public;

select prepare_months('provider_event_body', 2);
