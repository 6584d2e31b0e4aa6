-- Each row is money or a price reduction that staff gave, or requested a second person's approval for.
create table concession (
  id uuid primary key,
  kind text not null check (kind in ('refund', 'price-guarantee', 'coverage-claim', 'pay-adjustment', 'pay-deduction', 'change-waiver',
    'quote', 'coupon', 'promotion', 'price-list', 'payment-offer')),
  -- The record that the concession is about, such as the refund's id. Unique among requests of a kind.
  reference text not null check (length(reference) between 1 and 200),
  state text not null check (state in ('requested', 'given', 'declined')),
  order_id bigint references sales_order (id),
  shop_id integer references shop (id),
  amount_cents integer not null check (amount_cents >= 0),
  -- True if the concession exceeds what one person may give.
  is_over_limit boolean not null,
  requested_by text not null check (length(requested_by) between 1 and 254),
  requested_at timestamptz not null,
  decided_by text check (length(decided_by) between 1 and 254),
  decided_at timestamptz,
  constraint concession_decided check ((state = 'requested') = (decided_by is null) and (decided_by is null) = (decided_at is null)),
  constraint concession_second_person check (not is_over_limit or state <> 'given' or decided_by <> requested_by),
  constraint concession_in_time check (decided_at is null or decided_at >= requested_at)
);
comment on column concession.reference is 'The record that the concession is about, such as the refund''s id. Unique among requests of a kind.';
comment on column concession.is_over_limit is 'True if the concession exceeds what one person may give.';
create unique index concession_requested_once on concession (kind, reference) where state = 'requested';
create index concession_by_reference on concession (kind, reference);
-- What one person gave alone, by order, by shop and by person: the sums behind the limits.
create index concession_alone_by_order on concession (order_id) where state = 'given' and decided_by = requested_by;
create index concession_alone_by_shop on concession (shop_id, decided_at) where state = 'given' and decided_by = requested_by;
create index concession_alone_by_person on concession (decided_by, decided_at) where state = 'given' and decided_by = requested_by;

insert into concession (id, kind, reference, state, order_id, amount_cents, is_over_limit, requested_by, requested_at, decided_by, decided_at)
  select gen_random_uuid(), 'refund', id::text, case state when 'draft' then 'requested' when 'approved' then 'given' else 'declined' end,
    order_id, amount_cents, is_over_limit, created_by, created_at, decided_by, decided_at
  from order_refund where kind = 'refund';
insert into concession (id, kind, reference, state, order_id, amount_cents, is_over_limit, requested_by, requested_at, decided_by, decided_at)
  select gen_random_uuid(), 'price-guarantee', id::text, 'given', order_id, difference_cents, false, decided_by, decided_at, decided_by, decided_at
  from price_guarantee_request where state = 'approved' and difference_cents is not null;
insert into concession (id, kind, reference, state, order_id, amount_cents, is_over_limit, requested_by, requested_at, decided_by, decided_at)
  select gen_random_uuid(), 'coverage-claim', id::text, 'given', order_id, given_cents, false, decided_by, decided_at, decided_by, decided_at
  from coverage_claim where state = 'approved';
insert into concession (id, kind, reference, state, shop_id, amount_cents, is_over_limit, requested_by, requested_at, decided_by, decided_at)
  select gen_random_uuid(), case when amount_cents < 0 then 'pay-deduction' else 'pay-adjustment' end, id::text,
    case state when 'proposed' then 'requested' when 'approved' then 'given' else 'declined' end,
    shop_id, abs(amount_cents), is_over_limit, made_by, made_at, decided_by, decided_at
  from pay_adjustment;

alter table store_setting drop constraint store_setting_name_check;
alter table store_setting add constraint store_setting_name_check check (name in ('name', 'logo', 'accent-color', 'dark-color', 'phone', 'email',
  'return-address', 'refund-alone-cents', 'daily-alone-cents', 'discount-alone-ppm', 'quote-margin-floor-ppm', 'phone-zone', 'phone-week',
  'phone-holidays', 'no-show-pay-cents', 'pay-hold-hours', 'pay-dispute-days', 'pay-alone-cents'));
