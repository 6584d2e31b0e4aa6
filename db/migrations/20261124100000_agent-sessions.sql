-- Carts and checkouts that shopping agents opened: ours, with the platform that may see them.
create table agent_session (
  id uuid primary key,
  kind text not null check (kind in ('cart', 'checkout')),
  cart_id uuid not null references cart on delete cascade,
  -- The address of the platform's profile. Nobody else sees the session.
  platform text not null check (length(platform) between 10 and 500),
  -- The release of the protocol it speaks.
  version text not null check (version ~ '^\d{4}-\d{2}-\d{2}$'),
  -- Where the platform wants to hear of the order.
  webhook_url text check (length(webhook_url) between 10 and 500),
  -- What it said of the buyer: sent back to it as it was, and forgotten soon after.
  said jsonb not null default '{}' check (jsonb_typeof(said) = 'object' and length(said::text) <= 20000),
  -- Part of the link that opens it in a browser; another one once that was used.
  handover_key uuid not null,
  -- From here on a person decides, and the platform only looks.
  handed_over_at timestamptz,
  canceled_at timestamptz,
  -- Of the order as the platform was last told, and when it was last looked at.
  told_digest text check (length(told_digest) = 43),
  looked_at timestamptz,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  check (handed_over_at is null or canceled_at is null),
  check (kind = 'checkout' or (handed_over_at is null and webhook_url is null and told_digest is null))
);
comment on table agent_session is 'A cart or a checkout that a shopping agent opened, and the platform that may see it.';
create unique index agent_session_one_cart on agent_session (cart_id) where kind = 'cart';
create unique index agent_session_one_checkout on agent_session (cart_id) where kind = 'checkout' and canceled_at is null;
create index agent_session_by_cart on agent_session (cart_id);
create index agent_session_to_tell on agent_session (looked_at nulls first) where webhook_url is not null and canceled_at is null;
create index agent_session_by_expiry on agent_session (expires_at);
