-- Refunds of charged orders that staff make, line by line, and the notes staff keep on an order.

alter table ledger_entry drop constraint ledger_entry_account_check;
alter table ledger_entry add constraint ledger_entry_account_check check (account in (
  'receivable', 'cash', 'sales', 'sales-tax', 'tire-fee', 'excise-tax', 'refunds', 'handling-fees', 'referral-rewards', 'store-credit', 'memberships'));

-- An invoice that is refunded in full has nothing left to pay, and is settled with that.
alter table invoice drop constraint invoice_amount_cents_check;
alter table invoice add constraint invoice_amount_cents_check check (amount_cents >= 0 and (amount_cents > 0 or state <> 'open'));

create table order_refund (
  id uuid primary key,
  order_id bigint not null references sales_order,
  -- Made with the form: however often it is submitted, it is one refund.
  submission_key uuid not null unique,
  -- `draft`: over the limit of one person, until a second one decides.
  state text not null check (state in ('draft', 'approved', 'declined')),
  -- What the refunded units cost with tax, fees and excise tax: the sum of the lines.
  lines_cents integer not null check (lines_cents >= 0),
  handling_fee_cents integer not null default 0 check (handling_fee_cents >= 0),
  -- What is refunded less than the lines come to, and why.
  lowered_cents integer not null default 0 check (lowered_cents >= 0),
  lower_reason text check (lower_reason in ('refunded-before', 'used-or-damaged', 'agreed', 'other')),
  -- An amount that belongs to no line: the units stay sold.
  goodwill_cents integer not null default 0 check (goodwill_cents >= 0),
  amount_cents integer not null check (amount_cents > 0),
  -- Where the money goes: back to the card, to the account's store credit, or off the invoice.
  card_cents integer not null check (card_cents >= 0),
  credit_cents integer not null check (credit_cents >= 0),
  invoice_cents integer not null check (invoice_cents >= 0),
  reason text not null check (reason in ('late', 'damaged', 'wrong-tire', 'does-not-fit', 'changed-mind', 'defect', 'service-not-done', 'price', 'other')),
  bearer text not null check (bearer in ('store', 'supplier', 'carrier', 'shop', 'maker')),
  note text check (length(note) between 1 and 500),
  is_over_limit boolean not null,
  created_at timestamptz not null,
  created_by text not null check (length(created_by) between 1 and 254),
  decided_at timestamptz,
  decided_by text check (length(decided_by) between 1 and 254),
  unique (id, order_id),
  constraint order_refund_amount_adds_up check (amount_cents = lines_cents - handling_fee_cents - lowered_cents + goodwill_cents),
  constraint order_refund_goodwill_without_lines check (goodwill_cents = 0 or lines_cents = 0),
  constraint order_refund_goes_somewhere check (amount_cents = card_cents + credit_cents + invoice_cents and (invoice_cents = 0 or card_cents = 0)),
  constraint order_refund_lowered_with_reason check ((lowered_cents > 0) = (lower_reason is not null)),
  constraint order_refund_maker_bears_defects check (bearer <> 'maker' or reason = 'defect'),
  constraint order_refund_decided_whole check ((state = 'draft') = (decided_at is null) and (decided_at is null) = (decided_by is null)),
  constraint order_refund_second_person check (is_over_limit = false or state <> 'approved' or decided_by <> created_by),
  constraint order_refund_draft_is_over_limit check (state = 'approved' or is_over_limit)
);
comment on table order_refund is 'Refunds that staff made of charged orders, each with its reason and who bears the cost.';
comment on constraint order_refund_second_person on order_refund is 'Over the limit, whoever asked for a refund does not approve it.';
create index order_refund_by_order on order_refund (order_id, created_at);
create index order_refund_drafts on order_refund (created_at, id) where state = 'draft';

create table order_refund_line (
  refund_id uuid not null,
  order_id bigint not null,
  line_no smallint not null,
  units smallint not null check (units > 0),
  net_cents integer not null check (net_cents >= 0),
  tax_cents integer not null check (tax_cents >= 0),
  fet_cents integer not null check (fet_cents >= 0),
  tire_fee_cents integer not null check (tire_fee_cents >= 0),
  primary key (refund_id, line_no),
  foreign key (refund_id, order_id) references order_refund (id, order_id),
  foreign key (order_id, line_no) references order_line (order_id, line_no)
);
comment on table order_refund_line is 'The units of an order line in a refund, with their share of price, sales tax, excise tax and state tire fee.';
create index order_refund_line_by_line on order_refund_line (order_id, line_no);

