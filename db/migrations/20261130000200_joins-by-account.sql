-- A sign-in is granted access once by its verified email, and recognized by issuer and subject afterward.

-- Joins are recorded in the audit log; no staff member performs them.
alter table audit_entry drop constraint audit_entry_via_check;
alter table audit_entry add constraint audit_entry_via_check check (via in ('office', 'command line', 'sign-in')) not valid;
alter table audit_entry validate constraint audit_entry_via_check;

-- The account that manages a widget: set the first time the owner's verified email signs in.
alter table partner_widget add column owner_account_id uuid references account (id) on delete set null;
create index partner_widget_by_owner_account on partner_widget (owner_account_id);
