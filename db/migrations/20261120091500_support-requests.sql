-- What people write to us: messages from the contact page and leads from the tire-sales page, until somebody has dealt with them.
create table support_request (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('contact', 'lead')),
  state text not null default 'open' check (state in ('open', 'closed')),
  name text not null check (length(name) between 1 and 60),
  email text not null check (length(email) between 3 and 254),
  phone text,
  -- As it was given: nobody has shown yet that the order is theirs.
  order_number text,
  subject text not null check (length(subject) between 1 and 80),
  message text not null check (length(message) <= 3000),
  quantity integer check (quantity between 1 and 400),
  vehicle text,
  size text,
  brand text,
  -- A hash of all that was written: while a request is open, the same words are the same request, however often they are sent.
  said bytea not null check (octet_length(said) = 32),
  -- For the limit on how much one network address may write; forgotten when the request is closed.
  network_key text,
  created_at timestamptz not null,
  closed_at timestamptz,
  closed_by text,
  check ((state = 'closed') = (closed_at is not null)),
  check ((state = 'closed') = (closed_by is not null)),
  check (state = 'open' or network_key is null),
  check ((kind = 'lead') = (quantity is not null)),
  check (kind = 'contact' or num_nonnulls(vehicle, size) > 0),
  check (kind = 'lead' or num_nonnulls(vehicle, size, brand) = 0)
);
create unique index support_request_said_once on support_request (said) where state = 'open';
create index support_request_by_time on support_request (created_at, id) where state = 'open';
create index support_request_by_network on support_request (network_key, created_at) where network_key is not null;
create index support_request_by_email on support_request (email, created_at);

-- Pictures are saved anew before they come here. Nothing of this is ever served to a browser.
create table support_attachment (
  request_id bigint primary key references support_request,
  name text not null check (length(name) between 1 and 120),
  content_type text not null check (content_type in ('image/webp', 'application/pdf')),
  bytes bytea not null check (octet_length(bytes) between 1 and 1048576)
);
