-- The card that a charge was authorized on, as receipts name it: brand and last four digits, both or neither.
alter table payment
  add column card_brand text check (card_brand ~ '^[a-z_]{2,30}$'),
  add column card_last4 text check (card_last4 ~ '^[0-9]{4}$'),
  add constraint payment_card_whole check ((card_brand is null) = (card_last4 is null));
