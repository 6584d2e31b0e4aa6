-- Changes of a van's area stand beside those of its hours and prices.
alter table shop_event drop constraint shop_event_act_check;
alter table shop_event add constraint shop_event_act_check check (
  act in ('capacity', 'capacity-withdrawn', 'closed-day', 'opened-day', 'prices', 'prices-withdrawn', 'invited', 'role', 'ended', 'area'));
