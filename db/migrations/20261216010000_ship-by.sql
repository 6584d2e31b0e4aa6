-- When a parcel has to leave its warehouse, stored with the order's promise, so that later changes of the warehouse don't move it.
alter table shipment add column ship_by timestamptz;
comment on column shipment.ship_by is 'When it has to leave its warehouse, or be ready for pickup there, as promised; null for orders placed before this was stored.';

-- Parcels on the shelf get what packers saw so far, without federal holidays.
update shipment set ship_by = (day + (case extract(isodow from day) when 6 then 2 when 7 then 1 else 0 end) + cutoff) at time zone time_zone
from (
  select parcel.id, warehouse.cutoff, warehouse.time_zone,
    local_time::date + (case when extract(isodow from local_time) < 6 and local_time::time > warehouse.cutoff then 1 else 0 end) as day
  from shipment parcel join warehouse on warehouse.id = parcel.warehouse_id join sales_order on sales_order.id = parcel.order_id
    cross join lateral (select coalesce(released_at, cancel_until) at time zone warehouse.time_zone as local_time) released
  where parcel.state in ('processed', 'pending-pickup') and fulfillment <> 'warehouse-pickup') as due
where due.id = shipment.id;
