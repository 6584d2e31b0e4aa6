-- Staff open a return for a customer who calls.
alter table order_return drop constraint order_return_requested_by_check;
alter table order_return add constraint order_return_requested_by_check check (requested_by in ('shopper', 'program', 'staff'));
