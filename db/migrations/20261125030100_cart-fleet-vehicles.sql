-- What a fleet's people enter of the vehicle while they order; the order's packet begins with it.
create table cart_fleet_vehicle (
  cart_id uuid primary key references cart on delete cascade,
  unit text check (length(unit) between 1 and 20),
  driver text check (length(driver) between 1 and 60),
  vin text check (vin ~ '^([A-HJ-NPR-Z0-9]{9})?[A-HJ-NPR-Z0-9]{8}$'),
  plate text check (plate ~ '^[A-Z0-9]{1,8}$'),
  plate_state text check (plate_state ~ '^[A-Z]{2}$'),
  updated_at timestamptz not null
);
comment on table cart_fleet_vehicle is 'The vehicle that a fleet''s cart is for, as entered in the checkout.';

create or replace function order_begins_packet() returns trigger language plpgsql as $$
declare
  entered cart_fleet_vehicle;
begin
  if exists (select from company where id = new.company_id and fleet_packet) then
    if coalesce(new.billing ->> 'poNumber', '') = '' then
      raise exception 'An order of company % needs a PO number.', new.company_id using errcode = 'check_violation', constraint = 'fleet_packet_has_po';
    end if;
    select * into entered from cart_fleet_vehicle where cart_id = new.cart_id;
    insert into fleet_packet (order_id, unit, driver, plate, plate_state, changed_at)
      values (new.id, entered.unit, entered.driver, entered.plate, entered.plate_state, entered.updated_at);
    if entered.vin is not null then
      insert into order_vin (order_id, vin, set_by, set_at) values (new.id, entered.vin, 'company', new.placed_at);
    end if;
  end if;
  return null;
end $$;
