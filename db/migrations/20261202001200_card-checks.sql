-- What the card network reported when a charge was authorized: until when the card is good, and whether the street, the
-- ZIP code and the security code matched. Null for charges from before, and where the provider reports none.
alter table payment
  add column card_exp_month smallint check (card_exp_month between 1 and 12),
  add column card_exp_year smallint check (card_exp_year between 2000 and 2199),
  add column card_street_check text check (card_street_check in ('pass', 'fail', 'unavailable', 'unchecked')),
  add column card_zip_check text check (card_zip_check in ('pass', 'fail', 'unavailable', 'unchecked')),
  add column card_code_check text check (card_code_check in ('pass', 'fail', 'unavailable', 'unchecked')),
  add constraint payment_card_expiry_whole check ((card_exp_month is null) = (card_exp_year is null)),
  add constraint payment_checks_of_card check (
    card_last4 is not null or num_nonnulls(card_exp_month, card_street_check, card_zip_check, card_code_check) = 0);
