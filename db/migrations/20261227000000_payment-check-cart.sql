-- The hourly payment page check opens the card page with its own cart.
alter table cart add column is_check boolean not null default false;
alter table cart add constraint cart_check_stays_open check (not is_check or (state = 'open' and account_id is null));
comment on column cart.is_check is 'Opened by the payment page check, which deletes it. Reports leave it out.';
create index cart_for_check on cart (created_at) where is_check;

alter table payment_page_check add column skipped text check (length(skipped) between 1 and 300);
comment on column payment_page_check.skipped is 'Why this check could not open the card page; null if it did.';
