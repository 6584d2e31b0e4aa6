-- What a technician confirms of the car, and a signature as it was drawn.
alter table work_order
  -- The last eight characters of the VIN, as read on the car.
  add column vin_end text check (vin_end ~ '^[A-HJ-NPR-Z0-9]{8}$'),
  -- Strokes on a field of 300 by 100: points "x,y" with spaces, strokes apart by semicolons.
  add column signed_strokes text check (length(signed_strokes) <= 4000 and signed_strokes ~ '^[0-9]{1,3},[0-9]{1,3}([ ;][0-9]{1,3},[0-9]{1,3})*$'),
  add constraint work_order_drawn_is_signed check (signed_strokes is null or signed_name is not null);
