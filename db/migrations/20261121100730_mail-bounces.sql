-- What mail providers report back: addresses that do not exist, and recipients who call an email spam.

alter table message drop constraint message_state_check, drop constraint message_check;
alter table message add constraint message_state_check
  check (state in ('queued', 'sent', 'refused', 'dropped', 'bounced', 'complained'));
alter table message add constraint message_sent_whole
  check ((state in ('sent', 'bounced', 'complained')) = (sent_at is not null));

create table mail_block (
  id bigint generated always as identity primary key,
  email text not null check (email = lower(email) and length(email) between 3 and 254),
  reason text not null check (reason in ('bounced', 'complained')),
  -- What the other mail server said.
  detail text check (length(detail) <= 500),
  order_id bigint references sales_order on delete set null,
  blocked_at timestamptz not null,
  -- By staff, once the address is right.
  cleared_at timestamptz,
  cleared_by text check (length(cleared_by) between 1 and 254),
  constraint mail_block_cleared_whole check ((cleared_at is null) = (cleared_by is null))
);
comment on table mail_block is 'Addresses that get only emails about their orders: bounced for good, or called an email spam.';
create unique index mail_block_once on mail_block (email) where cleared_at is null;
create index mail_block_to_check on mail_block (blocked_at, id) where cleared_at is null and reason = 'bounced';
create index mail_block_by_order on mail_block (order_id) where order_id is not null;
