-- Orders whose fit is unknown, which wait for a person to check it. The release before never reads this.
create table order_fit_check (
  order_id bigint primary key references sales_order on delete cascade,
  asked_at timestamptz not null,
  result text check (length(result) between 1 and 400),
  checked_by text check (length(checked_by) between 1 and 254),
  checked_at timestamptz check (checked_at >= asked_at),
  constraint order_fit_check_whole check (num_nulls(result, checked_by, checked_at) in (0, 3))
);
comment on table order_fit_check is 'Orders placed with an unknown fit, with the result of a person’s check.';
create index order_fit_check_waiting on order_fit_check (asked_at) where checked_at is null;
