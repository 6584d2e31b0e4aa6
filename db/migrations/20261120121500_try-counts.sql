-- How often an order, an address or a reviewer tried within a window, counted for all web processes together (rate-limiter-flexible's own columns:
-- `expire` is in milliseconds since 1970). Unlogged: it is worth nothing after a crash, and a try writes nothing but its row.
create unlogged table try_count (
  key text primary key,
  points integer not null,
  expire bigint not null
);
