-- What a tire cost us when it was sold: the catalog's cost changes with every price list, and margin is not worked out of a later one.
alter table order_line add column unit_cost_cents integer check (unit_cost_cents > 0);
comment on column order_line.unit_cost_cents is 'What one of the tires cost us when it was sold; null where the catalog did not say, and for services.';

-- Days that the reports have counted. A row is locked while its day is counted, so that two workers never count one day at once.
create table report_day (
  day date primary key,
  counted_at timestamptz not null
);

-- Sums of one day in the store's zone: a month of reports is read from at most 31 days of them, whatever the number of orders (docs/decisions/037-reports.md).
create table report_figure (
  day date not null references report_day on delete cascade,
  kind text not null check (kind in ('sale', 'brand', 'parcel', 'refund', 'promotion', 'cash')),
  -- A brand, a reason, a promotion or a provider; empty for sales and parcels.
  label text not null check (length(label) <= 300),
  -- The state whose tax applies. Empty for money that belongs to no order.
  state_code text not null check (state_code ~ '^([A-Z]{2})?$'),
  shop_id integer references shop,
  account_type text not null check (length(account_type) <= 40),
  -- Orders, parcels or refunds; canceled orders count as minus one on the day they are canceled.
  orders integer not null default 0,
  units integer not null default 0,
  kept integer not null default 0,
  amount_cents bigint not null default 0,
  cost_cents bigint not null default 0,
  unknown_cents bigint not null default 0,
  taxed_cents bigint not null default 0,
  tax_cents bigint not null default 0,
  fee_cents bigint not null default 0,
  excise_cents bigint not null default 0,
  funded_cents bigint not null default 0,
  captured_cents bigint not null default 0,
  refunded_cents bigint not null default 0,
  constraint report_figure_once unique nulls not distinct (day, kind, label, state_code, shop_id, account_type),
  constraint report_figure_kept_of_parcels check (kept between 0 and greatest(orders, 0))
);

-- Rows are added in the order of their days, so a block range index finds a day for next to nothing, and costs placing an order as little.
create index ledger_entry_by_time on ledger_entry using brin (at) with (pages_per_range = 16);
create index payment_event_by_time on payment_event using brin (at) with (pages_per_range = 16);
create index shipment_by_promise on shipment (promised_on);
create index charge_refund_by_time on charge_refund (done_at) where state = 'done';

comment on table report_day is 'Days that the reports have counted, and when last.';
comment on table report_figure is 'Sums of a day for the reports, by state, shop and account type. Counted again from the ledger and the orders at any time.';
comment on constraint report_figure_once on report_figure is 'A sum is there once.';
comment on constraint report_figure_kept_of_parcels on report_figure is 'No more promises are kept than were due.';
