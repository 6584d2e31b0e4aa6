-- Staff hold a return's refund until a teammate has had a second look.
create table return_hold (
  id bigint generated always as identity primary key,
  return_id bigint not null references order_return on delete cascade,
  reason text not null check (length(reason) between 1 and 500),
  held_by text not null check (length(held_by) between 1 and 254),
  held_at timestamptz not null,
  -- The result of the second look.
  result text check (length(result) between 1 and 500),
  released_by text check (length(released_by) between 1 and 254),
  released_at timestamptz check (released_at >= held_at),
  constraint return_hold_released_whole check (num_nulls(result, released_by, released_at) in (0, 3))
);
comment on table return_hold is 'Refunds of returns that wait for a second look, with its result.';
create unique index return_held_once on return_hold (return_id) where released_at is null;
create index return_hold_by_return on return_hold (return_id, id);
