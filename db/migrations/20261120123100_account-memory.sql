-- What an account remembers for its owner, in any browser.
create table account_personalization (
  account_id uuid primary key references account on delete cascade,
  zip text references zip,
  ga_client_id text check (length(ga_client_id) between 1 and 64),
  -- The tires to compare, as the browser keeps them.
  compared text[] not null default '{}' check (cardinality(compared) <= 5),
  updated_at timestamptz not null
);

create table account_search (
  account_id uuid not null references account on delete cascade,
  path text not null check (path ~ '^/([^/\\]|$)' and length(path) <= 200),
  label text not null check (length(label) between 1 and 60),
  searched_at timestamptz not null,
  primary key (account_id, path)
);

-- The garage. A vehicle is there once by year, make and model, however well it is known.
create table account_vehicle (
  id uuid primary key,
  account_id uuid not null references account on delete cascade,
  -- As the finder writes it; domain/vehicles reads it.
  choice text not null check (length(choice) <= 600),
  year smallint not null,
  make_slug text not null,
  model_slug text not null,
  added_at timestamptz not null,
  -- When it was last the one the shopper looks for tires for.
  used_at timestamptz not null,
  mileage integer check (mileage between 0 and 2000000),
  mileage_on date,
  rotated_mileage integer check (rotated_mileage between 0 and 2000000),
  rotated_on date,
  -- The day of the next rotation, as domain/accounts reckons it, and the one a mail was sent for.
  rotation_due_on date,
  reminded_for date,
  wants_reminder boolean not null default true,
  unique (account_id, year, make_slug, model_slug),
  check ((mileage is null) = (mileage_on is null)),
  check (rotated_mileage is null or rotated_on is not null),
  check ((rotation_due_on is null) = (rotated_on is null))
);
create index account_vehicle_due on account_vehicle (rotation_due_on) where wants_reminder and rotation_due_on is distinct from reminded_for;

-- Where the owner has things sent, as the checkout asks for it.
create table account_address (
  id uuid primary key,
  account_id uuid not null references account on delete cascade,
  first_name text not null,
  last_name text not null,
  company text,
  address1 text not null,
  address2 text,
  city text not null,
  state text not null,
  zip text not null,
  phone text not null check (phone ~ '^[0-9]{10}$'),
  phone_extension text,
  phone_type text not null check (phone_type in ('mobile', 'home', 'work')),
  added_at timestamptz not null,
  -- The one used last is filled in first.
  used_at timestamptz not null
);
create unique index account_address_once on account_address (account_id, lower(address1), lower(coalesce(address2, '')), zip, lower(first_name), lower(last_name));
