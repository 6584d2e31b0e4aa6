-- Unsent replies of staff to the customers of orders.
create table order_reply_draft (
  staff text not null check (length(staff) between 1 and 254),
  order_id bigint not null references sales_order on delete cascade,
  body text not null check (length(body) between 1 and 10000),
  saved_at timestamptz not null,
  primary key (staff, order_id)
);
comment on table order_reply_draft is 'Unsent replies of staff, one per person and order.';
create index order_reply_draft_by_order on order_reply_draft (order_id);
create index order_reply_draft_by_age on order_reply_draft (saved_at);
