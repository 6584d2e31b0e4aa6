-- What the people of a shop changed of it: capacity, prices and people.
create table shop_event (
  id bigint generated always as identity primary key,
  shop_id integer not null references shop on delete cascade,
  at timestamptz not null,
  member_id uuid references shop_member on delete set null,
  act text not null check (act in ('capacity', 'capacity-withdrawn', 'closed-day', 'opened-day', 'prices', 'prices-withdrawn', 'invited', 'role', 'ended')),
  -- Of a change among people, whom it was about.
  about_id uuid references shop_member on delete set null,
  -- What the act was about: a day, or a role.
  note text not null check (length(note) <= 200)
);
comment on table shop_event is 'Who of a shop''s people changed its capacity, prices and people, and when.';
create index shop_event_by_shop on shop_event (shop_id, id);
create index shop_event_by_member on shop_event (member_id) where member_id is not null;
create index shop_event_about on shop_event (about_id) where about_id is not null;
