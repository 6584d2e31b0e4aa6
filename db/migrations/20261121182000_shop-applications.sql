-- Shops that apply to install tires: their applications, what became of them, and the people who sign in for a shop.
create table shop_application (
  -- Shown as A-2001.
  id bigint generated always as identity (start with 2001) primary key,
  state text not null default 'submitted' check (state in ('submitted', 'asked', 'approved', 'refused', 'withdrawn')),
  company text not null check (length(company) between 1 and 80),
  street text not null check (length(street) between 1 and 100),
  city text not null check (length(city) between 1 and 60),
  us_state text not null check (us_state ~ '^[A-Z]{2}$'),
  zip text not null references zip,
  shop_phone text not null check (shop_phone ~ '^\d{10}$'),
  website text check (length(website) between 1 and 200),
  -- Signs the agreement, and becomes the shop's owner.
  owner_first_name text not null check (length(owner_first_name) between 1 and 25),
  owner_last_name text not null check (length(owner_last_name) between 1 and 25),
  owner_email text not null check (owner_email = lower(owner_email) and length(owner_email) between 3 and 254),
  owner_phone text not null check (owner_phone ~ '^\d{10}$'),
  -- Runs the bays on the day.
  lead_first_name text not null check (length(lead_first_name) between 1 and 25),
  lead_last_name text not null check (length(lead_last_name) between 1 and 25),
  lead_email text not null check (lead_email = lower(lead_email) and length(lead_email) between 3 and 254),
  lead_phone text not null check (lead_phone ~ '^\d{10}$'),
  tire_services text[] not null check (cardinality(tire_services) <= 20),
  other_services text[] not null check (cardinality(other_services) <= 20),
  -- [{"weekday": 1, "opens": 450, "closes": 1080}]: minutes after midnight at the shop.
  hours jsonb not null check (jsonb_typeof(hours) = 'array' and jsonb_array_length(hours) between 1 and 7),
  agreement_version text not null check (agreement_version ~ '^\d{4}-\d{2}$'),
  -- A hash of all that was sent: while an application is open, the same is the same application, however often it is sent.
  said bytea not null check (octet_length(said) = 32),
  -- For the limit on how much one network may send; cleared once the application is over.
  network_key text,
  submitted_at timestamptz not null,
  -- Since when the office has it: sent, or answered.
  waiting_since timestamptz not null,
  question text check (length(question) between 1 and 1000),
  -- Emailed to the applicant word for word.
  refusal text check (length(refusal) between 1 and 1000),
  closed_at timestamptz,
  closed_by text check (length(closed_by) between 1 and 254),
  shop_id integer unique references shop,
  constraint shop_application_closed_whole check (
    (state in ('submitted', 'asked')) = (closed_at is null) and (closed_at is null) = (closed_by is null)),
  constraint shop_application_approved_has_shop check ((state = 'approved') = (shop_id is not null)),
  constraint shop_application_refused_says_why check ((state = 'refused') = (refusal is not null)),
  constraint shop_application_asked_what check ((state = 'asked') = (question is not null)),
  constraint shop_application_network_forgotten check (state in ('submitted', 'asked') or network_key is null)
);
comment on table shop_application is 'Shops that asked to install tires, until the office approves or refuses them.';
create unique index shop_application_once on shop_application (owner_email, lower(street), zip) where state in ('submitted', 'asked');
create index shop_application_by_state on shop_application (state, id);
create index shop_application_by_wait on shop_application (waiting_since, id) where state = 'submitted';
create index shop_application_by_network on shop_application (network_key, submitted_at) where network_key is not null;
create index shop_application_by_zip on shop_application (zip);

create table shop_application_event (
  id bigint generated always as identity primary key,
  application_id bigint not null references shop_application on delete cascade,
  at timestamptz not null,
  from_state text,
  to_state text not null,
  actor text not null check (length(actor) between 1 and 254),
  -- A question, its answer, or the reason of a refusal.
  note text check (length(note) <= 2000)
);
comment on table shop_application_event is 'What became of each application of a shop, with questions and answers.';
create index shop_application_event_by_application on shop_application_event (application_id, id);

create table shop_application_picture (
  id uuid primary key,
  -- Null while the form is not sent; forgotten after the days of retention.
  application_id bigint unique references shop_application on delete cascade,
  name text not null check (length(name) between 1 and 120),
  bytes bytea not null check (octet_length(bytes) between 1 and 1048576),
  at timestamptz not null
);
comment on table shop_application_picture is 'Pictures of shops, re-encoded as WebP.';
create index shop_application_picture_unsent on shop_application_picture (at) where application_id is null;

-- The moves of shopApplicationLife in domain/shop-applications/shop-applications.ts; a test compares the two.
create function shop_application_moves() returns trigger language plpgsql as $$
begin
  if new.state <> old.state and (old.state, new.state) not in (
    ('submitted', 'asked'), ('submitted', 'approved'), ('submitted', 'refused'), ('submitted', 'withdrawn'),
    ('asked', 'submitted'), ('asked', 'approved'), ('asked', 'refused'), ('asked', 'withdrawn')) then
    raise exception 'Application % cannot become % from %.', new.id, new.state, old.state
      using errcode = 'check_violation', constraint = 'shop_application_life';
  end if;
  return new;
end $$;
create trigger shop_application_life before update of state on shop_application for each row execute function shop_application_moves();
comment on trigger shop_application_life on shop_application is 'An application moves along its states only.';

-- A shop in set-up has its address and people, and takes no bookings yet.
alter table shop add column in_set_up boolean not null default false;
comment on column shop.in_set_up is 'Approved, and its owner has yet to complete hours, bays, prices and job lengths; never shown to shoppers.';
alter table shop add constraint shop_in_set_up_is_not_offered check (not (active and in_set_up));

create table shop_member (
  id uuid primary key,
  shop_id integer not null references shop on delete cascade,
  email text not null check (email = lower(email) and length(email) between 3 and 254),
  name text not null check (length(name) between 1 and 60),
  role text not null check (role in ('owner', 'technician')),
  added_at timestamptz not null,
  added_by text not null check (length(added_by) between 1 and 254),
  -- The person at the sign-in provider, from their first sign-in on.
  issuer text,
  subject text check (length(subject) between 1 and 255),
  bound_at timestamptz,
  ended_at timestamptz,
  constraint shop_member_bound_whole check (num_nonnulls(issuer, subject, bound_at) in (0, 3)),
  constraint shop_member_ends_later check (ended_at >= added_at)
);
comment on table shop_member is 'Who signs in to the portal of a shop, and as what.';
create unique index shop_member_once on shop_member (shop_id, email) where ended_at is null;
create index shop_member_of_person on shop_member (issuer, subject) where ended_at is null;
