-- Shops whose repair work and prices somebody has checked, for a year at a time.
create table shop_certification (
  id integer generated always as identity primary key,
  shop_id integer not null references shop on delete cascade,
  -- The days it counts: from the one it was granted on, for a year at most.
  during daterange not null check (lower(during) is not null and upper(during) > lower(during) and upper(during) <= lower(during) + interval '1 year'),
  -- What the shop gives in writing on parts and labor.
  warranty_months smallint not null check (warranty_months between 12 and 120),
  warranty_miles integer not null check (warranty_miles between 12000 and 200000),
  -- What was seen, for whoever checks next.
  evidence text not null check (length(evidence) between 10 and 500),
  granted_by text not null check (length(granted_by) between 1 and 100),
  granted_at timestamptz not null,
  revoked_by text check (length(revoked_by) between 1 and 100),
  revoked_at timestamptz,
  revoked_for text check (length(revoked_for) between 1 and 500),
  constraint certification_revoked_whole check (num_nonnulls(revoked_by, revoked_at, revoked_for) in (0, 3)),
  constraint shop_certified_once exclude using gist (shop_id with =, during with &&) where (revoked_at is null)
);
comment on table shop_certification is 'Which shops are certified for repairs, from when to when, on what evidence, and what was revoked.';
create index shop_certification_by_end on shop_certification (upper(during), id) where revoked_at is null;
