-- The jobs a shop takes itself, by phone or at the counter, and the times it closes a bay. Why a lock and triggers hold them apart from online
-- bookings is in docs/decisions/043-own-jobs-of-a-shop.md.
create table own_job (
  id uuid primary key,
  shop_id integer not null references shop on delete cascade,
  bay_id integer not null,
  during tstzrange not null check (not isempty(during) and lower_inc(during) and not upper_inc(during) and upper(during) - lower(during) <= interval '24 hours'),
  kind text not null check (kind in ('phone', 'walk-in', 'block')),
  state text not null default 'planned' check (state in ('planned', 'done', 'canceled')),
  -- Of the customer, and forgotten after a time.
  first_name text check (length(first_name) between 1 and 40),
  phone text check (length(phone) between 1 and 20),
  vehicle text check (length(vehicle) between 1 and 80),
  tires text check (length(tires) between 1 and 80),
  note text check (length(note) between 1 and 300),
  -- Counts changes, so that a form filled in before somebody else's change is not saved over it.
  revision integer not null default 1 check (revision >= 1),
  made_by uuid not null references shop_member on delete cascade,
  made_at timestamptz not null,
  changed_at timestamptz not null,
  foreign key (shop_id, bay_id) references shop_bay (shop_id, id),
  check (kind <> 'block' or first_name is null and phone is null),
  constraint own_job_bay_taken_once exclude using gist (bay_id with =, during with &&) where (state = 'planned')
);
comment on table own_job is 'Jobs and closed times of a shop that did not come through the store.';
create index own_job_of_shop on own_job using gist (shop_id, during);
create index own_job_by_member on own_job (made_by);
create index own_job_with_person on own_job (upper(during)) where first_name is not null or phone is not null;

create table own_job_overlap (
  own_job_id uuid not null references own_job on delete cascade,
  booking_id uuid not null references booking on delete cascade,
  reason text not null check (reason in ('second-technician', 'quick-job', 'customer-agreed')),
  chosen_by uuid not null references shop_member on delete cascade,
  chosen_at timestamptz not null,
  primary key (own_job_id, booking_id)
);
comment on table own_job_overlap is 'Online bookings that a shop knowingly put a job of its own over, and why.';
create index own_job_overlap_by_booking on own_job_overlap (booking_id);
create index own_job_overlap_by_member on own_job_overlap (chosen_by);

create table own_job_form (
  shop_id integer not null references shop on delete cascade,
  key uuid not null,
  own_job_id uuid not null references own_job on delete cascade,
  at timestamptz not null,
  primary key (shop_id, key)
);
comment on table own_job_form is 'Forms of own jobs that were acted on, by the key each was made with: one that arrives again changes nothing.';
create index own_job_form_by_job on own_job_form (own_job_id);
create index own_job_form_by_time on own_job_form (at);

-- A booking on its way to a bay shares the bay's row; an own job takes it for itself, and so waits for bookings that are under way, and they for
-- it. Who comes second looks again after the wait, in a statement of its own, and sees what the first one committed.
create function keep_booking_off_own_jobs() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    if old.state in ('held', 'confirmed') and new.bay_id = old.bay_id and new.during <@ old.during then
      return new;
    end if;
  end if;
  perform from shop_bay where id = new.bay_id for key share;
  if exists (select from own_job where bay_id = new.bay_id and state = 'planned' and during && new.during) then
    -- As "on conflict do nothing" has it: a new hold is not written, and the transaction goes on.
    if tg_op = 'INSERT' then
      return null;
    end if;
    raise exclusion_violation using constraint = 'booking_off_own_jobs', message = 'The shop has a job of its own on this bay at that time.';
  end if;
  return new;
end $$;
create trigger booking_off_own_jobs before insert or update of bay_id, during, state on booking
  for each row when (new.state in ('held', 'confirmed')) execute function keep_booking_off_own_jobs();

create function lock_bay_of_own_job() returns trigger language plpgsql as $$
begin
  perform from shop_bay where id = new.bay_id for update;
  return new;
end $$;
create trigger own_job_locks_bay before insert or update of bay_id, during, state on own_job
  for each row when (new.state = 'planned') execute function lock_bay_of_own_job();

create function require_overlap_reasons() returns trigger language plpgsql as $$
declare
  live own_job;
begin
  select * into live from own_job where id = new.id and state = 'planned';
  if found and exists (
    select from booking where bay_id = live.bay_id and booking.state in ('held', 'confirmed') and booking.during && live.during
      and not exists (select from own_job_overlap where own_job_id = live.id and booking_id = booking.id)) then
    raise exclusion_violation using constraint = 'own_job_overlap_has_reason', message = 'A job of the shop lies over a booking without a reason.';
  end if;
  return null;
end $$;
-- Looks at the end of the transaction, as the reasons are written after the job. The bay is still locked then.
create constraint trigger own_job_overlap_has_reason after insert or update on own_job
  deferrable initially deferred for each row execute function require_overlap_reasons();

-- Own jobs are part of a shop's calendar (docs/decisions/012-kept-calendars.md).
create trigger calendar_version_on_insert after insert on own_job referencing new table as became for each statement execute function calendar_part_changed();
create trigger calendar_version_on_update after update on own_job referencing old table as was new table as became for each statement execute function calendar_part_changed();
create trigger calendar_version_on_delete after delete on own_job referencing old table as was for each statement execute function calendar_part_changed();
