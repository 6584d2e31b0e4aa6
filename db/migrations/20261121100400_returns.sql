-- Returns of delivered tires: what was asked for, each tire's way back, what was found, and the money that went back.

create table order_return (
  -- Shown as M-1042.
  id bigint generated always as identity (start with 1001) primary key,
  order_id bigint not null references sales_order,
  -- Counts the returns of an order. A form carries the number it was shown for: submitted again, it is the same return.
  seq smallint not null check (seq between 1 and 400),
  reason text not null check (reason in ('wrong-size', 'changed-mind', 'damaged', 'wrong-item', 'late', 'short')),
  wants text not null check (wants in ('refund', 'exchange')),
  note text check (length(note) between 1 and 500),
  -- Whether the order's verdict was that the tires fit: then we bear what a wrong size costs.
  was_said_to_fit boolean not null,
  requested_by text not null check (requested_by in ('shopper', 'program')),
  requested_at timestamptz not null,
  -- The last day to hand the tires to the carrier; null where nothing comes back.
  ship_by_on date,
  -- The cart that the exchange was started in; the order it becomes waives the fee.
  exchange_cart_id uuid references cart,
  -- The order of the right size that staff found, where it was not placed through the exchange.
  reorder_id bigint references sales_order,
  constraint return_numbered_once unique (order_id, seq),
  constraint return_short_ships_nothing check ((reason = 'short') = (ship_by_on is null)),
  constraint return_reorder_is_another check (reorder_id <> order_id)
);
comment on table order_return is 'Requests to return tires of an order, one row each; the state is that of their tires.';
create index return_by_exchange on order_return (exchange_cart_id) where exchange_cart_id is not null;
create index return_by_reorder on order_return (reorder_id) where reorder_id is not null;

-- Refunds of a return: one whenever accepted tires are paid back, as each receipt has its own 48 hours.
create table return_refund (
  return_id bigint not null references order_return,
  no smallint not null check (no between 1 and 400),
  at timestamptz not null,
  by text not null check (length(by) between 1 and 254),
  -- What was paid for the tires, with their taxes, fees and services.
  goods_cents integer not null check (goods_cents >= 0),
  fee_cents integer not null check (fee_cents >= 0),
  fee_reason text not null check (fee_reason in ('due', 'reordered', 'said-to-fit', 'our-mistake')),
  refund_cents integer not null,
  -- `card`: a refund of the charge under the key return:<id>:<no>. `invoice`: the open invoice was lowered. `by-hand`: staff settle it.
  way text not null check (way in ('card', 'invoice', 'by-hand')),
  constraint return_refund_pkey primary key (return_id, no),
  constraint return_refund_adds_up check (refund_cents = goods_cents - fee_cents and refund_cents >= 0),
  constraint return_fee_only_when_due check (fee_cents = 0 or fee_reason = 'due')
);
comment on table return_refund is 'What was given back for the accepted tires of a return, with the handling fee and why it was waived.';

create table return_tire (
  return_id bigint not null references order_return,
  tire_no smallint not null check (tire_no between 1 and 400),
  order_id bigint not null,
  line_no smallint not null,
  -- Which unit of its order line: its share of what was paid follows from that.
  unit smallint not null check (unit >= 1),
  state text not null default 'requested'
    check (state in ('requested', 'labeled', 'shipped', 'received', 'accepted', 'refused', 'refunded', 'canceled')),
  -- False for a tire that never arrived.
  ships_back boolean not null,
  -- The carrier's name for the parcel, kept before its label is bought.
  parcel_ref text check (length(parcel_ref) between 1 and 100),
  carrier text check (length(carrier) between 1 and 60),
  tracking_number text constraint return_tracking_number_key unique check (length(tracking_number) between 1 and 60),
  label_url text check (length(label_url) between 1 and 500),
  -- The refund within 48 hours counts from here, tire by tire.
  received_at timestamptz,
  finding text check (length(finding) between 1 and 300),
  dot text check (dot ~ '^[0-9A-Z ]{4,20}$'),
  is_dot_match boolean,
  outcome text check (outcome in ('restock', 'blemished', 'supplier', 'scrap', 'send-back')),
  -- Sent to the shopper word for word.
  refusal text check (length(refusal) between 1 and 500),
  inspected_at timestamptz,
  refund_no smallint,
  constraint return_tire_pkey primary key (return_id, tire_no),
  constraint return_tire_line_fkey foreign key (order_id, line_no) references order_line (order_id, line_no),
  constraint return_tire_refund_fkey foreign key (return_id, refund_no) references return_refund (return_id, no),
  constraint return_tire_label_whole check ((carrier is null) = (tracking_number is null)),
  constraint return_tire_received_in_time check ((state in ('received', 'accepted', 'refused', 'refunded')) = (received_at is not null)),
  constraint return_tire_inspected check ((state in ('accepted', 'refused', 'refunded')) = (inspected_at is not null)),
  constraint return_tire_refusal_said check ((state = 'refused') = (refusal is not null)),
  constraint return_tire_refunded_once check ((state = 'refunded') = (refund_no is not null))
);
comment on table return_tire is 'The tires of a return, one row each, with label, finding and outcome.';
-- A unit that was requested back and canceled can be requested again; one that we refused cannot.
create unique index return_unit_once on return_tire (order_id, line_no, unit) where state <> 'canceled';
create index return_tire_by_state on return_tire (state, return_id);

