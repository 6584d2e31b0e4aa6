-- A company's purchasing system, which speaks cXML with the store.
create table purchasing_system (
  company_id uuid primary key references company on delete cascade,
  -- 'military-exchange': its orders are at its own label, without programs, payment offers and sales tax.
  channel text not null default 'procurement' check (channel in ('procurement', 'military-exchange')),
  -- Who it is in the From of its documents.
  from_domain text not null check (length(from_domain) between 1 and 60),
  from_identity text not null check (length(from_identity) between 1 and 100),
  -- Where our documents about its orders go, and the secret they carry, sealed; null is nowhere.
  document_url text check (length(document_url) between 8 and 500),
  document_secret bytea,
  -- Who is billed and written to for all its orders.
  bill_name text not null check (length(bill_name) between 1 and 60),
  bill_street text not null check (length(bill_street) between 1 and 100),
  bill_city text not null check (length(bill_city) between 1 and 60),
  bill_state text not null check (bill_state ~ '^[A-Z]{2}$'),
  bill_zip text not null check (bill_zip ~ '^[0-9]{5}$'),
  phone text not null check (phone ~ '^[0-9]{10}$'),
  email text not null check (length(email) between 3 and 254 and email = lower(email)),
  set_at timestamptz not null,
  set_by text not null check (length(set_by) between 1 and 100),
  check ((document_url is null) = (document_secret is null))
);
comment on table purchasing_system is 'A company''s purchasing system, which speaks cXML with the store: who it is in documents, who is billed, and where ours go.';
create unique index purchasing_system_from on purchasing_system (lower(from_domain), lower(from_identity));

-- The secrets it may send, as SHA-256. A new one leaves the one before valid for a while.
create table purchasing_secret (
  id uuid primary key,
  company_id uuid not null references purchasing_system on delete cascade,
  hash bytea not null unique check (octet_length(hash) = 32),
  issued_at timestamptz not null,
  issued_by text not null check (length(issued_by) between 1 and 100),
  -- When it stops; null is not yet.
  ends_at timestamptz,
  check (ends_at is null or ends_at >= issued_at)
);
comment on table purchasing_secret is 'The secrets that a purchasing system may send, as SHA-256; a new one leaves the one before valid for a while.';
-- One that has no end: a second process that issues one at the same time fails.
create unique index purchasing_secret_current on purchasing_secret (company_id) where ends_at is null;

-- What it sent: the same payload id is answered the same way.
create table purchasing_message (
  company_id uuid not null references purchasing_system on delete cascade,
  payload_id text not null check (length(payload_id) between 1 and 255),
  kind text not null check (length(kind) between 1 and 60),
  received_at timestamptz not null,
  -- Sealed, as it may hold a link; null while it is being worked on.
  answer bytea,
  -- What it was answered with.
  code smallint check (code between 200 and 599),
  words text check (length(words) <= 1000),
  primary key (company_id, payload_id),
  check ((answer is null) = (code is null))
);
comment on table purchasing_message is 'What purchasing systems sent, and what was answered: the same payload id is answered the same way.';
create index purchasing_message_by_day on purchasing_message (received_at);

-- A visit from a purchasing system: its user shops here at the company's prices, and takes the cart back.
create table punchout_session (
  id uuid primary key,
  company_id uuid not null references purchasing_system on delete cascade,
  operation text not null check (operation in ('create', 'edit', 'inspect')),
  buyer_cookie text not null check (length(buyer_cookie) between 1 and 1000),
  return_url text not null check (length(return_url) between 8 and 1000),
  -- Of the link, which opens it once.
  link_hash bytea not null unique check (octet_length(link_hash) = 32),
  cart_id uuid references cart on delete set null,
  zip text check (zip ~ '^[0-9]{5}$'),
  created_at timestamptz not null,
  opened_at timestamptz,
  ends_at timestamptz not null,
  check (ends_at > created_at)
);
comment on table punchout_session is 'A visit from a purchasing system: its user shops at the company''s prices and takes the cart back.';
create index punchout_session_by_end on punchout_session (ends_at);
create index punchout_session_by_cart on punchout_session (cart_id) where cart_id is not null;

-- An order that a purchasing system placed.
create table purchasing_order (
  order_id bigint primary key references sales_order on delete cascade,
  company_id uuid not null references company,
  channel text not null check (channel in ('procurement', 'military-exchange')),
  -- Its number there, which is the purchase order number, and the document it came in.
  buyer_order_id text not null check (length(buyer_order_id) between 1 and 40),
  payload_id text not null check (length(payload_id) between 1 and 255),
  order_date text not null check (length(order_date) between 10 and 40),
  cost_center text check (length(cost_center) between 1 and 60),
  -- The exchange's customer.
  customer_id text check (length(customer_id) between 1 and 60),
  is_test boolean not null
);
comment on table purchasing_order is 'An order that a purchasing system placed, under its own number, once.';
create unique index purchasing_order_once on purchasing_order (company_id, buyer_order_id);

-- Its lines, under the numbers that they have there.
create table purchasing_order_line (
  order_id bigint not null references purchasing_order on delete cascade,
  line_number integer not null check (line_number between 0 and 100000),
  part_id text not null check (length(part_id) between 1 and 60),
  item_id integer references item,
  quantity integer not null check (quantity between 1 and 1000),
  unit text not null check (length(unit) between 1 and 10),
  -- Negative for a discount.
  unit_cents integer not null,
  name text not null check (length(name) between 1 and 200),
  primary key (order_id, line_number)
);
comment on table purchasing_order_line is 'The lines of an order of a purchasing system, under the numbers they have there.';

-- What the store tells a purchasing system of its order. The document is made again of `facts` each time it is sent, under the same payload id.
create table purchasing_document (
  id uuid primary key,
  order_id bigint not null references purchasing_order on delete cascade,
  kind text not null check (kind in ('confirmation', 'rejection', 'ship-notice', 'invoice')),
  -- The parcel of a ship notice.
  shipment_id uuid references shipment on delete cascade,
  facts jsonb not null,
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'dead')),
  attempts smallint not null default 0 check (attempts >= 0),
  last_error text check (length(last_error) <= 300),
  made_at timestamptz not null,
  sent_at timestamptz,
  check ((state = 'sent') = (sent_at is not null)),
  check ((kind = 'ship-notice') = (shipment_id is not null))
);
comment on table purchasing_document is 'What the store tells a purchasing system of its order: waiting, taken, or given up.';
create unique index purchasing_document_once on purchasing_document (order_id, kind, shipment_id) nulls not distinct;
create index purchasing_document_dead on purchasing_document (made_at) where state = 'dead';
create index purchasing_document_waiting on purchasing_document (made_at) where state = 'waiting';
