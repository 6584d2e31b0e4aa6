-- From cart to delivered order, and the money on the way.
create table cart (
  id uuid primary key,
  state text not null default 'open' check (state in ('open', 'ordered')),
  -- Counts every change, so that two tabs and retried requests can be told apart.
  version integer not null default 0,
  zip text references zip,
  -- The shopper's vehicle as chosen: {"fitmentId":1,"confirmed":true,...}; see domain/fitment.
  vehicle jsonb,
  fulfilment text check (fulfilment in ('shop', 'mobile', 'home', 'carrier-pickup')),
  shop_id integer references shop,
  carrier_location_id integer references carrier_location,
  roadside boolean not null default false,
  coverage_asked boolean not null default false,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check (shop_id is null or fulfilment in ('shop', 'mobile')),
  check (carrier_location_id is null or fulfilment = 'carrier-pickup')
);

create table cart_line (
  cart_id uuid not null references cart on delete cascade,
  item_id integer not null references item,
  -- Staggered sets carry a front and a rear line.
  axle text not null check (axle in ('all', 'front', 'rear')),
  quantity smallint not null check (quantity between 1 and 40),
  coverage boolean not null default false,
  -- The price the shopper last saw: a change since then is said before it is charged.
  seen_unit_cents integer not null check (seen_unit_cents >= 0),
  added_at timestamptz not null,
  primary key (cart_id, item_id, axle)
);

-- Who receives the order and how to reach them.
create table cart_contact (
  cart_id uuid primary key references cart on delete cascade,
  first_name text not null,
  last_name text not null,
  company text,
  address1 text not null,
  address2 text,
  city text not null,
  state text not null,
  zip text not null,
  instructions text,
  -- What the shopper wrote where the finder was not used: the shop needs to know which car comes.
  vehicle_note text,
  email text not null,
  phone text not null check (phone ~ '^[0-9]{10}$'),
  phone_extension text,
  phone_type text not null check (phone_type in ('mobile', 'home', 'work')),
  updated_at timestamptz not null
);

create table cart_billing (
  cart_id uuid primary key references cart on delete cascade,
  same_as_shipping boolean not null,
  name text not null,
  address1 text not null,
  address2 text,
  city text not null,
  state text not null,
  zip text not null,
  phone text not null check (phone ~ '^[0-9]{10}$'),
  phone_type text not null check (phone_type in ('mobile', 'home', 'work')),
  po_number text,
  updated_at timestamptz not null
);

-- The price the shopper was last shown in full: when it moves, both are said.
create table cart_quote (
  cart_id uuid primary key references cart on delete cascade,
  fingerprint text not null,
  breakdown jsonb not null,
  shown_at timestamptz not null
);

create table customer (
  id uuid primary key,
  email text not null,
  created_at timestamptz not null
);
create unique index customer_by_email on customer (lower(email));

create table sales_order (
  id bigint generated always as identity (start with 104001) primary key,
  customer_id uuid not null references customer,
  -- One order per cart, however often it is placed.
  cart_id uuid not null unique references cart,
  state text not null check (state in ('needs-confirmation', 'confirmed', 'cancelled', 'returned')),
  placed_at timestamptz not null,
  -- Until then nothing is captured or shipped, so that cancelling always works.
  cancel_until timestamptz not null,
  fulfilment text not null check (fulfilment in ('shop', 'mobile', 'home', 'carrier-pickup')),
  shop_id integer references shop,
  carrier_location_id integer references carrier_location,
  first_name text not null,
  last_name text not null,
  company text,
  address1 text not null,
  address2 text,
  city text not null,
  state_code text not null,
  zip text not null,
  instructions text,
  email text not null,
  phone text not null,
  phone_extension text,
  phone_type text not null,
  -- Where the parcels go: the shop, the carrier's counter or the address above.
  ship_to_name text not null,
  ship_to_street text not null,
  ship_to_city text not null,
  ship_to_state text not null,
  ship_to_zip text not null,
  vehicle jsonb,
  vehicle_note text,
  fitment_verdict jsonb,
  billing jsonb not null,
  -- The whole explained calculation the shopper agreed to.
  breakdown jsonb not null,
  terms_accepted_at timestamptz not null,
  tire_fee_cents integer not null check (tire_fee_cents >= 0),
  fet_cents integer not null check (fet_cents >= 0),
  tax_cents integer not null check (tax_cents >= 0),
  total_cents integer not null check (total_cents >= 0),
  check (fulfilment not in ('shop', 'mobile') or shop_id is not null)
);
create index sales_order_by_time on sales_order (placed_at desc, id desc);
create index sales_order_by_customer on sales_order (customer_id, placed_at desc);

create table order_line (
  order_id bigint not null references sales_order on delete cascade,
  line_no smallint not null,
  kind text not null check (kind in ('tire', 'coverage', 'installation', 'service-kit', 'disposal', 'roadside', 'shipping')),
  item_id integer references item,
  axle text check (axle in ('all', 'front', 'rear')),
  description text not null,
  quantity smallint not null check (quantity > 0),
  unit_cents integer not null check (unit_cents >= 0),
  gross_cents integer not null,
  discount_cents integer not null check (discount_cents >= 0),
  net_cents integer not null check (net_cents >= 0),
  tax_cents integer not null check (tax_cents >= 0),
  fet_cents integer not null check (fet_cents >= 0),
  tire_fee_cents integer not null check (tire_fee_cents >= 0),
  primary key (order_id, line_no),
  check ((kind = 'tire') = (item_id is not null)),
  check (gross_cents = unit_cents * quantity),
  check (net_cents = gross_cents - discount_cents)
);

