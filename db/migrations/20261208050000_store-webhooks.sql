-- Webhooks of the store itself: endpoints without a company or widget that receive events of every order, and of refunds,
-- stock and shops. An event names its fact, so that each fact has one event however often its trigger runs.

alter table webhook_endpoint add column is_store boolean not null default false;
comment on column webhook_endpoint.is_store is 'Managed in the back office and sent events of the whole store.';
alter table webhook_endpoint drop constraint webhook_endpoint_one_owner;
alter table webhook_endpoint add constraint webhook_endpoint_one_owner check (num_nonnulls(company_id, widget_id) + is_store::integer = 1);
alter table webhook_endpoint add constraint webhook_endpoint_types_of_owner check (is_store or event_types <@ array[
  'order.placed', 'order.canceled', 'shipment.shipped', 'shipment.delivered', 'appointment.booked', 'appointment.moved',
  'appointment.canceled', 'return.requested', 'return.received', 'return.refunded']);
create unique index webhook_endpoint_of_store_once on webhook_endpoint (url) where state <> 'removed' and is_store;
comment on table webhook_endpoint is 'Addresses of companies, partners and the store that are sent events.';

alter table webhook_event
  add column fact text check (length(fact) between 1 and 100),
  add column item_id integer,
  add column warehouse_id smallint,
  add column shop_id integer,
  add column is_open boolean not null default false;
comment on column webhook_event.fact is 'What the event reports, such as a booking''s change; null for events that are repeated.';
comment on column webhook_event.item_id is 'The tire whose stock changed; null where one statement changed more tires than are worth naming.';
comment on column webhook_event.is_open is 'Stock that changes again before the event is sent is part of it.';
alter table webhook_event drop constraint webhook_event_type_check;
alter table webhook_event add constraint webhook_event_type_check check (type in (
  'order.placed', 'order.changed', 'order.canceled', 'shipment.shipped', 'shipment.delivered', 'appointment.booked', 'appointment.moved',
  'appointment.canceled', 'appointment.completed', 'return.requested', 'return.received', 'return.refunded', 'refund.issued',
  'stock.changed', 'shop.opened', 'shop.paused', 'shop.suspended', 'shop.closed', 'webhook.test'));
alter table webhook_event drop constraint webhook_event_of_order;
alter table webhook_event add constraint webhook_event_of_order check ((type ~ '^(webhook|stock|shop)\.') = (order_id is null));
alter table webhook_event add constraint webhook_event_of_shop check ((type ~ '^shop\.') = (shop_id is not null));
alter table webhook_event add constraint webhook_event_of_stock check (
  num_nonnulls(item_id, warehouse_id) in (0, 2) and (item_id is null or type = 'stock.changed') and (item_id is not null or not is_open));
comment on table webhook_event is 'What happened that some endpoint is sent, written with the fact itself.';

update webhook_event set fact = case
  when shipment_id is not null then shipment_id::text
  when return_id is not null then return_id::text
  when type in ('order.placed', 'order.canceled') then order_id::text end;
create unique index webhook_event_once on webhook_event (type, fact) where fact is not null;
create unique index webhook_event_open_stock on webhook_event (item_id, warehouse_id) where is_open;
drop index webhook_event_once_a_return;
drop index webhook_event_once_a_parcel;

-- Writes an event and its deliveries, if an endpoint receives it. A paused endpoint gets a dead letter, to be replayed.
drop function tell_webhooks(text, bigint, uuid, uuid, bigint, timestamptz);
create function write_webhook_event(
  event_type text, event_fact text, event_at timestamptz, event_order bigint default null, event_shipment uuid default null,
  event_booking uuid default null, event_return bigint default null, event_shop integer default null)
returns void language plpgsql as $$
declare
  event bigint;
  buying_company uuid;
  leading_widget text;
