-- Staff add customers and change their contact. What it was before is kept apart from the audit log, which is only
-- added to: erasing a customer and the retention period reach it here.
alter table customer add column version integer not null default 1 check (version >= 1);
comment on column customer.version is 'Rises with each change of the contact, so that a form can tell that it is out of date.';

create table customer_contact_change (
  id uuid primary key,
  customer_id uuid not null references customer on delete cascade,
  old_name text,
  old_phone text,
  old_email text not null,
  new_name text,
  new_phone text,
  new_email text not null,
  changed_at timestamptz not null,
  changed_by text not null check (length(changed_by) between 1 and 254),
  constraint customer_contact_change_changes check ((old_name, old_phone, old_email) is distinct from (new_name, new_phone, new_email))
);
comment on table customer_contact_change is 'What staff changed in the contact of a customer, before and after.';
create index customer_contact_change_by_customer on customer_contact_change (customer_id, changed_at desc);
create index customer_contact_change_by_time on customer_contact_change (changed_at);
