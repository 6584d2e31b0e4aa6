-- What shops are paid: the matrix, jobs by it, adjustments, disputes, and transfers through the payout provider.
create table pay_rate (
  id uuid primary key,
  job text not null check (job in ('standard', 'low-profile', 'run-flat', 'light-truck')),
  -- Null for every state that has no rate of its own.
  state_code text check (state_code ~ '^[A-Z]{2}$'),
  rim_from_in numeric(4, 1) not null check (rim_from_in >= 8),
  rim_to_in numeric(4, 1) not null check (rim_to_in <= 40),
  cents integer not null,
  valid daterange not null check (not isempty(valid) and not lower_inf(valid)),
  made_at timestamptz not null,
  made_by text not null check (length(made_by) between 1 and 254),
  check (rim_from_in <= rim_to_in),
  constraint pay_rate_within_bounds check (cents between 1500 and 2400),
  constraint pay_rate_once exclude using gist (
    job with =, coalesce(state_code, '') with =, numrange(rim_from_in, rim_to_in, '[]') with &&, valid with &&)
);
comment on table pay_rate is 'The pay matrix: what a shop is paid for a tire, by kind of job, rim and state, from a day until before another.';

create function pay_rate_keeps_its_past() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and (new.id, new.job, new.rim_from_in, new.rim_to_in, new.cents, lower(new.valid), new.made_at, new.made_by)
      is not distinct from (old.id, old.job, old.rim_from_in, old.rim_to_in, old.cents, lower(old.valid), old.made_at, old.made_by)
      and new.state_code is not distinct from old.state_code then
    return new;
  end if;
  raise exception 'A rate is only ended.' using errcode = 'check_violation', constraint = 'pay_rate_only_ends';
end $$;
create trigger pay_rate_only_ends before update or delete on pay_rate for each row execute function pay_rate_keeps_its_past();
comment on trigger pay_rate_only_ends on pay_rate is 'What a job was paid by stays known.';

insert into pay_rate (id, job, rim_from_in, rim_to_in, cents, valid, made_at, made_by)
select gen_random_uuid(), job, rim_from, rim_to, cents, daterange('2000-01-01', null), '2026-11-22T00:00:00Z', 'the first matrix'
from (values
  ('standard', 8, 14.9, 1500), ('standard', 15, 16.9, 1800), ('standard', 17, 18.9, 2200), ('standard', 19, 20.9, 2300), ('standard', 21, 40, 2400),
  ('low-profile', 8, 14.9, 1600), ('low-profile', 15, 16.9, 1900), ('low-profile', 17, 18.9, 2300), ('low-profile', 19, 20.9, 2400), ('low-profile', 21, 40, 2400),
  ('run-flat', 8, 14.9, 1800), ('run-flat', 15, 16.9, 2000), ('run-flat', 17, 18.9, 2300), ('run-flat', 19, 20.9, 2400), ('run-flat', 21, 40, 2400),
  ('light-truck', 8, 14.9, 1800), ('light-truck', 15, 16.9, 2000), ('light-truck', 17, 18.9, 2300), ('light-truck', 19, 20.9, 2400), ('light-truck', 21, 40, 2400)
) first (job, rim_from, rim_to, cents);

create function pay_is_only_added_to() returns trigger language plpgsql as $$
begin
  raise exception 'Pay is only added to: correct it with an adjustment.' using errcode = 'check_violation', constraint = 'pay_append_only';
end $$;

create table job_pay (
  id uuid primary key,
  booking_id uuid not null references booking,
  kind text not null check (kind in ('finished', 'no-show')),
  shop_id integer not null references shop,
  order_id bigint not null references sales_order,
  at timestamptz not null,
  -- The day on the shop's clock: the matrix of this day applies, and the statement of its week has it.
  on_day date not null,
  due_at timestamptz not null,
  dispute_until timestamptz not null,
  amount_cents integer not null check (amount_cents between 0 and 10000000),
  constraint job_pay_once unique (booking_id),
  constraint job_pay_of_shop unique (shop_id, id),
  check (due_at >= at and dispute_until >= at)
);
create index job_pay_by_day on job_pay (shop_id, on_day);
create index job_pay_by_order on job_pay (order_id);
comment on table job_pay is 'What a finished job or a no-show pays its shop. Only added to.';
create trigger job_pay_append_only before update or delete on job_pay for each row execute function pay_is_only_added_to();

create table job_pay_line (
  job_pay_id uuid not null references job_pay,
  line_no smallint not null,
  quantity smallint not null check (quantity > 0),
  description text not null,
  job text not null check (job in ('standard', 'low-profile', 'run-flat', 'light-truck')),
  rim_in numeric(4, 1) not null,
  rate_cents integer not null,
  primary key (job_pay_id, line_no),
  constraint job_pay_line_within_bounds check (rate_cents between 1500 and 2400)
);
comment on table job_pay_line is 'The tires of a job''s pay, each at the rate of the matrix on its day. Only added to.';
create trigger job_pay_line_append_only before update or delete on job_pay_line for each row execute function pay_is_only_added_to();

