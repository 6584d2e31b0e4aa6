-- A quote is staff's, or that of an account of the type Sales Tool. What an account sends is at everyone's prices.
alter table sales_quote
  alter column created_by drop not null,
  add column author_account_id uuid references account,
  -- How many emails with it were asked for; the form that sends it again names the number it saw.
  add column mails smallint not null default 0 check (mails between 0 and 10),
  add constraint quote_has_one_author check (num_nonnulls(created_by, author_account_id) = 1),
  add constraint quote_of_account_at_retail check (author_account_id is null or (price_label = 'Retail' and account_id is null));
update sales_quote set mails = 1 where sent_at is not null;
comment on column sales_quote.created_by is 'Who of staff began it; null for a quote of an account.';
comment on column sales_quote.author_account_id is 'The Sales Tool account that sent it; null for a quote of staff.';
comment on table sales_quote is 'Quotes to customers, of staff and of Sales Tool accounts: sent as a link, and ordered at most once.';
create index sales_quote_by_author on sales_quote (author_account_id, id) where author_account_id is not null;
