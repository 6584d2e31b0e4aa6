-- Inventory at moving average cost: units and value by tire, with an entry in the ledger for each movement.
create table inventory_value (
  item_id integer primary key,
  units integer not null default 0 check (units >= 0),
  value_cents bigint not null default 0 check (value_cents >= 0),
  constraint inventory_value_of_units check (units > 0 or value_cents = 0)
);
comment on table inventory_value is 'The tires in the store''s own warehouses at cost. Tires of orders count until the carrier or the customer has them.';
comment on column inventory_value.item_id is 'The tire; without units, it may be one that the rollback of an import deleted.';
comment on column inventory_value.units is 'Units in all warehouses of the store.';
comment on column inventory_value.value_cents is 'What all of these units cost, in cents; zero if the cost is unknown.';

create table inventory_movement (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('opening', 'received', 'adjusted', 'returned', 'imported', 'shipped', 'supplier-shipped')),
  at timestamptz not null,
  order_id bigint references sales_order,
  shipment_id uuid unique references shipment,
  receipt_id bigint unique references stock_receipt,
  adjustment_id bigint unique references stock_adjustment,
  import_run_id integer references import_run on delete set null,
  constraint inventory_movement_source check (
    (kind in ('shipped', 'supplier-shipped')) = (shipment_id is not null) and (shipment_id is null) = (order_id is null)
    and (kind = 'received') = (receipt_id is not null) and (adjustment_id is null or kind in ('adjusted', 'returned'))
    and (import_run_id is null or kind = 'imported'))
);
comment on table inventory_movement is 'What changed the value of the inventory. The ledger has a transfer of each.';
comment on column inventory_movement.id is 'Its number.';
comment on column inventory_movement.kind is 'What happened. Suppliers ship from their own stock, which is never inventory of the store.';
comment on column inventory_movement.at is 'When.';
comment on column inventory_movement.order_id is 'The order of the parcel.';
comment on column inventory_movement.shipment_id is 'The parcel that left; once.';
comment on column inventory_movement.receipt_id is 'The delivery of a stock order; once.';
comment on column inventory_movement.adjustment_id is 'The adjustment by staff; once.';
comment on column inventory_movement.import_run_id is 'The import that changed stock, or was rolled back; null once it is deleted.';
create index inventory_movement_by_order on inventory_movement (order_id) where order_id is not null;
create index inventory_movement_by_import on inventory_movement (import_run_id) where import_run_id is not null;

create table inventory_movement_line (
  movement_id bigint not null references inventory_movement,
  item_id integer not null,
  units integer not null check (units <> 0),
  cents bigint not null check (cents = 0 or (cents > 0) = (units > 0)),
  uncosted_units integer not null default 0,
  primary key (movement_id, item_id),
  constraint inventory_movement_line_uncosted check (uncosted_units in (0, abs(units)) and (uncosted_units = 0 or cents = 0))
);
comment on table inventory_movement_line is 'The units and the value of each tire in a movement.';
comment on column inventory_movement_line.movement_id is 'The movement.';
comment on column inventory_movement_line.item_id is 'The tire; its movements stay if the rollback of an import deletes it.';
comment on column inventory_movement_line.units is 'Units that came in, or left if negative. A supplier''s units never came in and are negative.';
comment on column inventory_movement_line.cents is 'Their value in cents, with the sign of the units.';
comment on column inventory_movement_line.uncosted_units is 'Units whose cost was unknown, which count as zero.';
create index inventory_movement_line_by_item on inventory_movement_line (item_id, movement_id);

alter table ledger_entry add column inventory_movement_id bigint references inventory_movement;
comment on column ledger_entry.inventory_movement_id is 'The movement of inventory; null for other entries.';
alter table ledger_entry drop constraint ledger_entry_of_one_thing;
alter table ledger_entry add constraint ledger_entry_of_one_thing
  check (num_nonnulls(coalesce(order_id, inventory_movement_id), membership_term_id, credit_grant_id) = 1) not valid;
