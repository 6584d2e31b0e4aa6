-- A customer is one person: the email of their orders with the contact they gave last, and the account that verified
-- that email. Merging points one customer to another, so that it can be undone.
alter table customer
  add column name text,
  add column phone text,
  add column city text,
  add column state_code text,
  add column zip text,
  add column active_at timestamptz not null default now(),
  add column merged_into uuid references customer check (merged_into <> id);
comment on table customer is 'People who order or have an account: one row per email.';
comment on column customer.name is 'First and last name as last given.';
comment on column customer.active_at is 'When the last order was placed; for a customer without one, when it was added.';
comment on column customer.merged_into is 'The customer that this one was merged into, which is not merged itself; null for most.';

update customer set name = latest.name, phone = latest.phone, city = latest.city, state_code = latest.state_code,
  zip = latest.zip, active_at = latest.placed_at
from (
  select distinct on (customer_id) customer_id, first_name || ' ' || last_name as name, phone, city, state_code, zip, placed_at
  from sales_order order by customer_id, placed_at desc) as latest
where customer.id = latest.customer_id;
update customer set active_at = created_at where name is null;
insert into customer (id, email, name, created_at, active_at)
select gen_random_uuid(), email, name, created_at, created_at from account where email_verified_at is not null
on conflict (lower(email)) do nothing;

create index customer_by_activity on customer (active_at desc, id desc) where merged_into is null;
create index customer_by_email_start on customer (lower(email) text_pattern_ops);
create index customer_by_merge on customer (merged_into) where merged_into is not null;
create index customer_by_name_and_phone on customer (phone, lower(name)) where phone is not null;
create index customer_by_phone_end on customer (right(phone, 4)) where phone is not null;
create index customer_by_zip on customer (zip) where zip is not null;
create index customer_by_name_part on customer using gin
  (lower(coalesce(name, '') || ' ' || split_part(email, '@', 1)) gin_trgm_ops);

create table customer_duplicate (
  customer_id uuid not null references customer on delete cascade,
  other_id uuid not null references customer on delete cascade,
  found_at timestamptz not null,
  dismissed_at timestamptz,
  dismissed_by text check (length(dismissed_by) between 1 and 254),
  primary key (customer_id, other_id),
  constraint customer_duplicate_once check (customer_id < other_id),
  constraint customer_duplicate_dismissed_whole check ((dismissed_at is null) = (dismissed_by is null))
);
comment on table customer_duplicate is 'Two customers with the same name and phone, and who said that they are two people.';
create index customer_duplicate_by_other on customer_duplicate (other_id);
create index customer_duplicate_open on customer_duplicate (customer_id, other_id) where dismissed_at is null;

-- Larger groups are shared phones, such as a front desk.
insert into customer_duplicate (customer_id, other_id, found_at)
select one.id, other.id, now() from customer one
join customer other on other.phone = one.phone and lower(other.name) = lower(one.name) and one.id < other.id
where (select count(*) from customer alike where alike.phone = one.phone and lower(alike.name) = lower(one.name)) <= 10;
