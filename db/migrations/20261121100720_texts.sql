-- Text messages, for those who asked for them twice: on a page, and by answering YES from their phone.

create table text_consent (
  phone text primary key check (phone ~ '^\+1[2-9]\d{9}$'),
  state text not null check (state in ('asked', 'confirmed', 'stopped')),
  -- The words beside the button, as they were agreed to.
  words text not null check (length(words) between 1 and 600),
  asked_at timestamptz not null,
  -- A keyed hash, as everywhere.
  asked_from text check (length(asked_from) <= 64),
  confirmed_at timestamptz,
  stopped_at timestamptz,
  constraint text_consent_confirmed_whole check (state <> 'confirmed' or confirmed_at is not null),
  constraint text_consent_stopped_whole check ((state = 'stopped') = (stopped_at is not null))
);
comment on table text_consent is 'Phone numbers and whether they agreed to text messages, to which words and when.';

create table text_consent_event (
  id bigint generated always as identity primary key,
  phone text not null references text_consent,
  what text not null check (what in ('asked', 'confirmed', 'stopped', 'resumed')),
  -- What was agreed to on the page, or the word that came from the phone.
  words text not null check (length(words) between 1 and 600),
  at timestamptz not null
);
comment on table text_consent_event is 'Every agreement and every stop of a phone number; proof that is only added to.';
create index text_consent_event_by_phone on text_consent_event (phone, id);

create table text_order (
  order_id bigint primary key references sales_order on delete cascade,
  phone text not null references text_consent,
  asked_at timestamptz not null
);
comment on table text_order is 'Orders whose shopper asked for texts about them.';
create index text_order_by_phone on text_order (phone);

create table text_message (
  id uuid primary key,
  -- What it is about, once.
  key text not null unique check (length(key) between 1 and 200),
  kind text not null check (kind in ('confirm-request', 'welcome', 'shipped', 'delivered', 'appointment-reminder', 'quote')),
  phone text not null references text_consent,
  order_id bigint references sales_order,
  -- As sent; null until then.
  body text check (length(body) between 1 and 1600),
  -- `sending`: asked of the provider, which has not answered yet.
  state text not null default 'queued'
    check (state in ('queued', 'sending', 'sent', 'delivered', 'undelivered', 'failed', 'dropped')),
  provider_ref text unique,
  error_code integer,
  created_at timestamptz not null,
  sent_at timestamptz,
  constraint text_message_sent_whole check ((state in ('sent', 'delivered', 'undelivered')) <= (provider_ref is not null and body is not null and sent_at is not null))
);
comment on table text_message is 'Text messages queued and sent, each once.';
create index text_message_by_phone on text_message (phone, created_at);
create index text_message_by_order on text_message (order_id) where order_id is not null;
