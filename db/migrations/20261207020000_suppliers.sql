-- Suppliers are added, changed and retired by staff, with what is agreed with them and how their own system is reached.
alter table supplier
  add column account_number text check (account_number ~ '^[^<>[:cntrl:]]{1,40}$'),
  add column lead_days smallint not null default 3 check (lead_days between 0 and 180),
  add column discount_ppm integer not null default 0 check (discount_ppm between 0 and 999999),
  add column minimum_order_cents integer check (minimum_order_cents > 0),
  add column payment_days smallint not null default 30 check (payment_days between 0 and 180),
  add column cxml_url text check (length(cxml_url) <= 300 and cxml_url ~ '^https?://[^\s]+$'),
  add column cxml_identity text check (cxml_identity ~ '^[A-Za-z0-9._-]{1,40}$'),
  add column cxml_secret bytea,
  add column retired_at timestamptz,
  add column version integer not null default 1 check (version >= 1),
  add column changed_at timestamptz,
  add column changed_by text check (length(changed_by) between 1 and 254),
  add constraint supplier_changed_whole check ((changed_at is null) = (changed_by is null)),
  add constraint supplier_cxml_whole check (num_nonnulls(cxml_url, cxml_identity, cxml_secret) in (0, 3)),
  add constraint supplier_cxml_has_identity check (cxml_url is null or network_id is not null);

comment on column supplier.account_number is 'The store’s account at the supplier.';
comment on column supplier.lead_days is 'Days from a purchase order for stock to its delivery.';
comment on column supplier.discount_ppm is 'What the supplier takes off the cost of a tire, in parts per million.';
comment on column supplier.payment_days is 'Days in which the store pays the supplier’s invoices.';
comment on column supplier.cxml_url is 'Where the supplier’s own system takes orders; null: over the purchasing network.';
comment on column supplier.cxml_identity is 'The store’s identity at the supplier’s own system.';
comment on column supplier.cxml_secret is 'Sealed: what both prove themselves with there.';
comment on column supplier.retired_at is 'Since when nothing is ordered from it.';

alter table warehouse add column retired_at timestamptz;
comment on column warehouse.retired_at is 'Since when it has no stock: its supplier was retired.';
