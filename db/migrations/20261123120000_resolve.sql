-- Net terms through Resolve: a way to pay for companies that staff linked to their customer there.
alter table cart drop constraint cart_payment_method_check;
alter table cart add constraint cart_payment_method_check check (payment_method in
  ('card', 'apple-pay', 'google-pay', 'paypal', 'venmo', 'klarna', 'affirm', 'afterpay', 'lease', 'loan', 'store-card', 'resolve', 'net-terms'));
alter table payment drop constraint payment_method_known;
alter table payment add constraint payment_method_known check (method in
  ('card', 'apple-pay', 'google-pay', 'paypal', 'venmo', 'klarna', 'affirm', 'afterpay', 'lease', 'loan', 'store-card', 'resolve'));
alter table payment drop constraint payment_provider_known;
alter table payment add constraint payment_provider_known check (provider in ('stripe', 'paypal', 'lender', 'resolve'));
alter table provider_movement drop constraint provider_movement_provider_check;
alter table provider_movement add constraint provider_movement_provider_check check (provider in ('stripe', 'paypal', 'lender', 'resolve'));
alter table reconciled_day drop constraint reconciled_day_provider_check;
alter table reconciled_day add constraint reconciled_day_provider_check check (provider in ('stripe', 'paypal', 'lender', 'resolve'));

alter table company add column resolve_customer_id text
  constraint company_resolve_customer_is_an_id check (resolve_customer_id ~ '^[A-Za-z0-9_-]{1,64}$');
alter table company add constraint company_resolve_customer_unique unique (resolve_customer_id);
comment on column company.resolve_customer_id is 'Its customer ID at Resolve, which grants it net terms; null for a company without.';
