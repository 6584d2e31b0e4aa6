-- The partner and the employee program: organizations whose people buy at a price of their own.
create table partner (
  id integer generated always as identity primary key,
  name text not null check (length(name) between 1 and 100),
  -- What its people type in.
  code text not null unique check (code ~ '^[A-Z2-9]{8}$'),
  since timestamptz not null,
  ended_at timestamptz,
  check (ended_at > since)
);

create table partner_application (
  id integer generated always as identity primary key,
  business text not null check (length(business) between 1 and 100),
  name text not null check (length(name) between 1 and 60),
  email text not null check (length(email) between 3 and 254),
  phone text not null check (length(phone) <= 40),
  people integer not null check (people between 1 and 1000000),
  message text not null check (length(message) <= 2000),
  state text not null default 'received' check (state in ('received', 'approved', 'refused')),
  received_at timestamptz not null,
  decided_at timestamptz,
  decided_by text,
  partner_id integer unique references partner,
  -- Where it came from on the network, until it is decided.
  network_key text,
  check ((state = 'received') = (decided_at is null) and (decided_at is null) = (decided_by is null)),
  check ((state = 'approved') = (partner_id is not null)),
  check (state = 'received' or network_key is null)
);
-- The same business asks once at a time.
create unique index partner_application_once on partner_application (lower(email), lower(business)) where state = 'received';
create index partner_application_by_network on partner_application (network_key, received_at) where network_key is not null;

create table employer_domain (
  domain text primary key check (domain ~ '^[a-z0-9-]+(\.[a-z0-9-]+)+$'),
  employer text not null check (length(employer) between 1 and 100),
  added_at timestamptz not null
);
