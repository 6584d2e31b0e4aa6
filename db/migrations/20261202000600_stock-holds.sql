-- Tires that are held with a time, so that a shopper with a held appointment cannot lose its tires to another order.
-- A row counts as long as its booking is held: nothing is taken from stock.on_hand until the order is placed.
create table stock_hold (
  booking_id uuid not null references booking (id) on delete cascade,
  item_id integer not null,
  warehouse_id smallint not null,
  quantity integer not null check (quantity > 0),
  held_by text,
  primary key (booking_id, item_id, warehouse_id),
  foreign key (item_id, warehouse_id) references stock (item_id, warehouse_id) on delete cascade
);
comment on table stock_hold is 'Units of stock held for a cart with its appointment, in the warehouse that would ship them.';
comment on column stock_hold.held_by is 'Opaque key of the visitor''s network address, for the limit on held units.';
create index stock_hold_item_id_warehouse_id_idx on stock_hold (item_id, warehouse_id);

-- Units that carts other than `of_cart` hold at `at`.
create function held_units(of_item integer, in_warehouse integer, of_cart uuid, at timestamptz) returns integer
language sql stable as $function$
  select coalesce(sum(hold.quantity), 0)::integer
  from stock_hold hold join booking on booking.id = hold.booking_id
  where hold.item_id = of_item and hold.warehouse_id = in_warehouse
    and booking.state = 'held' and booking.hold_expires_at > at and booking.cart_id is distinct from of_cart
$function$;

-- Takes units for an order. False, and nothing is taken, where a row has too few beside those held for other carts: the
-- transaction must be rolled back. The statement after the lock sees every hold made before it was granted.
create function take_stock(wanted json, of_cart uuid, at timestamptz) returns boolean
language plpgsql as $function$
declare taken integer;
begin
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
end $function$;

-- Holds units with a booking instead of those it held before. `short`: too few are left beside those of other carts, and
-- it keeps what it had. `limited`: the visitor's network holds too many of one row, and it holds none.
create function hold_stock(of_booking uuid, wanted json, of_holder text, at timestamptz, most integer) returns text
language plpgsql as $function$
declare of_cart uuid; holder text;
begin
  perform from stock join json_to_recordset(wanted) as want (item_id integer, warehouse_id smallint, quantity integer) using (item_id, warehouse_id)
  order by stock.item_id, stock.warehouse_id for update of stock;
  select cart_id, coalesce(of_holder, held_by) into of_cart, holder from booking where id = of_booking and state = 'held';
  if not found then return 'short'; end if;
  if exists (
    select from json_to_recordset(wanted) as want (item_id integer, warehouse_id smallint, quantity integer)
    left join stock using (item_id, warehouse_id)
    where coalesce(stock.on_hand, 0) - want.quantity < held_units(want.item_id, want.warehouse_id, of_cart, at)
  ) then return 'short'; end if;
  delete from stock_hold where booking_id = of_booking;
  if exists (
    select from json_to_recordset(wanted) as want (item_id integer, warehouse_id smallint, quantity integer)
    where want.quantity + (
      select coalesce(sum(hold.quantity), 0) from stock_hold hold join booking on booking.id = hold.booking_id
      where hold.item_id = want.item_id and hold.warehouse_id = want.warehouse_id and hold.held_by = holder and booking.hold_expires_at > at) > most
  ) then return 'limited'; end if;
  insert into stock_hold (booking_id, item_id, warehouse_id, quantity, held_by)
  select of_booking, item_id, warehouse_id, quantity, holder
  from json_to_recordset(wanted) as want (item_id integer, warehouse_id smallint, quantity integer);
  return 'held';
end $function$;

-- However a hold ends, its tires are free at once.
create function release_held_stock() returns trigger language plpgsql as $function$
begin
  delete from stock_hold where booking_id = new.id;
  return null;
end $function$;
create trigger release_held_stock after update of state on booking
  for each row when (old.state = 'held' and new.state <> 'held') execute function release_held_stock();
comment on trigger release_held_stock on booking is 'Tires are held no longer than the time they are held with.';

-- A count, a correction or a loss can leave fewer units than are held. Then those whose hold ends first are held no more.
create function keep_stock_holds_within_stock() returns trigger language plpgsql as $function$
begin
  delete from stock_hold using (
    select hold.booking_id, hold.item_id, hold.warehouse_id, changed.on_hand,
      sum(hold.quantity) over (partition by hold.item_id, hold.warehouse_id order by booking.hold_expires_at desc nulls last, booking.id) as up_to
    from stock_hold hold join changed using (item_id, warehouse_id) join booking on booking.id = hold.booking_id
  ) as ranked
  where ranked.up_to > ranked.on_hand and stock_hold.booking_id = ranked.booking_id
    and stock_hold.item_id = ranked.item_id and stock_hold.warehouse_id = ranked.warehouse_id;
  return null;
end $function$;
create trigger keep_stock_holds_within_stock after update on stock referencing new table as changed
  for each statement execute function keep_stock_holds_within_stock();
comment on trigger keep_stock_holds_within_stock on stock is 'No more units are held than there are.';