-- Units are refunded once and cents within what was paid. The order's line is locked, so that two refunds at once are counted one after the other.
create function order_refunds_within_line() returns trigger language plpgsql as $$
declare
  bought order_line;
  given record;
begin
  select * into bought from order_line where order_id = new.order_id and line_no = new.line_no for no key update;
  select coalesce(sum(line.units), 0) as units, coalesce(sum(line.net_cents), 0) as net, coalesce(sum(line.tax_cents), 0) as tax,
    coalesce(sum(line.fet_cents), 0) as fet, coalesce(sum(line.tire_fee_cents), 0) as tire_fee into given
  from order_refund_line line join order_refund refund on refund.id = line.refund_id
  where line.order_id = new.order_id and line.line_no = new.line_no and line.refund_id <> new.refund_id and refund.state <> 'declined';
  if (given.units + new.units <= bought.quantity and given.net + new.net_cents <= bought.net_cents and given.tax + new.tax_cents <= bought.tax_cents
    and given.fet + new.fet_cents <= bought.fet_cents and given.tire_fee + new.tire_fee_cents <= bought.tire_fee_cents) is not true then
    raise exception 'Line % of order % has not that much left to refund.', new.line_no, new.order_id using errcode = 'check_violation', constraint = 'order_refunds_within_line';
  end if;
  return new;
end $$;
create trigger order_refunds_within_line before insert or update on order_refund_line for each row execute function order_refunds_within_line();
comment on trigger order_refunds_within_line on order_refund_line is 'No unit is refunded twice, and no more than was paid for it.';

-- The lines of a refund come to what the refund says, when both are written.
create function order_refund_is_its_lines() returns trigger language plpgsql as $$
declare
  refund order_refund;
  lines bigint;
begin
  if tg_table_name = 'order_refund' then
    refund := new;
  else
    select * into refund from order_refund where id = new.refund_id;
  end if;
  select coalesce(sum(net_cents + tax_cents + fet_cents + tire_fee_cents), 0) into lines from order_refund_line where refund_id = refund.id;
  if refund.lines_cents <> lines then
    raise exception 'The lines of refund % come to % cents, not %.', refund.id, lines, refund.lines_cents using errcode = 'check_violation', constraint = 'order_refund_is_its_lines';
  end if;
  return null;
end $$;
create constraint trigger order_refund_is_its_lines after insert or update on order_refund deferrable initially deferred for each row execute function order_refund_is_its_lines();
create constraint trigger order_refund_is_its_lines after insert or update on order_refund_line deferrable initially deferred for each row execute function order_refund_is_its_lines();
comment on trigger order_refund_is_its_lines on order_refund is 'A refund comes to the sum of its lines when it is committed.';
comment on trigger order_refund_is_its_lines on order_refund_line is 'A refund comes to the sum of its lines when it is committed.';

-- A decision stands: what was approved or declined is not decided again, and nothing else of a refund changes.
create function order_refund_decided_once() returns trigger language plpgsql as $$
begin
  if old.state <> 'draft' or to_jsonb(new) - array['state', 'decided_at', 'decided_by'] <> to_jsonb(old) - array['state', 'decided_at', 'decided_by'] then
    raise exception 'Refund % is decided.', old.id using errcode = 'check_violation', constraint = 'order_refund_decided_once';
  end if;
  return new;
end $$;
create trigger order_refund_decided_once before update on order_refund for each row execute function order_refund_decided_once();
comment on trigger order_refund_decided_once on order_refund is 'A refund is approved or declined once, and is otherwise never changed.';

create table order_note (
  id bigint generated always as identity primary key,
  order_id bigint not null references sales_order,
  submission_key uuid not null unique,
  at timestamptz not null,
  author text not null check (length(author) between 1 and 254),
  body text not null check (length(body) between 1 and 2000)
);
comment on table order_note is 'Notes that staff keep on an order; the customer never sees them.';
create index order_note_by_order on order_note (order_id, id);
