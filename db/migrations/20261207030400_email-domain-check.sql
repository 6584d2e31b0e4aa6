-- Whether the domain that emails are sent from is set up for it, as checked from the store setup.
alter table setup_check drop constraint setup_check_kind_check;
alter table setup_check add constraint setup_check_kind_check check (kind in ('payments', 'email', 'carrier', 'opening', 'email-domain'));
