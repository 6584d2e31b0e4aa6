-- What a fleet wants on every order and job: PO number, unit, driver, VIN, plate, positions, TINs and mileage.
alter table company add column fleet_packet boolean not null default false;
comment on column company.fleet_packet is 'Whether its orders need a PO number, and their jobs a whole fleet packet.';

-- Fleets name a car by the last eight characters of its VIN.
alter table order_vin drop constraint order_vin_vin_check,
  add constraint order_vin_vin_check check (vin ~ '^([A-HJ-NPR-Z0-9]{9})?[A-HJ-NPR-Z0-9]{8}$');
comment on column order_vin.vin is 'Whole, or its last eight characters.';

create table fleet_packet (
  order_id bigint primary key references sales_order on delete cascade,
  unit text check (length(unit) between 1 and 20),
  driver text check (length(driver) between 1 and 60),
  plate text check (plate ~ '^[A-Z0-9]{1,8}$'),
  plate_state text check (plate_state ~ '^[A-Z]{2}$'),
  changed_at timestamptz
);
comment on table fleet_packet is 'What a fleet says of the vehicle of an order; an order without a row needs none.';

-- Whether an order needs a packet is decided when it is placed: its PO number cannot be asked for later.
create function order_begins_packet() returns trigger language plpgsql as $$
begin
  if exists (select from company where id = new.company_id and fleet_packet) then
    if coalesce(new.billing ->> 'poNumber', '') = '' then
      raise exception 'An order of company % needs a PO number.', new.company_id using errcode = 'check_violation', constraint = 'fleet_packet_has_po';
    end if;
    insert into fleet_packet (order_id) values (new.id);
  end if;
  return null;
end $$;
create trigger order_begins_packet after insert on sales_order
  for each row when (new.company_id is not null) execute function order_begins_packet();
comment on trigger order_begins_packet on sales_order is 'Orders of a company with fleet packets have a PO number and a packet.';

-- Tires with their positions and TINs, and the odometer, are what work_order_life and work_order_done_is_proven ask of every job.
create function work_order_needs_packet() returns trigger language plpgsql as $$
declare
  packet fleet_packet;
begin
  if new.state <> 'done' or old.state = 'done' then
    return new;
  end if;
  select * into packet from fleet_packet where order_id = new.order_id for share;
  if found and (packet.unit is null or packet.driver is null or packet.plate is null or packet.plate_state is null or new.vin_end is null) then
    raise exception 'The work order of booking % lacks parts of its fleet packet.', new.booking_id
      using errcode = 'check_violation', constraint = 'work_order_done_has_packet';
  end if;
  return new;
end $$;
-- By its name it runs after work_order_life, which judges the move itself.
create trigger work_order_packet before update on work_order for each row execute function work_order_needs_packet();
comment on trigger work_order_packet on work_order is 'A job of a fleet is done with its whole packet.';

create function fleet_packet_stays() returns trigger language plpgsql as $$
begin
  if exists (select from work_order where order_id = old.order_id and state = 'done') then
    raise exception 'The packet of a finished job stays as it is.' using errcode = 'check_violation', constraint = 'fleet_packet_stays';
  end if;
  return coalesce(new, old);
end $$;
create trigger fleet_packet_stays before update or delete on fleet_packet for each row execute function fleet_packet_stays();
comment on trigger fleet_packet_stays on fleet_packet is 'What a job was closed with is not changed.';
