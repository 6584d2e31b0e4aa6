-- Work orders: a job at a shop from the parcels to the finished car, what shops report about pieces, and the registrations of tires.
create table work_order (
  booking_id uuid primary key references booking on delete cascade,
  shop_id integer not null references shop,
  order_id bigint not null references sales_order on delete cascade,
  state text not null default 'open' check (state in ('open', 'arrived', 'in-bay', 'done', 'no-show', 'wrong-vehicle', 'wrong-tires', 'refused')),
  -- Why it was refused, or what was wrong; the shopper is told.
  reason text check (length(reason) between 1 and 500),
  odometer_miles integer check (odometer_miles between 0 and 999999),
  -- Wrong tries of the claim code. The code itself is computed, and stored nowhere.
  code_attempts smallint not null default 0 check (code_attempts between 0 and 6),
  code_matched_at timestamptz,
  signed_name text check (length(signed_name) between 2 and 60),
  signed_at timestamptz,
  state_at timestamptz not null,
  saved_at timestamptz not null,
  constraint work_order_signed_whole check ((signed_name is null) = (signed_at is null)),
  constraint work_order_says_why check ((state in ('wrong-vehicle', 'wrong-tires', 'refused')) = (reason is not null)),
  constraint work_order_done_is_proven check (state <> 'done' or odometer_miles is not null and (code_matched_at is not null or signed_at is not null))
);
comment on table work_order is 'What a shop recorded of a job: its state, the claim code or signature, and the odometer.';
create index work_order_of_order on work_order (order_id);
create index work_order_of_shop on work_order (shop_id, state_at);
create index work_order_not_done on work_order (state_at, booking_id) where state in ('refused', 'wrong-tires');

create table work_order_tire (
  booking_id uuid not null references work_order on delete cascade,
  line_no smallint not null,
  nth smallint not null check (nth between 1 and 40),
  position text not null check (position ~ '^(LF|RF|LR|RR|LI|RI|SP|L[1-9][0-9]?)$'),
  -- The tire identification number of 49 CFR 574.5, without DOT and spaces; the last four are week and year.
  tin text check (tin ~ '^[A-HJ-NPR-Z0-9]{4,9}(0[1-9]|[1-4][0-9]|5[0-3])[0-9]{2}$'),
  -- Tread left on the tire that came off, in 32nds of an inch.
  old_tread_32 smallint check (old_tread_32 between 0 and 32),
  primary key (booking_id, line_no, nth),
  constraint work_order_position_once unique (booking_id, position) deferrable initially deferred
);
comment on table work_order_tire is 'The tires of a job by position, with the number on the sidewall and the old tread.';

create table work_order_piece (
  booking_id uuid not null references work_order on delete cascade,
  line_no smallint not null,
  received smallint not null check (received between 0 and 40),
  counted_at timestamptz not null,
  primary key (booking_id, line_no)
);
comment on table work_order_piece is 'How many pieces of a line the shop has counted.';

create table work_order_event (
  id bigint generated always as identity primary key,
  booking_id uuid not null references work_order on delete cascade,
  at timestamptz not null,
  what text not null check (what in ('moved', 'pieces', 'code', 'code-wrong', 'saved', 'reported')),
  to_state text,
  member_id uuid references shop_member on delete set null,
  note text check (length(note) between 1 and 500),
  constraint work_order_event_moves check ((what = 'moved') = (to_state is not null))
);
comment on table work_order_event is 'What the people of a shop did to a work order, and when.';
create index work_order_event_of_job on work_order_event (booking_id, id);
create index work_order_event_of_member on work_order_event (member_id);

-- The moves of workOrderLife in domain/work-orders/work-order-life.ts; a test compares the two.
create function work_order_moves() returns trigger language plpgsql as $$
declare
  missing integer;
begin
  if old.state = 'done' then
    raise exception 'The work order of booking % is finished.', new.booking_id using errcode = 'check_violation', constraint = 'work_order_done_stays';
  end if;
  if new.state <> old.state and (old.state, new.state) not in (
    ('open', 'arrived'), ('open', 'no-show'), ('open', 'wrong-tires'), ('open', 'refused'),
    ('arrived', 'in-bay'), ('arrived', 'done'), ('arrived', 'wrong-vehicle'), ('arrived', 'wrong-tires'), ('arrived', 'refused'),
    ('in-bay', 'done'), ('in-bay', 'wrong-vehicle'), ('in-bay', 'wrong-tires'), ('in-bay', 'refused'),
    ('wrong-vehicle', 'arrived'), ('wrong-vehicle', 'refused')) then
    raise exception 'The work order of booking % cannot become % from %.', new.booking_id, new.state, old.state
      using errcode = 'check_violation', constraint = 'work_order_life';
  end if;
  if new.state = 'done' then
    select coalesce(sum(greatest(line.quantity - canceled_units(line.order_id, line.line_no), 0)), 0) - (
        select count(*) from work_order_tire tire where tire.booking_id = new.booking_id and tire.tin is not null and tire.old_tread_32 is not null)
      into missing from order_line line where line.order_id = new.order_id and line.kind = 'tire';
    if missing <> 0 then
      raise exception 'The work order of booking % lacks % tires.', new.booking_id, missing using errcode = 'check_violation', constraint = 'work_order_done_has_every_tin';
    end if;
  end if;
  return new;
