-- Changes of where the tires of an order go, with the price difference settled.
create table order_change (
  id uuid primary key,
  order_id bigint not null references sales_order,
  -- Of the form: pressed again, it is the same change.
  submission_key uuid not null unique,
  state text not null check (state in ('awaiting-payment', 'done', 'expired', 'withdrawn', 'overtaken')),
  fulfillment text not null check (fulfillment in ('shop', 'mobile', 'home', 'carrier-pickup')),
  shop_id integer references shop,
  carrier_location_id integer references carrier_location,
  -- The bay that is held for it; the order's appointment once the change is done.
  booking_id uuid references booking,
  -- Where it was to be installed before; null if nowhere.
  from_shop_id integer references shop,
  -- The whole price of the order before and after.
  before_breakdown jsonb not null,
  breakdown jsonb not null,
  before_cents integer not null check (before_cents >= 0),
  after_cents integer not null check (after_cents >= 0),
  settled_by text not null check (settled_by in ('nothing', 'refund', 'lower-charge', 'payment', 'waiver')),
  reason text not null check (length(reason) between 1 and 400),
  created_at timestamptz not null,
  created_by text not null check (length(created_by) between 1 and 254),
  -- Until when the link can be paid and the bay is held; null where nothing is to be paid.
  expires_at timestamptz,
  ended_at timestamptz,
  constraint order_change_place check (
    (fulfillment in ('shop', 'mobile')) = (shop_id is not null) and (fulfillment = 'carrier-pickup') = (carrier_location_id is not null)),
  constraint order_change_has_its_bay check ((shop_id is not null) = (booking_id is not null)),
  constraint order_change_settled check (case
    when settled_by = 'nothing' then after_cents = before_cents
    when settled_by in ('refund', 'lower-charge') then after_cents < before_cents
    else after_cents > before_cents end),
  constraint order_change_link_expires check ((settled_by = 'payment') = (expires_at is not null)),
  constraint order_change_ended check ((state = 'awaiting-payment') = (ended_at is null)),
  constraint order_change_only_links_wait check (state = 'done' or settled_by = 'payment')
);
comment on table order_change is 'Changes of the shop or fulfillment of an order after it was placed, and how the price difference was settled.';
create index order_change_by_order on order_change (order_id, created_at);
create unique index order_change_one_open on order_change (order_id) where state = 'awaiting-payment';
create index order_change_ending on order_change (expires_at) where state = 'awaiting-payment';

-- The difference of a change is a charge of its own, beside the one the order was placed with.
alter table payment add column order_change_id uuid references order_change;
comment on column payment.order_change_id is 'The change whose difference it pays; order_id is set when the change is made.';
alter table payment drop constraint payment_of_one_thing;
alter table payment add constraint payment_of_one_thing check (num_nonnulls(cart_id, membership_term_id, order_change_id) = 1);
drop index payment_one_per_order;
create unique index payment_one_per_order on payment (order_id) where state in ('authorized', 'captured') and order_change_id is null;
create unique index payment_one_per_change on payment (order_change_id) where order_id is not null and state in ('authorized', 'captured');
create index payment_by_change on payment (order_change_id) where order_change_id is not null;

-- Parcels that were announced for the old place are canceled, and the same warehouse sends new ones.
alter table shipment drop constraint shipment_order_id_warehouse_id_key;
-- Of every state: what the constraint served before.
create index shipment_by_order on shipment (order_id, warehouse_id);
create unique index shipment_one_per_warehouse on shipment (order_id, warehouse_id) where state <> 'canceled';
comment on index shipment_one_per_warehouse is 'A warehouse sends the tires of an order once.';
