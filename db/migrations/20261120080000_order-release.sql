-- An order is released when the window for cancelling is over: from then on it is charged and shipped. The two exclude each other here, whatever
-- the clocks of the processes say that want them.
alter table sales_order add column released_at timestamptz;

update sales_order set released_at = cancel_until
where state <> 'cancelled' and exists (select from payment where payment.order_id = sales_order.id and payment.state = 'captured');

alter table sales_order
  add constraint sales_order_cancelled_or_released check (state <> 'cancelled' or released_at is null),
  add constraint sales_order_released_after_window check (released_at >= cancel_until);
