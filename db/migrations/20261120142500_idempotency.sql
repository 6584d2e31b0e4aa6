-- Calls that programs named, with what they were answered, for a day: sent again, the same call gets the same answer and does nothing.
create table idempotency_key (
  -- Hashes: of who called which address, and of what was sent. The key of a cart is part of the first.
  scope bytea not null check (octet_length(scope) = 32),
  key text not null check (length(key) between 1 and 255),
  request bytea not null check (octet_length(request) = 32),
  created_at timestamptz not null,
  -- While the first call is running; afterwards the answer is here.
  claimed_until timestamptz,
  status smallint check (status between 200 and 499),
  headers jsonb,
  body text,
  primary key (scope, key),
  check ((status is null) = (headers is null)),
  check (status is not null or claimed_until is not null)
);
create index idempotency_key_by_time on idempotency_key (created_at);
