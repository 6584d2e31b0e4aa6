-- One warehouse of a supplier can be closed, too. Those that close with their supplier have its time of retirement.

alter table warehouse
  add column supplier_retired_at timestamptz,
  drop constraint warehouse_closing_of_the_store;
comment on column warehouse.supplier_retired_at is 'When its supplier was retired, which closed it if it was open.';
update warehouse set retired_at = supplier.retired_at, supplier_retired_at = supplier.retired_at
from supplier where supplier.id = warehouse.supplier_id and supplier.retired_at is not null;
alter table warehouse add constraint warehouse_retired_with_supplier check (
  supplier_retired_at is null or (supplier_id is not null and retired_at is not null and closes_on is null));
