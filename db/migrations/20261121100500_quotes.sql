-- Quotes: tires at prices that staff put together for a customer, sent as a link that opens a cart.
create table sales_quote (
  id bigint generated always as identity (start with 2001) primary key,
  state text not null default 'draft'
    check (state in ('draft', 'needs-approval', 'sent', 'delivered', 'bounced', 'opened', 'ordered', 'expired', 'withdrawn', 'replaced')),
  -- Of the form that started it: pressed again, it finds the same draft.
  form_key uuid not null unique,
  -- Counts what was saved into the draft, so that one of two people who write at once is told.
  revision integer not null default 1,
  -- The quote this one takes the place of. A sent quote is never edited.
  replaces_id bigint unique references sales_quote on delete set null,
  version smallint not null default 1 check (version between 1 and 100),
  name text not null check (length(name) between 1 and 80),
  email text not null check (length(email) between 3 and 254),
  phone text check (phone ~ '^\d{10}$'),
  account_id uuid references account on delete set null,
  -- Whose prices: one label for all its tires.
  price_label text not null default 'Retail'
    check (price_label in ('Retail', 'Retail Member', 'EPP', 'Fleet', 'Partner Program', 'Sales Tool', 'Special Order', 'WholeSale')),
  vehicle jsonb,
  zip text check (zip ~ '^\d{5}$'),
  fulfillment text not null default 'shop' check (fulfillment in ('shop', 'home')),
  shop_id integer references shop,
  roadside boolean not null default false,
  note text check (length(note) <= 1000),
  -- The last day it is good for, in the store's zone.
  good_through_on date not null,
  expires_at timestamptz,
  -- The price out the door when it was sent.
  breakdown jsonb,
  total_cents integer check (total_cents > 0),
  created_at timestamptz not null,
  created_by text not null check (length(created_by) between 1 and 254),
  updated_at timestamptz not null,
  sent_at timestamptz,
  approved_by text check (length(approved_by) between 1 and 254),
  order_id bigint unique references sales_order,
  constraint quote_sent_whole check (
    state in ('draft', 'needs-approval', 'withdrawn') or (sent_at is not null and expires_at > sent_at and total_cents is not null and breakdown is not null)),
  constraint quote_ordered_has_order check ((state = 'ordered') = (order_id is not null)),
  constraint quote_shop_for_installation check (shop_id is null or fulfillment = 'shop')
);
comment on table sales_quote is 'Quotes of staff to customers: drafted, sent as a link, and ordered at most once.';
comment on column sales_quote.expires_at is 'When its prices end; null for a draft.';
create index sales_quote_by_state on sales_quote (state, id);
create index sales_quote_by_email on sales_quote (lower(email), id);
create index sales_quote_by_account on sales_quote (account_id) where account_id is not null;
create index sales_quote_by_shop on sales_quote (shop_id) where shop_id is not null;
create index sales_quote_ending on sales_quote (expires_at) where state in ('sent', 'delivered', 'bounced', 'opened');

create table sales_quote_line (
  quote_id bigint not null references sales_quote on delete cascade,
  item_id integer not null references item,
  axle text not null default 'all' check (axle in ('all', 'front', 'rear')),
  quantity smallint not null check (quantity between 1 and 40),
  unit_cents integer not null check (unit_cents between 1 and 1000000),
  -- What one cost us when the quote was saved; null if unknown.
  cost_cents integer check (cost_cents >= 0),
  coverage boolean not null default false,
  primary key (quote_id, item_id)
);
comment on table sales_quote_line is 'The tires of a quote, each article at one price; fixed once the quote is sent.';
create index sales_quote_line_by_item on sales_quote_line (item_id);

create table sales_quote_event (
  id bigint generated always as identity primary key,
  quote_id bigint not null references sales_quote on delete cascade,
  at timestamptz not null,
  from_state text,
  to_state text not null,
  actor text not null check (length(actor) between 1 and 254),
  note text check (length(note) <= 500)
);
comment on table sales_quote_event is 'What became of each quote, and by whom.';
create index sales_quote_event_by_quote on sales_quote_event (quote_id, id);

-- The moves of quoteLife in domain/quotes/quotes.ts; a test compares the two.
create function quote_moves() returns trigger language plpgsql as $$
begin
  if new.state <> old.state and not exists (
    select from (values
      ('draft', 'needs-approval'), ('draft', 'sent'), ('draft', 'withdrawn'),
      ('needs-approval', 'draft'), ('needs-approval', 'sent'), ('needs-approval', 'withdrawn'),
      ('sent', 'delivered'), ('sent', 'bounced'), ('sent', 'opened'), ('sent', 'ordered'), ('sent', 'expired'), ('sent', 'withdrawn'), ('sent', 'replaced'),
      ('delivered', 'bounced'), ('delivered', 'opened'), ('delivered', 'ordered'), ('delivered', 'expired'), ('delivered', 'withdrawn'), ('delivered', 'replaced'),
      ('bounced', 'opened'), ('bounced', 'ordered'), ('bounced', 'expired'), ('bounced', 'withdrawn'), ('bounced', 'replaced'),
      ('opened', 'ordered'), ('opened', 'expired'), ('opened', 'withdrawn'), ('opened', 'replaced')
    ) as move (was, becomes) where was = old.state and becomes = new.state) then
    raise exception 'Quote % cannot become % from %.', new.id, new.state, old.state using errcode = 'check_violation', constraint = 'quote_moves';
  end if;
  if old.state not in ('draft', 'needs-approval') and (new.price_label, new.expires_at, new.total_cents, new.email, new.sent_at)
    is distinct from (old.price_label, old.expires_at, old.total_cents, old.email, old.sent_at) then
    raise exception 'Quote % was sent and is not edited.', new.id using errcode = 'check_violation', constraint = 'quote_moves';
  end if;
  return new;
end $$;
create trigger quote_moves before update on sales_quote for each row execute function quote_moves();
comment on trigger quote_moves on sales_quote is 'A quote moves along its states only, and what was sent stays as it was sent.';

create function quote_lines_fixed() returns trigger language plpgsql as $$
declare
  held text;
begin
  select state into held from sales_quote where id = coalesce(new.quote_id, old.quote_id) for share;
  if held <> 'draft' then
    raise exception 'Quote % is no draft.', coalesce(new.quote_id, old.quote_id) using errcode = 'check_violation', constraint = 'quote_lines_fixed';
  end if;
  return coalesce(new, old);
end $$;
create trigger quote_lines_fixed before insert or update or delete on sales_quote_line for each row execute function quote_lines_fixed();
comment on trigger quote_lines_fixed on sales_quote_line is 'The tires of a quote change in a draft alone.';

alter table cart add column quote_id bigint references sales_quote on delete set null;
comment on column cart.quote_id is 'The quote it was opened from; its prices count while the quote holds.';
create index cart_by_quote on cart (quote_id) where quote_id is not null;