alter table ledger_entry validate constraint ledger_entry_of_one_thing;
comment on constraint ledger_entry_of_one_thing on ledger_entry is 'An entry is of an order, a movement of inventory, or both, or of a membership term or store credit that staff gave.';
alter table ledger_entry drop constraint ledger_entry_account_check;
alter table ledger_entry add constraint ledger_entry_account_check check (account in ('receivable', 'cash', 'sales', 'sales-tax', 'tire-fee', 'excise-tax',
  'refunds', 'handling-fees', 'referral-rewards', 'goodwill', 'store-credit', 'memberships', 'disputes', 'dispute-fees',
  'inventory', 'cost-of-goods-sold', 'goods-received-not-invoiced', 'inventory-adjustments')) not valid;
alter table ledger_entry validate constraint ledger_entry_account_check;
alter table ledger_entry add constraint ledger_entry_inventory_has_movement check (
  inventory_movement_id is not null
  or account not in ('inventory', 'cost-of-goods-sold', 'goods-received-not-invoiced', 'inventory-adjustments')) not valid;
alter table ledger_entry validate constraint ledger_entry_inventory_has_movement;
create index ledger_entry_by_inventory_movement on ledger_entry (inventory_movement_id) where inventory_movement_id is not null;

create function inventory_on_shelf(items integer[]) returns table (item_id integer, units integer) language sql stable as $$
  select held.item_id, sum(held.units)::integer
  from (
    select stock.item_id, stock.warehouse_id, stock.on_hand + stock.closed_units as units
    from stock where stock.item_id = any(items)
    union all
    select line.item_id, allocation.warehouse_id, allocation.quantity
    from shipment join stock_allocation allocation on allocation.order_id = shipment.order_id and allocation.warehouse_id = shipment.warehouse_id
      join order_line line on line.order_id = allocation.order_id and line.line_no = allocation.line_no
    where shipment.state in ('processed', 'pending-pickup') and line.item_id = any(items)) as held
    join warehouse on warehouse.id = held.warehouse_id
  where warehouse.pool = 'on-hand' group by held.item_id
$$;
comment on function inventory_on_shelf is 'Units in the store''s own warehouses, including those of orders that have not left.';

-- Locks the value of these tires in key order, after stock, so that one movement at a time sees it.
create function lock_inventory(items integer[]) returns void language plpgsql as $$
begin
  insert into inventory_value (item_id) select distinct unnest(items) order by 1 on conflict do nothing;
  perform from inventory_value where item_id = any(items) order by item_id for update;
end $$;
comment on function lock_inventory is 'Locks the value of tires, with a row of zero units for those that have none.';

-- The lines have item_id, units, and cents, their value if it is known; null: the average cost, or the catalog's cost if there is no average.
create function enter_inventory(of_kind text, moved_at timestamptz, lines jsonb, source jsonb default '{}') returns bigint language plpgsql as $$
declare
  movement bigint;
  uncounted jsonb;
  total bigint;
  uncosted bigint;
