-- What lenders owe for goods that reached their buyers.
create table financed_delivery (
  payment_id uuid not null references payment,
  total_cents integer not null check (total_cents > 0),
  amount_cents integer not null check (amount_cents > 0 and amount_cents <= total_cents),
  received_at timestamptz not null,
  primary key (payment_id, total_cents)
);
comment on table financed_delivery is 'What lenders owe for delivered goods, one row each time their server says that it is more.';
comment on column financed_delivery.total_cents is 'What the lender owed after it: the same sum is entered once.';
comment on column financed_delivery.amount_cents is 'What it adds.';
