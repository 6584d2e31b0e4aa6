-- One warehouse of a supplier can be closed, too. Those that close with their supplier have its time of retirement.

alter table warehouse drop constraint warehouse_closing_of_the_store;
comment on column warehouse.retired_at is 'Since when nothing is sold from it: it is closing, or its supplier was retired at that time.';
update warehouse set retired_at = supplier.retired_at
from supplier where supplier.id = warehouse.supplier_id and supplier.retired_at is not null and warehouse.retired_at is distinct from supplier.retired_at;
