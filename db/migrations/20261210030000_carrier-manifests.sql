-- Manifests: the carrier's form for the parcels of a day, which its driver scans instead of each label.
alter table shipment_label
  add column void_requested_at timestamptz,
  add constraint shipment_label_void_requested check (void_requested_at >= bought_at);
update shipment_label set void_requested_at = voided_at where voided_at is not null;
alter table shipment_label
  add constraint shipment_label_voided_on_request check (voided_at is null or void_requested_at is not null);
comment on column shipment_label.void_requested_at is 'When its refund was requested of the carrier; null again if the carrier refused.';

create table manifest (
  id bigint generated always as identity primary key,
  warehouse_id smallint not null references warehouse,
  carrier text not null check (length(carrier) between 1 and 100),
  state text not null default 'requested' check (state in ('requested', 'created', 'failed')),
  request_key uuid not null,
  carrier_ref text unique check (length(carrier_ref) between 1 and 100),
  failure text check (length(failure) between 1 and 300),
  requested_at timestamptz not null,
  requested_by text not null check (length(requested_by) between 1 and 300),
  ended_at timestamptz check (ended_at >= requested_at),
  file_key uuid unique references stored_file,
  constraint manifest_once_per_request unique (request_key, carrier),
  constraint manifest_ended check ((state = 'requested') = (ended_at is null)),
  constraint manifest_failure check ((state = 'failed') = (failure is not null)),
  constraint manifest_created_by_carrier check (state <> 'created' or carrier_ref is not null),
  constraint manifest_file_of_created check (file_key is null or state = 'created')
);
comment on table manifest is 'A carrier''s form for the parcels of a day from one warehouse.';
comment on column manifest.id is 'Its number: M-12.';
comment on column manifest.warehouse_id is 'Where the parcels are picked up.';
comment on column manifest.carrier is 'The carrier on the labels.';
comment on column manifest.state is 'requested until the carrier created the form or failed to.';
comment on column manifest.request_key is 'The form that staff submitted; the same form creates it once.';
comment on column manifest.carrier_ref is 'The carrier''s reference; null before it answered.';
comment on column manifest.failure is 'Why the carrier did not create it.';
comment on column manifest.requested_at is 'When staff requested it.';
comment on column manifest.requested_by is 'Who requested it.';
comment on column manifest.ended_at is 'When the carrier created it or failed to.';
comment on column manifest.file_key is 'The form as PDF; null until it is stored.';
create unique index manifest_one_requested on manifest (warehouse_id, carrier) where state = 'requested';
create index manifest_by_warehouse on manifest (warehouse_id, id);
create trigger remove_named_file after delete or update of file_key on manifest
  for each row execute function remove_named_file();

create table manifest_parcel (
  manifest_id bigint not null references manifest on delete cascade,
  shipment_id uuid not null references shipment_label on delete cascade,
  carrier_ref text not null check (length(carrier_ref) between 1 and 100),
  tracking_number text not null check (length(tracking_number) between 1 and 100),
  refusal text check (length(refusal) between 1 and 300),
  primary key (manifest_id, shipment_id)
);
comment on table manifest_parcel is 'A parcel that was requested on a manifest.';
comment on column manifest_parcel.manifest_id is 'The manifest.';
comment on column manifest_parcel.shipment_id is 'The parcel with its label.';
comment on column manifest_parcel.carrier_ref is 'The carrier''s reference of the parcel.';
comment on column manifest_parcel.tracking_number is 'The number on its label.';
comment on column manifest_parcel.refusal is 'Why it is not on the manifest; null while it is.';
create unique index manifest_parcel_once on manifest_parcel (shipment_id) where refusal is null;
comment on index manifest_parcel_once is 'A label is on one manifest at most.';
create index manifest_parcel_by_shipment on manifest_parcel (shipment_id);

-- The lock on the label puts a manifest and a refund in order.
create function manifest_parcel_has_usable_label() returns trigger language plpgsql as $$
begin
  perform from shipment_label where shipment_id = new.shipment_id and void_requested_at is null for share;
  if not found then
    raise exception 'The label of parcel % is voided.', new.shipment_id
      using errcode = 'check_violation', constraint = 'manifest_parcel_has_usable_label';
  end if;
  return new;
end $$;
create trigger manifest_parcel_has_usable_label before insert or update of shipment_id, refusal on manifest_parcel
  for each row when (new.refusal is null) execute function manifest_parcel_has_usable_label();
comment on trigger manifest_parcel_has_usable_label on manifest_parcel is 'A voided label is on no manifest.';

create function shipment_label_on_manifest_is_not_voided() returns trigger language plpgsql as $$
begin
  if exists (select from manifest_parcel where shipment_id = new.shipment_id and refusal is null) then
    raise exception 'The label of parcel % is on a manifest.', new.shipment_id
      using errcode = 'check_violation', constraint = 'shipment_label_on_manifest_is_not_voided';
  end if;
  return new;
end $$;
create trigger shipment_label_on_manifest_is_not_voided before update of void_requested_at, voided_at on shipment_label
  for each row when (new.void_requested_at is not null) execute function shipment_label_on_manifest_is_not_voided();
comment on trigger shipment_label_on_manifest_is_not_voided on shipment_label is 'A label on a manifest is not voided.';