begin
  if event_order is not null then
    select company.id into buying_company from sales_order join company on company.id = sales_order.company_id and company.state = 'approved' where sales_order.id = event_order;
    select widget.id into leading_widget from order_attribution join partner_widget widget on widget.id = order_attribution.widget_id and widget.closed_at is null
    where order_attribution.order_id = event_order;
  end if;
  if not exists (
    select from webhook_endpoint endpoint
    where endpoint.state <> 'removed' and event_type = any (endpoint.event_types)
      and (endpoint.is_store or endpoint.company_id = buying_company or endpoint.widget_id = leading_widget)) then
    return;
  end if;
  insert into webhook_event (type, fact, order_id, shipment_id, booking_id, return_id, shop_id, at)
  values (event_type, event_fact, event_order, event_shipment, event_booking, event_return, event_shop, event_at)
  on conflict do nothing returning id into event;
  if event is null then return; end if;
  insert into webhook_delivery (event_id, endpoint_id, order_id, state, next_at, fault, created_at, settled_at)
  select event, endpoint.id, event_order, case endpoint.state when 'active' then 'waiting' else 'dead' end,
    case endpoint.state when 'active' then event_at end, case endpoint.state when 'active' then null else 'paused' end,
    event_at, case endpoint.state when 'active' then null else event_at end
  from webhook_endpoint endpoint
  where endpoint.state <> 'removed' and event_type = any (endpoint.event_types)
    and (endpoint.is_store or endpoint.company_id = buying_company or endpoint.widget_id = leading_widget)
  order by endpoint.id;
  perform graphile_worker.add_job('deliver-webhooks', json_build_object(), queue_name := 'webhooks', job_key := 'deliver-webhooks', flags := array['keyed']);
end $$;

create or replace function tell_of_order_event() returns trigger language plpgsql as $$
begin
  perform write_webhook_event(
    case when new.from_state is null then 'order.placed' else 'order.canceled' end, new.order_id::text, new.at, event_order => new.order_id);
  return null;
end $$;

create or replace function tell_of_shipment_event() returns trigger language plpgsql as $$
begin
  perform write_webhook_event(
    case new.to_state when 'delivered' then 'shipment.delivered' else 'shipment.shipped' end, shipment.id::text, new.at,
    event_order => shipment.order_id, event_shipment => shipment.id)
  from shipment where shipment.id = new.shipment_id;
  return null;
end $$;

create or replace function tell_of_booking_event() returns trigger language plpgsql as $$
begin
  perform write_webhook_event(
    case when new.to_state = 'canceled' then 'appointment.canceled' when new.to_state = 'done' then 'appointment.completed'
      when new.from_state = 'confirmed' then 'appointment.moved' else 'appointment.booked' end,
    new.id::text, new.at, event_order => booking.order_id, event_booking => booking.id)
  from booking where booking.id = new.booking_id and booking.order_id is not null;
  return null;
end $$;
drop trigger webhooks_of_booking_event on booking_event;
create constraint trigger webhooks_of_booking_event after insert on booking_event deferrable initially deferred
  for each row when (new.to_state in ('confirmed', 'done') or (new.to_state = 'canceled' and new.from_state = 'confirmed')) execute function tell_of_booking_event();
comment on trigger webhooks_of_booking_event on booking_event is 'Endpoints are sent appointments that are booked, moved, canceled and completed.';

create or replace function tell_of_return_event() returns trigger language plpgsql as $$
declare
  event_type text := case new.to_state when 'requested' then 'return.requested' when 'received' then 'return.received' else 'return.refunded' end;
  behind text[] := case new.to_state
    when 'requested' then array[]::text[]
    when 'received' then array['requested', 'labeled', 'shipped']
    else array['requested', 'labeled', 'shipped', 'received', 'accepted'] end;
begin
  if exists (select from return_tire where return_id = new.return_id and state = any (behind)) then return null; end if;
  perform write_webhook_event(event_type, order_return.id::text, new.at, event_order => order_return.order_id, event_return => order_return.id)
  from order_return where order_return.id = new.return_id;
  return null;
end $$;

