-- Stock orders that go to suppliers electronically, and what suppliers answer.
alter table stock_order
  drop constraint stock_order_state_check,
  add constraint stock_order_state_check check (state in ('draft', 'sending', 'sent', 'partly-received', 'received', 'canceled')),
  add column asked_no smallint not null default 0 check (asked_no between 0 and 99),
  add column taken_at timestamptz,
  add column refusal text check (length(refusal) between 1 and 400),
  add column refused_at timestamptz,
  add column withdrawn_at timestamptz,
  add column withdraw_refusal text check (length(withdraw_refusal) between 1 and 400),
  add column supplier_reference text check (length(supplier_reference) between 1 and 60),
  add column shipped_at timestamptz,
  add column ship_notice text check (length(ship_notice) between 1 and 100),
  add constraint stock_order_taken_after_sending check (taken_at is null or (asked_no > 0 and state not in ('draft', 'sending'))),
  add constraint stock_order_sending check (state <> 'sending' or asked_no > 0),
  add constraint stock_order_refused_draft check (
    num_nonnulls(refusal, refused_at) in (0, 2) and (refusal is null or (asked_no > 0 and state = 'draft'))),
  add constraint stock_order_withdrawn check (num_nonnulls(withdrawn_at, withdraw_refusal) = 0 or (state = 'canceled' and taken_at is not null)),
  add constraint stock_order_shipped_with_notice check ((shipped_at is null) = (ship_notice is null));
comment on column stock_order.asked_no is 'How often staff sent it electronically; each time is another order to the supplier.';
comment on column stock_order.taken_at is 'When the supplier’s system took it; null if staff placed it.';
comment on column stock_order.refusal is 'Why the supplier’s system refused it, until staff send it again.';
comment on column stock_order.refused_at is 'When the supplier’s system refused it.';
comment on column stock_order.withdrawn_at is 'When the supplier’s system took the cancellation.';
comment on column stock_order.withdraw_refusal is 'Why the supplier’s system refused the cancellation.';
comment on column stock_order.supplier_reference is 'The supplier’s own number of the order.';
comment on column stock_order.shipped_at is 'When the supplier last said that it shipped.';
comment on column stock_order.ship_notice is 'The number and tracking of the latest shipment.';

alter table stock_order_line
  add column rejected_units integer not null default 0 check (rejected_units >= 0),
  add column backordered_units integer not null default 0 check (backordered_units >= 0),
  add constraint stock_order_line_answered_within check (rejected_units + backordered_units <= quantity);
comment on column stock_order_line.rejected_units is 'Units that the supplier does not fill, as it answered last. Staff mark them as missing.';
comment on column stock_order_line.backordered_units is 'Units that the supplier ships later, as it answered last.';

alter table supplier_message
  alter column purchase_order_id drop not null,
  add column stock_order_id bigint references stock_order on delete cascade,
  add constraint supplier_message_of_one_order check (num_nonnulls(purchase_order_id, stock_order_id) = 1);
comment on column supplier_message.stock_order_id is 'The stock order that it is about; null for a purchase order of a shopper’s order.';
create index supplier_message_by_stock_order on supplier_message (stock_order_id, received_at) where stock_order_id is not null;

drop index stock_order_by_supplier;
create index stock_order_by_supplier on stock_order (supplier_id, warehouse_id)
  where state in ('draft', 'sending', 'sent', 'partly-received');
drop index stock_order_open_by_day;
create index stock_order_open_by_day on stock_order (expected_on) where state in ('sending', 'sent', 'partly-received');
create index stock_order_by_refusal on stock_order (refused_at) where refused_at is not null;

create or replace function stock_order_moves() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' and new.state <> 'draft' then
    raise exception 'An order for stock begins as a draft.' using errcode = 'check_violation', constraint = 'stock_order_life';
  end if;
  if tg_op = 'UPDATE' and new.state <> old.state and (old.state, new.state) not in (
    ('draft', 'sending'), ('draft', 'sent'), ('draft', 'canceled'), ('sending', 'draft'), ('sending', 'sent'), ('sending', 'canceled'),
    ('sent', 'partly-received'), ('sent', 'received'), ('sent', 'canceled'),
    ('partly-received', 'received'), ('partly-received', 'canceled')) then
    raise exception 'Stock order % cannot go from % to %.', new.id, old.state, new.state using errcode = 'check_violation', constraint = 'stock_order_life';
  end if;
  if new.state in ('sending', 'sent') and not exists (select from stock_order_line where stock_order_id = new.id) then
    raise exception 'Stock order % has no lines.', new.id using errcode = 'check_violation', constraint = 'stock_order_has_lines';
  end if;
  if not exists (select from warehouse where id = new.warehouse_id and pool = 'on-hand') then
    raise exception 'Stock order % is for a warehouse of a supplier.', new.id using errcode = 'check_violation', constraint = 'stock_order_own_warehouse';
  end if;
  if (tg_op = 'INSERT' or (old.state = 'draft' and new.state in ('sending', 'sent')))
    and exists (select from warehouse where id = new.warehouse_id and retired_at is not null) then
    raise exception 'Stock order % is for a warehouse that is closing.', new.id using errcode = 'check_violation', constraint = 'stock_order_open_warehouse';
  end if;
  return new;
end $$;

create or replace function warehouse_open_work(of_warehouse smallint, at timestamptz) returns table (kind text, open integer)
language sql stable as $$
  with parcel as (
    select sales_order.fulfillment from shipment join sales_order on sales_order.id = shipment.order_id
    where shipment.warehouse_id = of_warehouse and shipment.state in ('processed', 'pending-pickup')
      and exists (select from stock_allocation part where part.order_id = shipment.order_id and part.warehouse_id = shipment.warehouse_id))
  select 'parcels', count(*)::integer from parcel where fulfillment <> 'warehouse-pickup'
  union all
  select 'pickups', count(*)::integer from parcel where fulfillment = 'warehouse-pickup'
  union all
  select 'holds', count(distinct booking.id)::integer from stock_hold hold join booking on booking.id = hold.booking_id
  where hold.warehouse_id = of_warehouse and booking.state = 'held' and booking.hold_expires_at > at
  union all
  select 'stock-orders', count(*)::integer from stock_order
  where warehouse_id = of_warehouse and state in ('draft', 'sending', 'sent', 'partly-received')
  union all
  select 'units', coalesce(sum(on_hand + closed_units), 0)::integer from stock where warehouse_id = of_warehouse
$$;
