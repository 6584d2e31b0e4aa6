-- Who works here, and as what. A grant is for an email until the person at the sign-in provider who has verified it comes in; from then on it is theirs, whatever becomes of the email.
create table staff_grant (
  id uuid primary key,
  email text not null check (email = lower(email) and length(email) between 3 and 254),
  role text not null check (role in ('support', 'sales', 'warehouse', 'catalog', 'finance', 'manager', 'owner')),
  invited_by text not null check (length(invited_by) between 1 and 254),
  invited_at timestamptz not null,
  -- Null: until it is revoked. The store is never without an owner because a day has passed.
  expires_at timestamptz,
  issuer text,
  subject text check (length(subject) between 1 and 255),
  bound_at timestamptz,
  revoked_at timestamptz,
  revoked_by text check (length(revoked_by) between 1 and 254),
  revoke_reason text check (length(revoke_reason) between 1 and 500),
  constraint staff_grant_owner_stays check (role <> 'owner' or expires_at is null),
  constraint staff_grant_expires_later check (expires_at > invited_at),
  constraint staff_grant_bound_whole check (num_nonnulls(issuer, subject, bound_at) in (0, 3)),
  constraint staff_grant_revoked_whole check (num_nonnulls(revoked_at, revoked_by, revoke_reason) in (0, 3))
);
create unique index staff_grant_once on staff_grant (email, role) where revoked_at is null;
create index staff_grant_of_person on staff_grant (issuer, subject);

-- Revoking waits for revoking: of two owners who revoke each other at once, the second finds that they are the last. An owner who has come in is not replaced by one who never did.
create function staff_keeps_an_owner() returns trigger language plpgsql as $$
begin
  if old.role <> 'owner' or old.revoked_at is not null then
    return null;
  end if;
  perform pg_advisory_xact_lock(hashtext('staff_grant'));
  if not exists (
    select from staff_grant
    where role = 'owner' and revoked_at is null and (old.bound_at is null or bound_at is not null)) then
    raise exception 'The store needs an owner.' using errcode = 'check_violation', constraint = 'staff_has_an_owner';
  end if;
  return null;
end $$;
create constraint trigger staff_has_an_owner after update or delete on staff_grant
  deferrable initially immediate for each row execute function staff_keeps_an_owner();

create table office_session (
  id uuid primary key,
  -- The browser holds the secret; who reads this table cannot come in with it.
  secret_hash bytea not null check (octet_length(secret_hash) = 32),
  issuer text not null,
  subject text not null,
  name text check (length(name) between 1 and 100),
  -- Ends the provider's session, too; sealed with a key that is not in the database.
  id_token bytea,
  -- When the person last showed the provider who they are.
  authenticated_at timestamptz not null,
  created_at timestamptz not null,
  ended_at timestamptz
);
create index office_session_of_person on office_session (issuer, subject) where ended_at is null;
create index office_session_by_time on office_session (created_at);

create table audit_entry (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  -- An email, or the operating system's name of who ran a command.
  actor text not null check (length(actor) between 1 and 254),
  via text not null check (via in ('office', 'command line')),
  -- A keyed hash, as everywhere; none for a command.
  network_key text check (length(network_key) <= 64),
  act text not null check (act ~ '^[a-z-]+\.[a-z-]+$' and length(act) <= 60),
  subject text not null check (length(subject) between 1 and 254),
  before jsonb,
  after jsonb,
  reason text check (length(reason) between 1 and 500)
);
create index audit_entry_by_actor on audit_entry (actor, id desc);
create index audit_entry_by_act on audit_entry (act, id desc);
create index audit_entry_by_subject on audit_entry (subject, id desc);
create index audit_entry_by_time on audit_entry (at, id);

create function audit_is_added_to() returns trigger language plpgsql as $$
begin
  raise exception 'The audit log is only added to.' using errcode = 'check_violation', constraint = 'audit_entry_append_only';
end $$;
create trigger audit_entry_append_only before update or delete or truncate on audit_entry
  for each statement execute function audit_is_added_to();

-- An answer of the provider opens what was asked for, and nothing else.
alter table sign_in_attempt
  add column purpose text not null default 'shop' check (purpose in ('shop', 'office')),
  add column max_age_seconds integer check (max_age_seconds >= 0),
  add constraint sign_in_attempt_office_is_recent check (purpose = 'shop' or max_age_seconds is not null);

comment on table staff_grant is 'Who works here, and as what: roles by email, bound to a person at their first sign-in.';
comment on table office_session is 'Browsers in which somebody has the back office open.';
comment on table audit_entry is 'What staff did: who, what, before and after, why, from where and when. Only added to.';
comment on trigger staff_has_an_owner on staff_grant is 'Somebody can always let others in.';
comment on trigger audit_entry_append_only on audit_entry is 'What was done stays said.';
