-- Credit of an account pays a part of an order when its owner says so; the rest is on the card.
alter table cart add column uses_credit boolean not null default false;
alter table sales_order
  add column credit_cents integer not null default 0,
  add constraint sales_order_credit_within_total check (credit_cents between 0 and total_cents);
