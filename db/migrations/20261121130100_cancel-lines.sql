-- Units canceled before they ship, and whole orders that are late, are refunded line by line like every other refund.

alter table order_refund add column kind text not null default 'refund' check (kind in ('refund', 'cancellation', 'delay'));
alter table order_refund add constraint order_refund_given_back_at_once
  check (kind = 'refund' or state = 'approved' and not is_over_limit and handling_fee_cents = 0 and goodwill_cents = 0);
comment on table order_refund is 'Refunds of orders, each with its reason and who bears the cost: by staff, of units canceled before they shipped, and of orders that were late.';
comment on column order_refund.kind is 'Whether staff refunded, units were canceled before they shipped, or the whole order was late.';
comment on constraint order_refund_given_back_at_once on order_refund is 'What is canceled or late goes back whole and at once: nobody decides about it.';
create index order_refund_cancellations on order_refund (order_id) where kind = 'cancellation';

create function canceled_units(of_order bigint, of_line smallint) returns bigint stable strict parallel safe language sql as $$
  select coalesce(sum(part.units), 0) from order_refund refund join order_refund_line part on part.refund_id = refund.id
  where refund.order_id = of_order and refund.kind = 'cancellation' and part.line_no = of_line
$$;
comment on function canceled_units is 'How many units of a line were canceled before they shipped.';

-- What is canceled leaves its parcel, and nothing else does: every tire of an order is allocated or canceled.
create function order_line_allocated_or_canceled() returns trigger language plpgsql as $$
declare
  line record;
begin
  select bought.quantity,
    (select coalesce(sum(quantity), 0) from stock_allocation where order_id = bought.order_id and line_no = bought.line_no) as allocated,
    canceled_units(bought.order_id, bought.line_no) as canceled into line
  from order_line bought where bought.order_id = coalesce(new.order_id, old.order_id) and bought.line_no = coalesce(new.line_no, old.line_no) and bought.kind = 'tire';
  if found and line.quantity <> line.allocated + line.canceled then
    raise exception 'Order % has % tires on line %, of which % are allocated and % canceled.', coalesce(new.order_id, old.order_id), line.quantity, coalesce(new.line_no, old.line_no), line.allocated, line.canceled
      using errcode = 'check_violation', constraint = 'order_line_allocated_or_canceled';
  end if;
  return null;
end $$;
create constraint trigger order_line_allocated_or_canceled after update or delete on stock_allocation deferrable initially deferred
  for each row execute function order_line_allocated_or_canceled();
create constraint trigger order_line_allocated_or_canceled after insert or update on order_refund_line deferrable initially deferred
  for each row execute function order_line_allocated_or_canceled();
comment on trigger order_line_allocated_or_canceled on stock_allocation is 'A tire leaves its parcel only with the refund of its cancellation.';
comment on trigger order_line_allocated_or_canceled on order_refund_line is 'A canceled tire is not allocated any more.';
