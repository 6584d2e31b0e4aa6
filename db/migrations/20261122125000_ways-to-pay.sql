-- Every way to pay that the store knows; which ones a shopper is offered is decided by domain/payments.
alter table cart drop constraint cart_payment_method_check;
alter table cart add constraint cart_payment_method_check check (payment_method in
  ('card', 'apple-pay', 'google-pay', 'paypal', 'venmo', 'klarna', 'affirm', 'afterpay', 'lease', 'loan', 'store-card', 'net-terms'));

alter table payment add column method text not null default 'card';
alter table payment add constraint payment_method_known check (method in
  ('card', 'apple-pay', 'google-pay', 'paypal', 'venmo', 'klarna', 'affirm', 'afterpay', 'lease', 'loan', 'store-card'));
alter table payment add constraint payment_provider_known check (provider in ('stripe', 'paypal', 'lender'));
