-- What each member of a shop's team chose about each kind of event. Without a choice, owners are emailed and nobody is texted.
create table shop_notification (
  member_id uuid not null references shop_member (id) on delete cascade,
  event text not null check (event in ('booked', 'changed', 'canceled', 'late')),
  channel text not null check (channel in ('email', 'text')),
  is_wanted boolean not null,
  chosen_at timestamptz not null,
  primary key (member_id, event, channel)
);
comment on table shop_notification is 'Which events each member of a shop is emailed and texted about, where they chose.';

insert into shop_notification (member_id, event, channel, is_wanted, chosen_at)
select member_id, event, 'email', true, subscribed_at
from shop_email_subscription
join (values ('shop-booking-news', 'booked'), ('shop-booking-news', 'changed'), ('shop-booking-news', 'canceled'),
  ('shop-appointment-news', 'late')) as events (kind, event) using (kind);
comment on table shop_email_subscription is 'Replaced by shop_notification. The release before still reads it; dropped in a later one.';

create table shop_member_setting (
  member_id uuid primary key references shop_member (id) on delete cascade,
  -- Texted only while its consent is confirmed.
  text_phone text references text_consent (phone),
  -- The hour of the shop's zone at which the daily summary is sent; null for none.
  summary_hour smallint check (summary_hour between 0 and 23),
  summary_since timestamptz,
  constraint shop_member_setting_summary_whole check ((summary_hour is null) = (summary_since is null))
);
comment on table shop_member_setting is 'The phone and the hour of the daily summary that each member of a shop chose.';
create index shop_member_setting_by_phone on shop_member_setting (text_phone) where text_phone is not null;

alter table mail_stop drop constraint mail_stop_kind_check;
alter table mail_stop add constraint mail_stop_kind_check
  check (kind in ('rotation-due', 'membership-ending', 'referral-invite', 'review-invitation', 'shop-booking-news',
    'shop-appointment-news', 'shop-daily-summary'));

alter table text_message drop constraint text_message_kind_check;
alter table text_message add constraint text_message_kind_check
  check (kind in ('recall', 'confirm-request', 'welcome', 'shipped', 'delivered', 'appointment-reminder', 'appointment-soon',
    'quote', 'earlier-time', 'staff', 'shop-news'));

-- The daily email of open tasks. It goes to the address of a person's grant, and only while a grant of theirs holds.
create table queue_digest (
  id uuid primary key,
  issuer text not null,
  subject text not null,
  -- The hour of the store's zone at which it is sent.
  hour smallint not null check (hour between 0 and 23),
  -- The task lists that the person left out, by slug; new ones are in.
  except_queues text[] not null default '{}' check (cardinality(except_queues) <= 100),
  subscribed_at timestamptz not null,
  constraint queue_digest_once unique (issuer, subject)
);
comment on table queue_digest is 'The daily email of open tasks that each member of the staff chose.';
