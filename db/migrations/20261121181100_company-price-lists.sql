-- A company may buy by a price list of its own, in place of that of its kind of accounts.
alter table company add column price_list_id integer references price_list;
comment on column company.price_list_id is 'The list its members buy by; null: that of their account type.';
create index company_by_price_list on company (price_list_id, name) where price_list_id is not null;
