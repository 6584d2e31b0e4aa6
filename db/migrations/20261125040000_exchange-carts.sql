-- A cart that a military exchange's program filled for one of its customers.
create table exchange_cart (
  cart_id uuid primary key references cart on delete cascade,
  -- What the order's document names it by: the cart's own key opens the cart.
  id uuid not null unique check (id <> cart_id),
  company_id uuid not null references purchasing_system on delete cascade,
  customer_id text not null check (length(customer_id) between 1 and 60),
  made_at timestamptz not null
);
comment on table exchange_cart is 'A cart that a military exchange''s program filled, and for which of the exchange''s customers.';

-- The exchange's customer who visits.
alter table punchout_session add column customer_id text check (length(customer_id) between 1 and 60);
