-- Warehouses are added and changed in the back office.
alter table warehouse
  add column version integer not null default 1 check (version >= 1),
  add column changed_at timestamptz,
  add column changed_by text check (length(changed_by) between 1 and 254),
  add constraint warehouse_changed_whole check ((changed_at is null) = (changed_by is null)),
  add constraint warehouse_code_check check (code ~ '^[A-Z0-9]{2,10}$');
comment on column warehouse.version is 'Rises with each change, so that a form can tell that it is out of date.';
