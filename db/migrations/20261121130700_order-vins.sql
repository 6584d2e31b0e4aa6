-- The vehicle identification number of the car that an order is for, as staff or the shop read it off the car.
create table order_vin (
  order_id bigint primary key references sales_order (id),
  -- 17 characters, without I, O and Q, which would be mistaken for digits.
  vin text not null check (vin ~ '^[A-HJ-NPR-Z0-9]{17}$'),
  set_by text not null check (length(set_by) between 1 and 254),
  set_at timestamptz not null
);
comment on table order_vin is 'The vehicle identification number of the car that an order is for, as staff or the shop read it off the car.';
-- Shops and fleets name a car by the last eight characters.
create index order_vin_by_end on order_vin (right(vin, 8));
