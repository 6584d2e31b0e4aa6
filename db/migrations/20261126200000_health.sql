-- How often the store kept what it promises: the objectives that no other table can tell.
create table objective_hour (
  objective text not null check (objective in ('orders', 'times', 'purchases')),
  hour timestamptz not null check (date_trunc('hour', hour, 'UTC') = hour),
  good integer not null default 0 check (good >= 0),
  bad integer not null default 0 check (bad >= 0),
  primary key (objective, hour)
);
comment on table objective_hour is 'How often an objective was kept and missed in an hour, by all processes together.';

-- Which processes run, by what they say of themselves twice a minute.
create table process_sign (
  id uuid primary key,
  kind text not null check (kind in ('web', 'worker')),
  started_at timestamptz not null,
  seen_at timestamptz not null check (seen_at >= started_at)
);
comment on table process_sign is 'Web and worker processes, and when each was last seen.';

-- What the synthetic buyer of a demo bought. Its orders are canceled at once, and are ordinary orders otherwise.
create table synthetic_purchase (
  id bigint primary key generated always as identity,
  at timestamptz not null,
  failed_step text check (length(failed_step) between 1 and 20),
  ms integer not null check (ms >= 0),
  order_id bigint unique references sales_order,
  constraint synthetic_purchase_succeeded_with_order check (failed_step is not null or order_id is not null)
);
comment on table synthetic_purchase is 'Purchases of the synthetic buyer of a demo: what came of each, and its order.';
create index synthetic_purchase_by_time on synthetic_purchase (at);
