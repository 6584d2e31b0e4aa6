-- A supplier's web service for availability and cost, which is queried before a tire of the supplier is sold.
alter table supplier
  add column availability_url text check (length(availability_url) <= 300 and availability_url ~ '^https?://[^\s]+$'),
  add column availability_key bytea check (octet_length(availability_key) <= 1000),
  add column availability_fault text check (length(availability_fault) between 1 and 200),
  add column availability_failed_at timestamptz,
  add constraint supplier_availability_whole check ((availability_url is null) = (availability_key is null)),
  add constraint supplier_availability_fault_whole check ((availability_fault is null) = (availability_failed_at is null));
comment on column supplier.availability_url is 'Where the supplier answers which part numbers it has; null: without one.';
comment on column supplier.availability_key is 'Sealed: the key that the store sends there.';
comment on column supplier.availability_fault is 'Why the service did not answer; null if it did.';
comment on column supplier.availability_failed_at is 'Since when it fails in this way.';

alter table warehouse
  add column branch text check (branch ~ '^[A-Za-z0-9._-]{1,40}$'),
  add constraint warehouse_branch_of_supplier check (branch is null or supplier_id is not null),
  add constraint warehouse_branch_once unique (supplier_id, branch);
comment on column warehouse.branch is 'The supplier’s ID of this warehouse in its availability service.';

create table supplier_availability (
  supplier_id smallint not null references supplier on delete cascade,
  item_id integer not null references item on delete cascade,
  -- Units that the supplier has since sold elsewhere are not in the answer.
  queried_at timestamptz not null,
  units integer not null check (units between 0 and 1000000),
  cost_cents integer check (cost_cents between 1 and 100000000),
  primary key (supplier_id, item_id)
);
create index supplier_availability_by_item on supplier_availability (item_id);
comment on table supplier_availability is 'A supplier’s last answer about a tire: its units in all warehouses of the supplier, and its cost to the store.';

-- Units of an order that was accepted after the query are still in the answer.
create index purchase_order_accepted_at on purchase_order (answered_at) where state = 'accepted';
