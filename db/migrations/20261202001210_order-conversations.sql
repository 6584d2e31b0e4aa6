-- Staff and customers write to each other about an order by email and by text message, in one thread.
alter table support_reply
  add column channel text not null default 'email' check (channel in ('email', 'text'));
create index support_request_by_order on support_request (order_number, id) where order_number is not null;

alter table text_message drop constraint text_message_kind_check;
alter table text_message add constraint text_message_kind_check check (kind in
  ('recall', 'confirm-request', 'welcome', 'shipped', 'delivered', 'appointment-reminder', 'appointment-soon', 'quote', 'earlier-time', 'staff'));