-- The moves of a tire. The table is `returnTireLife` in domain/returns/returns.ts; a test compares the two.
create function return_tire_moves() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if new.state <> 'requested' then
      raise exception 'A tire of a return begins as requested, not %.', new.state using errcode = 'check_violation', constraint = 'return_tire_life';
    end if;
  elsif new.state <> old.state and (old.state, new.state) not in (
    ('requested', 'labeled'), ('requested', 'received'), ('requested', 'canceled'),
    ('labeled', 'shipped'), ('labeled', 'received'), ('labeled', 'canceled'),
    ('shipped', 'received'),
    ('received', 'accepted'), ('received', 'refused'),
    ('accepted', 'refunded')) then
    raise exception 'A tire of a return does not go from % to %.', old.state, new.state using errcode = 'check_violation', constraint = 'return_tire_life';
  end if;
  return new;
end $$;
create trigger return_tire_life before insert or update of state on return_tire for each row execute function return_tire_moves();
comment on trigger return_tire_life on return_tire is 'A tire of a return only moves on the way it may.';

-- Never more units than were delivered and have not been returned. The order is locked, so that two requests count one after the other.
create function return_units_within_delivered() returns trigger language plpgsql as $$
declare
  delivered bigint;
  taken bigint;
begin
  perform 1 from sales_order where id = new.order_id for no key update;
  select coalesce(sum(a.quantity), 0) into delivered
  from stock_allocation a join shipment h on h.order_id = a.order_id and h.warehouse_id = a.warehouse_id
  where a.order_id = new.order_id and a.line_no = new.line_no and h.state = 'delivered';
  select count(*) into taken from return_tire
  where order_id = new.order_id and line_no = new.line_no and state <> 'canceled' and (return_id, tire_no) <> (new.return_id, new.tire_no);
  if taken + 1 > delivered or new.unit > (select quantity from order_line where order_id = new.order_id and line_no = new.line_no and kind = 'tire') is not false
    or (select order_id from order_return where id = new.return_id) is distinct from new.order_id then
    raise exception 'No more tires of line % of order % can be returned.', new.line_no, new.order_id
      using errcode = 'check_violation', constraint = 'return_units_within_delivered';
  end if;
  return new;
end $$;
create trigger return_units_within_delivered before insert on return_tire for each row execute function return_units_within_delivered();
comment on trigger return_units_within_delivered on return_tire is 'No order has more tires in its returns than were delivered.';

create table return_event (
  id bigint generated always as identity primary key,
  return_id bigint not null,
  tire_no smallint not null,
  at timestamptz not null,
  from_state text,
  to_state text not null,
  actor text not null check (length(actor) between 1 and 254),
  note text check (length(note) <= 500),
  constraint return_event_tire_fkey foreign key (return_id, tire_no) references return_tire (return_id, tire_no)
);
comment on table return_event is 'Every change of a tire of a return and every scan by the carrier, with who and when.';
create index return_event_by_return on return_event (return_id, id);

create table return_photo (
  return_id bigint not null references order_return,
  no smallint not null check (no between 1 and 20),
  -- The tire it was taken of in the office; null for the shopper's own.
  tire_no smallint,
  by text not null check (by in ('shopper', 'staff')),
  name text not null check (length(name) between 1 and 120),
  bytes bytea not null check (octet_length(bytes) between 1 and 1048576),
  at timestamptz not null,
  constraint return_photo_pkey primary key (return_id, no),
  constraint return_photo_of_a_tire foreign key (return_id, tire_no) references return_tire (return_id, tire_no),
  constraint return_photo_by_staff_of_a_tire check ((by = 'staff') = (tire_no is not null))
);
comment on table return_photo is 'Pictures of returned tires, re-encoded as WebP: up to five by the shopper, and our own of refused tires.';
