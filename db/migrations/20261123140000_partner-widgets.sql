-- The widget that partners put on their own pages: its key, where it may be used, and what came of it.
alter table partner_application add site text check (length(site) <= 200 and site ~ '^https?://[a-z0-9.-]+(:[0-9]{1,5})?$');
comment on column partner_application.site is 'The origin of the partner''s page, from those who ask for the widget.';

create table partner_widget (
  -- Public: it stands in the partner's page.
  id text primary key check (id ~ '^wk_[A-Za-z0-9]{20}$'),
  partner_id integer not null unique references partner,
  -- Whoever has an account with this verified email sees the report.
  owner_email text not null check (length(owner_email) between 3 and 254),
  -- Origins of pages that may ask, each exact, on a line of its own.
  origins text not null check (length(origins) <= 2000 and origins ~ '^https?://[a-z0-9.-]+(:[0-9]{1,5})?(\n|https?://[a-z0-9.:-]+)*$'),
  commission_bp integer not null check (commission_bp between 0 and 2000),
  created_at timestamptz not null,
  closed_at timestamptz check (closed_at >= created_at)
);
comment on table partner_widget is 'The widget of a partner: its public key, the pages it may be on, and the share of each order.';

-- No shopper in it: a count for each day.
create table widget_visit_day (
  widget_id text not null references partner_widget,
  day date not null,
  visits integer not null check (visits > 0),
  primary key (widget_id, day)
);
comment on table widget_visit_day is 'How often shoppers came over from a partner''s widget, by day.';

alter table cart add widget_id text references partner_widget;
comment on column cart.widget_id is 'The partner''s widget the shopper came from last; null for none.';

create table order_attribution (
  order_id bigint primary key references sales_order,
  widget_id text not null references partner_widget,
  -- As it was on the day of the order.
  commission_bp integer not null check (commission_bp between 0 and 2000),
  attributed_at timestamptz not null
);
comment on table order_attribution is 'Which partner''s widget an order came from, once, with the share agreed on that day.';
create index order_attribution_by_widget on order_attribution (widget_id, order_id);
