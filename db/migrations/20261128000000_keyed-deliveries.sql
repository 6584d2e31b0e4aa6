-- The job that delivers webhooks says that it has a key, so that one that a later one replaced does not count as failed.

create or replace function tell_webhooks(told text, told_order bigint, told_shipment uuid, told_booking uuid, told_return bigint, told_at timestamptz)
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
  perform graphile_worker.add_job('deliver-webhooks', json_build_object(), queue_name := 'webhooks', job_key := 'deliver-webhooks', flags := array['keyed']);
end $$;
