-- Shop teams are notified of their own changes, except the member who made one. The earlier release leaves the column
-- null, so everyone is notified of the changes it records.
set local lock_timeout = '5s';
alter table booking_event
  add column member_id uuid references shop_member (id) on delete set null;
comment on column booking_event.member_id is 'Shop team member who made the change; null for changes by customers and the store.';
create index if not exists booking_event_by_member on booking_event (member_id) where member_id is not null;
