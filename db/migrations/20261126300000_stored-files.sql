-- Files that people send: what each is and where its bytes are. Rows that they come with name them by key.
create table stored_file (
  key uuid primary key,
  content_type text not null check (content_type in ('image/webp', 'image/jpeg', 'application/pdf')),
  size int not null check (size between 1 and 1048576),
  sha256 bytea not null check (octet_length(sha256) = 32),
  place text not null check (place in ('rows', 'folder', 's3')),
  going_to text check (going_to in ('folder', 's3')),
  added_at timestamptz not null
);
comment on table stored_file is 'A file that somebody sent: its kind, size and hash, and the place where its bytes are.';
create index stored_file_by_place on stored_file (place, key);

create table stored_file_bytes (
  key uuid primary key references stored_file on delete cascade,
  bytes bytea not null check (octet_length(bytes) between 1 and 1048576)
);
comment on table stored_file_bytes is 'The bytes of files that are not in their folder or bucket yet. A job takes them there.';

create table file_removal (
  key uuid not null,
  place text not null check (place in ('folder', 's3')),
  due_at timestamptz not null,
  primary key (key, place)
);
comment on table file_removal is 'Bytes in a folder or bucket that nothing names any more, until a job has deleted them.';
create index file_removal_due on file_removal (due_at);

-- Ten minutes, so that a write that is under way has landed before what it wrote is deleted.
create function remove_file_bytes() returns trigger language plpgsql as $$
begin
  insert into file_removal (key, place, due_at)
  select old.key, place, now() + interval '10 minutes'
  from unnest(array[old.place, old.going_to]) as place
  where place in ('folder', 's3')
  group by place
  on conflict do nothing;
  return null;
end $$;
create trigger remove_file_bytes after delete on stored_file for each row execute function remove_file_bytes();

-- A file goes with the row that names it, however that row goes: no deletion has to think of it.
create function remove_named_file() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    delete from stored_file where key = old.file_key;
  elsif new.file_key is distinct from old.file_key then
    delete from stored_file where key = old.file_key;
  end if;
  return null;
end $$;

do $$
declare
  held record;
begin
  for held in
    select * from (values
      ('company_exemption', 'content_type', 'bytes', 'sent_at'),
      ('coverage_claim_file', 'content_type', 'bytes', null),
      ('dispute_file', 'content_type', 'bytes', 'added_at'),
      ('price_guarantee_file', 'content_type', 'bytes', null),
      ('return_photo', null, 'bytes', 'at'),
      ('shop_application_picture', null, 'bytes', 'at'),
      ('shop_report', null, 'photo', 'reported_at'),
      ('support_attachment', 'content_type', 'bytes', null),
      ('support_reply_file', 'content_type', 'bytes', null)
    ) as t (name, type_column, bytes_column, at_column)
  loop
    execute format('alter table %I add column file_key uuid', held.name);
    execute format('update %I set file_key = gen_random_uuid() where %I is not null', held.name, held.bytes_column);
    execute format(
      'insert into stored_file (key, content_type, size, sha256, place, added_at)
       select file_key, %1$s, octet_length(%3$I), sha256(%3$I), ''rows'', %4$s from %2$I where file_key is not null',
      coalesce(quote_ident(held.type_column), '''image/webp'''), held.name, held.bytes_column,
      coalesce(quote_ident(held.at_column), 'now()'));
    execute format(
      'insert into stored_file_bytes (key, bytes) select file_key, %2$I from %1$I where file_key is not null',
      held.name, held.bytes_column);
  end loop;
end $$;

alter table company_exemption drop column content_type, drop column bytes, alter column file_key set not null,
  add constraint company_exemption_file unique (file_key), add foreign key (file_key) references stored_file;
alter table coverage_claim_file drop column content_type, drop column bytes, alter column file_key set not null,
  add constraint coverage_claim_file_file unique (file_key), add foreign key (file_key) references stored_file;
alter table dispute_file drop column content_type, drop column bytes, alter column file_key set not null,
  add constraint dispute_file_file unique (file_key), add foreign key (file_key) references stored_file;
alter table price_guarantee_file drop column content_type, drop column bytes, alter column file_key set not null,
  add constraint price_guarantee_file_file unique (file_key), add foreign key (file_key) references stored_file;
alter table return_photo drop column bytes, alter column file_key set not null,
  add constraint return_photo_file unique (file_key), add foreign key (file_key) references stored_file;
alter table shop_application_picture drop column bytes, alter column file_key set not null,
  add constraint shop_application_picture_file unique (file_key), add foreign key (file_key) references stored_file;
alter table shop_report drop constraint shop_report_damage_is_shown, drop column photo,
  add constraint shop_report_damage_is_shown check (kind <> 'damaged' or file_key is not null or state = 'closed'),
  add constraint shop_report_file unique (file_key), add foreign key (file_key) references stored_file;
alter table support_attachment drop column content_type, drop column bytes, alter column file_key set not null,
  add constraint support_attachment_file unique (file_key), add foreign key (file_key) references stored_file;
alter table support_reply_file drop column content_type, drop column bytes, alter column file_key set not null,
  add constraint support_reply_file_file unique (file_key), add foreign key (file_key) references stored_file;

create trigger remove_named_file after delete or update of file_key on company_exemption for each row execute function remove_named_file();
create trigger remove_named_file after delete or update of file_key on coverage_claim_file for each row execute function remove_named_file();
create trigger remove_named_file after delete or update of file_key on dispute_file for each row execute function remove_named_file();
create trigger remove_named_file after delete or update of file_key on price_guarantee_file for each row execute function remove_named_file();
create trigger remove_named_file after delete or update of file_key on return_photo for each row execute function remove_named_file();
create trigger remove_named_file after delete or update of file_key on shop_application_picture for each row execute function remove_named_file();
create trigger remove_named_file after delete or update of file_key on shop_report for each row execute function remove_named_file();
create trigger remove_named_file after delete or update of file_key on support_attachment for each row execute function remove_named_file();
create trigger remove_named_file after delete or update of file_key on support_reply_file for each row execute function remove_named_file();
