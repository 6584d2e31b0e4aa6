-- Tires that the store returns to a supplier, with the supplier's number for the return and its credit.
create table supplier_return (
  id bigint generated always as identity (start with 1001) primary key,
  submission_key uuid not null constraint supplier_return_submission_key_key unique,
  supplier_id smallint not null references supplier,
  warehouse_id smallint not null references warehouse,
  state text not null default 'draft' check (state in ('draft', 'sent', 'credited', 'canceled')),
  rma text check (length(rma) between 1 and 60),
  note text check (length(note) between 1 and 400),
  version integer not null default 1 check (version > 0),
  created_at timestamptz not null,
  created_by text not null,
  sent_at timestamptz,
  sent_by text,
  credited_at timestamptz,
  credited_by text,
  credit_cents integer check (credit_cents between 0 and 1000000000),
  credit_reference text check (length(credit_reference) between 1 and 60),
  canceled_at timestamptz,
  canceled_by text,
  constraint supplier_return_sent check (
    (state in ('sent', 'credited')) = (sent_at is not null) and (sent_at is null) = (sent_by is null) and (sent_at is null or rma is not null)),
  constraint supplier_return_credited check (
    (state = 'credited') = (credited_at is not null) and (credited_at is null) = (credited_by is null) and (credited_at is null) = (credit_cents is null)),
  constraint supplier_return_canceled check (
    (state = 'canceled') = (canceled_at is not null) and (canceled_at is null) = (canceled_by is null))
);
create index supplier_return_by_supplier on supplier_return (supplier_id);
create index supplier_return_by_warehouse on supplier_return (warehouse_id);
comment on table supplier_return is 'Returns of our stock to suppliers, with the credit that each supplier gave.';
comment on column supplier_return.rma is 'The supplier’s number for the return.';
comment on column supplier_return.credit_cents is 'The credit of the supplier in cents; null until it is received.';
comment on column supplier_return.credit_reference is 'The number of the supplier’s credit memo.';

create table supplier_return_line (
  supplier_return_id bigint not null references supplier_return on delete cascade,
  item_id integer not null references item,
  quantity integer not null check (quantity between 1 and 10000),
  unit_credit_cents integer not null check (unit_credit_cents between 1 and 1000000),
  primary key (supplier_return_id, item_id)
);
create index supplier_return_line_by_item on supplier_return_line (item_id);
comment on table supplier_return_line is 'The tires of a return to a supplier, with the credit that is expected for a unit.';

alter table stock_adjustment drop constraint stock_adjustment_reason_check;
alter table stock_adjustment add constraint stock_adjustment_reason_check
  check (reason in ('count', 'damaged', 'lost', 'found', 'returned', 'received', 'supplier-return')) not valid;
alter table stock_adjustment validate constraint stock_adjustment_reason_check;
alter table stock_adjustment drop constraint stock_adjustment_direction;
alter table stock_adjustment add constraint stock_adjustment_direction check (
  case when reason in ('damaged', 'lost', 'supplier-return') then change_units < 0 when reason in ('found', 'returned', 'received') then change_units > 0 else true end) not valid;
alter table stock_adjustment validate constraint stock_adjustment_direction;

alter table inventory_movement add column supplier_return_id bigint constraint inventory_movement_supplier_return_id_key unique references supplier_return;
comment on column inventory_movement.supplier_return_id is 'The return to a supplier; once.';
alter table inventory_movement drop constraint inventory_movement_kind_check;
alter table inventory_movement add constraint inventory_movement_kind_check
  check (kind in ('opening', 'received', 'adjusted', 'returned', 'imported', 'shipped', 'supplier-shipped', 'supplier-returned')) not valid;
alter table inventory_movement validate constraint inventory_movement_kind_check;
alter table inventory_movement drop constraint inventory_movement_source;
alter table inventory_movement add constraint inventory_movement_source check (
  (kind in ('shipped', 'supplier-shipped')) = (shipment_id is not null) and (shipment_id is null) = (order_id is null)
  and (kind = 'received') = (receipt_id is not null) and (kind = 'supplier-returned') = (supplier_return_id is not null)
  and (adjustment_id is null or kind in ('adjusted', 'returned')) and (import_run_id is null or kind = 'imported')) not valid;
alter table inventory_movement validate constraint inventory_movement_source;

-- Also for returns to suppliers, which lower what we owe by the average cost.
create or replace function enter_inventory(of_kind text, moved_at timestamptz, lines jsonb, source jsonb default '{}') returns bigint language plpgsql as $$
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
  insert into inventory_movement (kind, at, order_id, shipment_id, receipt_id, adjustment_id, import_run_id, supplier_return_id)
  values (of_kind, moved_at, (source ->> 'order_id')::bigint, (source ->> 'shipment_id')::uuid, (source ->> 'receipt_id')::bigint,
    (source ->> 'adjustment_id')::bigint, (source ->> 'import_run_id')::integer, (source ->> 'supplier_return_id')::bigint)
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
      when 'returned' then 'return to stock' when 'imported' then 'stock imported' when 'shipped' then 'tires shipped' when 'supplier-returned' then 'returned to supplier'
      else 'supplier shipped tires' end
      || case when uncosted > 0 then ' (cost unknown: ' || uncosted || ')' else '' end,
    moved_at
  from entered, generate_series(0, (abs(total) - 1) / 2000000000) as part, (values
    (case when of_kind = 'supplier-shipped' then 'goods-received-not-invoiced' else 'inventory' end, 1),
    (case when of_kind in ('received', 'supplier-returned') then 'goods-received-not-invoiced'
      when of_kind in ('shipped', 'supplier-shipped', 'returned') then 'cost-of-goods-sold' else 'inventory-adjustments' end, -1)) as entry (account, sign)
  where total <> 0;
  return movement;
end $$;

create function enter_supplier_credit(returned bigint, credited_cents integer, credited_at timestamptz) returns void language sql as $$
  with difference as (
    select movement.id, gen_random_uuid() as transfer_id, (credited_cents + (select sum(cents) from inventory_movement_line where movement_id = movement.id))::integer as cents
    from inventory_movement as movement where movement.supplier_return_id = returned)
  insert into ledger_entry (transfer_id, inventory_movement_id, account, amount_cents, reason, at)
  select transfer_id, id, account, sign * cents, 'supplier credit', credited_at
  from difference, (values ('goods-received-not-invoiced', 1), ('cost-of-goods-sold', -1)) as entry (account, sign)
  where cents <> 0
$$;
comment on function enter_supplier_credit is 'Enters by how much a supplier’s credit differs from the cost of the returned tires.';
