-- The portal of tire shops: its sessions, the steps of a new shop's set-up, and shops that nobody has rated yet.
alter table sign_in_attempt drop constraint sign_in_attempt_purpose_check;
alter table sign_in_attempt add constraint sign_in_attempt_purpose_check check (purpose in ('shop', 'office', 'portal'));

create table portal_session (
  id uuid primary key,
  secret_hash bytea not null check (octet_length(secret_hash) = 32),
  issuer text not null,
  subject text not null,
  name text check (length(name) between 1 and 100),
  -- Sealed; the provider needs it to end its own session.
  id_token bytea,
  authenticated_at timestamptz not null,
  created_at timestamptz not null,
  ended_at timestamptz
);
comment on table portal_session is 'Browsers signed in to the portal of shops; of no use without a live row in shop_member.';
create index portal_session_of_person on portal_session (issuer, subject) where ended_at is null;
create index portal_session_by_time on portal_session (created_at);

create table shop_set_up_step (
  shop_id integer not null references shop on delete cascade,
  step text not null check (step in ('hours', 'bays', 'prices', 'lengths', 'blackout-days', 'opened')),
  done_at timestamptz not null,
  -- The member who saved it last.
  done_by uuid not null references shop_member on delete cascade,
  primary key (shop_id, step)
);
comment on table shop_set_up_step is 'The steps of a shop''s set-up that its owner has saved, the last one being that it was opened.';
create index shop_set_up_step_by_member on shop_set_up_step (done_by);

-- A shop that nobody has rated has no rating, rather than the lowest one.
alter table shop alter column rating_tenths drop not null;
alter table shop alter column on_time_percent drop not null;
update shop set rating_tenths = null, on_time_percent = null where rating_count = 0;
alter table shop add constraint shop_rated_or_not check ((rating_count = 0) = (rating_tenths is null));

-- The day of a shop, in the order of its page.
create index booking_of_shop_by_start on booking (shop_id, lower(during)) where state in ('confirmed', 'done', 'no-show');
