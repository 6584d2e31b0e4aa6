-- What shoppers say of their appointments, texts before one begins, and the calendar feeds of shops.
create table appointment_reply (
  booking_id uuid not null references booking on delete cascade,
  reply_no smallint not null check (reply_no between 1 and 50),
  -- The time it is about; it says nothing of the time an appointment is moved to.
  starts_at timestamptz not null,
  kind text not null check (kind in ('coming', 'late', 'not-coming')),
  minutes_late smallint check (minutes_late in (10, 20, 30)),
  replied_at timestamptz not null,
  primary key (booking_id, reply_no),
  constraint appointment_reply_late_by_minutes check ((kind = 'late') = (minutes_late is not null))
);
comment on table appointment_reply is 'What shoppers said of their appointments: that they come, come late, or do not come that day. The last one counts.';

alter table text_message drop constraint text_message_kind_check;
alter table text_message add constraint text_message_kind_check
  check (kind in ('confirm-request', 'welcome', 'shipped', 'delivered', 'appointment-reminder', 'appointment-soon', 'quote'));

create table shop_feed (
  shop_id integer primary key references shop on delete cascade,
  secret_hash bytea not null unique check (octet_length(secret_hash) = 32),
  made_at timestamptz not null,
  made_by uuid not null references shop_member on delete cascade
);
comment on table shop_feed is 'The secret address at which a shop''s calendar is read; making a new one ends the old.';
create index shop_feed_by_member on shop_feed (made_by);
