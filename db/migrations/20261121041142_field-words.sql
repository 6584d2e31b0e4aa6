-- Columns and states in the words of the field and in American spelling.
alter table cart rename column fulfilment to fulfillment;
alter table cart rename column pays_by to payment_method;
alter table sales_order rename column fulfilment to fulfillment;
alter table payment rename column pressed_at to submitted_at;
alter index payment_press_cut_off rename to payment_submission_cut_off;
alter table cart rename constraint cart_fulfilment_check to cart_fulfillment_check;
alter table cart rename constraint cart_pays_by_check to cart_payment_method_check;
alter table cart rename constraint cart_pays_by_not_null to cart_payment_method_not_null;
alter table sales_order rename constraint sales_order_fulfilment_check to sales_order_fulfillment_check;
alter table sales_order rename constraint sales_order_fulfilment_not_null to sales_order_fulfillment_not_null;
alter table try_count rename to attempt_count;

drop index sales_order_by_release;
drop index referral_once_per_friend;
alter table booking drop constraint booking_state_check;
alter table sales_order drop constraint sales_order_state_check, drop constraint sales_order_cancelled_or_released;
alter table shipment drop constraint shipment_state_check, drop constraint shipment_check1;
alter table referral drop constraint referral_state_check;
alter table invoice drop constraint invoice_state_check;

update booking set state = 'canceled' where state = 'cancelled';
update sales_order set state = 'canceled' where state = 'cancelled';
update shipment set state = 'canceled' where state = 'cancelled';
update referral set state = 'canceled' where state = 'cancelled';
update invoice set state = 'canceled' where state = 'cancelled';
update booking_event set from_state = nullif(replace(from_state, 'cancelled', 'canceled'), ''), to_state = replace(to_state, 'cancelled', 'canceled')
  where 'cancelled' in (from_state, to_state);
update order_event set from_state = nullif(replace(from_state, 'cancelled', 'canceled'), ''), to_state = replace(to_state, 'cancelled', 'canceled')
  where 'cancelled' in (from_state, to_state);
update shipment_event set from_state = nullif(replace(from_state, 'cancelled', 'canceled'), ''), to_state = replace(to_state, 'cancelled', 'canceled')
  where 'cancelled' in (from_state, to_state);
update message set kind = 'order-canceled', key = replace(key, 'order-cancelled', 'order-canceled') where kind = 'order-cancelled';

alter table booking add constraint booking_state_check check (state in ('held', 'confirmed', 'done', 'no-show', 'canceled', 'expired'));
alter table sales_order
  add constraint sales_order_state_check check (state in ('needs-confirmation', 'confirmed', 'canceled', 'returned')),
  add constraint sales_order_canceled_or_released check (state <> 'canceled' or released_at is null);
alter table shipment
  add constraint shipment_state_check check (state in ('processed', 'pending-pickup', 'in-transit', 'delivered', 'canceled', 'returned')),
  add constraint shipment_tracked_once_sent check (state in ('processed', 'canceled') or tracking_number is not null);
alter table referral add constraint referral_state_check check (state in ('pending', 'earned', 'canceled'));
alter table invoice add constraint invoice_state_check check (state in ('open', 'paid', 'canceled'));
create index sales_order_by_release on sales_order (released_at) where state <> 'canceled';
create unique index referral_once_per_friend on referral (friend_id) where state <> 'canceled';
