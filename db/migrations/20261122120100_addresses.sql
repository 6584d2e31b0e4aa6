-- Phones abroad are kept with their country code: "+442079460958". Those of North America are ten digits, as before.
alter table cart_contact drop constraint cart_contact_phone_check, add constraint cart_contact_phone_check check (phone ~ '^(\+[1-9][0-9]{0,2})?[0-9]{10}$');
alter table cart_billing drop constraint cart_billing_phone_check, add constraint cart_billing_phone_check check (phone ~ '^(\+[1-9][0-9]{0,2})?[0-9]{10}$');
alter table account_address drop constraint account_address_phone_check, add constraint account_address_phone_check check (phone ~ '^(\+[1-9][0-9]{0,2})?[0-9]{10}$');

-- The shop that stands at an address is found by its ZIP.
create index shop_by_zip on shop (zip);
