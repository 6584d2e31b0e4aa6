alter table account_grant add column reason text check (length(reason) between 1 and 500);
comment on column account_grant.reason is 'Why staff set the account type; null when it came in another way.';

create table account_document (
  id uuid primary key,
  account_id uuid not null references account on delete cascade,
  file_name text not null check (length(file_name) between 1 and 200),
  file_key uuid not null unique references stored_file,
  added_at timestamptz not null,
  added_by text not null check (length(added_by) between 1 and 300)
);
comment on table account_document is 'A document that proves an account type, such as an employee ID or a business license. Only staff read it.';
create index account_document_of_account on account_document (account_id);
create trigger remove_named_file after delete or update of file_key on account_document
  for each row execute function remove_named_file();
