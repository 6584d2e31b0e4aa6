-- On which terms an account buys: how it got its type, and the price lists that go with types.

-- A list of rules that make an account's price out of an item. The list with a type is for every account of that type.
create table price_list (
  id integer generated always as identity primary key,
  slug text not null unique check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  name text not null check (length(name) between 1 and 100),
  account_type text unique
    check (account_type in ('EPP', 'Fleet', 'Partner Program', 'Retail Member', 'Sales Tool', 'Special Order', 'WholeSale')),
  -- Counts every change of its rules: what was worked out of an older version is of no use.
  version integer not null default 1
);

create table price_rule (
  id integer generated always as identity primary key,
  price_list_id integer not null references price_list on delete cascade,
  -- What it applies to: at most one of these, and without any every tire.
  brand_id integer references brand on delete cascade,
  product_line_id integer references product_line on delete cascade,
  size_id integer references size on delete cascade,
  item_id integer references item on delete cascade,
  kind text not null check (kind in ('percent-off', 'fixed', 'cost-plus')),
  -- Off the retail price, or on top of the cost.
  rate_ppm integer check (rate_ppm between 0 and 1000000),
  -- The price itself, or on top of the cost.
  amount_cents integer check (amount_cents >= 0),
  starts_at timestamptz not null,
  ends_at timestamptz,
  check (starts_at < ends_at),
  check (num_nonnulls(brand_id, product_line_id, size_id, item_id) <= 1),
  check (case kind
    when 'percent-off' then rate_ppm is not null and amount_cents is null
    when 'fixed' then rate_ppm is null and amount_cents > 0
    else num_nonnulls(rate_ppm, amount_cents) >= 1 end),
  constraint price_rule_one_at_a_time exclude using gist (
    price_list_id with =,
    coalesce(brand_id, 0) with =,
    coalesce(product_line_id, 0) with =,
    coalesce(size_id, 0) with =,
    coalesce(item_id, 0) with =,
    tstzrange(starts_at, ends_at) with &&)
);

create function price_rules_changed() returns trigger language plpgsql as $$
begin
  update price_list set version = version + 1 where id in (select price_list_id from changed);
  return null;
end $$;
create trigger price_rule_inserted after insert on price_rule referencing new table as changed for each statement execute function price_rules_changed();
create trigger price_rule_updated after update on price_rule referencing new table as changed for each statement execute function price_rules_changed();
create trigger price_rule_deleted after delete on price_rule referencing old table as changed for each statement execute function price_rules_changed();

-- Which type an account has, and how it came to it. Without one an account buys at retail. What is over stays as the record of it.
create table account_grant (
  id uuid primary key,
  account_id uuid not null references account on delete cascade,
  type text not null
    check (type in ('EPP', 'Fleet', 'none', 'Partner Program', 'Retail', 'Retail Member', 'Sales Tool', 'Special Order', 'WholeSale')),
  how text not null check (how in ('invitation', 'company-domain', 'staff', 'purchase')),
  -- The member of staff, the company or the order it came from, in words.
  granted_by text not null check (length(granted_by) between 1 and 200),
  starts_at timestamptz not null,
  ends_at timestamptz,
  check (starts_at < ends_at),
  constraint account_grant_one_at_a_time exclude using gist (account_id with =, tstzrange(starts_at, ends_at) with &&)
);

-- What a tire costs us. A rule that adds to the cost leaves an item without one at its retail price.
alter table item add column cost_cents integer check (cost_cents > 0);
