-- Delays that shops notify customers of. The release before never reads this.

alter table work_order add column late_minutes integer check (late_minutes between 1 and 240);
comment on column work_order.late_minutes is 'The last delay sent to the customer, in minutes.';

alter table work_order_event drop constraint work_order_event_what_check;
alter table work_order_event add constraint work_order_event_what_check
  check (what in ('moved', 'pieces', 'code', 'code-wrong', 'saved', 'reported', 'late'));

alter table text_message drop constraint text_message_kind_check;
alter table text_message add constraint text_message_kind_check
  check (kind in ('recall', 'confirm-request', 'welcome', 'shipped', 'delivered', 'appointment-reminder', 'appointment-soon',
    'quote', 'earlier-time', 'staff', 'shop-news', 'shop-late'));