end $$;
create trigger work_order_life before update on work_order for each row execute function work_order_moves();
comment on trigger work_order_life on work_order is 'A job moves along its states only, is done with every tire read, and then stays as it is.';

create function work_order_tire_stays() returns trigger language plpgsql as $$
begin
  if exists (select from work_order where booking_id = coalesce(old.booking_id, new.booking_id) and state = 'done') then
    raise exception 'The tires of a finished job stay as they are.' using errcode = 'check_violation', constraint = 'work_order_tire_stays';
  end if;
  return coalesce(new, old);
end $$;
create trigger work_order_tire_stays before insert or update or delete on work_order_tire for each row execute function work_order_tire_stays();
comment on trigger work_order_tire_stays on work_order_tire is 'What was read on the tires of a finished job is not changed.';

-- A booking is done only with its work order, in one transaction.
create function booking_done_by_work_order() returns trigger language plpgsql as $$
begin
  if not exists (select from work_order where booking_id = new.id and state = 'done') then
    raise exception 'Booking % has no finished work order.', new.id using errcode = 'check_violation', constraint = 'booking_done_by_work_order';
  end if;
  return null;
end $$;
create constraint trigger booking_done_by_work_order after update of state on booking deferrable initially deferred
  for each row when (new.state = 'done' and old.state <> 'done') execute function booking_done_by_work_order();
comment on trigger booking_done_by_work_order on booking is 'An appointment is done once its work order is finished.';

create table shop_report (
  -- Shown as R-3001.
  id bigint generated always as identity (start with 3001) primary key,
  booking_id uuid not null references booking on delete cascade,
  shop_id integer not null references shop,
  order_id bigint not null references sales_order on delete cascade,
  kind text not null check (kind in ('short', 'damaged')),
  line_no smallint not null,
  pieces smallint not null check (pieces between 1 and 40),
  note text check (length(note) between 1 and 500),
  -- The form it came from: pressed twice, it is one report.
  submission_key uuid not null unique,
  reported_at timestamptz not null,
  reported_by uuid references shop_member on delete set null,
  -- Re-encoded as WebP.
  photo bytea check (octet_length(photo) between 1 and 1048576),
  answer text check (length(answer) between 1 and 1000),
  answered_at timestamptz,
  state text not null default 'open' check (state in ('open', 'closed')),
  closed_at timestamptz,
  closed_by text check (length(closed_by) between 1 and 254),
  constraint shop_report_answered_whole check ((answer is null) = (answered_at is null)),
  constraint shop_report_closed_whole check ((state = 'closed') = (closed_at is not null) and (closed_at is null) = (closed_by is null)),
  constraint shop_report_damage_is_shown check (kind <> 'damaged' or photo is not null or state = 'closed')
);
comment on table shop_report is 'Pieces that shops reported as short or damaged, for the office to answer and close.';
create index shop_report_by_state on shop_report (state, id);
create index shop_report_of_booking on shop_report (booking_id, id);
create index shop_report_of_shop on shop_report (shop_id);
create index shop_report_of_order on shop_report (order_id);
create index shop_report_of_member on shop_report (reported_by);

create table tire_registration_export (
  no integer generated always as identity primary key,
  brand text not null check (length(brand) between 1 and 100),
  exported_at timestamptz not null,
  exported_by text not null check (length(exported_by) between 1 and 254),
  tires integer not null check (tires > 0)
);
comment on table tire_registration_export is 'Registrations of tires as handed to their maker, at least every 30 days (49 CFR 574.8).';

create table tire_registration (
  id bigint generated always as identity primary key,
  booking_id uuid not null references booking,
  line_no smallint not null,
  nth smallint not null,
  position text not null,
  order_id bigint not null references sales_order,
  shop_id integer not null references shop,
  tin text not null check (tin ~ '^[A-HJ-NPR-Z0-9]{4,9}(0[1-9]|[1-4][0-9]|5[0-3])[0-9]{2}$'),
  brand text not null check (length(brand) between 1 and 100),
  line text not null check (length(line) between 1 and 200),
  size text not null check (length(size) between 1 and 40),
  buyer_name text not null check (length(buyer_name) between 1 and 120),
  street text not null check (length(street) between 1 and 200),
  city text not null check (length(city) between 1 and 100),
  us_state text not null check (us_state ~ '^[A-Z]{2}$'),
  zip text not null check (zip ~ '^\d{5}$'),
  installed_at timestamptz not null,
  export_no integer references tire_registration_export,
  constraint tire_registration_once unique (booking_id, line_no, nth)
);
comment on table tire_registration is 'Who has which tire, for recalls (49 CFR 574.7); made when a job is finished.';
create index tire_registration_waiting on tire_registration (brand, id) where export_no is null;
create index tire_registration_of_export on tire_registration (export_no, id) where export_no is not null;
create index tire_registration_of_order on tire_registration (order_id);
create index tire_registration_of_shop on tire_registration (shop_id);

-- Handed to the maker once, and not changed afterwards.
create function tire_registration_stays() returns trigger language plpgsql as $$
begin
  if old.export_no is not null or new.tin <> old.tin then
    raise exception 'Registration % was handed over or names another tire.', old.id using errcode = 'check_violation', constraint = 'tire_registration_stays';
  end if;
  return new;
end $$;
create trigger tire_registration_stays before update on tire_registration for each row execute function tire_registration_stays();
comment on trigger tire_registration_stays on tire_registration is 'A registration is in one export, and keeps its number.';
