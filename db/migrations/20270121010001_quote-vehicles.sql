-- A quote can have several vehicles. Each other vehicle is a row with its tires, price, cart, and order, below the quote's main row.
alter table sales_quote
  add column main_id bigint references sales_quote on delete cascade,
  add column position smallint not null default 1 check (position between 1 and 10),
  add constraint quote_vehicle_once unique (main_id, position),
  add constraint quote_main_first check ((main_id is null) = (position = 1)),
  add constraint quote_vehicle_of_staff check (main_id is null or (author_account_id is null and replaces_id is null and mails = 0));
comment on column sales_quote.main_id is 'The row of the first vehicle, which has the link, the emails, and the versions; null in that row.';
comment on column sales_quote.position is 'The place of the vehicle in the quote.';

create function quote_vehicles_together() returns trigger language plpgsql as $$
declare
  main bigint := coalesce(new.main_id, new.id);
begin
  if new.main_id is null and not exists (select from sales_quote where main_id = new.id) then
    return null;
  end if;
  if exists (select from sales_quote where id = main and main_id is not null)
    -- Open vehicles have the same customer, prices, delivery, and last day.
    or (select count(distinct (email, account_id, price_label, fulfillment, zip, shop_id, pickup_warehouse_id, carrier_location_id, good_through_on, expires_at))
        from sales_quote where main in (id, main_id) and state in ('draft', 'needs-approval', 'sent', 'delivered', 'bounced', 'opened')) > 1
    -- All are sent, approved, withdrawn, and replaced in one transaction.
    or (select count(distinct case
          when state in ('draft', 'needs-approval') then state
          when state in ('withdrawn', 'replaced') then 'ended'
          when state in ('sent', 'delivered', 'bounced', 'opened') then 'open' end)
        from sales_quote where main in (id, main_id)) > 1 then
    raise exception 'The vehicles of quote % differ.', main using errcode = 'check_violation', constraint = 'quote_vehicles_together';
  end if;
  return null;
end $$;
create constraint trigger quote_vehicles_together after insert or update on sales_quote
  deferrable initially deferred for each row execute function quote_vehicles_together();
comment on trigger quote_vehicles_together on sales_quote is 'A quote is sent, extended, and ended as a whole; each vehicle is ordered separately.';
