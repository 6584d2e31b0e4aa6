-- What the tables of taxes and offers are for, where the database keeps it.
comment on table cart_sales_tax is 'What the tax provider answered for a cart as it is, by a hash of what was asked; an estimate while it gives none.';
comment on table military_attempt is 'Verifications that accounts have begun at the provider; the answer must come back to the same account.';
comment on table military_verification is 'Accounts whose owner an identity provider has verified as serving or having served, for a year.';
comment on table order_sales_tax is 'Where the tax of an order is from, and what the provider was told of it.';
comment on table order_sales_tax_reversal is 'Tax that was given back, by refund; sent to the provider once the order is recorded there.';
comment on table pay_later_offer is 'Percent off the whole order for those who pay with a lender, as staff schedule it.';
comment on table sales_tax_answer is 'The provider''s last answer for a ZIP: what estimates rest on.';
comment on table sales_tax_import is 'Files of rates, kept with their rows until they are imported or another is uploaded.';
comment on table sales_tax_rate is 'Rates of sales tax by ZIP with their parts, and by state where they replace the built-in ones.';
comment on table sales_tax_table is 'One row, written by each import and held by an order, so that no import comes between reading a rate and the order.';
comment on table store_card_use is 'The first order of each customer that took the discount of the store''s card; a canceled order gives it back.';
