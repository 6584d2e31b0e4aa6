-- What the tax provider answered for a cart as it is, by a hash of what was asked; an estimate while it gives none.
create table cart_sales_tax (
  cart_id uuid primary key references cart on delete cascade,
  input_hash text not null check (input_hash ~ '^[0-9a-f]{64}$'),
  source text not null check (source in ('provider', 'last-answer', 'table')),
  answer jsonb,
  calculation_ref text check (char_length(calculation_ref) between 1 and 255),
  good_until timestamptz not null,
  asked_at timestamptz not null,
  constraint cart_sales_tax_answer_is_the_provider_s
    check ((source = 'provider') = (answer is not null) and (source = 'provider') = (calculation_ref is not null))
);

-- The provider's last answer for a ZIP: what estimates rest on.
create table sales_tax_answer (
  zip text primary key check (zip ~ '^\d{5}$'),
  state text not null check (state ~ '^[A-Z]{2}$'),
  parts jsonb not null,
  answered_on date not null
);

-- Where the tax of an order is from, and what the provider was told of it.
create table order_sales_tax (
  order_id bigint primary key references sales_order on delete cascade,
  source text not null check (source in ('provider', 'last-answer', 'table')),
  calculation_ref text check (char_length(calculation_ref) between 1 and 255),
  placed_at timestamptz not null,
  -- The price was changed after the order: the calculation is not of it anymore.
  replaced_at timestamptz,
  transaction_ref text unique check (char_length(transaction_ref) between 1 and 255),
  line_refs jsonb,
  recorded_at timestamptz,
  problem text check (char_length(problem) between 1 and 500),
  constraint order_sales_tax_calculation_is_the_provider_s check ((source = 'provider') = (calculation_ref is not null)),
  constraint order_sales_tax_recorded_whole
    check ((transaction_ref is null) = (recorded_at is null) and (transaction_ref is null) = (line_refs is null)),
  constraint order_sales_tax_recorded_with_calculation check (transaction_ref is null or calculation_ref is not null)
);
create index order_sales_tax_estimated on order_sales_tax (order_id) where source <> 'provider' or replaced_at is not null or problem is not null;

-- Tax that was given back, by the refund; sent to the provider once the order is recorded there.
create table order_sales_tax_reversal (
  id uuid primary key,
  order_id bigint not null references order_sales_tax on delete cascade,
  -- Null for the whole transaction.
  lines jsonb,
  made_at timestamptz not null,
  ref text check (char_length(ref) between 1 and 255),
  sent_at timestamptz,
  constraint order_sales_tax_reversal_sent_whole check ((ref is null) = (sent_at is null))
);
create index order_sales_tax_reversal_of_order on order_sales_tax_reversal (order_id);
