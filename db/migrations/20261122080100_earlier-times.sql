-- Shoppers who wait for an earlier time at the shop of their appointment, and the times they were told of.
-- docs/decisions/048-earlier-times-and-vans.md says why a time is offered to one of them after the other.
create table earlier_time_wish (
  booking_id uuid primary key references booking on delete cascade,
  shop_id integer not null references shop on delete cascade,
  from_on date not null,
  until_on date not null check (until_on between from_on and from_on + 60),
  -- When the last day is over on the shop's clock.
  until_at timestamptz not null,
  day_parts text[] not null check (cardinality(day_parts) between 1 and 3 and day_parts <@ array['morning', 'afternoon', 'evening']),
  -- Who asked first is told first; the turn tells two of one moment apart.
  asked_at timestamptz not null,
  turn bigint generated always as identity,
  ended_at timestamptz,
  ended text check (ended in ('taken', 'left', 'over')),
  constraint earlier_time_wish_ended_whole check ((ended_at is null) = (ended is null))
);
comment on table earlier_time_wish is 'Appointments whose shoppers want to hear of an earlier time at their shop; one row each.';
create index earlier_time_wish_waiting on earlier_time_wish (shop_id, turn) where ended_at is null;
create index earlier_time_wish_ended on earlier_time_wish (ended_at) where ended_at is not null;

create table earlier_time_offer (
  id uuid primary key,
  booking_id uuid not null references earlier_time_wish on delete cascade,
  shop_id integer not null references shop on delete cascade,
  kind text not null check (kind in ('wait', 'drop-off', 'mobile')),
  during tstzrange not null check (not isempty(during) and lower_inc(during) and not upper_inc(during)),
  drop_off_on date,
  drop_off_window text check (drop_off_window in ('AM', 'PM', 'EVE')),
  offered_at timestamptz not null,
  expires_at timestamptz not null check (expires_at > offered_at and expires_at <= offered_at + interval '24 hours'),
  state text not null default 'open' check (state in ('open', 'taken', 'passed')),
  constraint earlier_time_offer_window_of_drop_off check ((kind = 'drop-off') = (drop_off_window is not null) and (drop_off_on is null) = (drop_off_window is null)),
  -- Nobody is told of a time that somebody else is still deciding about.
  constraint earlier_time_offered_once exclude using gist (shop_id with =, kind with =, during with &&) where (state = 'open')
);
comment on table earlier_time_offer is 'Earlier times that shoppers were told of; nothing is held for them, and the bay decides who gets one.';
create unique index earlier_time_offer_one_open on earlier_time_offer (booking_id) where state = 'open';
create unique index earlier_time_offer_not_again on earlier_time_offer (booking_id, lower(during));
create index earlier_time_offer_expiring on earlier_time_offer (expires_at) where state = 'open';
create index earlier_time_offer_of_shop on earlier_time_offer (shop_id);

-- The state of a shop's calendar at which its waiting shoppers were last searched.
create table earlier_time_check (
  shop_id integer primary key references shop on delete cascade,
  version bigint not null
);
comment on table earlier_time_check is 'The version of each shop''s calendar at which its waiting shoppers were last told of times.';

alter table text_message drop constraint text_message_kind_check;
alter table text_message add constraint text_message_kind_check
  check (kind in ('confirm-request', 'welcome', 'shipped', 'delivered', 'appointment-reminder', 'appointment-soon', 'quote', 'earlier-time'));
