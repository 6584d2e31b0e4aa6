-- The store's endpoints are also sent shops with a changed profile, and returns that are canceled or refused.

alter table webhook_event drop constraint webhook_event_type_check;
alter table webhook_event add constraint webhook_event_type_check check (type in (
  'order.placed', 'order.changed', 'order.canceled', 'shipment.shipped', 'shipment.delivered', 'appointment.booked', 'appointment.moved',
  'appointment.canceled', 'appointment.completed', 'return.requested', 'return.received', 'return.refunded', 'return.refused',
  'return.canceled', 'refund.issued', 'stock.changed', 'shop.opened', 'shop.changed', 'shop.paused', 'shop.suspended', 'shop.closed',
  'webhook.test'));

create or replace function tell_of_return_event() returns trigger language plpgsql as $$
declare
  event_type text := case new.to_state
    when 'requested' then 'return.requested' when 'received' then 'return.received' when 'refused' then 'return.refused'
    when 'canceled' then 'return.canceled' else 'return.refunded' end;
  behind text[] := case new.to_state
    when 'requested' then array[]::text[]
    when 'refused' then array[]::text[]
    when 'received' then array['requested', 'labeled', 'shipped']
    when 'canceled' then array['requested', 'labeled', 'shipped', 'received', 'accepted', 'refused', 'refunded']
    else array['requested', 'labeled', 'shipped', 'received', 'accepted'] end;
begin
  if exists (select from return_tire where return_id = new.return_id and state = any (behind)) then return null; end if;
  perform write_webhook_event(event_type, order_return.id::text, new.at, event_order => order_return.order_id, event_return => order_return.id)
  from order_return where order_return.id = new.return_id;
  return null;
end $$;
drop trigger webhooks_of_return_event on return_event;
create constraint trigger webhooks_of_return_event after insert on return_event deferrable initially deferred for each row
  when (new.to_state in ('requested', 'received', 'refunded', 'refused', 'canceled')) execute function tell_of_return_event();
comment on trigger webhooks_of_return_event on return_event is 'Endpoints are told of returns that are requested, received, refunded, refused and canceled.';

create function write_shop_profile_changed() returns trigger language plpgsql as $$
begin
  perform write_webhook_event('shop.changed', new.id || ':' || pg_current_xact_id(), now(), event_shop => new.id);
  return null;
end $$;
create constraint trigger webhooks_of_shop_profile after update on shop deferrable initially deferred for each row
  when (not new.in_set_up and (old.name, old.street, old.city, old.state, old.zip, old.phone, old.email, old.website, old.about, old.services, old.amenities)
    is distinct from (new.name, new.street, new.city, new.state, new.zip, new.phone, new.email, new.website, new.about, new.services, new.amenities))
  execute function write_shop_profile_changed();
comment on trigger webhooks_of_shop_profile on shop is 'Endpoints are sent shops with another name, address, contact, description or services.';

-- With all of the store's event types there are more than 20.
alter table webhook_endpoint drop constraint webhook_endpoint_event_types_check;
alter table webhook_endpoint add constraint webhook_endpoint_event_types_check check (cardinality(event_types) between 1 and 40);