create table pay_adjustment (
  id uuid primary key,
  shop_id integer not null references shop,
  -- The job it corrects, if it is about one.
  job_pay_id uuid,
  kind text not null check (kind in ('adjustment', 'chargeback')),
  amount_cents integer not null check (amount_cents <> 0 and amount_cents between -10000000 and 10000000),
  reason text not null check (length(reason) between 3 and 500),
  is_over_limit boolean not null,
  state text not null check (state in ('proposed', 'approved', 'declined')),
  submission_key uuid not null unique,
  made_at timestamptz not null,
  made_by text not null check (length(made_by) between 1 and 254),
  decided_at timestamptz,
  decided_by text check (length(decided_by) between 1 and 254),
  -- The day on the shop's clock whose statement has it.
  on_day date,
  dispute_until timestamptz,
  constraint pay_adjustment_of_shop unique (shop_id, id),
  foreign key (shop_id, job_pay_id) references job_pay (shop_id, id),
  check (kind = 'adjustment' or amount_cents < 0),
  check ((state = 'proposed') = (decided_at is null) and (decided_at is null) = (decided_by is null)),
  check ((state = 'approved') = (on_day is not null) and (on_day is null) = (dispute_until is null)),
  constraint pay_adjustment_second_person check (not is_over_limit or state <> 'approved' or decided_by <> made_by)
);
create index pay_adjustment_by_day on pay_adjustment (shop_id, on_day);
create index pay_adjustment_of_job on pay_adjustment (job_pay_id) where job_pay_id is not null;
create index pay_adjustment_to_decide on pay_adjustment (shop_id) where state = 'proposed';
comment on table pay_adjustment is 'Corrections of a shop''s pay by the office; above the limit of one person a proposal until a second one approves it.';

create function pay_adjustment_is_decided_once() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.state = 'proposed' and new.state in ('approved', 'declined')
      and (new.id, new.shop_id, new.kind, new.amount_cents, new.reason, new.is_over_limit, new.submission_key, new.made_at, new.made_by)
        = (old.id, old.shop_id, old.kind, old.amount_cents, old.reason, old.is_over_limit, old.submission_key, old.made_at, old.made_by)
      and new.job_pay_id is not distinct from old.job_pay_id then
    return new;
  end if;
  raise exception 'An adjustment is only decided.' using errcode = 'check_violation', constraint = 'pay_append_only';
end $$;
create trigger pay_adjustment_decided_once before update or delete on pay_adjustment for each row execute function pay_adjustment_is_decided_once();

create table pay_dispute (
  id uuid primary key,
  shop_id integer not null references shop,
  job_pay_id uuid,
  adjustment_id uuid,
  words text not null check (length(words) between 10 and 2000),
  opened_at timestamptz not null,
  opened_by uuid not null references shop_member,
  state text not null check (state in ('open', 'granted', 'declined')),
  answer text check (length(answer) between 3 and 2000),
  answered_at timestamptz,
  answered_by text check (length(answered_by) between 1 and 254),
  foreign key (shop_id, job_pay_id) references job_pay (shop_id, id),
  foreign key (shop_id, adjustment_id) references pay_adjustment (shop_id, id),
  check (num_nonnulls(job_pay_id, adjustment_id) = 1),
  constraint pay_dispute_answered_whole check (num_nonnulls(answer, answered_at, answered_by) = case when state = 'open' then 0 else 3 end)
);
create unique index pay_dispute_once_per_job on pay_dispute (job_pay_id) where job_pay_id is not null;
create unique index pay_dispute_once_per_adjustment on pay_dispute (adjustment_id) where adjustment_id is not null;
create index pay_dispute_of_shop on pay_dispute (shop_id, opened_at);
comment on table pay_dispute is 'What a shop objects to, once for each job and adjustment, and what the office answered.';

create table payout_account (
  shop_id integer primary key references shop,
  -- The account at the payout provider, which alone has the bank details.
  ref text not null unique check (length(ref) between 1 and 255),
  state text not null check (state in ('started', 'ready', 'restricted')),
  bank_last4 text check (bank_last4 ~ '^[0-9]{4}$'),
  made_at timestamptz not null,
  -- When the provider was asked for what is here: an older answer changes nothing.
  read_at timestamptz not null
);
comment on table payout_account is 'A shop''s account at the payout provider, as the provider said last.';

create table payout_wait (
  shop_id integer primary key references shop,
  told_at timestamptz not null
);
comment on table payout_wait is 'Shops whose owners were told that pay waits for their bank details.';

