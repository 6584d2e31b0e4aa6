-- Staff who turned off the single-key shortcuts of the back office.
create table shortcuts_off (
  issuer text not null,
  subject text not null check (length(subject) between 1 and 255),
  turned_off_at timestamptz not null,
  primary key (issuer, subject)
);
comment on table shortcuts_off is 'Staff who turned off the single-key shortcuts of the back office.';