-- An order changes once per transaction, in however many statements.
create function write_order_changed() returns trigger language plpgsql as $$
declare
  changed bigint := case tg_table_name when 'sales_order' then (to_jsonb(new) ->> 'id')::bigint else (to_jsonb(new) ->> 'order_id')::bigint end;
begin
  perform write_webhook_event('order.changed', changed || ':' || pg_current_xact_id(), now(), event_order => changed);
  return null;
end $$;
create constraint trigger webhooks_of_changed_order after update on sales_order deferrable initially deferred
  for each row when (new.state <> 'canceled' and
    (old.state, old.fulfillment, old.shop_id, old.carrier_location_id, old.pickup_warehouse_id, old.total_cents, old.address1, old.address2, old.city, old.state_code, old.zip,
      old.ship_to_name, old.ship_to_street, old.ship_to_city, old.ship_to_state, old.ship_to_zip)
    is distinct from
    (new.state, new.fulfillment, new.shop_id, new.carrier_location_id, new.pickup_warehouse_id, new.total_cents, new.address1, new.address2, new.city, new.state_code, new.zip,
      new.ship_to_name, new.ship_to_street, new.ship_to_city, new.ship_to_state, new.ship_to_zip)) execute function write_order_changed();
comment on trigger webhooks_of_changed_order on sales_order is 'Endpoints are sent orders whose state, place, address or total changes.';
create constraint trigger webhooks_of_canceled_lines after insert on order_refund deferrable initially deferred
  for each row when (new.kind = 'cancellation') execute function write_order_changed();
comment on trigger webhooks_of_canceled_lines on order_refund is 'Endpoints are sent orders of which units are canceled before they ship.';

-- Money goes back with an entry in the ledger, whichever way it was paid.
create function write_refund_issued() returns trigger language plpgsql as $$
begin
  perform write_webhook_event('refund.issued', new.transfer_id::text, new.at, event_order => new.order_id);
  return null;
end $$;
create constraint trigger webhooks_of_refund after insert on ledger_entry deferrable initially deferred
  for each row when (new.account = 'refunds' and new.amount_cents > 0 and new.order_id is not null and new.reason <> 'difference waived') execute function write_refund_issued();
comment on trigger webhooks_of_refund on ledger_entry is 'Endpoints are sent refunds of orders.';

create function write_shop_changed() returns trigger language plpgsql as $$
declare
  is_open boolean := new.status = 'open' and not new.in_set_up;
  was_open boolean := tg_op = 'UPDATE';
  was_paused daterange;
  event_type text;
begin
  if tg_op = 'UPDATE' then
    was_open := old.status = 'open' and not old.in_set_up;
    was_paused := old.paused;
  end if;
  event_type := case
    when new.status = 'closed' and was_open then 'shop.closed'
    when new.status = 'suspended' and was_open then 'shop.suspended'
    when tg_op = 'UPDATE' and new.status <> 'open' and new.status <> old.status then 'shop.' || new.status
    when is_open and not was_open then 'shop.opened'
    when is_open and new.paused is distinct from was_paused then case when new.paused is null then 'shop.opened' else 'shop.paused' end end;
  if event_type is null then return null; end if;
  perform write_webhook_event(event_type, new.id || ':' || pg_current_xact_id(), now(), event_shop => new.id);
  return null;
end $$;
create constraint trigger webhooks_of_new_shop after insert on shop deferrable initially deferred
  for each row when (new.status = 'open' and not new.in_set_up) execute function write_shop_changed();
comment on trigger webhooks_of_new_shop on shop is 'Endpoints are sent shops that open.';
create constraint trigger webhooks_of_changed_shop after update on shop deferrable initially deferred
  for each row when ((old.status, old.in_set_up, old.paused) is distinct from (new.status, new.in_set_up, new.paused)) execute function write_shop_changed();
comment on trigger webhooks_of_changed_shop on shop is 'Endpoints are sent shops that open, pause and close.';

