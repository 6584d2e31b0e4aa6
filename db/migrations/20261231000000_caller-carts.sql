-- A cart in which staff hold a time for a caller without an account.
alter table cart add column for_caller boolean not null default false;
alter table cart add constraint cart_for_caller_unowned check (not for_caller or (state = 'open' and account_id is null));
comment on column cart.for_caller is 'Opened by staff for a caller without an account. The first visitor to open the quote takes it over.';
create unique index cart_of_caller on cart (quote_id) where for_caller;
