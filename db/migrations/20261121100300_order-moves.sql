-- How an order and its parcels may move from state to state. domain/orders/orders.ts has the same tables (orderLife, shipmentLife); a test compares them.
create function order_may_move(was text, becomes text) returns boolean immutable strict parallel safe language sql as $$
  select (was, becomes) in (
    ('needs-confirmation', 'confirmed'),
    ('needs-confirmation', 'canceled'),
    ('confirmed', 'needs-confirmation'),
    ('confirmed', 'canceled'),
    ('confirmed', 'returned'))
$$;
comment on function order_may_move is 'The moves of an order: the same table as orderLife in domain/orders/orders.ts.';

create function shipment_may_move(was text, becomes text) returns boolean immutable strict parallel safe language sql as $$
  select (was, becomes) in (
    ('processed', 'pending-pickup'),
    ('processed', 'canceled'),
    ('pending-pickup', 'in-transit'),
    ('pending-pickup', 'canceled'),
    ('in-transit', 'delivered'),
    ('in-transit', 'returned'),
    ('delivered', 'returned'))
$$;
comment on function shipment_may_move is 'The moves of a parcel: the same table as shipmentLife in domain/orders/orders.ts.';

create function order_moves_by_its_life() returns trigger language plpgsql as $$
begin
  if not order_may_move(old.state, new.state) then
    raise exception 'Order % cannot go from % to %.', new.id, old.state, new.state using errcode = 'check_violation', constraint = 'sales_order_life';
  end if;
  if new.state = 'canceled' and exists (select from shipment where order_id = new.id and state in ('in-transit', 'delivered', 'returned')) then
    raise exception 'Order % has shipped.', new.id using errcode = 'check_violation', constraint = 'sales_order_canceled_unshipped';
  end if;
  return new;
end $$;
create trigger sales_order_life before update of state on sales_order
  for each row when (old.state is distinct from new.state) execute function order_moves_by_its_life();
comment on trigger sales_order_life on sales_order is 'An order moves as order_may_move says, and is not canceled once a parcel has shipped.';

create function shipment_moves_by_its_life() returns trigger language plpgsql as $$
begin
  if not shipment_may_move(old.state, new.state) then
    raise exception 'Shipment % cannot go from % to %.', new.id, old.state, new.state using errcode = 'check_violation', constraint = 'shipment_life';
  end if;
  return new;
end $$;
create trigger shipment_life before update of state on shipment
  for each row when (old.state is distinct from new.state) execute function shipment_moves_by_its_life();
comment on trigger shipment_life on shipment is 'A parcel moves as shipment_may_move says.';

-- Shoppers cancel before the release; staff also after it, as long as nothing has shipped, and what was captured goes back.
alter table sales_order
  add column canceled_late boolean not null default false,
  drop constraint sales_order_canceled_or_released,
  add constraint sales_order_canceled_or_released check (state <> 'canceled' or released_at is null or canceled_late),
  add constraint sales_order_canceled_late check (not canceled_late or state = 'canceled' and released_at is not null);
comment on column sales_order.canceled_late is 'Staff canceled it after its release, before anything shipped.';
comment on constraint sales_order_canceled_or_released on sales_order is 'An order that is charged and shipped is not canceled, unless staff did before a parcel shipped.';
comment on constraint sales_order_canceled_late on sales_order is 'Only a released and canceled order was canceled late.';
