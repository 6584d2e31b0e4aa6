-- The warehouse that a returned tire is sent to, which isn't the one that shipped it once that one closes.
alter table return_tire add column warehouse_id integer references warehouse;
comment on column return_tire.warehouse_id is 'The warehouse on its label, chosen with the carrier''s first call for the label; null without a label.';
update return_tire tire set warehouse_id = (
  select warehouse_id from shipment where shipment.order_id = tire.order_id and state = 'delivered' order by shipment.id limit 1)
where parcel_ref is not null or tracking_number is not null;
alter table return_tire add constraint return_tire_label_has_warehouse check (tracking_number is null or warehouse_id is not null);
comment on constraint return_tire_label_has_warehouse on return_tire is 'A label names the warehouse that the tire is sent to.';
create index return_tire_by_warehouse on return_tire (warehouse_id) where warehouse_id is not null;
