-- A cart that a program filled is handed to a person by a link: short-lived, opened once, into a cart of their own.
create table cart_link (
  -- SHA-256 of the link's token, base64url: who reads the table opens nothing.
  token_hash text primary key check (token_hash ~ '^[A-Za-z0-9_-]{43}$'),
  cart_id uuid not null references cart on delete cascade,
  made_at timestamptz not null,
  expires_at timestamptz not null check (expires_at > made_at),
  opened_at timestamptz check (opened_at >= made_at and opened_at < expires_at),
  opened_cart_id uuid references cart on delete set null check (opened_cart_id <> cart_id),
  check (opened_cart_id is null or opened_at is not null)
);
comment on table cart_link is 'A link by which a person takes over what a program put in a cart.';
comment on column cart_link.opened_cart_id is 'The cart it became, whose key the program does not know.';
create index cart_link_by_cart on cart_link (cart_id);
create index cart_link_by_opened_cart on cart_link (opened_cart_id) where opened_cart_id is not null;
