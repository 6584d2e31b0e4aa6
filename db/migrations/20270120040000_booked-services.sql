-- Services in a cart and in an order, which need no tires. A kind is a row of domain/scheduling/installers/service-kinds.ts.
create table cart_service (
  cart_id uuid not null references cart on update cascade on delete cascade,
  service text not null check (service ~ '^[a-z]+(-[a-z]+)*$' and length(service) <= 40),
  units smallint not null check (units between 1 and 8),
  added_at timestamptz not null,
  -- A booking is one service.
  primary key (cart_id)
);
comment on table cart_service is 'The service that a cart books at its shop, without tires.';

alter table order_line add column service text check (service ~ '^[a-z]+(-[a-z]+)*$' and length(service) <= 40);
comment on column order_line.service is 'The kind of a service that needs no new tires.';
alter table order_line drop constraint order_line_kind_check;
alter table order_line add constraint order_line_kind_check
  check (kind in ('tire', 'coverage', 'installation', 'service-kit', 'disposal', 'roadside', 'shipping', 'service'));
alter table order_line add constraint order_line_service_has_a_kind check ((kind = 'service') = (service is not null));

create function order_of_service_is_only_that() returns trigger language plpgsql as $$
begin
  if (select fulfillment from sales_order where id = new.order_id) <> 'shop'
    or exists (select from order_line where order_id = new.order_id and line_no <> new.line_no) then
    raise exception 'Order % has a service and something else, or no shop.', new.order_id
      using errcode = 'check_violation', constraint = 'order_of_service_is_only_that';
  end if;
  return null;
end $$;
create trigger order_of_service_is_only_that after insert on order_line for each row when (new.kind = 'service') execute function order_of_service_is_only_that();
comment on trigger order_of_service_is_only_that on order_line is 'A service without tires is ordered at a shop, as the only line of its order.';

create function cart_of_service_has_no_tires() returns trigger language plpgsql as $$
begin
  if exists (select from cart_service where cart_id = new.cart_id) then
    raise exception 'Cart % books a service and has no tires.', new.cart_id using errcode = 'check_violation', constraint = 'cart_of_service_has_no_tires';
  end if;
  return new;
end $$;
create trigger cart_of_service_has_no_tires before insert on cart_line for each row execute function cart_of_service_has_no_tires();
comment on trigger cart_of_service_has_no_tires on cart_line is 'A cart has tires or a service.';

-- The shop's pay for a service is the price that the customer paid for it. Bounds are for tires.
alter table job_pay_line add column service text check (service ~ '^[a-z]+(-[a-z]+)*$' and length(service) <= 40);
comment on column job_pay_line.service is 'The kind of a service without tires; its rate is the shop’s price.';
alter table job_pay_line alter column job drop not null;
alter table job_pay_line alter column rim_in drop not null;
alter table job_pay_line drop constraint job_pay_line_within_bounds;
alter table job_pay_line add constraint job_pay_line_within_bounds
  check (case when service is null then rate_cents between 1500 and 2400 else rate_cents between 1 and 100000 end);
alter table job_pay_line add constraint job_pay_line_of_tires_or_service
  check (num_nonnulls(job, rim_in) = case when service is null then 2 else 0 end);
