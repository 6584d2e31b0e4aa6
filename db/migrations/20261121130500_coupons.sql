-- The lowest price per tire that its maker lets us advertise; none for most.
alter table item
  add column map_cents integer check (map_cents between 1 and 10000000),
  add column map_set_at timestamptz,
  add constraint item_map_dated check ((map_cents is null) or (map_set_at is not null));
create index item_by_map on item (id) where map_cents is not null;
comment on column item.map_cents is 'MAP: the maker''s minimum advertised price of one tire, in cents.';

create table coupon (
  id integer generated always as identity primary key,
  form_key uuid not null constraint coupon_made_once unique,
  code text not null check (code ~ '^[A-Z0-9]{4,20}$'),
  name text not null check (length(name) between 3 and 80),
  kind text not null check (kind in ('Flat Amount', 'Buy3Get1', 'Free', 'Percentage')),
  amount integer not null,
  brand_id integer references brand,
  product_line_id integer references product_line,
  item_id integer references item,
  service text check (service in ('installation', 'disposal', 'coverage', 'roadside', 'shipping')),
  funded_by text not null check (funded_by in ('store', 'maker', 'lender', 'bank')),
  stacks boolean not null,
  uses_most integer not null check (uses_most between 1 and 1000000),
  person_most smallint not null check (person_most between 1 and 100),
  replaces_id integer references coupon,
  starts_at timestamptz,
  ends_at timestamptz,
  created_by text not null check (length(created_by) between 1 and 254),
  created_at timestamptz not null,
  constraint coupon_one_subject check (num_nonnulls(brand_id, product_line_id, item_id, service) <= 1),
  constraint coupon_free_thing check (case kind when 'Free' then num_nonnulls(item_id, service) = 1 else service is null end),
  constraint coupon_amount check (
    case kind when 'Percentage' then amount between 1 and 100 when 'Flat Amount' then amount between 1 and 100000 when 'Free' then amount between 1 and 8 else amount = 0 end
  ),
  constraint coupon_times check ((starts_at is null) = (ends_at is null) and starts_at < ends_at),
  constraint coupon_other_version check (replaces_id <> id),
  constraint coupon_uses_named unique (id, uses_most),
  constraint coupon_person_named unique (id, person_most),
  constraint coupon_code_once_at_a_time exclude using gist (code with =, tstzrange(starts_at, ends_at) with &&) where (starts_at is not null)
);
create index coupon_by_end on coupon (ends_at, id) where ends_at is not null;
create index coupon_drafts on coupon (id desc) where ends_at is null;
create index coupon_by_replaced on coupon (replaces_id) where replaces_id is not null;

-- Counted apart from the coupon: a use changes no coupon that others are priced with.
create table coupon_tally (
  coupon_id integer primary key,
  uses_most integer not null,
  uses integer not null default 0,
  constraint coupon_within_its_uses check (uses between 0 and uses_most),
  foreign key (coupon_id, uses_most) references coupon (id, uses_most)
);

create table coupon_use (
  order_id bigint primary key references sales_order,
  coupon_id integer not null,
  person_most smallint not null,
  customer_id uuid not null references customer,
  nth smallint not null,
  used_at timestamptz not null,
  canceled_at timestamptz,
  foreign key (coupon_id, person_most) references coupon (id, person_most),
  constraint coupon_within_a_persons_uses check (nth between 1 and person_most)
);
create unique index coupon_use_nth_once on coupon_use (coupon_id, customer_id, nth) where canceled_at is null;
create index coupon_use_by_customer on coupon_use (customer_id, coupon_id) where canceled_at is null;

create function coupon_is_never_edited() returns trigger language plpgsql as $$
begin
  if (to_jsonb(new) - 'starts_at' - 'ends_at') <> (to_jsonb(old) - 'starts_at' - 'ends_at') then
    raise exception 'A coupon is not edited: replace it with a new version.' using errcode = 'check_violation', constraint = 'coupon_never_edited';
  end if;
  if old.starts_at is null then
    return null;
  end if;
  if new.starts_at is null then
    if exists (select from coupon_use where coupon_id = old.id) then
      raise exception 'A used coupon is not withdrawn.' using errcode = 'check_violation', constraint = 'coupon_used';
    end if;
    return null;
  end if;
  if new.starts_at <> old.starts_at or new.ends_at > old.ends_at then
    raise exception 'A coupon only ends earlier than planned.' using errcode = 'check_violation', constraint = 'coupon_ends_earlier_only';
  end if;
  return null;
end $$;
create trigger coupon_never_edited after update on coupon for each row execute function coupon_is_never_edited();

alter table cart add column coupon_id integer references coupon on delete set null;
create index cart_by_coupon on cart (coupon_id) where coupon_id is not null;

comment on table coupon is 'Coupons: drafts until they have times; never edited, a change is a new version.';
comment on column coupon.service is 'What a Free coupon frees, unless it is a tire (item_id).';
comment on column coupon.stacks is 'Whether it also works on tires with an item promotion.';
comment on column coupon.replaces_id is 'The version that ends when this one starts.';
comment on table coupon_tally is 'How often each scheduled coupon was used, orders that were canceled not counted.';
comment on table coupon_use is 'The order of each use of a coupon; nth is which of the customer''s uses it is.';
comment on column cart.coupon_id is 'The coupon that the shopper entered; domain/coupons decides whether it counts.';
