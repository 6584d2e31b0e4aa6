-- The carrier's reference of a parcel, the day it expects to deliver, and what shoppers were told of delays.

-- The carrier wants a full sender address for a label.
alter table warehouse add column street text not null default '';

alter table shipment
  -- Kept before the label is bought: after a crash the carrier is asked about it, so that no parcel has two labels.
  add column carrier_ref text unique check (length(carrier_ref) between 1 and 100),
  add column expected_on date,
  -- When the carrier said so: an older message does not replace a newer one.
  add column expected_as_of timestamptz,
  add constraint shipment_expected_with_time check (expected_on is null or expected_as_of is not null);

create index shipment_on_its_way on shipment (promised_on, id) where state in ('processed', 'pending-pickup', 'in-transit');

create table delay_notice (
  order_id bigint not null references sales_order on delete cascade,
  -- 1 for the first delay of an order, then counted up: the rule for silence differs.
  notice_no smallint not null check (notice_no >= 1),
  -- The day promised until then, and the new one; null where none can be named.
  promised_on date not null,
  revised_on date,
  told_at timestamptz not null,
  -- Without an answer by the end of this day, silence counts as `on_silence`.
  answer_due_on date not null,
  on_silence text not null check (on_silence in ('wait', 'cancel')),
  appointment text not null check (appointment in ('none', 'kept', 'moved', 'freed')),
  answer text check (answer in ('wait', 'move', 'cancel')),
  answered_at timestamptz,
  answered_by text check (length(answered_by) between 1 and 254),
  -- A refund that needs a person: since when.
  staff_since timestamptz,
  primary key (order_id, notice_no),
  constraint delay_notice_answered_whole check ((answer is null) = (answered_at is null) and (answer is null) = (answered_by is null)),
  constraint delay_notice_later check (revised_on is null or revised_on > promised_on),
  -- 16 CFR 435.2(b): silence is consent to a first delay of at most 30 days with a date, and to nothing else.
  constraint delay_notice_silence check (on_silence = 'cancel' or (notice_no = 1 and revised_on - promised_on <= 30))
);
comment on table delay_notice is 'What shoppers were told of delays of their orders, and what they answered (16 CFR 435).';
comment on constraint delay_notice_silence on delay_notice is 'Silence is consent to a first delay of at most 30 days with a date, and to nothing else.';

create index delay_notice_unanswered on delay_notice (answer_due_on, order_id) where answer is null;
create index delay_notice_for_staff on delay_notice (staff_since) where staff_since is not null;
