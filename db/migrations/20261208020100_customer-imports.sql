-- Customers of another store program, imported by the same steps as supplier files.
alter table import_run drop constraint import_run_kind_check;
alter table import_run add constraint import_run_kind_check check (kind in ('products', 'prices', 'stock', 'fitment', 'customers'));

create table import_customer (
  run_id integer not null references import_run on delete cascade,
  row_no integer not null,
  refused boolean not null,
  email text,
  name text,
  phone text,
  street text,
  city text,
  state_code text,
  zip text,
  consented_at timestamptz,
  note text check (length(note) between 1 and 2000),
  is_known boolean,
  primary key (run_id, row_no),
  check (refused or email is not null)
);
create index import_customer_by_email on import_customer (lower(email));
comment on table import_customer is 'Customers of a file that waits to be published; deleted when its run is over.';
comment on column import_customer.is_known is 'Whether the store had a customer with this email when the file was checked.';

create table customer_import (
  customer_id uuid primary key references customer on delete cascade,
  street text check (length(street) between 1 and 200),
  city text check (length(city) between 1 and 100),
  state_code text check (state_code ~ '^[A-Z]{2}$'),
  zip text check (zip ~ '^\d{5}$'),
  consented_at timestamptz,
  imported_at timestamptz not null
);
comment on table customer_import is 'The address and marketing consent of a customer, as another store program had them.';
comment on column customer_import.consented_at is 'When the customer agreed to marketing emails in the other store; null without proof of it.';
