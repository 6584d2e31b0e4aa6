-- Tires that a promotion leaves out, because it would price them below their minimum advertised price.
create table promotion_exclusion (
  promotion_id integer not null references promotion (id) on delete cascade,
  item_id integer not null references item (id),
  price_cents integer not null check (price_cents >= 0),
  map_cents integer not null check (map_cents > price_cents),
  primary key (promotion_id, item_id)
);
create index promotion_exclusion_by_item on promotion_exclusion (item_id);
comment on table promotion_exclusion is 'Tires that a promotion on a line, a brand or every tire leaves out, because it would price them below their minimum advertised price (MAP).';
comment on column promotion_exclusion.price_cents is 'What the promotion would have made of the price of one, in a set of four, when it was scheduled.';

alter table store_setting drop constraint store_setting_name_check;
alter table store_setting add constraint store_setting_name_check check (name in (
  'name', 'logo', 'accent-color', 'dark-color', 'phone', 'email', 'return-address', 'refund-alone-cents', 'daily-alone-cents', 'discount-alone-ppm',
  'quote-margin-floor-ppm', 'phone-zone', 'phone-week', 'phone-holidays', 'no-show-pay-cents', 'pay-hold-hours', 'pay-dispute-days', 'pay-alone-cents',
  'below-map'));
