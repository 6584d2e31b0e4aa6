-- Reports on shops, inventory, suppliers, conversion and searches. Shops, suppliers and carts are counted by day like the others.
alter table report_figure drop constraint report_figure_kind_check;
alter table report_figure add constraint report_figure_kind_check check (kind in (
  'sale', 'brand', 'parcel', 'refund', 'promotion', 'cash',
  'job', 'no-show', 'shop-cancellation', 'rating',
  'supplier-ordered', 'supplier-filled', 'supplier-short', 'supplier-parcel',
  'cart'));

-- Stock has no history, so what the store holds is written down each day and can't be counted again later.
create table inventory_day (
  day date not null,
  age text not null check (age in ('under-6-months', 'under-1-year', 'under-2-years', 'under-3-years', 'over-3-years', 'unknown')),
  units integer not null check (units > 0),
  -- Units whose cost the catalog doesn't have; their value is not in value_cents.
  unpriced_units integer not null check (unpriced_units between 0 and units),
  value_cents bigint not null check (value_cents >= 0),
  primary key (day, age)
);
comment on table inventory_day is 'Tires that the store itself held at the end of a day, by the age of their SKU''s oldest DOT week, with their value at cost.';

-- Searches of a day that found nothing, counted by what was typed; no person, session or address goes with it.
create table missed_search_day (
  day date not null,
  -- Empty for texts that may hold personal data, and above the number of texts that a day stores.
  query text not null check (length(query) <= 60),
  searches integer not null check (searches > 0),
  primary key (day, query)
);
comment on table missed_search_day is 'Searches of the store that found nothing, by day and text; the text is empty where it may hold personal data.';

-- Events are added in the order of their times, so a block range index finds a day and costs almost nothing.
create index booking_event_by_time on booking_event using brin (at) with (pages_per_range = 16);
create index shop_rating_by_time on shop_rating using brin (rated_at) with (pages_per_range = 16);
create index purchase_order_by_release on purchase_order (released_at) where released_at is not null;

-- Orders are listed by the state they ship to, newest first.
create index sales_order_by_destination on sales_order (ship_to_state, placed_at desc, id desc);

create index cart_by_creation on cart using brin (created_at) with (pages_per_range = 16);

-- Past days are counted again, now with their jobs, ratings, suppliers and carts.
delete from report_day;