-- Stock changes often. A tire has at most one unsent event per warehouse, sent a minute after its first change with the
-- units of that moment; a statement that changes very many tires has one event that names none. An event is locked only
-- by transactions that locked its row of stock before, so they can't wait for each other.
create function write_stock_changed() returns trigger language plpgsql as $$
declare
  worth_naming constant integer := 100;
  items integer[];
  warehouses smallint[];
  events bigint[];
  due timestamptz := now() + interval '1 minute';
begin
  if not exists (select from webhook_endpoint where is_store and state <> 'removed' and 'stock.changed' = any (event_types)) then return null; end if;
  if tg_op = 'UPDATE' then
    select array_agg(item_id order by item_id, warehouse_id), array_agg(warehouse_id order by item_id, warehouse_id) into items, warehouses
    from old_rows old_row join new_rows new_row using (item_id, warehouse_id) where old_row.on_hand <> new_row.on_hand;
  elsif tg_op = 'INSERT' then
    select array_agg(item_id order by item_id, warehouse_id), array_agg(warehouse_id order by item_id, warehouse_id) into items, warehouses
    from new_rows where on_hand > 0;
  else
    select array_agg(item_id order by item_id, warehouse_id), array_agg(warehouse_id order by item_id, warehouse_id) into items, warehouses
    from old_rows where on_hand > 0;
  end if;
  if items is null then return null; end if;
  if cardinality(items) > worth_naming then
    insert into webhook_event (type, at) values ('stock.changed', now()) returning array[id] into events;
  else
    with written as (
      insert into webhook_event (type, item_id, warehouse_id, is_open, at)
      select 'stock.changed', item, warehouse, true, now() from unnest(items, warehouses) as stock_row (item, warehouse)
      on conflict (item_id, warehouse_id) where is_open do update set at = excluded.at
      returning id)
    select array_agg(id) into events from written;
  end if;
  insert into webhook_delivery (event_id, endpoint_id, state, next_at, fault, created_at, settled_at)
  select event, endpoint.id, case endpoint.state when 'active' then 'waiting' else 'dead' end,
    case endpoint.state when 'active' then due end, case endpoint.state when 'active' then null else 'paused' end,
    now(), case endpoint.state when 'active' then null else now() end
  from unnest(events) as event cross join webhook_endpoint endpoint
  where endpoint.is_store and endpoint.state <> 'removed' and 'stock.changed' = any (endpoint.event_types)
  order by event, endpoint.id
  on conflict do nothing;
  -- A dead letter of an event that is still open is due again, if its endpoint was resumed since.
  update webhook_delivery delivery
  set state = 'waiting', attempts = 0, next_at = due, settled_at = null, first_tried_at = null, status = null, fault = null
  from webhook_endpoint endpoint
  where delivery.event_id = any (events) and delivery.state = 'dead' and endpoint.id = delivery.endpoint_id and endpoint.state = 'active';
  return null;
end $$;
create trigger webhooks_of_inserted_stock after insert on stock referencing new table as new_rows for each statement execute function write_stock_changed();
comment on trigger webhooks_of_inserted_stock on stock is 'Endpoints are sent stock that a warehouse did not have.';
create trigger webhooks_of_updated_stock after update on stock referencing old table as old_rows new table as new_rows for each statement execute function write_stock_changed();
comment on trigger webhooks_of_updated_stock on stock is 'Endpoints are sent stock that changes.';
create trigger webhooks_of_deleted_stock after delete on stock referencing old table as old_rows for each statement execute function write_stock_changed();
comment on trigger webhooks_of_deleted_stock on stock is 'Endpoints are sent stock that a warehouse has no longer.';

-- Programs with a token act in the back office through its API.
alter table audit_entry drop constraint audit_entry_via_check;
alter table audit_entry add constraint audit_entry_via_check check (via in ('office', 'command line', 'sign-in', 'api'));

-- The list of failed webhooks gives its name to that of the endpoints.
update saved_view set list = 'failed-webhooks' where list = 'webhooks';
