-- Emails that staff worded themselves, in place of the templates of the release.
create table email_template (
  kind text primary key check (kind ~ '^[a-z-]{1,60}$'),
  subject text check (length(subject) between 1 and 150 and subject !~ '[\n\r]'),
  body text check (length(body) between 1 and 10000),
  version integer not null default 1 check (version >= 1),
  changed_at timestamptz not null,
  changed_by text not null check (length(changed_by) between 1 and 254),
  constraint email_template_whole check ((subject is null) = (body is null))
);
comment on table email_template is 'Subject and Markdown text of emails that staff edited.';
comment on column email_template.subject is 'Null, as the body, for a kind that was reset to the template of the release.';
