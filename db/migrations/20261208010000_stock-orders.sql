-- What the store orders from suppliers for its own warehouses.
create table stock_order (
  id bigint generated always as identity (start with 1001) primary key,
  -- One form, however often it is submitted.
  submission_key uuid not null unique,
  supplier_id smallint not null references supplier,
  warehouse_id smallint not null references warehouse,
  state text not null default 'draft' check (state in ('draft', 'sent', 'partly-received', 'received', 'canceled')),
  expected_on date not null,
  note text check (length(note) between 1 and 400),
  version integer not null default 1 check (version >= 1),
  -- The terms that apply from the day on which the order was sent.
  payment_days smallint check (payment_days between 0 and 180),
  created_at timestamptz not null,
  created_by text not null check (length(created_by) between 1 and 254),
  sent_at timestamptz,
  sent_by text check (length(sent_by) between 1 and 254),
  canceled_at timestamptz,
  canceled_by text check (length(canceled_by) between 1 and 254),
  cancel_reason text check (length(cancel_reason) between 1 and 400),
  constraint stock_order_sent_whole check (num_nonnulls(sent_at, sent_by, payment_days) in (0, 3)),
  constraint stock_order_sent check (state in ('draft', 'canceled') or sent_at is not null),
  constraint stock_order_unsent_draft check (state <> 'draft' or sent_at is null),
  constraint stock_order_canceled check (
    num_nonnulls(canceled_at, canceled_by, cancel_reason) = case when state = 'canceled' then 3 else 0 end)
);
comment on table stock_order is 'Purchase orders for the store’s own stock, received in parts.';
comment on column stock_order.payment_days is 'Days in which the store pays, as agreed with the supplier when the order was sent.';

create table stock_order_line (
  stock_order_id bigint not null references stock_order on delete cascade,
  item_id integer not null references item,
  quantity integer not null check (quantity between 1 and 10000),
  unit_cost_cents integer not null check (unit_cost_cents between 1 and 1000000),
  primary key (stock_order_id, item_id)
);
comment on table stock_order_line is 'The tires of a purchase order for stock, one line for each tire.';

create index stock_order_by_state on stock_order (state, id desc);
create index stock_order_open_by_day on stock_order (expected_on) where state in ('sent', 'partly-received');
create index stock_order_by_supplier on stock_order (supplier_id, warehouse_id) where state in ('draft', 'sent', 'partly-received');
create index stock_order_line_by_item on stock_order_line (item_id);

create function stock_order_moves() returns trigger language plpgsql as $$
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
  return new;
end $$;
comment on function stock_order_moves is 'The moves of a purchase order for stock, as stockOrderLife in domain/stock/stock-orders.ts.';
create trigger stock_order_life before insert or update on stock_order for each row execute function stock_order_moves();

create function stock_order_line_fixed() returns trigger language plpgsql as $$
begin
  if exists (select from stock_order where id = coalesce(new.stock_order_id, old.stock_order_id) and state <> 'draft')
    and (tg_op <> 'UPDATE' or (new.item_id, new.quantity, new.unit_cost_cents) is distinct from (old.item_id, old.quantity, old.unit_cost_cents)) then
    raise exception 'Only a draft can be changed.' using errcode = 'check_violation', constraint = 'stock_order_line_of_draft';
  end if;
  return coalesce(new, old);
end $$;
comment on function stock_order_line_fixed is 'What was sent to a supplier stays as it was sent.';
create trigger stock_order_line_of_draft before insert or update or delete on stock_order_line for each row execute function stock_order_line_fixed();
