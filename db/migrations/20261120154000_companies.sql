-- Businesses that buy on terms of their own: fleets, and those that have tires ordered specially.
create table company (
  id uuid primary key,
  kind text not null check (kind in ('fleet', 'special-order')),
  name text not null check (length(name) between 2 and 100),
  state text not null default 'applied' check (state in ('applied', 'approved', 'refused', 'closed')),
  -- What it said of itself when it applied.
  phone text not null check (phone ~ '^[0-9]{10}$'),
  vehicles integer not null check (vehicles between 1 and 100000),
  about text not null default '' check (length(about) <= 2000),
  applied_at timestamptz not null,
  decided_at timestamptz,
  decided_by text check (length(decided_by) between 1 and 100),
  -- Whether its orders need a purchase order number, and how that looks: # a digit, ? a letter, * either, all else itself. Null is any text.
  po_rule text not null default 'optional' check (po_rule in ('required', 'optional', 'off')),
  po_mask text check (po_mask ~ '^[A-Za-z0-9#?* ./_-]{1,40}$'),
  -- Paid so many days after the invoice, up to an amount; null is paid when ordered.
  net_days smallint check (net_days between 1 and 120),
  credit_limit_cents integer check (credit_limit_cents > 0),
  -- Whether its members are shown and sold only the brands that are tied to it. A restricted company without a brand sees none: taking the last one
  -- away must not open all.
  brands_restricted boolean not null default false,
  check ((state = 'applied') = (decided_at is null)),
  check ((decided_at is null) = (decided_by is null)),
  check ((net_days is null) = (credit_limit_cents is null)),
  constraint company_credit_is_approved check (net_days is null or state in ('approved', 'closed'))
);
create index company_by_state on company (state, applied_at) where state = 'applied';

-- Who buys for it. An account is of one company at most.
create table company_member (
  account_id uuid primary key references account on delete cascade,
  company_id uuid not null references company on delete cascade,
  role text not null check (role in ('owner', 'buyer', 'viewer')),
  joined_at timestamptz not null
);
create index company_member_by_company on company_member (company_id);

-- A company that has members has an owner among them. The company's row is locked, so that two owners who step back at once do so one after the other.
create function company_keeps_an_owner() returns trigger language plpgsql as $$
begin
  perform from company where id = old.company_id for no key update;
  if exists (select from company_member where company_id = old.company_id)
    and not exists (select from company_member where company_id = old.company_id and role = 'owner') then
    raise exception 'A company needs an owner.' using errcode = 'check_violation', constraint = 'company_has_an_owner';
  end if;
  return null;
end $$;
create constraint trigger company_has_an_owner after update or delete on company_member
  deferrable initially immediate for each row execute function company_keeps_an_owner();

-- An invitation by mail. The link in the mail is signed; nothing here opens it.
create table company_invitation (
  id uuid primary key,
  company_id uuid not null references company on delete cascade,
  email text not null check (length(email) between 3 and 254 and email = lower(email)),
  role text not null check (role in ('owner', 'buyer', 'viewer')),
  invited_by uuid references account on delete set null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  accepted_at timestamptz,
  withdrawn_at timestamptz,
  check (created_at < expires_at),
  check (num_nonnulls(accepted_at, withdrawn_at) <= 1)
);
create unique index company_invitation_open_once on company_invitation (company_id, email) where accepted_at is null and withdrawn_at is null;

-- Mail domains that are the company's, as staff has seen proven: whoever has a verified email there may join.
create table company_domain (
  domain text primary key check (domain ~ '^[a-z0-9-]+(\.[a-z0-9-]+)+$' and length(domain) <= 253),
  company_id uuid not null references company on delete cascade,
  role text not null default 'buyer' check (role in ('buyer', 'viewer')),
  approved_by text not null check (length(approved_by) between 1 and 100),
  approved_at timestamptz not null
);
create index company_domain_by_company on company_domain (company_id);

-- Certificates that free a company from a state's sales tax, once staff has looked at them and until they expire.
create table company_exemption (
  id uuid primary key,
  company_id uuid not null references company on delete cascade,
  state_code text not null check (state_code ~ '^[A-Z]{2}$'),
  certificate_number text not null check (length(certificate_number) between 1 and 40),
  -- The last day it holds.
  expires_on date not null,
  state text not null default 'waiting' check (state in ('waiting', 'accepted', 'refused')),
  sent_at timestamptz not null,
  decided_at timestamptz,
  decided_by text check (length(decided_by) between 1 and 100),
  file_name text not null check (length(file_name) between 1 and 120),
  content_type text not null check (content_type in ('image/webp', 'application/pdf')),
  bytes bytea not null check (octet_length(bytes) between 1 and 1048576),
  check ((state = 'waiting') = (decided_at is null)),
  check ((decided_at is null) = (decided_by is null))
);
create index company_exemption_by_company on company_exemption (company_id, state_code, expires_on);
create unique index company_exemption_waiting_once on company_exemption (company_id, state_code) where state = 'waiting';

create table company_brand (
  company_id uuid not null references company on delete cascade,
  brand_id integer not null references brand on delete cascade,
  primary key (company_id, brand_id)
);

-- The same for one account by itself. Of an account and its company that are both restricted, what is tied to both is left.
alter table account add column brands_restricted boolean not null default false;
create table account_brand (
  account_id uuid not null references account on delete cascade,
  brand_id integer not null references brand on delete cascade,
  primary key (account_id, brand_id)
);

-- For whom an order was placed.
alter table sales_order add column company_id uuid references company;
create index sales_order_by_company on sales_order (company_id, id) where company_id is not null;
