-- The label of a parcel as the carrier sold it, with its files.
create table shipment_label (
  shipment_id uuid primary key references shipment on delete cascade,
  carrier text not null check (length(carrier) between 1 and 100),
  tracking_number text not null unique check (length(tracking_number) between 1 and 100),
  cost_cents integer not null check (cost_cents >= 0),
  ship_to jsonb check (jsonb_typeof(ship_to) = 'object'),
  bought_at timestamptz not null,
  bought_by text not null check (length(bought_by) between 1 and 300),
  voided_at timestamptz check (voided_at >= bought_at)
);
comment on table shipment_label is 'The label that was bought for a parcel; a parcel never has two.';
comment on column shipment_label.cost_cents is 'The rate that the carrier charged, in cents.';
comment on column shipment_label.ship_to is 'The address on the label; null once its customer is erased.';
comment on column shipment_label.voided_at is 'When the carrier agreed to refund it unused.';

create table shipment_label_file (
  shipment_id uuid not null references shipment_label on delete cascade,
  format text not null check (format in ('pdf', 'zpl')),
  file_key uuid not null unique references stored_file,
  primary key (shipment_id, format)
);
comment on table shipment_label_file is 'A label of 4 by 6 inches as the carrier made it, to be printed.';
create trigger remove_named_file after delete or update of file_key on shipment_label_file
  for each row execute function remove_named_file();

alter table stored_file drop constraint stored_file_content_type_check,
  add constraint stored_file_content_type_check
    check (content_type in ('image/webp', 'image/jpeg', 'application/pdf', 'application/zpl'));

alter table shipment add column tracking_url text check (tracking_url ~ '^https?://' and length(tracking_url) <= 500);
comment on column shipment.tracking_url is 'Where its carrier shows how far it is; null where that is not known.';
-- The parcels of a warehouse that are to be packed, which are few at any time.
create index shipment_to_pack on shipment (warehouse_id, id) where state in ('processed', 'pending-pickup');

alter table stock add column bin text check (bin ~ '^[A-Z0-9][A-Z0-9./-]{0,19}$');
comment on column stock.bin is 'Where in the warehouse the tires stand, such as A-04-2; null where that is not recorded.';

alter table warehouse add column ships_by_hand boolean not null default false;
comment on column warehouse.ships_by_hand is 'No labels are bought for its parcels: staff enter each tracking number.';
