-- Rates of sales tax by ZIP, with their parts, and by state where they replace the built-in ones. An import replaces
-- all rows of the states in its file.
create table sales_tax_rate (
  id bigint generated always as identity primary key,
  state text not null check (state ~ '^[A-Z]{2}$'),
  zip text check (zip ~ '^\d{5}$'),
  starts_on date not null,
  ends_on date check (ends_on >= starts_on),
  state_ppm int not null check (state_ppm between 0 and 300000),
  county text check (char_length(county) between 1 and 80),
  county_ppm int not null check (county_ppm between 0 and 300000),
  city text check (char_length(city) between 1 and 80),
  city_ppm int not null check (city_ppm between 0 and 300000),
  special_ppm int not null check (special_ppm between 0 and 300000),
  source text not null check (char_length(source) between 1 and 200),
  constraint sales_tax_rate_of_zip_once exclude using gist (zip with =, daterange(starts_on, ends_on, '[]') with &&)
    where (zip is not null),
  constraint sales_tax_rate_of_state_once exclude using gist (state with =, daterange(starts_on, ends_on, '[]') with &&)
    where (zip is null),
  constraint sales_tax_rate_of_state_is_the_state_s
    check (zip is not null or county_ppm = 0 and city_ppm = 0 and special_ppm = 0 and county is null and city is null)
);
create index sales_tax_rate_by_state on sales_tax_rate (state, zip, starts_on);

-- A file of rates, kept with its rows until it is imported or another is uploaded.
create table sales_tax_import (
  id bigint generated always as identity primary key,
  form_key uuid not null unique,
  file_name text not null check (char_length(file_name) between 1 and 200),
  rows jsonb,
  row_count int not null check (row_count > 0),
  states text[] not null check (cardinality(states) > 0),
  uploaded_at timestamptz not null,
  uploaded_by text not null,
  imported_at timestamptz,
  imported_by text,
  constraint sales_tax_import_is_whole check ((imported_at is null) = (imported_by is null)),
  constraint sales_tax_import_has_rows check (imported_at is not null or rows is not null)
);

-- One row, written by each import: an order holds it, so that no import comes between reading a rate and the order.
create table sales_tax_table (
  id int primary key check (id = 1),
  version int not null
);
insert into sales_tax_table (id, version) values (1, 0);
