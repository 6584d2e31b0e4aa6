-- Codes emailed to whoever tracks an order by number and ZIP. The code itself is nowhere: it is computed from `id` with the store's secret
-- (domain/orders/order-code.server.ts), so that these rows alone open nothing. A new code takes the row of the one before it.
create table order_code (
  order_id bigint not null references sales_order,
  -- The browser that asked, or the request of a program.
  browser_id uuid not null,
  id uuid not null unique,
  attempts smallint not null default 0 check (attempts between 0 and 5),
  created_at timestamptz not null,
  expires_at timestamptz not null check (expires_at = created_at + interval '10 minutes'),
  used_at timestamptz,
  primary key (order_id, browser_id),
  -- A code is used once, in its time, by one of its attempts.
  constraint order_code_used_in_time check (used_at is null or (used_at < expires_at and attempts > 0))
);
comment on table order_code is 'Codes emailed to open an order in one browser: one live code an order and browser, five attempts, ten minutes.';
comment on constraint order_code_used_in_time on order_code is 'A code opens its order only by an attempt within its ten minutes.';