begin
  if of_kind <> 'supplier-shipped' then
    perform lock_inventory(array(select item_id from jsonb_to_recordset(lines) as line (item_id integer)));
    -- Stock that no movement entered comes in before it leaves.
    select jsonb_agg(jsonb_build_object('item_id', item_id, 'units', -line.units - value.units)) into uncounted
    from jsonb_to_recordset(lines) as line (item_id integer, units integer) join inventory_value as value using (item_id)
    where value.units < -line.units;
    if uncounted is not null then
      perform enter_inventory('adjusted', moved_at, uncounted);
    end if;
  end if;
  insert into inventory_movement (kind, at, order_id, shipment_id, receipt_id, adjustment_id, import_run_id)
  values (of_kind, moved_at, (source ->> 'order_id')::bigint, (source ->> 'shipment_id')::uuid, (source ->> 'receipt_id')::bigint,
    (source ->> 'adjustment_id')::bigint, (source ->> 'import_run_id')::integer)
  returning id into movement;
  insert into inventory_movement_line (movement_id, item_id, units, cents, uncosted_units)
  select movement, item_id, units, cents, case when cents = 0 and is_uncosted then abs(units) else 0 end
  from (
    select line.item_id, line.units,
      (case
        when of_kind = 'supplier-shipped' then line.cents
        -- The last unit takes the rest.
        when line.units < 0 and value.units = -line.units then -value.value_cents
        when line.units < 0 then -round(value.value_cents::numeric * -line.units / value.units)
        when line.cents is not null then line.cents
        when value.value_cents > 0 then round(value.value_cents::numeric * line.units / value.units)
        else line.units::bigint * coalesce(item.cost_cents, 0) end)::bigint as cents,
      of_kind = 'supplier-shipped' or line.units > 0 or value.value_cents = 0 as is_uncosted
    from jsonb_to_recordset(lines) as line (item_id integer, units integer, cents bigint)
      join item on item.id = line.item_id left join inventory_value as value on value.item_id = line.item_id) as valued;
  if of_kind <> 'supplier-shipped' then
    update inventory_value set units = inventory_value.units + line.units, value_cents = value_cents + line.cents
    from inventory_movement_line as line where line.movement_id = movement and line.item_id = inventory_value.item_id;
  end if;
  select sum(cents), sum(uncosted_units) into total, uncosted from inventory_movement_line where movement_id = movement;
  -- An entry holds at most 2,147,483,647 cents.
  with entered as (select gen_random_uuid() as transfer_id)
  insert into ledger_entry (transfer_id, order_id, inventory_movement_id, account, amount_cents, reason, at)
  select transfer_id, (source ->> 'order_id')::bigint, movement, account,
    sign * sign(total)::integer * least(abs(total) - part * 2000000000, 2000000000)::integer,
    case of_kind when 'opening' then 'opening stock' when 'received' then 'stock received' when 'adjusted' then 'stock adjusted'
      when 'returned' then 'return to stock' when 'imported' then 'stock imported' when 'shipped' then 'tires shipped'
      else 'supplier shipped tires' end
      || case when uncosted > 0 then ' (cost unknown: ' || uncosted || ')' else '' end,
    moved_at
  from entered, generate_series(0, (abs(total) - 1) / 2000000000) as part, (values
    (case when of_kind = 'supplier-shipped' then 'goods-received-not-invoiced' else 'inventory' end, 1),
    (case when of_kind = 'received' then 'goods-received-not-invoiced'
      when of_kind in ('shipped', 'supplier-shipped', 'returned') then 'cost-of-goods-sold' else 'inventory-adjustments' end, -1)) as entry (account, sign)
  where total <> 0;
  return movement;
end $$;
comment on function enter_inventory is 'Moves inventory: updates its value, and enters the movement in the ledger at cost.';

create function count_inventory(of_kind text, counted_at timestamptz, items integer[], source jsonb default '{}') returns bigint language plpgsql as $$
declare
  lines jsonb;
begin
  perform lock_inventory(items);
  select jsonb_agg(jsonb_build_object('item_id', value.item_id, 'units', coalesce(shelf.units, 0) - value.units)) into lines
  from inventory_value as value left join inventory_on_shelf(items) as shelf using (item_id)
  where value.item_id = any(items) and value.units <> coalesce(shelf.units, 0);
  return case when lines is not null then enter_inventory(of_kind, counted_at, lines, source) end;
end $$;
comment on function count_inventory is 'Enters by how much stock differs from the units that have a value; null if it does not.';

-- Opening balances of stores that have stock already.
select count_inventory('opening', now(), array(
  select distinct stock.item_id from stock join warehouse on warehouse.id = stock.warehouse_id where warehouse.pool = 'on-hand'
  union
  select line.item_id from shipment join order_line line on line.order_id = shipment.order_id
  where shipment.state in ('processed', 'pending-pickup') and line.item_id is not null));
