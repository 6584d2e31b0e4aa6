-- Closing a warehouse of the store: from a day on nothing is sold from it, and it is closed once nothing is open there.
alter table warehouse
  add column closes_on date,
  add column closed_at timestamptz,
  add constraint warehouse_closing_of_the_store check (num_nonnulls(closes_on, closed_at) = 0 or supplier_id is null),
  add constraint warehouse_scheduled_while_open check (closes_on is null or retired_at is null),
  add constraint warehouse_closing_before_closed check (closed_at is null or retired_at is not null);
comment on column warehouse.retired_at is 'Since when nothing is sold from it: it is closing, or its supplier was retired.';
comment on column warehouse.closes_on is 'The local day on which it begins to close; null if that is not planned, or has begun.';
comment on column warehouse.closed_at is 'When it was closed, with nothing left to do; null while it is open or closing.';

alter table stock
  add column closed_units integer not null default 0,
  add constraint stock_closed_units_check check (closed_units >= 0);
comment on column stock.closed_units is 'Units in a warehouse that is closing: they are moved or adjusted, and not for sale.';

-- Units that come back to a warehouse that is closing are not for sale, and one that was closed is closing again.
create function stock_of_closing_warehouse() returns trigger language plpgsql as $$
declare closed timestamptz;
begin
  select closed_at into closed from warehouse where id = new.warehouse_id and supplier_id is null and retired_at is not null;
  if found then
    new.closed_units := new.closed_units + new.on_hand;
    new.on_hand := 0;
    if closed is not null then update warehouse set closed_at = null, version = version + 1 where id = new.warehouse_id; end if;
  end if;
  return new;
end $$;
create trigger inserted_stock_of_closing_warehouse before insert on stock for each row
  when (new.on_hand > 0) execute function stock_of_closing_warehouse();
create trigger updated_stock_of_closing_warehouse before update of on_hand on stock for each row
  when (new.on_hand > old.on_hand) execute function stock_of_closing_warehouse();
comment on trigger inserted_stock_of_closing_warehouse on stock is 'A warehouse that is closing has nothing for sale.';
comment on trigger updated_stock_of_closing_warehouse on stock is 'A warehouse that is closing has nothing for sale.';

-- No order takes units from a warehouse that is closing.
create function stock_allocation_from_open_warehouse() returns trigger language plpgsql as $$
begin
  if exists (select from warehouse where id = new.warehouse_id and retired_at is not null) then
    raise exception 'Warehouse % is closing.', new.warehouse_id
      using errcode = 'check_violation', constraint = 'stock_allocation_from_open_warehouse';
  end if;
  return new;
end $$;
create trigger stock_allocation_from_open_warehouse before insert or update of warehouse_id on stock_allocation for each row
  execute function stock_allocation_from_open_warehouse();
comment on trigger stock_allocation_from_open_warehouse on stock_allocation is 'No order takes units from a warehouse that is closing.';

-- What is still to do in a warehouse before it can be closed. Carts hold units for some minutes.
create function warehouse_open_work(of_warehouse smallint, at timestamptz) returns table (kind text, open integer)
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
  where warehouse_id = of_warehouse and state in ('draft', 'sent', 'partly-received')
  union all
  select 'units', coalesce(sum(on_hand + closed_units), 0)::integer from stock where warehouse_id = of_warehouse
$$;

create function warehouse_closes_empty() returns trigger language plpgsql as $$
begin
  if exists (select from warehouse_open_work(new.id, new.closed_at) where open > 0) then
    raise exception 'Warehouse % still has open work.', new.id using errcode = 'check_violation', constraint = 'warehouse_closes_empty';
  end if;
  return new;
end $$;
create trigger warehouse_closes_empty before update of closed_at on warehouse for each row
  when (new.closed_at is not null and old.closed_at is null) execute function warehouse_closes_empty();
comment on trigger warehouse_closes_empty on warehouse is 'A warehouse is closed once nothing is open there.';

-- Nothing is ordered for a warehouse that is closing.
create or replace function stock_order_moves() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' and new.state <> 'draft' then
    raise exception 'An order for stock begins as a draft.' using errcode = 'check_violation', constraint = 'stock_order_life';
  end if;
  if tg_op = 'UPDATE' and new.state <> old.state and (old.state, new.state) not in (
    ('draft', 'sent'), ('draft', 'canceled'), ('sent', 'partly-received'), ('sent', 'received'), ('sent', 'canceled'),
    ('partly-received', 'received'), ('partly-received', 'canceled')) then
    raise exception 'Stock order % cannot go from % to %.', new.id, old.state, new.state using errcode = 'check_violation', constraint = 'stock_order_life';
  end if;
  if new.state = 'sent' and not exists (select from stock_order_line where stock_order_id = new.id) then
    raise exception 'Stock order % has no lines.', new.id using errcode = 'check_violation', constraint = 'stock_order_has_lines';
  end if;
  if not exists (select from warehouse where id = new.warehouse_id and pool = 'on-hand') then
    raise exception 'Stock order % is for a warehouse of a supplier.', new.id using errcode = 'check_violation', constraint = 'stock_order_own_warehouse';
  end if;
  if (tg_op = 'INSERT' or (old.state = 'draft' and new.state = 'sent'))
    and exists (select from warehouse where id = new.warehouse_id and retired_at is not null) then
    raise exception 'Stock order % is for a warehouse that is closing.', new.id using errcode = 'check_violation', constraint = 'stock_order_open_warehouse';
  end if;
  return new;
end $$;

-- An order locks the warehouses it takes units from before their stock, as closing does: whichever is first, the other sees it.
create or replace function take_stock(wanted json, of_cart uuid, at timestamptz) returns boolean language plpgsql as $$
declare taken integer;
begin
  perform from warehouse where id in (select warehouse_id from json_to_recordset(wanted) as want (warehouse_id smallint)) order by id for share;
  perform from stock join json_to_recordset(wanted) as want (item_id integer, warehouse_id smallint, quantity integer) using (item_id, warehouse_id)
  order by stock.item_id, stock.warehouse_id for update of stock;
  -- The order's own units are in its parcels now.
  delete from stock_hold using booking where booking.id = stock_hold.booking_id and booking.cart_id = of_cart;
  update stock set on_hand = on_hand - want.quantity
  from json_to_recordset(wanted) as want (item_id integer, warehouse_id smallint, quantity integer)
  where stock.item_id = want.item_id and stock.warehouse_id = want.warehouse_id
    and on_hand - want.quantity >= held_units(stock.item_id, stock.warehouse_id, of_cart, at);
  get diagnostics taken = row_count;
  return taken = json_array_length(wanted);
end $$;
