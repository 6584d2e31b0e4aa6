-- What staff write in place of the text that a content page is released with.
create table content_version (
  id integer generated always as identity primary key,
  -- The page's file in content/, without ".md".
  path text not null check (path ~ '^(policies|pages)/[a-z0-9-]{1,80}$'),
  form_key uuid not null constraint content_version_made_once unique,
  title text check (length(title) between 3 and 80),
  description text check (length(description) between 20 and 160),
  body text check (length(body) between 1 and 20000),
  created_by text not null check (length(created_by) between 1 and 254),
  created_at timestamptz not null,
  starts_at timestamptz,
  published_by text check (length(published_by) between 1 and 254),
  constraint content_version_whole check (num_nulls(title, description, body) in (0, 3)),
  constraint content_version_published_by check ((starts_at is null) = (published_by is null)),
  constraint content_version_starts_alone unique (path, starts_at)
);
comment on table content_version is 'Versions of content pages as staff write them: drafts until they have a start; the next one replaces them. Without a text, the one that was released.';
create index content_version_by_path on content_version (path, id desc);

create function content_version_is_never_edited() returns trigger language plpgsql as $$
begin
  if (to_jsonb(new) - 'starts_at' - 'published_by') <> (to_jsonb(old) - 'starts_at' - 'published_by')
    or old.starts_at is not null and new.starts_at is not null and new.starts_at <> old.starts_at then
    raise exception 'A version of a page is never edited.' using errcode = 'check_violation', constraint = 'content_version_never_edited';
  end if;
  return null;
end $$;
create trigger content_version_never_edited after update on content_version for each row execute function content_version_is_never_edited();
comment on trigger content_version_never_edited on content_version is 'What was previewed is what is published.';
