-- When people answer the phone is set in the office, too: the zone, the week as "1 08:00-19:00, 6 09:00-17:00", and holidays, one a line.
alter table store_setting drop constraint store_setting_name_check;
alter table store_setting add constraint store_setting_name_check check (name in ('name', 'logo', 'accent-color', 'dark-color', 'phone', 'email', 'return-address', 'refund-alone-cents', 'quote-margin-floor-ppm', 'phone-zone', 'phone-week', 'phone-holidays'));
