-- Rebates are added, changed and retired by staff.
alter table rebate
  add column retired_at timestamptz,
  add column version integer not null default 1 check (version >= 1),
  add column changed_at timestamptz,
  add column changed_by text check (length(changed_by) between 1 and 254),
  add constraint rebate_changed_whole check ((changed_at is null) = (changed_by is null)),
  add constraint rebate_name_length check (length(name) between 3 and 80),
  add constraint rebate_mail_to_length check (length(mail_to) <= 200),
  add constraint rebate_form_url_length check (length(form_url) <= 300);

comment on column rebate.retired_at is 'When staff ended it early: purchases before that can still be claimed.';
