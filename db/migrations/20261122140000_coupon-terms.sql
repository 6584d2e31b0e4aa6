-- The least that a coupon's tires must cost, and whether shoppers whose code does not work are told of it.
alter table coupon
  add column minimum_cents integer check (minimum_cents between 1 and 1000000),
  add column advertised boolean not null default false;
comment on column coupon.minimum_cents is 'What its tires cost at least, after their promotions; null without a minimum.';
comment on column coupon.advertised is 'Whether a shopper whose code does not work is told of this one.';
