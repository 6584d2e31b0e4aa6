-- The carrier check of the store setup buys a label and voids it. The release before never writes such a row.

alter table setup_check drop constraint setup_check_waits_for_a_page;
alter table setup_check add constraint setup_check_waits_for_a_provider check (passed is not null or kind in ('payments', 'carrier'));
comment on column setup_check.hosted_ref is 'The provider’s page on which a test charge is paid, or the carrier’s parcel of a test label.';
comment on column setup_check.passed is 'Null while the page of a test charge is open, or a test label is not voided yet.';
