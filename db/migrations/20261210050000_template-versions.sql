-- Answer templates and concurrent changes: a form or program that is out of date is refused.
alter table support_template add column version integer not null default 1 check (version >= 1);
comment on column support_template.version is 'Rises with each change, so that a form can tell that it is out of date.';
