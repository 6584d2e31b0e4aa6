-- Companies that pay later: an invoice stands where the charge of a card would.
alter table cart add column pays_by text not null default 'card' check (pays_by in ('card', 'net-terms'));

create table invoice (
  order_id bigint primary key references sales_order,
  -- What the company owes: the total without what its buyer's credit paid.
  amount_cents integer not null check (amount_cents > 0),
  net_days smallint not null check (net_days between 1 and 120),
  issued_on date not null,
  due_on date not null,
  state text not null default 'open' check (state in ('open', 'paid', 'cancelled')),
  settled_at timestamptz,
  -- Who said that it is paid or off, and the number of the transfer or check it was paid with.
  settled_by text check (length(settled_by) between 1 and 100),
  reference text check (length(reference) between 1 and 60),
  constraint invoice_due_after_its_days check (due_on = issued_on + net_days),
  check ((state = 'open') = (settled_at is null)),
  check ((settled_at is null) = (settled_by is null)),
  check ((state = 'paid') = (reference is not null))
);
create index invoice_open on invoice (due_on, order_id) where state = 'open';

-- What a company owes never grows over its limit. Its row is locked, so that two orders at once are counted one after the other.
create function invoice_within_credit() returns trigger language plpgsql as $$
declare
  buyer company%rowtype;
  owed bigint;
begin
  select company.* into buyer from company join sales_order on sales_order.company_id = company.id where sales_order.id = new.order_id for no key update of company;
  select coalesce(sum(amount_cents), 0) into owed
    from invoice join sales_order on sales_order.id = invoice.order_id where sales_order.company_id = buyer.id and invoice.state = 'open';
  if (buyer.state = 'approved' and owed + new.amount_cents <= buyer.credit_limit_cents) is not true then
    raise exception 'Its company has no credit for the invoice of order %.', new.order_id using errcode = 'check_violation', constraint = 'invoice_within_credit';
  end if;
  return new;
end $$;
create trigger invoice_within_credit before insert on invoice for each row execute function invoice_within_credit();

-- An order is paid for in one way. A charge is claimed by the order of an open cart only, and an invoice closes the cart, so this side is enough.
create function order_paid_in_one_way() returns trigger language plpgsql as $$
begin
  if exists (select from payment where order_id = new.order_id) then
    raise exception 'Order % has a charge already.', new.order_id using errcode = 'check_violation', constraint = 'order_paid_in_one_way';
  end if;
  return new;
end $$;
create trigger order_paid_in_one_way before insert on invoice for each row execute function order_paid_in_one_way();
