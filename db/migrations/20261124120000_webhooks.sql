-- What companies and partners are told of their orders over HTTP: where, what happened, and how each telling went.
create table webhook_endpoint (
  id uuid primary key,
  company_id uuid references company,
  widget_id text references partner_widget,
  url text not null check (length(url) between 10 and 500 and url ~ '^https?://'),
  event_types text[] not null check (cardinality(event_types) between 1 and 20),
  state text not null default 'active' check (state in ('active', 'paused', 'removed')),
  paused_because text check (paused_because in ('owner', 'failing', 'gone')),
  -- Each secret is computed from this number and the store's own secret: none is kept.
  secret_no integer not null default 1 check (secret_no between 1 and 100000),
  -- The secret before signs as well for a day from then on.
  rotated_at timestamptz,
  -- A secret is shown once.
  secret_shown_at timestamptz,
  -- The first try that failed since one succeeded.
  failing_since timestamptz,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  constraint webhook_endpoint_one_owner check ((company_id is null) <> (widget_id is null)),
  constraint webhook_endpoint_paused_why check ((state = 'paused') = (paused_because is not null))
);
comment on table webhook_endpoint is 'Addresses of companies and partners that are told what happens to their orders.';
create unique index webhook_endpoint_of_company_once on webhook_endpoint (company_id, url) where state <> 'removed' and company_id is not null;
create unique index webhook_endpoint_of_widget_once on webhook_endpoint (widget_id, url) where state <> 'removed' and widget_id is not null;

create table webhook_event (
  id bigint generated always as identity primary key,
  -- What receivers know it by; the same in every try.
  public_id uuid not null unique default gen_random_uuid(),
  type text not null check (type in (
    'order.placed', 'order.canceled', 'shipment.shipped', 'shipment.delivered', 'appointment.booked', 'appointment.moved',
    'appointment.canceled', 'return.requested', 'return.received', 'return.refunded', 'webhook.test')),
  order_id bigint references sales_order,
  shipment_id uuid references shipment,
  booking_id uuid references booking on delete set null,
  return_id bigint references order_return,
  at timestamptz not null,
  constraint webhook_event_of_order check ((type = 'webhook.test') = (order_id is null))
);
comment on table webhook_event is 'What happened to orders that some endpoint is told of, written with the fact itself.';
create unique index webhook_event_once_a_return on webhook_event (return_id, type) where return_id is not null;
create unique index webhook_event_once_a_parcel on webhook_event (shipment_id, type) where shipment_id is not null;
create index webhook_event_by_order on webhook_event (order_id);
create index webhook_event_by_booking on webhook_event (booking_id);
create index webhook_event_by_time on webhook_event (at);

create table webhook_delivery (
  id bigint generated always as identity primary key,
  event_id bigint not null references webhook_event on delete cascade,
  endpoint_id uuid not null references webhook_endpoint,
  -- Of the event: one order's deliveries go out one after the other.
  order_id bigint,
  state text not null check (state in ('waiting', 'delivered', 'dead')),
  attempts smallint not null default 0 check (attempts between 0 and 100),
  next_at timestamptz,
  first_tried_at timestamptz,
  tried_at timestamptz,
  -- Of the last try: what was answered, or why nothing was.
  status smallint check (status between 100 and 599),
  fault text check (length(fault) <= 200),
  -- As signed, the same in every try; forgotten with its personal data after a while.
  body text check (length(body) <= 500000),
  created_at timestamptz not null,
  settled_at timestamptz,
  constraint webhook_delivery_once unique (event_id, endpoint_id),
  constraint webhook_delivery_waiting_for_when check ((state = 'waiting') = (next_at is not null)),
  constraint webhook_delivery_settled_when check ((state = 'waiting') = (settled_at is null)),
  constraint webhook_delivery_answered check (state <> 'delivered' or status between 200 and 299),
  constraint webhook_delivery_dead_why check (state <> 'dead' or fault is not null or status is not null)
);
comment on table webhook_delivery is 'An event on its way to one endpoint: waiting, delivered, or a dead letter.';
create index webhook_delivery_due on webhook_delivery (next_at) where state = 'waiting';
create index webhook_delivery_ahead on webhook_delivery (endpoint_id, order_id, id) where state = 'waiting';
create index webhook_delivery_by_endpoint on webhook_delivery (endpoint_id, id desc);
create index webhook_delivery_dead on webhook_delivery (id desc) where state = 'dead';

-- Writes an event and its deliveries, if an endpoint is told of it. A paused endpoint gets a dead letter, to be replayed.
create function tell_webhooks(told text, told_order bigint, told_shipment uuid, told_booking uuid, told_return bigint, told_at timestamptz)
returns void language plpgsql as $$
declare
  event bigint;
  told_company uuid;
  told_widget text;