create table order_event (
  id bigint generated always as identity primary key,
  order_id bigint not null references sales_order on delete cascade,
  at timestamptz not null,
  from_state text,
  to_state text not null,
  actor text not null,
  note text
);
create index order_event_by_order on order_event (order_id);

create table stock_allocation (
  order_id bigint not null,
  line_no smallint not null,
  warehouse_id smallint not null references warehouse,
  quantity smallint not null check (quantity > 0),
  primary key (order_id, line_no, warehouse_id),
  foreign key (order_id, line_no) references order_line on delete cascade
);

create table shipment (
  id uuid primary key,
  order_id bigint not null references sales_order on delete cascade,
  warehouse_id smallint not null references warehouse,
  state text not null check (state in ('processed', 'pending-pickup', 'in-transit', 'delivered', 'cancelled', 'returned')),
  carrier text,
  tracking_number text unique,
  -- The date promised when the order was placed; it is never moved, so that the promise can be measured.
  promised_on date not null,
  delivered_at timestamptz,
  created_at timestamptz not null,
  unique (order_id, warehouse_id),
  check ((state = 'delivered') = (delivered_at is not null) or state = 'returned'),
  check (state in ('processed', 'cancelled') or tracking_number is not null)
);

create table shipment_event (
  id bigint generated always as identity primary key,
  shipment_id uuid not null references shipment on delete cascade,
  at timestamptz not null,
  from_state text,
  to_state text not null,
  actor text not null,
  note text
);
create index shipment_event_by_shipment on shipment_event (shipment_id);

alter table booking add foreign key (cart_id) references cart;
alter table booking add foreign key (order_id) references sales_order;
alter table review add foreign key (verified_order_id) references sales_order;

create table payment (
  id uuid primary key,
  cart_id uuid not null references cart,
  order_id bigint references sales_order,
  provider text not null,
  -- The provider's name for it; null only between our record and the provider's first answer.
  provider_ref text unique,
  -- 'fields': card fields inside our page; 'hosted': the provider's own page.
  flow text not null check (flow in ('fields', 'hosted')),
  hosted_ref text unique,
  amount_cents integer not null check (amount_cents > 0),
  captured_cents integer not null default 0 check (captured_cents >= 0),
  refunded_cents integer not null default 0 check (refunded_cents >= 0),
  state text not null check (state in ('pending', 'authorized', 'captured', 'voided', 'failed')),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check (captured_cents <= amount_cents),
  constraint refunds_within_captured check (refunded_cents <= captured_cents)
);
-- A charge belongs to one order, and an order to one charge.
create unique index payment_one_per_order on payment (order_id) where state in ('authorized', 'captured');
create index payment_by_cart on payment (cart_id);
create index payment_unplaced on payment (updated_at) where order_id is null and state in ('pending', 'authorized');

create table payment_event (
  id bigint generated always as identity primary key,
  payment_id uuid not null references payment on delete cascade,
  at timestamptz not null,
  from_state text,
  to_state text not null,
  actor text not null,
  note text
);
create index payment_event_by_payment on payment_event (payment_id);

-- Every message a provider sent us, kept before it is acted on: its id makes a repeat harmless.
create table provider_event (
  provider text not null,
  id text not null,
  kind text not null,
  body jsonb not null,
  received_at timestamptz not null,
  processed_at timestamptz,
  primary key (provider, id)
);

-- Double entry: the entries of one transfer sum to zero, debits positive, credits negative.
create table ledger_entry (
  id bigint generated always as identity primary key,
  transfer_id uuid not null,
  order_id bigint not null references sales_order,
  account text not null check (account in ('receivable', 'cash', 'sales', 'sales-tax', 'tire-fee', 'excise-tax', 'refunds')),
  amount_cents integer not null check (amount_cents <> 0),
  reason text not null,
  at timestamptz not null
);
create index ledger_entry_by_order on ledger_entry (order_id);
create index ledger_entry_by_transfer on ledger_entry (transfer_id);

create function ledger_transfer_balances() returns trigger language plpgsql as $$
begin
  if (select sum(amount_cents) from ledger_entry where transfer_id = new.transfer_id) <> 0 then
    raise exception 'ledger transfer % does not balance', new.transfer_id using errcode = 'check_violation', constraint = 'ledger_balances';
  end if;
  return null;
end $$;
create constraint trigger ledger_balances after insert or update on ledger_entry
  deferrable initially deferred for each row execute function ledger_transfer_balances();

-- Mail that was asked for. The key makes each kind go out once per thing it speaks of.
create table message (
  id uuid primary key,
  key text not null unique,
  kind text not null,
  to_address text not null,
  order_id bigint references sales_order,
  state text not null default 'queued' check (state in ('queued', 'sent', 'refused')),
  created_at timestamptz not null,
  sent_at timestamptz,
  check ((state = 'sent') = (sent_at is not null))
);
create index message_by_order on message (order_id);
