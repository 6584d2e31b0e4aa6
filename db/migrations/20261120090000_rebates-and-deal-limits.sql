-- A deal of the day takes at most a fifth off and ends with its day, which has 25 hours when the clocks go back. Reductions in cents or whole tires
-- could be more than a fifth of some price, so they are no deals of the day.
alter table promotion add constraint promotion_daily_at_most_a_fifth
  check (not daily or (kind = 'Percentage' and amount <= 20 and ends_at - starts_at <= interval '25 hours'));

-- Addresses below /tire-deals that mean something else: the two sales, and rebates, which end in their kind.
alter table promotion add constraint promotion_slug_is_free
  check (slug not in ('black-friday-sale', 'cyber-monday-sale') and slug !~ '-rebate$');

-- What a maker pays back after the purchase. Never part of a price: nothing that prices reads this table.
create table rebate (
  id integer generated always as identity primary key,
  slug text not null unique check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*-rebate$'),
  name text not null unique,
  -- For so many tires bought at once; not a multiple for more.
  amount_cents integer not null check (amount_cents > 0),
  units smallint not null check (units between 1 and 8),
  paid_as text not null check (paid_as in ('prepaid-card', 'check')),
  -- One line, or all lines of a brand.
  brand_id integer references brand,
  product_line_id integer references product_line,
  -- Where the maker takes the claim: a form of its own on the web, or the one that we print, sent by mail.
  form_url text check (form_url ~ '^https://[^\s]+$'),
  mail_to text,
  -- Bought from, and before.
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  -- The last day on which a claim is taken, in New York.
  last_claim_on date not null,
  check (num_nonnulls(brand_id, product_line_id) = 1),
  check (num_nonnulls(form_url, mail_to) = 1),
  check (starts_at < ends_at),
  check ((ends_at at time zone 'America/New_York')::date <= last_claim_on)
);
create index rebate_by_end on rebate (ends_at);