create table pay_transfer (
  id uuid primary key,
  shop_id integer not null references shop,
  account_ref text not null,
  amount_cents integer not null check (amount_cents > 0),
  state text not null check (state in ('intended', 'sent', 'refused')),
  -- The transfer at the provider.
  ref text unique check (length(ref) between 1 and 255),
  intended_at timestamptz not null,
  -- When the provider was asked last: one asks at a time.
  asked_at timestamptz,
  sent_at timestamptz,
  refusal text,
  check ((state = 'sent') = (ref is not null) and (ref is null) = (sent_at is null)),
  check ((state = 'refused') = (refusal is not null)),
  constraint pay_transfer_of_shop unique (shop_id, id)
);
create unique index pay_transfer_one_at_a_time on pay_transfer (shop_id) where state = 'intended';
create index pay_transfer_by_time on pay_transfer (shop_id, intended_at);
comment on table pay_transfer is 'Money on its way to a shop: intended before the provider is asked, under its id as the idempotency key.';

create table pay_reversal (
  id uuid primary key,
  shop_id integer not null references shop,
  transfer_id uuid not null,
  amount_cents integer not null check (amount_cents > 0),
  -- All that was reversed of the transfer so far.
  total_cents integer not null check (total_cents >= amount_cents),
  at timestamptz not null,
  constraint pay_reversal_once unique (transfer_id, total_cents),
  constraint pay_reversal_of_shop unique (shop_id, id),
  foreign key (shop_id, transfer_id) references pay_transfer (shop_id, id)
);
comment on table pay_reversal is 'Money of a transfer that came back; it is owed to the shop again. Only added to.';
create trigger pay_reversal_append_only before update or delete on pay_reversal for each row execute function pay_is_only_added_to();

create table pay_transfer_item (
  transfer_id uuid not null,
  shop_id integer not null,
  job_pay_id uuid,
  adjustment_id uuid,
  reversal_id uuid,
  amount_cents integer not null,
  foreign key (shop_id, transfer_id) references pay_transfer (shop_id, id),
  foreign key (shop_id, job_pay_id) references job_pay (shop_id, id),
  foreign key (shop_id, adjustment_id) references pay_adjustment (shop_id, id),
  foreign key (shop_id, reversal_id) references pay_reversal (shop_id, id),
  check (num_nonnulls(job_pay_id, adjustment_id, reversal_id) = 1)
);
create index pay_transfer_item_of_transfer on pay_transfer_item (transfer_id);
create unique index pay_transfer_item_job_once on pay_transfer_item (job_pay_id) where job_pay_id is not null;
create unique index pay_transfer_item_adjustment_once on pay_transfer_item (adjustment_id) where adjustment_id is not null;
create unique index pay_transfer_item_reversal_once on pay_transfer_item (reversal_id) where reversal_id is not null;
comment on table pay_transfer_item is 'What a transfer pays: each job, adjustment and reversal in at most one.';

create function pay_transfer_adds_up() returns trigger language plpgsql as $$
declare
  paid uuid := case when tg_table_name = 'pay_transfer' then (to_jsonb(new)->>'id')::uuid else (to_jsonb(coalesce(new, old))->>'transfer_id')::uuid end;
begin
  if exists (select from pay_transfer where id = paid and state <> 'refused' and amount_cents is distinct from (select sum(item.amount_cents) from pay_transfer_item item where item.transfer_id = paid)) then
    raise exception 'Transfer % is not the sum of what it pays.', paid using errcode = 'check_violation', constraint = 'pay_transfer_is_its_items';
  end if;
  return null;
end $$;
create constraint trigger pay_transfer_is_its_items after insert or update on pay_transfer deferrable initially deferred for each row execute function pay_transfer_adds_up();
create constraint trigger pay_transfer_items_are_it after insert or update or delete on pay_transfer_item deferrable initially deferred for each row execute function pay_transfer_adds_up();

create table bank_payout (
  ref text primary key check (length(ref) between 1 and 255),
  shop_id integer not null references shop,
  amount_cents integer not null,
  state text not null check (state in ('paid', 'failed')),
  arrives_on date not null,
  at timestamptz not null
);
create index bank_payout_of_shop on bank_payout (shop_id, arrives_on);
comment on table bank_payout is 'What the provider paid to a shop''s bank; one that failed after it was paid stays failed.';

alter table store_setting drop constraint store_setting_name_check;
alter table store_setting add constraint store_setting_name_check check (name in ('name', 'logo', 'accent-color', 'dark-color', 'phone', 'email', 'return-address', 'refund-alone-cents', 'quote-margin-floor-ppm', 'phone-zone', 'phone-week', 'phone-holidays', 'no-show-pay-cents', 'pay-hold-hours', 'pay-dispute-days', 'pay-alone-cents'));
