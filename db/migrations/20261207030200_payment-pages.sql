-- Evidence for the scripts and headers of pages with card fields or wallets (PCI DSS 4.0.1, 6.4.3 and 11.6.1).
create table payment_script_approval (
  address text primary key check (length(address) between 1 and 300),
  purpose text not null check (length(purpose) between 10 and 300),
  approved_by text not null check (length(approved_by) between 1 and 254),
  approved_at timestamptz not null
);
comment on table payment_script_approval is 'Scripts of others on payment pages that an owner approved; the store''s own are approved with the release.';

create table payment_page_check (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  pages integer not null check (pages >= 0),
  scripts integer not null check (scripts >= 0),
  findings integer not null check (findings >= 0)
);
comment on table payment_page_check is 'Hourly comparisons of what a browser receives on payment pages with what is approved.';
create index payment_page_check_by_time on payment_page_check (at);

create table payment_page_finding (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('script', 'content', 'header', 'unreachable')),
  page text not null check (length(page) between 1 and 200),
  subject text not null check (length(subject) between 1 and 300),
  detail text not null check (length(detail) between 1 and 500),
  first_at timestamptz not null,
  last_at timestamptz not null,
  resolved_at timestamptz check (resolved_at >= first_at),
  constraint payment_page_finding_in_order check (last_at >= first_at)
);
comment on table payment_page_finding is 'Differences from what is approved, open until a check no longer finds them.';
create unique index payment_page_finding_open on payment_page_finding (kind, page, subject) where resolved_at is null;
create index payment_page_finding_by_time on payment_page_finding (first_at desc, id desc);

create table csp_report (
  key text primary key check (key ~ '^[0-9a-f]{64}$'),
  page text not null check (length(page) <= 200),
  directive text not null check (length(directive) between 1 and 60),
  blocked text not null check (length(blocked) <= 200),
  sample text not null check (length(sample) <= 100),
  reports integer not null default 1 check (reports >= 1),
  first_at timestamptz not null,
  last_at timestamptz not null
);
comment on table csp_report is 'What browsers blocked by the Content Security Policy of payment pages, once for each page, rule and source.';
create index csp_report_by_time on csp_report (last_at desc);
