-- A report that a staff member gets by email each week or month. The email goes to the address of their grant, and only
-- while a grant of theirs still reads reports.
create table report_subscription (
  id uuid primary key,
  issuer text not null,
  subject text not null,
  report text not null check (length(report) between 1 and 40),
  every text not null check (every in ('week', 'month')),
  -- The hour of the store's zone at which it is sent.
  hour smallint not null check (hour between 0 and 23),
  subscribed_at timestamptz not null,
  constraint report_subscription_once unique (issuer, subject, report, every)
);

comment on table report_subscription is 'Reports that staff get by email each week or month.';