begin
  select company.id into told_company from sales_order join company on company.id = sales_order.company_id and company.state = 'approved' where sales_order.id = told_order;
  select widget.id into told_widget from order_attribution join partner_widget widget on widget.id = order_attribution.widget_id and widget.closed_at is null
  where order_attribution.order_id = told_order;
  if told_company is null and told_widget is null then return; end if;
  if not exists (
    select from webhook_endpoint endpoint
    where endpoint.state <> 'removed' and told = any (endpoint.event_types)
      and (endpoint.company_id = told_company or endpoint.widget_id = told_widget)) then
    return;
  end if;
  insert into webhook_event (type, order_id, shipment_id, booking_id, return_id, at)
  values (told, told_order, told_shipment, told_booking, told_return, told_at)
  on conflict do nothing returning id into event;
  if event is null then return; end if;
  insert into webhook_delivery (event_id, endpoint_id, order_id, state, next_at, fault, created_at, settled_at)
  select event, endpoint.id, told_order, case endpoint.state when 'active' then 'waiting' else 'dead' end,
    case endpoint.state when 'active' then told_at end, case endpoint.state when 'active' then null else 'paused' end,
    told_at, case endpoint.state when 'active' then null else told_at end
  from webhook_endpoint endpoint
  where endpoint.state <> 'removed' and told = any (endpoint.event_types)
    and (endpoint.company_id = told_company or endpoint.widget_id = told_widget)
  order by endpoint.id;
  perform graphile_worker.add_job('deliver-webhooks', json_build_object(), queue_name := 'webhooks', job_key := 'deliver-webhooks');
end $$;

-- The facts are told at the end of the transaction that wrote them down, whoever wrote them: then the order's origin is
-- known, and nothing that was rolled back is told.
create function tell_of_order_event() returns trigger language plpgsql as $$
begin
  perform tell_webhooks(case when new.from_state is null then 'order.placed' else 'order.canceled' end, new.order_id, null, null, null, new.at);
  return null;
end $$;
create constraint trigger webhooks_of_order_event after insert on order_event deferrable initially deferred
  for each row when (new.from_state is null or new.to_state = 'canceled') execute function tell_of_order_event();
comment on trigger webhooks_of_order_event on order_event is 'Endpoints are told of orders that are placed or canceled.';

create function tell_of_shipment_event() returns trigger language plpgsql as $$
begin
  perform tell_webhooks(case new.to_state when 'delivered' then 'shipment.delivered' else 'shipment.shipped' end, shipment.order_id, shipment.id, null, null, new.at)
  from shipment where shipment.id = new.shipment_id;
  return null;
end $$;
create constraint trigger webhooks_of_shipment_event after insert on shipment_event deferrable initially deferred
  for each row when (new.to_state in ('in-transit', 'delivered')) execute function tell_of_shipment_event();
comment on trigger webhooks_of_shipment_event on shipment_event is 'Endpoints are told of parcels that ship and arrive.';

create function tell_of_booking_event() returns trigger language plpgsql as $$
begin
  perform tell_webhooks(
    case when new.to_state = 'canceled' then 'appointment.canceled' when new.from_state = 'confirmed' then 'appointment.moved' else 'appointment.booked' end,
    booking.order_id, null, booking.id, null, new.at)
  from booking where booking.id = new.booking_id and booking.order_id is not null;
  return null;
end $$;
create constraint trigger webhooks_of_booking_event after insert on booking_event deferrable initially deferred
  for each row when (new.to_state = 'confirmed' or (new.to_state = 'canceled' and new.from_state = 'confirmed')) execute function tell_of_booking_event();
comment on trigger webhooks_of_booking_event on booking_event is 'Endpoints are told of appointments that are booked, moved and canceled.';

-- A return is told of as a whole: once, as soon as its last tire is as far.
create function tell_of_return_event() returns trigger language plpgsql as $$
declare
  told text := case new.to_state when 'requested' then 'return.requested' when 'received' then 'return.received' else 'return.refunded' end;
  behind text[] := case new.to_state
    when 'requested' then array[]::text[]
    when 'received' then array['requested', 'labeled', 'shipped']
    else array['requested', 'labeled', 'shipped', 'received', 'accepted'] end;
begin
  if exists (select from return_tire where return_id = new.return_id and state = any (behind)) then return null; end if;
  perform tell_webhooks(told, order_return.order_id, null, null, order_return.id, new.at) from order_return where order_return.id = new.return_id;
  return null;
end $$;
create constraint trigger webhooks_of_return_event after insert on return_event deferrable initially deferred
  for each row when (new.to_state in ('requested', 'received', 'refunded')) execute function tell_of_return_event();
comment on trigger webhooks_of_return_event on return_event is 'Endpoints are told of returns that are requested, received and refunded.';
