-- What the store orders from suppliers for its shoppers' orders.
create table purchase_order (
  id bigint generated always as identity (start with 5001) primary key,
  order_id bigint not null references sales_order on delete cascade,
  warehouse_id smallint not null references warehouse,
  supplier_id smallint not null references supplier,
  state text not null default 'held' check (state in ('held', 'released', 'accepted', 'rejected', 'canceled')),
  created_at timestamptz not null,
  released_at timestamptz,
  answered_at timestamptz,
  -- The supplier's own number of the order.
  supplier_reference text check (length(supplier_reference) between 1 and 60),
  reject_reason text check (length(reject_reason) between 1 and 400),
  constraint purchase_order_released check (state in ('held', 'canceled') or released_at is not null),
  constraint purchase_order_accepted check ((state = 'accepted') <= (supplier_reference is not null)),
  constraint purchase_order_rejected check ((state = 'rejected') <= (reject_reason is not null))
);
comment on table purchase_order is 'Orders to suppliers, filled whole or rejected whole: one at a time for each order and supplier’s warehouse.';

create table purchase_order_line (
  purchase_order_id bigint not null references purchase_order on delete cascade,
  line_no smallint not null,
  item_id integer not null references item,
  quantity smallint not null check (quantity > 0),
  primary key (purchase_order_id, line_no)
);
comment on table purchase_order_line is 'The units of a purchase order, by line of the shopper’s order.';

-- What is canceled in part is ordered again.
create unique index purchase_order_once on purchase_order (order_id, warehouse_id) where state <> 'canceled';
create index purchase_order_by_order on purchase_order (order_id);
create index purchase_order_by_state on purchase_order (state, id desc);
create index purchase_order_rejected_first on purchase_order (answered_at) where state = 'rejected';

create function purchase_order_moves() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' and new.state <> 'held' then
    raise exception 'A purchase order begins held.' using errcode = 'check_violation', constraint = 'purchase_order_life';
  end if;
  if tg_op = 'UPDATE' and new.state <> old.state and (old.state, new.state) not in (
    ('held', 'released'), ('held', 'canceled'), ('released', 'accepted'), ('released', 'rejected'), ('released', 'canceled'),
    ('accepted', 'canceled'), ('rejected', 'released'), ('rejected', 'canceled')) then
    raise exception 'Purchase order % cannot go from % to %.', new.id, old.state, new.state using errcode = 'check_violation', constraint = 'purchase_order_life';
  end if;
  if new.state = 'released' and not exists (select from sales_order where id = new.order_id and released_at is not null and released_at >= cancel_until) then
    raise exception 'Order % can still be canceled.', new.order_id using errcode = 'check_violation', constraint = 'purchase_order_after_window';
  end if;
  return new;
end $$;
comment on function purchase_order_moves is 'The moves of a purchase order, as purchaseOrderLife in domain/stock/purchase-orders.ts; none reaches a supplier while its order can be canceled.';
create trigger purchase_order_life before insert or update on purchase_order for each row execute function purchase_order_moves();
