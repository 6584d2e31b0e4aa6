-- Companies pay an invoice in whole or in part, each payment with the number of its transfer or check.
create table invoice_payment (
  order_id bigint not null references invoice,
  reference text not null check (length(reference) between 1 and 60),
  amount_cents integer not null check (amount_cents > 0),
  recorded_by text not null check (length(recorded_by) between 1 and 254),
  recorded_at timestamptz not null,
  -- A payment recorded twice, by a second press or a second person, is one payment.
  primary key (order_id, reference)
);
comment on table invoice_payment is 'Payments of companies on their invoices, each with its transfer or check number.';

alter table invoice add column paid_cents integer not null default 0;
insert into invoice_payment (order_id, reference, amount_cents, recorded_by, recorded_at)
  select order_id, reference, amount_cents, settled_by, settled_at from invoice where state = 'paid';
update invoice set paid_cents = amount_cents where state = 'paid';

alter table invoice
  drop constraint invoice_settled_by_check,
  add constraint invoice_settled_by_check check (length(settled_by) between 1 and 254),
  add constraint invoice_paid_within check (paid_cents between 0 and amount_cents),
  add constraint invoice_paid_whole check ((state = 'paid') = (paid_cents = amount_cents));
comment on column invoice.paid_cents is 'The sum of its payments.';
comment on constraint invoice_paid_whole on invoice is 'An invoice is paid exactly if its payments come to its amount.';

-- What is paid no longer counts against the limit.
create or replace function invoice_within_credit() returns trigger language plpgsql as $$
declare
  buyer company%rowtype;
  owed bigint;
begin
  select company.* into buyer from company join sales_order on sales_order.company_id = company.id where sales_order.id = new.order_id for no key update of company;
  select coalesce(sum(amount_cents - paid_cents), 0) into owed
    from invoice join sales_order on sales_order.id = invoice.order_id where sales_order.company_id = buyer.id and invoice.state = 'open';
  if (buyer.state = 'approved' and owed + new.amount_cents <= buyer.credit_limit_cents) is not true then
    raise exception 'Its company has no credit for the invoice of order %.', new.order_id using errcode = 'check_violation', constraint = 'invoice_within_credit';
  end if;
  return new;
end $$;

-- What the office lists by keyset: the latest decisions on reviews, and companies by state.
create index review_refused on review (written_at desc, id desc) where state = 'refused';
create index company_by_state_newest on company (state, applied_at desc, id desc);
