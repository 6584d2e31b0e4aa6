-- Phone orders: where the customer of a quote gets it, so that its link opens the payment page.
alter table sales_quote
  add column address1 text check (length(address1) between 1 and 100),
  add column address2 text check (length(address2) between 1 and 100),
  add column city text check (length(city) between 1 and 60),
  add column us_state text check (us_state ~ '^[A-Z]{2}$'),
  add constraint sales_quote_address_whole check (num_nonnulls(address1, city, us_state) in (0, 3) and (address2 is null or address1 is not null));
comment on column sales_quote.address1 is 'The customer''s street address as given by phone; the first cart opened from the quote begins with it.';
